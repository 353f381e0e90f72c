//===- BlockLoop.h - A block does the work of others -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a gradient become persistent, so that
// as many blocks as the card holds do the work of all blocks of the launch?
//
// The launch stays what it is for the caller: its grid is that of the primal.
// Of each row of blocks along x the first ones stay and take every n-th block's
// work; the others return at once.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_BLOCKLOOP_H
#define KDIFF_EMIT_BLOCKLOOP_H

#include "llvm/IR/BasicBlock.h"

namespace kdiff {

/// Makes a loop over blocks of all of the gradient from its entry to \p Latch,
/// an empty block that all threads reach. What \p Behind, the block for
/// what follows the loop, computes must not depend on the block's index in x.
/// Returns a place in front of the loop (before its terminator).
llvm::Instruction *emitBlockLoop(llvm::BasicBlock &Latch,
                                 llvm::BasicBlock &Behind);

} // namespace kdiff
#endif // KDIFF_EMIT_BLOCKLOOP_H
