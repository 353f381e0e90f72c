//===- Sync.cpp - Shuffle adjoints and shared zeroes become code ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the abstract operations of warps and
// blocks become code of the device runtime (runtime/device/warp.cpp)?
//
//===----------------------------------------------------------------------===//

#include "target/Sync.h"
#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "target/NVPTX.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace kdiff;

/// runtime/device/warp.cpp, compiled.
static constexpr unsigned char RuntimeBytes[] = {
#include "WarpRuntime.inc"
};

/// The two halves, shuffled alike.
static void expandWideShuffle(CallInst &CI) {
  IRBuilder<> B(&CI);
  nvptx::Shuffle S = *nvptx::shuffleOf(CI);
  Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  Value *Whole = CI.getArgOperand(S.Value);
  auto Move = [&](Value *Half) {
    return B.CreateZExt(nvptx::createShuffle32(B, S.Kind,
                                               CI.getArgOperand(S.Mask), Half,
                                               CI.getArgOperand(S.Lane),
                                               CI.getArgOperand(S.Clamp)),
                        I64);
  };
  Value *Low = Move(B.CreateTrunc(Whole, I32));
  Value *High = Move(B.CreateTrunc(B.CreateLShr(Whole, 32), I32));
  CI.replaceAllUsesWith(B.CreateOr(Low, B.CreateShl(High, 32)));
  CI.eraseFromParent();
}

static void expandRaise(CallInst &CI) {
  IRBuilder<> B(&CI);
  auto Op = AtomicRMWInst::BinOp(
      cast<ConstantInt>(CI.getArgOperand(0))->getZExtValue());
  Value *V = CI.getArgOperand(2);
  Value *Old = B.CreateAtomicRMW(
      Op, CI.getArgOperand(1), V, MaybeAlign(), AtomicOrdering::Monotonic,
      CI.getContext().getOrInsertSyncScopeID(nvptx::BlockScope));
  CI.replaceAllUsesWith(nvptx::createRaises(B, Op, V, Old));
  CI.eraseFromParent();
}

/// The stores that were made for their derivatives.
static void eraseContentStores(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (nvptx::isMarkedAsContent(I))
      I.eraseFromParent();
}

/// Where the target has an instruction for it. True if it was expanded.
static bool expandWarpMax(CallInst &CI) {
  if (nvptx::processorOf(*CI.getFunction()) < 80)
    return false;
  IRBuilder<> B(&CI);
  Value *Mask = B.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
  CI.replaceAllUsesWith(B.CreateIntrinsic(Intrinsic::nvvm_redux_sync_umax,
                                          {CI.getArgOperand(0), Mask}));
  CI.eraseFromParent();
  return true;
}

/// What one thread has goes to all without a sum.
static void expandBlockSumBack(CallInst &CI) {
  IRBuilder<> B(&CI);
  SmallVector<Value *, 2> Args(CI.args());
  StringRef Of = "one";
  if (auto *Reader = dyn_cast<Constant>(Args[1]);
      Reader && Reader->isOneValue()) {
    Of = "block";
    Args.pop_back();
  }
  Type *T = CI.getType();
  SmallVector<Type *, 2> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  FunctionCallee Callee = CI.getModule()->getOrInsertFunction(
      ("__kd_sum_of_" + Of + (T->isFloatTy() ? "_f32" : "_f64")).str(),
      FunctionType::get(T, Types, false));
  cast<Function>(Callee.getCallee())->setConvergent();
  CI.replaceAllUsesWith(B.CreateCall(Callee, Args));
  CI.eraseFromParent();
}

static StringRef runtimeFunction(const Function &Operation, AbstractOp Op) {
  if (Op == AbstractOp::TreeHolds)
    return "__kd_tree_holds";
  if (Op == AbstractOp::SharedZero)
    return "__kd_shared_zero";
  if (Op == AbstractOp::SharedWithin)
    return "__kd_shared_within";
  if (Op == AbstractOp::SharedApart)
    return "__kd_shared_apart";
  if (Op == AbstractOp::WarpMax)
    return "__kd_warp_max";
  if (Op == AbstractOp::CheckpointDistance)
    return "__kd_checkpoint_distance";
  return Operation.getReturnType()->isFloatTy() ? "__kd_shfl_back_f32"
                                                : "__kd_shfl_back_f64";
}

/// Tells the runtime whether the lanes have to find out if they ask for the
/// same.
static void expandShuffleBack(CallInst &CI, StringRef Name) {
  IRBuilder<> B(&CI);
  SmallVector<Value *, 6> Args(CI.args());
  Args.push_back(
      B.getInt1(isa<ConstantInt>(Args[3]) && isa<ConstantInt>(Args[4])));
  CI.replaceAllUsesWith(createRuntimeCall(B, Name, CI.getType(), Args));
  CI.eraseFromParent();
}

void kdiff::lowerSync(Module &M) {
  bool NeedsRuntime = false;
  for (Function &F : make_early_inc_range(M)) {
    AbstractOp Op = abstractOp(F);
    if (Op == AbstractOp::None || Op >= AbstractOp::AccumulateAll)
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto &CI = *cast<CallInst>(U);
      if (Op == AbstractOp::WideShuffle) {
        expandWideShuffle(CI);
        continue;
      }
      if (Op == AbstractOp::Raise) {
        eraseContentStores(*CI.getFunction());
        expandRaise(CI);
        continue;
      }
      if (Op == AbstractOp::Claim) {
        CI.eraseFromParent();
        continue;
      }
      if (Op == AbstractOp::BlockSum) {
        // Derivatives were attached to what is left of its uses.
        CI.replaceAllUsesWith(ConstantFP::getNaN(CI.getType()));
        CI.eraseFromParent();
        continue;
      }
      if (Op == AbstractOp::WarpMax && expandWarpMax(CI))
        continue;
      NeedsRuntime = true;
      if (Op == AbstractOp::ShuffleBack)
        expandShuffleBack(CI, runtimeFunction(F, Op));
      else if (Op == AbstractOp::BlockSumBack)
        expandBlockSumBack(CI);
      else
        CI.setCalledFunction(
            M.getOrInsertFunction(runtimeFunction(F, Op), F.getFunctionType()));
    }
    F.eraseFromParent();
  }
  if (NeedsRuntime)
    linkNeeded(M, readRuntime(RuntimeBytes, "warp.bc", M.getContext()), {});
}
