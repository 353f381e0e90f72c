//===- Sync.cpp - Barriers and warp shuffles ------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Sync.h.
//
//===----------------------------------------------------------------------===//

#include "target/Sync.h"
#include "target/NVPTX.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kdiff::nvptx {

Mirror mirrorOf(const CallBase &CB) {
  switch (CB.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
  case Intrinsic::nvvm_barrier_cta_sync_all:
  case Intrinsic::nvvm_barrier_cta_sync_count:
  case Intrinsic::nvvm_bar_warp_sync:
    return Mirror::Same;
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_and_all:
  case Intrinsic::nvvm_barrier_cta_red_or_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_all:
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_count:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_count:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_count:
  case Intrinsic::nvvm_barrier_cta_red_and_count:
  case Intrinsic::nvvm_barrier_cta_red_or_count:
  case Intrinsic::nvvm_barrier_cta_red_popc_count:
    return Mirror::Barrier;
  default:
    return Mirror::None;
  }
}

bool isBlockBarrier(const CallBase &CB) {
  switch (CB.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
    return true;
  default:
    return false;
  }
}

bool isBarrierOfAll(const CallBase &CB) {
  return mirrorOf(CB) != Mirror::None &&
         CB.getCalledFunction()->getName().ends_with(".all");
}

bool isFence(const CallBase &CB) {
  switch (CB.getIntrinsicID()) {
  case Intrinsic::nvvm_membar_cta:
  case Intrinsic::nvvm_membar_gl:
  case Intrinsic::nvvm_membar_sys:
    return true;
  default:
    return false;
  }
}

bool isBlockFence(const Instruction &I) {
  if (auto *Fence = dyn_cast<FenceInst>(&I))
    return Fence->getSyncScopeID() ==
           I.getContext().getOrInsertSyncScopeID(BlockScope);
  auto *CB = dyn_cast<CallBase>(&I);
  return CB && CB->getIntrinsicID() == Intrinsic::nvvm_membar_cta;
}

/// barrier.red.* has the number, the count where it counts, the predicate.
CallInst *createPlainBarrier(IRBuilderBase &B, const CallBase &CB,
                             ArrayRef<Value *> Operands) {
  StringRef Name = CB.getCalledFunction()->getName();
  bool Aligned = Name.contains(".aligned."), Counts = Name.ends_with(".count");
  Intrinsic::ID ID =
      Counts ? (Aligned ? Intrinsic::nvvm_barrier_cta_sync_aligned_count
                        : Intrinsic::nvvm_barrier_cta_sync_count)
             : (Aligned ? Intrinsic::nvvm_barrier_cta_sync_aligned_all
                        : Intrinsic::nvvm_barrier_cta_sync_all);
  return B.CreateIntrinsic(ID, Operands.take_front(Counts ? 2 : 1));
}

CallInst *createBlockBarrier(IRBuilderBase &B) {
  return B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                           {B.getInt32(0)});
}

void createExit(IRBuilderBase &B) {
  auto *Type = FunctionType::get(B.getVoidTy(), /*isVarArg=*/false);
  B.CreateCall(InlineAsm::get(Type, "exit;", "", /*hasSideEffects=*/true));
}

bool isWarpLevel(const CallBase &CB) {
  return CB.getIntrinsicID() == Intrinsic::nvvm_bar_warp_sync || shuffleOf(CB);
}

Value *createBlockAny(IRBuilderBase &B, Value *Condition) {
  return B.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
                           {B.getInt32(0), Condition});
}

Value *createWarpAny(IRBuilderBase &B, Value *Condition) {
  Value *Mask = B.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
  return B.CreateIntrinsic(Intrinsic::nvvm_vote_any_sync, {Mask, Condition});
}

static std::optional<ShuffleKind> kindOf(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
    return ShuffleKind::Up;
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
    return ShuffleKind::Down;
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_f32:
    return ShuffleKind::Butterfly;
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
    return ShuffleKind::Index;
  default:
    return std::nullopt;
  }
}

