//===- CopyLoop.h - The adjoint of a block copy ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the adjoints of copied words move back
// from the target's shadow to the source's?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_COPYLOOP_H
#define KDIFF_EMIT_COPYLOOP_H

#include "lower/Abstract.h"

namespace kdiff {

/// For each of the Length / sizeof(Scalar) words k: t = To[k]; To[k] = 0;
/// From[k] += t. The adjoints of a seed (\p IsSeed) stay. \p Length is in
/// bytes. The words of an overlapping copy
/// (\p MayOverlap) are visited in the order opposite to the one in which a
/// word-by-word copy would be right. \p B ends behind the loop.
void emitAdjointCopy(llvm::IRBuilderBase &B, llvm::Type *Scalar,
                     llvm::Value *To, llvm::Value *From, llvm::Value *Length,
                     Accumulation Kind, bool MayOverlap, bool IsSeed);

} // namespace kdiff
#endif // KDIFF_EMIT_COPYLOOP_H
