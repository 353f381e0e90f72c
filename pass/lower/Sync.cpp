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
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Instructions.h"
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

static StringRef runtimeFunction(const Function &Operation, AbstractOp Op) {
  if (Op == AbstractOp::SharedZero)
    return "__kd_shared_zero";
  return Operation.getReturnType()->isFloatTy() ? "__kd_shfl_back_f32"
                                                : "__kd_shfl_back_f64";
}

/// Warp-uniform additions of one number to global or shared memory become
/// runtime calls; others are left to be atomics. True if there was one.
static bool expandUniformAdditions(Function &Operation) {
  bool Found = false;
  auto *FT = Operation.getFunctionType();
  unsigned Space = FT->getParamType(0)->getPointerAddressSpace();
  Type *T = FT->getParamType(1);
  bool HasRuntime = (Space == nvptx::Generic || Space == nvptx::Global ||
                     Space == nvptx::Shared) &&
                    (T->isFloatTy() || T->isDoubleTy());
  for (User *U : make_early_inc_range(Operation.users())) {
    auto &CI = *cast<CallInst>(U);
    auto Kind = cast<ConstantInt>(CI.getArgOperand(2))->getZExtValue();
    if (Accumulation(Kind) != Accumulation::WarpUniform || !HasRuntime)
      continue;
    std::string Name = std::string("__kd_add_uniform_") +
                       (T->isFloatTy() ? "f32" : "f64") + "_p" +
                       std::to_string(Space);
    IRBuilder<> B(&CI);
    B.CreateCall(CI.getModule()->getOrInsertFunction(Name, B.getVoidTy(),
                                                     FT->getParamType(0), T),
                 {CI.getArgOperand(0), CI.getArgOperand(1)});
    CI.eraseFromParent();
    Found = true;
  }
  return Found;
}

void kdiff::lowerSync(Module &M) {
  bool NeedsRuntime = false;
  for (Function &F : make_early_inc_range(M)) {
    AbstractOp Op = abstractOp(F);
    if (Op == AbstractOp::Accumulate)
      NeedsRuntime |= expandUniformAdditions(F);
    if (Op == AbstractOp::None || Op >= AbstractOp::Accumulate)
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto &CI = *cast<CallInst>(U);
      if (Op == AbstractOp::WideShuffle) {
        expandWideShuffle(CI);
        continue;
      }
      CI.setCalledFunction(
          M.getOrInsertFunction(runtimeFunction(F, Op), F.getFunctionType()));
      NeedsRuntime = true;
    }
    F.eraseFromParent();
  }
  if (!NeedsRuntime)
    return;
  StringRef Bytes(reinterpret_cast<const char *>(RuntimeBytes),
                  sizeof(RuntimeBytes));
  std::unique_ptr<Module> Runtime = cantFail(
      parseBitcodeFile(MemoryBufferRef(Bytes, "warp.bc"), M.getContext()));
  narrowScopes(*Runtime);
  linkNeeded(M, std::move(Runtime), {});
}
