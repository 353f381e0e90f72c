//===- SharedRoom.h - Shared memory for KDiff's own use --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is there room for an array of the block beside
// the module's own shared memory, and how is it made?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_SHAREDROOM_H
#define KDIFF_LOWER_SHAREDROOM_H

#include "llvm/IR/GlobalVariable.h"

namespace kdiff {

/// Whether so many bytes fit beside the module's own shared memory.
bool hasSharedRoom(const llvm::Module &M, uint64_t Bytes);

/// An array of \p Count elements in the block's shared memory.
llvm::GlobalVariable *createShared(llvm::Module &M, const llvm::Twine &Name,
                                   llvm::Type *T, unsigned Count);

} // namespace kdiff
#endif // KDIFF_LOWER_SHAREDROOM_H
