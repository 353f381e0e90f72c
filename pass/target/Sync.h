//===- Sync.h - Barriers, fences and warp shuffles -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which calls make threads wait for each other or
// exchange values, and what are their parts?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TARGET_SYNC_H
#define KDIFF_TARGET_SYNC_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class CallBase;
class Instruction;
} // namespace llvm

namespace kdiff::nvptx {

/// What the reverse sweep does where the primal passes a synchronisation.
enum class Mirror {
  Same,    ///< The same call: barriers without result.
  Barrier, ///< A plain barrier of the same threads: barrier.red.*.
  None     ///< Cannot be mirrored: arrivals, clusters.
};
Mirror mirrorOf(const llvm::CallBase &CB);

/// A memory fence that is an intrinsic, of the kinds that order plain memory
/// (no proxy, no cluster). Fences have no mirror: they hold up nobody.
bool isFence(const llvm::CallBase &CB);

/// True if the fence \p I (an intrinsic or an instruction) orders memory for
/// the threads of the block alone.
bool isBlockFence(const llvm::Instruction &I);

/// A barrier at which all threads of the block wait.
bool isBarrierOfAll(const llvm::CallBase &CB);
/// The same, and all of them at \p CB itself.
bool isBlockBarrier(const llvm::CallBase &CB);

/// True if the mirrored synchronisation \p CB is one of lanes of a warp.
bool isWarpLevel(const llvm::CallBase &CB);

/// The plain barrier that stands for the barrier with a reduction \p CB, given
/// its operands as they are to be used.
llvm::CallInst *createPlainBarrier(llvm::IRBuilderBase &B,
                                   const llvm::CallBase &CB,
                                   llvm::ArrayRef<llvm::Value *> Operands);

/// A barrier of all threads of the block (number 0).
llvm::CallInst *createBlockBarrier(llvm::IRBuilderBase &B);
/// The thread ends here.
void createExit(llvm::IRBuilderBase &B);

/// i1: true if \p Condition is for any thread of the block (of barrier number
/// 0, which they all pass), or of the lanes that happen to be together.
llvm::Value *createBlockAny(llvm::IRBuilderBase &B, llvm::Value *Condition);
llvm::Value *createWarpAny(llvm::IRBuilderBase &B, llvm::Value *Condition);

/// shfl.sync (PTX ISA, "shfl.sync"): each lane reads Value of the lane that
/// its Lane and Clamp operands name.
enum class ShuffleKind : unsigned { Up, Down, Butterfly, Index };

/// The operands' positions.
struct Shuffle {
  ShuffleKind Kind = ShuffleKind::Index;
  unsigned Mask = 0, Value = 1, Lane = 2, Clamp = 3;
};

/// llvm.nvvm.shfl.sync.* without predicate, or the pair of them that moves 64
/// bits (createWideShuffle). Nothing for other calls.
std::optional<Shuffle> shuffleOf(const llvm::CallBase &CB);

/// kd.shfl.i64(i32 immarg kind, i32 mask, i64 value, i32 lane, i32 clamp): two
/// 32-bit shuffles of the halves as one value, until they are lowered.
constexpr llvm::StringLiteral WideShuffleName = "kd.shfl.i64";
llvm::CallInst *createWideShuffle(llvm::IRBuilderBase &B, ShuffleKind Kind,
                                  llvm::Value *Mask, llvm::Value *Value,
                                  llvm::Value *Lane, llvm::Value *Clamp);

/// kd.raise.T(i32 immarg operation, ptr addrspace(3), T value) -> i1: the
/// atomic maximum or minimum \p RMW in shared memory (its operation is an
/// AtomicRMWInst::BinOp); true if the content changed.
constexpr llvm::StringLiteral RaiseName = "kd.raise.";
llvm::CallInst *createRaise(llvm::IRBuilderBase &B, llvm::AtomicRMWInst &RMW);

/// i1: true if an operation of \p Op (a maximum or minimum) that found \p Old
/// puts \p V there.
llvm::Value *createRaises(llvm::IRBuilderBase &B, llvm::AtomicRMWInst::BinOp Op,
                          llvm::Value *V, llvm::Value *Old);

/// kd.claim.T.V.pN(i32 immarg order, ptr, T number, V old) -> i64: stands
/// behind an atomic maximum or minimum of split mode that puts \p number and
/// found old; the contents of the word go up in the order of that operation (an
/// AtomicRMWInst::BinOp). It has the operation's derivative.
constexpr llvm::StringLiteral ClaimName = "kd.claim.";
struct Claim {
  llvm::AtomicRMWInst::BinOp Order;
  llvm::Value *Word, *Number;
  llvm::AtomicRMWInst *RMW;
};
void createClaim(llvm::AtomicRMWInst &RMW, llvm::AtomicRMWInst::BinOp Order,
                 llvm::Value *Number);
/// What the claim \p CB says; nothing for other calls.
std::optional<Claim> claimOf(const llvm::CallBase &CB);
/// True if \p I is an atomic operation whose derivative a claim has.
bool isClaimed(const llvm::Instruction &I);

/// kd.block.sum.T(T Value, i1 Reader) -> T, for float and double: the sum of
/// Value over the threads of the block, all of which come to it together. The
/// result has a derivative, and is no number: nobody computes it. Reader is
/// true, or is true in one thread, the only one that uses the result.
struct BlockSum {
  llvm::Value *Value, *Reader;
};
llvm::CallInst *createBlockSum(llvm::IRBuilderBase &B, const BlockSum &Sum);
/// What the sum \p CB says; nothing for other calls.
std::optional<BlockSum> blockSumOf(const llvm::CallBase &CB);

/// kd.tree.holds(i32 Number, i32 First) -> i1: where threads, as long as
/// distances First, First / 2, ..., 1 are left, add to the word of their number
/// the word that lies the distance behind it: true if word \p Number is one of
/// those that the first word becomes the sum of.
constexpr llvm::StringLiteral TreeHoldsName = "kd.tree.holds";
llvm::Value *createTreeHolds(llvm::IRBuilderBase &B, llvm::Value *Number,
                             llvm::Value *First);

/// Marks a store as one that puts what is there already, for the sake of its
/// derivative alone. The lower stage takes it out.
void markAsContent(llvm::StoreInst &Store);
bool isMarkedAsContent(const llvm::Instruction &I);

/// Marks an update that was a loop around a compare-and-swap and has to be one
/// again: PTX's instruction would round in another way.
void markAsLoop(llvm::AtomicRMWInst &Update);
bool isMarkedAsLoop(const llvm::AtomicRMWInst &Update);

/// i1: the second result (p) of such a shuffle: whether the lane that is named
/// lies within the bounds.
llvm::Value *createIsWithinBounds(llvm::IRBuilderBase &B, ShuffleKind Kind,
                                  llvm::Value *Lane, llvm::Value *Clamp);

/// The llvm.nvvm.shfl.sync intrinsic of 32-bit integers of \p Kind.
llvm::CallInst *createShuffle32(llvm::IRBuilderBase &B, ShuffleKind Kind,
                                llvm::Value *Mask, llvm::Value *Value,
                                llvm::Value *Lane, llvm::Value *Clamp);

} // namespace kdiff::nvptx
#endif // KDIFF_TARGET_SYNC_H
