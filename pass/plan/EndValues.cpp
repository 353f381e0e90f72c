//===- EndValues.cpp - Addresses that all threads can find ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see EndValues.h.
//
//===----------------------------------------------------------------------===//

#include "plan/EndValues.h"
#include "analysis/Uniformity.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace kdiff {

/// An address takes few instructions; each is repeated at the end.
static constexpr unsigned MaxDepth = 8;

/// Instructions of addresses, without a side effect for any operands.
static bool isAddressArithmetic(const Instruction &I) {
  return isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst,
             FreezeInst>(I) &&
         isSafeToSpeculativelyExecute(&I);
}

bool EndValues::isAlwaysExecuted(const Instruction &I) const {
  return !LI.getLoopFor(I.getParent()) &&
         DT.dominates(I.getParent(), S.P.ReturnBlock);
}

bool EndValues::isComputable(Value *V, SetVector<Value *> &Leaves,
                             unsigned Depth) {
  if (isa<Constant>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isAlwaysExecuted(*I)) {
    Leaves.insert(V);
    return true;
  }
  return Depth != MaxDepth && isAddressArithmetic(*I) &&
         all_of(I->operands(), [&](Value *Operand) {
           return isComputable(Operand, Leaves, Depth + 1);
         });
}

bool EndValues::isComputable(Value *V, SetVector<Value *> &Leaves) {
  SetVector<Value *> Found;
  if (!isComputable(V, Found, 0))
    return false;
  Leaves.insert_range(Found);
  return true;
}

/// True if \p CB reads a register that a thread finds the same in all blocks
/// along x.
static bool isThreadRegister(const CallBase &CB) {
  switch (CB.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return true;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return false;
  default:
    return isBlockRegister(CB);
  }
}

bool EndValues::isBlockUniform(const Value *V) {
  return isMadeOf(V, isBlockRegister);
}

bool EndValues::isColumnUniform(const Value *V) {
  return isMadeOf(V, [](const CallBase &CB) {
    return isBlockRegister(CB) ||
           CB.getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x;
  });
}

bool EndValues::isRowUniform(const Value *V) {
  return isMadeOf(V, [](const CallBase &CB) {
    return isBlockRegister(CB) ||
           CB.getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_y ||
           CB.getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_z;
  });
}

bool EndValues::isGridInvariant(const Value *V) {
  return isMadeOf(V, isThreadRegister);
}

/// True if \p V is computed from what is the same for the whole grid and from
/// registers that are as wanted.
bool EndValues::isMadeOf(const Value *V,
                         function_ref<bool(const CallBase &)> IsRegister) {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *Part = Work.pop_back_val();
    if (isa<Constant>(Part) || !Seen.insert(Part).second)
      continue;
    if (isa<Argument>(Part)) {
      if (none_of(S.Formals, [&](const Formal &Arg) {
            return Arg.Uniform &&
                   (Arg.Primal == Part || is_contained(Arg.Shadows, Part));
          }))
        return false;
      continue;
    }
    auto *I = dyn_cast<Instruction>(Part);
    if (!I)
      return false;
    if (auto *CB = dyn_cast<CallBase>(I)) {
      if (!IsRegister(*CB))
        return false;
      continue;
    }
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      // Memory that nobody writes holds the same for all.
      const LoadInst *Primal = Sh.mirrored(Load);
      if (!Load->isSimple() || W.of(Primal ? *Primal : *Load))
        return false;
    } else if (!isAddressArithmetic(*I)) {
      return false;
    }
    append_range(Work, I->operands());
  }
  return true;
}

} // namespace kdiff
