//===- TapeBytes.h - How much tape will a thread need? ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how many bytes does the augmented primal of
// given arguments push, without running it?
//
// The augmented primal's control flow is run alone, and counts instead of
// pushing. LLVM's pipeline turns loops whose trip counts it knows into a
// formula of the arguments. That is right where control flow depends on
// nothing that the primal itself writes.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_TAPEBYTES_H
#define KDIFF_EMIT_TAPEBYTES_H

namespace llvm {
class Function;
class AAResults;
} // namespace llvm

namespace kdiff {

/// Makes \p Augmented (see takeHalf()), which returns an i64, return the bytes
/// of its records and do nothing else. False if its control flow depends on
/// what it does; reported.
bool countTapeBytes(llvm::Function &Augmented, llvm::AAResults &AA);

} // namespace kdiff
#endif // KDIFF_EMIT_TAPEBYTES_H
