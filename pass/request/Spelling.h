//===- Spelling.h - How requests and markers are written -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which names, in C, in C++ and in Enzyme's
// spelling, mean a request or a marker?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_SPELLING_H
#define KDIFF_REQUEST_SPELLING_H

#include "request/Request.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kdiff {

/// What a call of a declared function means.
enum class CallMeaning {
  None,       ///< Nothing to KDiff.
  Reverse,    ///< __kd_autodiff, __enzyme_autodiff
  Forward,    ///< __kd_fwddiff, __enzyme_fwddiff
  Augmented,  ///< __kd_augment
  ReverseOf,  ///< __kd_reverse
  TapeBytes,  ///< __kd_tape_bytes
  Unsupported ///< A request of another kind.
};

/// The meaning of calls to \p F. Only functions without a body have one: a
/// function that merely has such a name in its template arguments has not.
CallMeaning meaningOf(const llvm::Function &F);

/// What they would mean if a function of this (mangled) name had no body.
CallMeaning meaningOfName(llvm::StringRef Mangled);

/// The function that \p CB calls, through casts; null if it is not constant.
llvm::Function *calledFunction(const llvm::CallBase &CB);

/// What stands before an argument.
enum class Marker {
  Const,
  Dup,
  DupNoNeed,
  Seed,
  SeedNoNeed,
  Fresh,
  Out,
  Acc,
  Tape,        ///< Of the whole request: a pool for its tape follows.
  Facts,       ///< Of the whole request: a variable for facts follows.
  Width,       ///< Of the whole request: how many shadows each value has.
  Unsupported, ///< A marker of another kind.
  Unknown      ///< A metadata string that is no marker.
};

struct MarkerSpelling {
  Marker Kind;
  std::string Name; ///< As the user wrote it.
};

/// The marker that the operand \p V is: a load of a global variable of that
/// name, its address, or metadata !"name". Nothing if \p V is a value.
std::optional<MarkerSpelling> asMarker(const llvm::Value &V);

/// True if the variable \p Name registers something that KDiff would have to
/// obey (Enzyme's custom rules and inactivity lists).
bool isUnsupportedRegistration(llvm::StringRef Name);

/// The source form of a function's name for messages: "f(float, int)".
std::string sourceName(const llvm::Function &F);

} // namespace kdiff
#endif // KDIFF_REQUEST_SPELLING_H
