//===- Options.h - What a request says as a whole ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what stands between a request's function and its
// arguments?
//
//   kd_tape, pool       __kd_autodiff: the tape lies in this pool, not in that
//                       of the module's variable
//   kd_facts, variable  facts about the derivative go to this variable
//   kd_width, N         there are N tangents, or seeds, at once
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_OPTIONS_H
#define KDIFF_REQUEST_OPTIONS_H

namespace llvm {
class CallBase;
class GlobalVariable;
class Value;
} // namespace llvm

namespace kdiff {

enum class Marker;

struct RequestOptions {
  llvm::Value *Tape = nullptr;
  llvm::GlobalVariable *Facts = nullptr;
  unsigned Width = 1;
};

/// True if \p M marks no argument, but says something of the request.
bool isOption(Marker M);

/// Reads the options of \p Call from operand \p Next on, which goes behind
/// them. False, and reported, if one does not fit.
bool readOptions(llvm::CallBase &Call, unsigned &Next, RequestOptions &Options);

} // namespace kdiff
#endif // KDIFF_REQUEST_OPTIONS_H
