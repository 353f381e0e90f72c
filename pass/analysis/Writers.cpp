//===- Writers.cpp - Who may write what a load reads ----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Writers.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Writers.h"
#include "analysis/Memory.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

bool synchronises(const Instruction &I) {
  if (I.isAtomic())
    return true;
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB)
    return false;
  CallClass Class = classify(*CB);
  return Class == CallClass::Barrier || Class == CallClass::Fence ||
         Class == CallClass::Atomic || Class == CallClass::Asm;
}

bool isSilent(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB)
    return false;
  switch (classify(*CB)) {
  case CallClass::Inactive: // One with a body may write anywhere.
    return CB->getCalledFunction()->isDeclaration();
  case CallClass::Rule:
  case CallClass::Pure:
  case CallClass::Ignorable:
  case CallClass::Warp:
    return true;
  default:
    return false;
  }
}

bool onlyWaits(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return isa<FenceInst>(I) || (CB && (classify(*CB) == CallClass::Barrier ||
                                      classify(*CB) == CallClass::Fence));
}

Writers::Writers(const Function &F, AAResults &AA) : AA(AA) {
  for (const Instruction &I : instructions(F)) {
    if (I.mayWriteToMemory() && !isSilent(I) && !onlyWaits(I))
      Writes.push_back(&I);
    if (synchronises(I))
      Waits.push_back(&I);
  }
}

/// Where \p Write writes; null if that is not one address.
static const Value *targetOf(const Instruction &Write) {
  if (auto *Memory = dyn_cast<MemIntrinsic>(&Write))
    return Memory->getRawDest();
  return accessedPointer(Write);
}

/// Two places of one object, whatever the indices are.
static bool mayMeet(const Instruction &Write, const Value *To,
                    const LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  Type *Written = accessedType(Write);
  if (!Written)
    return true;
  auto There = placeOf(To, DL.getTypeStoreSize(Written), DL);
  auto Here = placeOf(Load.getPointerOperand(),
                      DL.getTypeStoreSize(Load.getType()), DL);
  return !There || !Here || mayOverlap(*There, *Here);
}

/// True for pointers into different memories, whatever they point to.
static bool areInDifferentSpaces(const Value *X, const Value *Y) {
  auto IsOne = [](unsigned Space) {
    return Space == nvptx::Global || Space == nvptx::Shared ||
           Space == nvptx::Local;
  };
  unsigned OfX = X->getType()->getPointerAddressSpace();
  unsigned OfY = Y->getType()->getPointerAddressSpace();
  return OfX != OfY && IsOne(OfX) && IsOne(OfY);
}

bool Writers::mayWrite(const Instruction &Write, const LoadInst &Load) {
  // Types tell memory apart in all iterations; scopes of one do not.
  auto Whole = [](const Value *Object, const Instruction &Access) {
    AAMDNodes Types;
    Types.TBAA = Access.getMetadata(LLVMContext::MD_tbaa);
    return MemoryLocation::getBeforeOrAfter(Object, Types);
  };
  const Value *To = targetOf(Write);
  if (To && areInDifferentSpaces(To, Load.getPointerOperand()))
    return false;
  for (const Value *From : underlyingObjects(Load.getPointerOperand())) {
    if (!To) {
      if (isModSet(AA.getModRefInfo(&Write, Whole(From, Load))))
        return true;
      continue;
    }
    for (const Value *Object : underlyingObjects(To)) {
      if (Object == From
              ? mayMeet(Write, To, Load)
              : !AA.isNoAlias(Whole(Object, Write), Whole(From, Load)))
        return true;
    }
  }
  return false;
}

const Instruction *Writers::of(const LoadInst &Load) {
  auto It = Known.find(&Load);
  if (It == Known.end()) {
    auto Writer = find_if(Writes, [&](const Instruction *Write) {
      return mayWrite(*Write, Load);
    });
    It =
        Known.insert({&Load, Writer == Writes.end() ? nullptr : *Writer}).first;
  }
  return It->second;
}

const Instruction *Writers::of(const LoadInst &Load, const Loop &L) {
  const Instruction *Anywhere = of(Load);
  if (!Anywhere)
    return nullptr;
  for (const Instruction *Wait : Waits)
    if (L.contains(Wait))
      return Anywhere;
  for (const Instruction *Write : Writes)
    if (L.contains(Write) && mayWrite(*Write, Load))
      return Write;
  return nullptr;
}

} // namespace kdiff
