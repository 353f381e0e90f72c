//===- ArgSpec.h - Arguments on the command line ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a user say on the command line with
// what a kernel is launched?
//
// An argument is NAME=TYPE for a by-value scalar, NAME=TYPE* for a buffer, then
//   :COUNT      elements of a buffer
//   :INIT       a number; zero; iota (0, 1, 2, ...); rand(LOW,HIGH);
//               [V,V,...]
//   :ACTIVITY   const, dup or active; else the kernel's use decides
// TYPE is real, f16, bf16, f32, f64, i32, u32, i64 or u64; real is what -DREAL
// says (float without it). An argument FILE.json holds an object in the format
// of case.json's "args", for structs and for given data.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_ARGSPEC_H
#define KDIFF_TOOL_ARGSPEC_H

#include "cases/CaseFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace kdiff::tool {

/// "X", "X,Y" or "X,Y,Z", all positive.
llvm::Expected<Dim3> parseDim3(llvm::StringRef Text, llvm::StringRef What);

/// The arguments of all \p Specs as one JSON object. rand() draws numbers
/// that are exact in single precision, the same ones for the same \p Seed.
llvm::Expected<llvm::json::Value> parseSpecs(llvm::ArrayRef<std::string> Specs,
                                             uint64_t Seed);

/// A case of one launch of \p K with the arguments \p Args (parseSpecs), those
/// without an activity of their own getting \p Acts. An error for parameters
/// without an argument, arguments without a parameter, and types that differ.
llvm::Expected<Case> makeCase(const llvm::Function &K,
                              const llvm::json::Value &Args, Launch L,
                              llvm::ArrayRef<Activity> Acts, ElementType Real);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_ARGSPEC_H
