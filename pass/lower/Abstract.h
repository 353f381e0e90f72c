//===- Abstract.h - The abstract operations that emit writes ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which operations may the emit stage write that
// are no LLVM IR of their own, and what does each mean?
//
// They are calls to declared functions named kd.*, so that the module between
// emit and lower is printable, verifiable IR. lower replaces every one.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_ABSTRACT_H
#define KDIFF_LOWER_ABSTRACT_H

#include "llvm/IR/IRBuilder.h"

namespace kdiff {

/// Which operation a function stands for.
enum class AbstractOp {
  None, ///< No abstract operation.
  WideShuffle,
  Raise, ///< nvptx::createRaise.
  Claim, ///< nvptx::createClaim, where nothing is differentiated.
  ShuffleBack,
  BlockSum,  ///< nvptx::createBlockSum.
  TreeHolds, ///< nvptx::createTreeHolds.
  BlockSumBack,
  SharedZero,
  SharedWithin,
  SharedApart,
  WarpMax,
  CheckpointDistance,
  AccumulateAll,
  AccumulateChunk,
  AccumulateGathered,
  Accumulate,
  StencilAdd,
  StencilEnd,
  Attach, ///< rules/Attach.h
  Doubt,
  Quotient,
  TapeOpen,
  TapeClose,
  TapeBegin,
  TapeSuspend,
  TapeResume,
  TapeExhausted,
  TapePush,
  TapePop,
  TapeField,
  TapeClaim,
  TapeSettle,
  TapeWatch
};
AbstractOp abstractOp(const llvm::Function &F);

/// The attribute (in its !llvm.loop metadata) of a loop that lower unrolls: as
/// many iterations as its i32 says, each with its exit, or without one all of
/// the loop's, a constant number.
inline constexpr llvm::StringLiteral UnrollAttribute = "kdiff.unroll";

/// The attribute of a loop in which so many iterations (an i32) make their
/// kd.accumulate.chunk at once.
inline constexpr llvm::StringLiteral ChunkAttribute = "kdiff.chunk";

/// Gives the loop that \p Backedge closes the attribute, in place of what says
/// how it is to be unrolled.
void markLoop(llvm::Instruction &Backedge, llvm::StringRef Attribute,
              std::optional<unsigned> Number = std::nullopt);

/// The attribute of a loop whose iterations do not depend on each other, so
/// that lower lets the lanes of a warp share them out. What they add to memory
/// is all that they leave; the memory that they read may be that of any thread.
inline constexpr llvm::StringLiteral ShareAttribute = "kdiff.share";

/// The attribute of a loop in which so many iterations (an i32) may make their
/// sums over the lanes of a warp together.
inline constexpr llvm::StringLiteral TogetherAttribute = "kdiff.together";

/// How an adjoint addition is made (design: section 5).
enum class Accumulation : unsigned {
  Private,   ///< Memory of this thread alone: load, add, store.
  Exclusive, ///< No other thread touches the word: load, add, store.
  /// The same in blocks that extend in x alone, which is tested at run time;
  /// else as Contended.
  ExclusiveInX,
  /// One word for all threads of the block, which add together: a sum over the
  /// block, then one atomic. For createAccumulateAll().
  BlockUniform,
  /// Likely one word for the whole warp, which is tested at run time: a sum
  /// over the lanes at hand, then one atomic. Else as Contended.
  WarpUniform,
  Contended, ///< Relaxed atomic; device scope for global memory, block scope
             ///< for shared memory.
  Overwrite, ///< The only addition to a word whose content does not count:
             ///< a store of 0 + Value.
  /// Likely one word for all threads of a row of the block (that differ in
  /// threadIdx.x alone), which is tested at run time: a sum over the row's
  /// lanes in the warp, then one atomic. Else as Contended.
  RowUniform,
  /// Likely one word for the lanes of a warp that stand in the same place of
  /// several rows of the block, which is tested at run time: a sum over these,
  /// then one atomic. Else as Contended.
  AcrossRows,
  /// Likely one word for the threads of all warps that have the same lane,
  /// which is tested at run time: a sum over the warps, then one atomic each.
  /// Else as Contended. For createAccumulateAll().
  Columns,
  /// One word for all threads of the block that have the same threadIdx.x, all
  /// of which add together: a sum over the rows through shared memory, then one
  /// atomic. For createAccumulateAll() and createAccumulateChunk().
  BlockRows,
  /// Words a constant apart, of a thread; likely the lanes of a warp have them
  /// one word from each other, which is tested at run time: what the lanes add
  /// to one word is summed, then one atomic a word. Else as Contended. For
  /// createAccumulateAll().
  Neighbours,
  /// One word for all threads of a row of the block: as RowUniform, without a
  /// test.
  Rows,
  /// Likely another thread's own word, which is tested at run time: that thread
  /// computes what is added, and adds it with all else to its word. Else as
  /// Contended. For createStencilAdd().
  Stencil
};
inline constexpr Accumulation LastAccumulation = Accumulation::Stencil;

/// kd.accumulate.<type>.p<AS>(ptr Shadow, T Value, i32 immarg kind):
/// *Shadow += Value. T is half, bfloat, float, double or a vector of them.
/// The pointer operand's align attribute holds; without one the alignment is
/// that of the (element's) type.
llvm::CallInst *createAccumulate(llvm::IRBuilderBase &B, llvm::Value *Shadow,
                                 llvm::Value *Value, Accumulation Kind,
                                 llvm::MaybeAlign Alignment = std::nullopt);

/// A word in memory, and what is added to it.
struct WordSum {
  llvm::Value *Shadow, *Value;
  /// In a chunk: the bytes by which the address shrinks from one iteration of
  /// the reversed loop to the next.
  int64_t Step = 0;
};

/// kd.accumulate.all.<type>(i32 immarg kind, ptr Shadow, T Value, ...): adds
/// each Value (all float, or all double) to its word. Where a value is the
/// neutral -0.0 nothing is added, and the address need not be valid. Of kinds
/// BlockUniform and Columns: all threads of the block must make the call, once
/// in a launch or with a barrier before the next time; of kind BlockUniform
/// with the same addresses. Of kind BlockRows: all threads of the block that
/// have not ended must make the call, as often as they like.
void createAccumulateAll(llvm::IRBuilderBase &B, llvm::ArrayRef<WordSum> Words,
                         Accumulation Kind);

/// kd.accumulate.chunk.<type>(i32 immarg kind, ptr Shadow, T Value,
/// i64 immarg Step, ...): as kd.accumulate.all, of a kind that lanes make
/// together, in each iteration of a loop with ChunkAttribute. Nothing between
/// two of them needs the first one done.
void createAccumulateChunk(llvm::IRBuilderBase &B,
                           llvm::ArrayRef<WordSum> Words, Accumulation Kind);

/// How a thread makes a sum over the threads of its row (column) of the block
/// by itself (plan/Gather.h).
struct Gathering {
  Accumulation Kind; ///< How its words are added to where that cannot be.
  bool AlongY;       ///< Over a column: the threads differ in threadIdx.y.
  bool IsAligned;    ///< Factors lie in rows, 16 bytes aligned in their array.
  bool IsCommon;     ///< All rows (columns) have the same factors.
  bool IsHanded;     ///< The sum is handed on, if it was made.
  unsigned Count;    ///< Of words.
  unsigned
      MaxOther; ///< The largest extent of the block in the other direction.
  int64_t WordStep, FactorStep, FactorStride; ///< In bytes.
  llvm::Value *Word;                          ///< The shadow of the first word.
  llvm::Value *Factor; ///< The address of the first word's factor.
  llvm::Value *Seed;   ///< What the thread's factors are multiplied with.
};

/// {T, i1} kd.accumulate.gathered.<type>(i32 immarg kind, i1 immarg along y,
/// i1 immarg aligned, i1 immarg common, i1 immarg handed, i32 immarg count, i32
/// immarg max, i64 immarg step, i64 immarg factor step, i64 immarg stride, ptr
/// addrspace(3) Word, ptr addrspace(3) Factor, T Seed): adds to each word at
/// Word + k step, k < count, Seed times what is at Factor + k (factor step), or
/// zero where Seed is. All threads of the block that have not ended must make
/// the call, with a barrier before the next time. The result is true if each
/// word's sum over all threads was handed on instead of being added: as the
/// first member, to the thread whose threadIdx.x (y) is k.
llvm::Value *createAccumulateGathered(llvm::IRBuilderBase &B,
                                      const Gathering &How);
/// The operands of such a call.
Gathering gatheringOf(const llvm::CallInst &CI);

/// kd.stencil.add.<type>.p<AS>(i32 immarg Group, ptr Shadow, T Value, i32 X,
/// i32 Y, i32 Z): *Shadow += Value, by the thread that is (X, Y, Z) further in
/// the launch where Shadow is its own word of the group. T is float or double.
/// The distance is the same for all threads, and known at the entry. The
/// gradient is all that the launch does, of which every thread computes the
/// same: what leads to the call (by integers, and numbers as they are in
/// memory), the address and the value are functions of the launch's index and
/// of memory that the launch does not write. Where a dimension of the distance
/// is not the constant 0, the function reads the thread's place there as the
/// launch's index alone (analysis/LaunchIndex.h).
void createStencilAdd(llvm::IRBuilderBase &B, unsigned Group,
                      llvm::Value *Shadow, llvm::Value *Value,
                      llvm::ArrayRef<llvm::Value *> Away);
/// kd.stencil.end.<type>.p<AS>(i32 immarg Group, ptr Own, T): once for each
/// group, at the end, where all threads come. Own is arithmetic of arguments,
/// sizes and the launch's index, without side effects for any values; it need
/// not be valid where nobody adds to it.
void createStencilEnd(llvm::IRBuilderBase &B, unsigned Group, llvm::Value *Own,
                      llvm::Type *T);

/// The state of a thread's tape: an alloca of this type in the gradient; its
/// address is the first operand of every kd.tape.* operation, and is passed
/// on to augmented and reverse functions of calls that stay calls.
llvm::Type *tapeStateType(llvm::LLVMContext &C);

/// kd.tape.open(ptr State, ptr Pool): an empty tape. Once, before the first
/// push. \p Pool null: that of the module's variable.
void createTapeOpen(llvm::IRBuilderBase &B, llvm::Value *State,
                    llvm::Value *Pool = nullptr);
/// kd.tape.close(ptr State): after the last pop, or where the reverse sweep
/// is skipped: gives back what the thread still holds.
void createTapeClose(llvm::IRBuilderBase &B, llvm::Value *State);
/// Split mode. kd.tape.begin(ptr State, ptr Pool): an empty tape in a pool of
/// its own, in place of kd.tape.open.
void createTapeBegin(llvm::IRBuilderBase &B, llvm::Value *State,
                     llvm::Value *Pool);
/// kd.tape.suspend(ptr State, i32 immarg Layout): keeps the tape, of records
/// with this layout (not 0), until resume. Nothing follows it.
void createTapeSuspend(llvm::IRBuilderBase &B, llvm::Value *State,
                       unsigned Layout);
/// kd.tape.resume(ptr State, ptr Pool, i32 immarg Layout): the tape that the
/// same thread of an earlier launch suspended. The launch fails with a message
/// if there is none of this layout.
void createTapeResume(llvm::IRBuilderBase &B, llvm::Value *State,
                      llvm::Value *Pool, unsigned Layout);
/// i1 kd.tape.exhausted(ptr State): true if a push found no page. The reverse
/// sweep must be skipped then (the launch has noted what it lacked).
llvm::Value *createTapeExhausted(llvm::IRBuilderBase &B, llvm::Value *State);
/// ptr addrspace(1) kd.tape.push(ptr State, i32 immarg Bytes): reserves a
/// record of Bytes (at most MaxRecordBytes) for this lane; never null.
llvm::Value *createTapePush(llvm::IRBuilderBase &B, llvm::Value *State,
                            unsigned Bytes);
/// ptr addrspace(1) kd.tape.pop(ptr State, i32 immarg Bytes): the record that
/// the matching push reserved; readable until the next push or pop.
llvm::Value *createTapePop(llvm::IRBuilderBase &B, llvm::Value *State,
                           unsigned Bytes);
/// ptr addrspace(1) kd.tape.field(ptr State, ptr addrspace(1) Record,
/// i32 immarg Offset, i32 immarg Size): the address of a field of 1, 2, 4 or
/// 8 bytes at a multiple of its size within the record. Lanes are interleaved
/// by words of 8 bytes (TapeRecordGranule):
/// Record + Offset / 8 * 256 + lane * 8 + Offset % 8.
/// A field of a larger power of two lies at a multiple of 8, and its address
/// may only be loaded from and stored to.
llvm::Value *createTapeField(llvm::IRBuilderBase &B, llvm::Value *State,
                             llvm::Value *Record, unsigned Offset,
                             unsigned Size);

/// Split mode. i64 kd.tape.claim(ptr State, i64 Word, i32 immarg Order,
/// i64 Code, i1 Raises): in the augmented launch, behind an atomic maximum or
/// minimum that has put a number there if Raises: notes it as the word's last
/// one unless one with a larger unsigned Code was put. \p Order tells the
/// kinds of code apart; the launch fails with a message where one word has
/// several. The result is for settle alone. May push a record.
llvm::Value *createTapeClaim(llvm::IRBuilderBase &B, llvm::Value *State,
                             llvm::Value *Word, unsigned Order,
                             llvm::Value *Code, llvm::Value *Raises);
/// i1 kd.tape.settle(ptr State, i64 Claim, i64 Code): in the reverse launch, in
/// the reverse order of the thread's claims: true if that one put the word's
/// last number; so it is for one claim of a word, or for none. Pops what the
/// claim pushed.
llvm::Value *createTapeSettle(llvm::IRBuilderBase &B, llvm::Value *State,
                              llvm::Value *Claim, llvm::Value *Code);
/// kd.tape.watch(ptr State, i64 Address, i32 immarg Bytes): the augmented
/// launch fails with a message if a word there was claimed.
void createTapeWatch(llvm::IRBuilderBase &B, llvm::Value *State,
                     llvm::Value *Address, unsigned Bytes);

/// kd.shfl.back.<type>(i32 immarg kind, i32 mask, T Adjoint, i32 lane,
/// i32 clamp): each lane of mask gets the sum of Adjoint over the lanes of mask
/// that read it in shfl.sync of these operands (nvptx::ShuffleKind).
llvm::Value *createShuffleBack(llvm::IRBuilderBase &B, unsigned Kind,
                               llvm::Value *Mask, llvm::Value *Adjoint,
                               llvm::Value *Lane, llvm::Value *Clamp);

/// kd.block.sum.back.<type>(T Adjoint, i1 Reader): every thread of the block
/// gets the sum of Adjoint over all of them, which come to it together. Reader
/// is true, or is true in one thread, the only one whose Adjoint is not zero.
/// T is float or double.
llvm::Value *createBlockSumBack(llvm::IRBuilderBase &B, llvm::Value *Adjoint,
                                llvm::Value *Reader);

/// i32 kd.warp.max(i32 Number): the largest unsigned Number of the lanes that
/// happen to be at hand; never below this lane's own.
llvm::Value *createWarpMax(llvm::IRBuilderBase &B, llvm::Value *Number);

/// i32 kd.checkpoint.distance(i32 Segments, i32 Free): where \p Segments (at
/// least 1) of a loop are to be reversed, with a snapshot of the first at hand
/// and room for \p Free more, how many segments behind it the next is best
/// taken; at least 1. The last segment's first iteration is the furthest that
/// is of use; without room, that is the answer.
llvm::Value *createCheckpointDistance(llvm::IRBuilderBase &B,
                                      llvm::Value *Segments, llvm::Value *Free);

/// i1 kd.doubt(i1 Doubt): Doubt, in front of a loop or of code of the same
/// block that lower makes two versions of: one for where it is false, and one
/// for where it is true.
llvm::Value *createDoubt(llvm::IRBuilderBase &B, llvm::Value *Doubt);

/// T kd.quotient.<type>(T Numerator, T Divisor, T Reciprocal): the quotient, or
/// the numerator times \p Reciprocal, 1 / Divisor, where that is a normal
/// number.
llvm::CallInst *createQuotient(llvm::IRBuilderBase &B, llvm::Value *Numerator,
                               llvm::Value *Divisor, llvm::Value *Reciprocal);

/// kd.shared.zero(ptr addrspace(3) Address, i32 Bytes): all threads of the
/// block zero the range together. No barrier.
void createSharedZero(llvm::IRBuilderBase &B, llvm::Value *Address,
                      llvm::Value *Bytes);

/// kd.shared.within(ptr addrspace(3) End, ptr addrspace(3) Limit): the launch
/// fails with a message about dynamic shared memory if End lies behind Limit.
void createSharedWithin(llvm::IRBuilderBase &B, llvm::Value *End,
                        llvm::Value *Limit);

/// kd.shared.apart(ptr addrspace(3) End, ptr addrspace(3) Limit): the launch
/// fails with a message about arrays that overlap if End lies behind Limit.
void createSharedApart(llvm::IRBuilderBase &B, llvm::Value *End,
                       llvm::Value *Limit);

} // namespace kdiff
#endif // KDIFF_LOWER_ABSTRACT_H
