//===- Intrinsics.cpp - Calls that are plain IR in disguise -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which calls does LLVM IR have an instruction
// for, and which only tell the optimiser something?
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

/// Bits moved between types: one way whether libdevice or an intrinsic does it.
enum class BitMove { None, Cast, High, Low, Pack };

BitMove bitMoveOf(const CallInst &CI) {
  switch (CI.getIntrinsicID()) {
  case Intrinsic::nvvm_d2i_hi:
    return BitMove::High;
  case Intrinsic::nvvm_d2i_lo:
    return BitMove::Low;
  case Intrinsic::nvvm_lohi_i2d:
    return BitMove::Pack;
  default:
    break;
  }
  const Function *Callee = CI.getCalledFunction();
  if (!Callee)
    return BitMove::None;
  return StringSwitch<BitMove>(Callee->getName())
      .Cases({"__nv_float_as_int", "__nv_float_as_uint", "__nv_int_as_float",
              "__nv_uint_as_float", "__nv_double_as_longlong",
              "__nv_longlong_as_double"},
             BitMove::Cast)
      .Case("__nv_double2hiint", BitMove::High)
      .Case("__nv_double2loint", BitMove::Low)
      .Case("__nv_hiloint2double", BitMove::Pack)
      .Default(BitMove::None);
}

Value *emitBitMove(IRBuilderBase &B, BitMove Move, CallInst &CI) {
  if (Move == BitMove::None)
    return nullptr;
  Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  Value *X = CI.getArgOperand(0);
  switch (Move) {
  case BitMove::None:
    break;
  case BitMove::Cast:
    return B.CreateBitCast(X, CI.getType());
  case BitMove::High:
    return B.CreateTrunc(B.CreateLShr(B.CreateBitCast(X, I64), 32), I32);
  case BitMove::Low:
    return B.CreateTrunc(B.CreateBitCast(X, I64), I32);
  case BitMove::Pack: {
    // __nv_hiloint2double(hi, lo), but llvm.nvvm.lohi.i2d(lo, hi).
    Value *High = X, *Low = CI.getArgOperand(1);
    if (CI.getIntrinsicID() == Intrinsic::nvvm_lohi_i2d)
      std::swap(High, Low);
    Value *Bits = B.CreateOr(B.CreateShl(B.CreateZExt(High, I64), 32),
                             B.CreateZExt(Low, I64));
    return B.CreateBitCast(Bits, CI.getType());
  }
  }
  llvm_unreachable("covered switch");
}

/// The IR that \p CI stands for, or null if it is a call like any other.
Value *plainIR(IRBuilderBase &B, CallInst &CI) {
  switch (CI.getIntrinsicID()) {
  case Intrinsic::nvvm_ldu_global_i:
  case Intrinsic::nvvm_ldu_global_f:
  case Intrinsic::nvvm_ldu_global_p: {
    // Read-only for the whole kernel (PTX ISA, "ldu"), like an invariant load.
    MaybeAlign A = cast<ConstantInt>(CI.getArgOperand(1))->getMaybeAlignValue();
    LoadInst *LI = B.CreateAlignedLoad(CI.getType(), CI.getArgOperand(0), A);
    LI->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(CI.getContext(), {}));
    return LI;
  }
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ssa_copy:
  case Intrinsic::annotation:
  case Intrinsic::ptr_annotation:
    return CI.getArgOperand(0);
  default:
    return emitBitMove(B, bitMoveOf(CI), CI);
  }
}

} // namespace

void kdiff::simplifyIntrinsics(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *CI = dyn_cast<CallInst>(&I);
    if (!CI)
      continue;
    IRBuilder<> B(CI);
    Value *V = plainIR(B, *CI);
    if (!V)
      continue;
    CI->replaceAllUsesWith(V);
    CI->eraseFromParent();
  }
}

void kdiff::dropMarkers(Function &F) {
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    // Without their declarations, the scopes of inlined functions would hold
    // for all iterations of a loop at once.
    I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    I.setMetadata(LLVMContext::MD_noalias, nullptr);
    auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II || II->isTerminator())
      continue;
    switch (II->getIntrinsicID()) {
    case Intrinsic::assume:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::var_annotation:
    case Intrinsic::sideeffect:
    case Intrinsic::donothing:
      break;
    default:
      continue;
    }
    for (Value *Op : II->args())
      if (isa<Instruction>(Op))
        Dead.push_back(Op);
    II->replaceAllUsesWith(PoisonValue::get(II->getType()));
    II->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}
