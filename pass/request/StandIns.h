//===- StandIns.h - Requests that have bodies ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a request recognised whose function
// kdiff/kdiff.h defines?
//
// C++ wants a definition where a function's type has no linkage, as with
// lambdas among the arguments. So the header's requests have bodies, of nothing
// but a call that says that the plugin is missing.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_STANDINS_H
#define KDIFF_REQUEST_STANDINS_H

namespace llvm {
class Module;
} // namespace llvm

namespace kdiff {

/// Makes such functions declarations, and erases those that nobody calls.
/// Before collectRequests(). True if there was one. Reports those that were
/// inlined, which are lost.
bool takeStandIns(llvm::Module &M);

} // namespace kdiff
#endif // KDIFF_REQUEST_STANDINS_H