std::optional<Shuffle> shuffleOf(const CallBase &CB) {
  if (auto Kind = kindOf(CB.getIntrinsicID()))
    return Shuffle{*Kind, 0, 1, 2, 3};
  const Function *F = CB.getCalledFunction();
  if (!F || F->getName() != WideShuffleName)
    return std::nullopt;
  auto Kind = cast<ConstantInt>(CB.getArgOperand(0))->getZExtValue();
  return Shuffle{ShuffleKind(Kind), 1, 2, 3, 4};
}

CallInst *createWideShuffle(IRBuilderBase &B, ShuffleKind Kind, Value *Mask,
                            Value *Val, Value *Lane, Value *Clamp) {
  Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  Module *M = B.GetInsertBlock()->getModule();
  FunctionCallee Callee = M->getOrInsertFunction(
      WideShuffleName,
      FunctionType::get(I64, {I32, I32, I64, I32, I32}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setConvergent();
  F->setDoesNotThrow();
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return B.CreateCall(Callee,
                      {B.getInt32(unsigned(Kind)), Mask, Val, Lane, Clamp});
}

CallInst *createRaise(IRBuilderBase &B, AtomicRMWInst &RMW) {
  Value *Pointer = RMW.getPointerOperand(), *V = RMW.getValOperand();
  Type *T = V->getType();
  Module *M = B.GetInsertBlock()->getModule();
  FunctionCallee Callee = M->getOrInsertFunction(
      (RaiseName + (T->isFloatingPointTy() ? "f" : "i") +
       Twine(T->getScalarSizeInBits()))
          .str(),
      FunctionType::get(B.getInt1Ty(), {B.getInt32Ty(), Pointer->getType(), T},
                        false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::argMemOnly());
  return B.CreateCall(Callee,
                      {B.getInt32(unsigned(RMW.getOperation())), Pointer, V});
}

Value *createRaises(IRBuilderBase &B, AtomicRMWInst::BinOp Op, Value *V,
                    Value *Old) {
  switch (Op) {
  case AtomicRMWInst::Max:
    return B.CreateICmpSGT(V, Old);
  case AtomicRMWInst::Min:
    return B.CreateICmpSLT(V, Old);
  case AtomicRMWInst::UMax:
    return B.CreateICmpUGT(V, Old);
  case AtomicRMWInst::UMin:
    return B.CreateICmpULT(V, Old);
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin: {
    // A number replaces a NaN.
    Value *First =
        B.CreateAnd(B.CreateFCmpUNO(Old, Old), B.CreateFCmpORD(V, V));
    return B.CreateOr(First, Op == AtomicRMWInst::FMax
                                 ? B.CreateFCmpOGT(V, Old)
                                 : B.CreateFCmpOLT(V, Old));
  }
  default:
    llvm_unreachable("no maximum or minimum");
  }
}

void createClaim(AtomicRMWInst &RMW, AtomicRMWInst::BinOp Order,
                 Value *Number) {
  IRBuilder<> B(RMW.getNextNode());
  B.SetCurrentDebugLocation(RMW.getDebugLoc());
  auto Mangled = [](Type *T) {
    return (T->isFloatingPointTy() ? "f" : "i") +
           std::to_string(T->getScalarSizeInBits());
  };
  Value *Word = RMW.getPointerOperand();
  std::string Name = ClaimName.str() + Mangled(Number->getType()) + "." +
                     Mangled(RMW.getType()) + ".p" +
                     std::to_string(Word->getType()->getPointerAddressSpace());
  FunctionCallee Callee = RMW.getModule()->getOrInsertFunction(
      Name, FunctionType::get(B.getInt64Ty(),
                              {B.getInt32Ty(), Word->getType(),
                               Number->getType(), RMW.getType()},
                              false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  B.CreateCall(Callee, {B.getInt32(unsigned(Order)), Word, Number, &RMW});
}

std::optional<Claim> claimOf(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  if (!F || !F->getName().starts_with(ClaimName))
    return std::nullopt;
  auto Order = cast<ConstantInt>(CB.getArgOperand(0))->getZExtValue();
  return Claim{AtomicRMWInst::BinOp(Order), CB.getArgOperand(1),
               CB.getArgOperand(2), cast<AtomicRMWInst>(CB.getArgOperand(3))};
}

bool isClaimed(const Instruction &I) {
  if (!isa<AtomicRMWInst>(I) || !I.hasOneUse())
    return false;
  auto *CB = dyn_cast<CallBase>(*I.user_begin());
  return CB && claimOf(*CB);
}

static constexpr StringLiteral BlockSumName = "kd.block.sum.";

CallInst *createBlockSum(IRBuilderBase &B, const BlockSum &Sum) {
  Type *T = Sum.Value->getType();
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      (BlockSumName + (T->isFloatTy() ? "f32" : "f64")).str(),
      FunctionType::get(T, {T, B.getInt1Ty()}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setConvergent();
  F->setDoesNotThrow();
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return B.CreateCall(Callee, {Sum.Value, Sum.Reader});
}

std::optional<BlockSum> blockSumOf(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  if (!F || !F->getName().starts_with(BlockSumName))
    return std::nullopt;
  return BlockSum{CB.getArgOperand(0), CB.getArgOperand(1)};
}

Value *createTreeHolds(IRBuilderBase &B, Value *Number, Value *First) {
  Type *I32 = B.getInt32Ty();
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      TreeHoldsName, FunctionType::get(B.getInt1Ty(), {I32, I32}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setSpeculatable();
  F->setMemoryEffects(MemoryEffects::none());
  return B.CreateCall(Callee, {Number, First});
}

static constexpr StringLiteral ContentMark = "kdiff.content";

void markAsContent(StoreInst &Store) {
  Store.setMetadata(ContentMark, MDNode::get(Store.getContext(), {}));
}

bool isMarkedAsContent(const Instruction &I) {
  return I.hasMetadata(ContentMark);
}

static constexpr StringLiteral LoopMark = "kdiff.loop";

void markAsLoop(AtomicRMWInst &Update) {
  Update.setMetadata(LoopMark, MDNode::get(Update.getContext(), {}));
}

bool isMarkedAsLoop(const AtomicRMWInst &Update) {
  return Update.hasMetadata(LoopMark);
}

/// The bounds of PTX ISA, "shfl.sync": of the segment in the clamp's bits 8 to
/// 12, up to the one in its bits 0 to 4, which for up is the lower one.
Value *createIsWithinBounds(IRBuilderBase &B, ShuffleKind Kind, Value *Lane,
                            Value *Clamp) {
  Value *Own = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  Value *Five = B.getInt32(31), *Distance = B.CreateAnd(Lane, Five);
  Value *Segment = B.CreateAnd(B.CreateLShr(Clamp, 8), Five);
  Value *Others = B.CreateXor(Segment, Five);
  Value *Base = B.CreateAnd(Own, Segment);
  Value *Bound = B.CreateOr(Base, B.CreateAnd(Clamp, Others));
  switch (Kind) {
  case ShuffleKind::Up:
    return B.CreateICmpSGE(B.CreateSub(Own, Distance), Bound);
  case ShuffleKind::Down:
    return B.CreateICmpSLE(B.CreateAdd(Own, Distance), Bound);
  case ShuffleKind::Butterfly:
    return B.CreateICmpSLE(B.CreateXor(Own, Distance), Bound);
  case ShuffleKind::Index:
    return B.CreateICmpSLE(B.CreateOr(Base, B.CreateAnd(Distance, Others)),
                           Bound);
  }
  llvm_unreachable("covered switch");
}

CallInst *createShuffle32(IRBuilderBase &B, ShuffleKind Kind, Value *Mask,
                          Value *Val, Value *Lane, Value *Clamp) {
  static constexpr Intrinsic::ID IDs[] = {
      Intrinsic::nvvm_shfl_sync_up_i32, Intrinsic::nvvm_shfl_sync_down_i32,
      Intrinsic::nvvm_shfl_sync_bfly_i32, Intrinsic::nvvm_shfl_sync_idx_i32};
  return B.CreateIntrinsic(IDs[unsigned(Kind)], {Mask, Val, Lane, Clamp});
}

} // namespace kdiff::nvptx
