//===- Indirect.cpp - Calls through known function pointers -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which indirect calls can only be calls of a few
// functions that are known?
//
// A table of functions in constant memory or in a local array, a choice between
// functions: such a call becomes a comparison with each, and direct calls.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

namespace {

constexpr unsigned MaxTargets = 16;

/// Finds the functions that a pointer may point to.
class Targets {
public:
  /// False if \p V may be something that is not known.
  bool collect(Value *V) {
    if (!Seen.insert(V).second)
      return true;
    if (auto *F = dyn_cast<Function>(V)) {
      Found.insert(F);
      return Found.size() <= MaxTargets;
    }
    // Calling these is undefined.
    if (isa<ConstantPointerNull, UndefValue>(V))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(V))
      return all_of(Phi->incoming_values(),
                    [&](Value *In) { return collect(In); });
    if (auto *Select = dyn_cast<SelectInst>(V))
      return collect(Select->getTrueValue()) &&
             collect(Select->getFalseValue());
    if (auto *LI = dyn_cast<LoadInst>(V))
      return collectStored(getUnderlyingObject(LI->getPointerOperand()));
    return false;
  }

  ArrayRef<Function *> functions() const { return Found.getArrayRef(); }

private:
  /// Everything that the memory \p Object may hold.
  bool collectStored(Value *Object) {
    if (!Seen.insert(Object).second)
      return true;
    if (auto *GV = dyn_cast<GlobalVariable>(Object))
      return GV->isConstant() && GV->hasDefinitiveInitializer() &&
             collectElements(GV->getInitializer());
    auto *AI = dyn_cast<AllocaInst>(Object);
    return AI && collectStores(*AI);
  }

  bool collectElements(Constant *C) {
    if (isa<ConstantAggregate>(C))
      return all_of(C->operands(), [&](Value *Element) {
        return collectElements(cast<Constant>(Element));
      });
    return isa<ConstantAggregateZero>(C) || collect(C);
  }

  bool collectStores(Value &Pointer) {
    return all_of(Pointer.users(), [&](User *U) {
      if (isa<GetElementPtrInst>(U))
        return collectStores(*U);
      if (auto *SI = dyn_cast<StoreInst>(U))
        return SI->getValueOperand() != &Pointer &&
               collect(SI->getValueOperand());
      return isa<LoadInst, LifetimeIntrinsic>(U);
    });
  }

  SmallPtrSet<Value *, 16> Seen;
  SmallSetVector<Function *, 4> Found;
};

bool resolve(CallBase &CB) {
  Targets T;
  if (!T.collect(CB.getCalledOperand()) || T.functions().empty() ||
      any_of(T.functions(), [&](Function *F) {
        return F->getFunctionType() != CB.getFunctionType() ||
               !isLegalToPromote(CB, F);
      }))
    return false;
  for (Function *F : T.functions().drop_back())
    promoteCallWithIfThenElse(CB, F);
  promoteCall(CB, T.functions().back());
  return true;
}

} // namespace

bool kdiff::resolveIndirectCalls(Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *CI = dyn_cast<CallInst>(&I); CI && CI->isIndirectCall())
      Calls.push_back(CI);
  bool Changed = false;
  for (CallInst *CI : Calls)
    Changed |= resolve(*CI);
  return Changed;
}
