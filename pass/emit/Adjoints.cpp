//===- Adjoints.cpp - The adjoint of every active value -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Adjoints.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Adjoints.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

Constant *neutralAdjoint(Type *T) {
  if (T->isFPOrFPVectorTy())
    return ConstantFP::getNegativeZero(T);
  if (auto *Struct = dyn_cast<StructType>(T)) {
    SmallVector<Constant *, 4> Elements;
    for (Type *Element : Struct->elements())
      Elements.push_back(neutralAdjoint(Element));
    return ConstantStruct::get(Struct, Elements);
  }
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    SmallVector<Constant *, 4> Elements(
        Array->getNumElements(), neutralAdjoint(Array->getElementType()));
    return ConstantArray::get(Array, Elements);
  }
  return Constant::getNullValue(T);
}

Value *addAdjoints(IRBuilderBase &B, Value *L, Value *R) {
  Type *T = L->getType();
  if (T->isFPOrFPVectorTy())
    return B.CreateFAdd(L, R);
  if (!T->isAggregateType())
    return L;
  unsigned Count =
      isa<StructType>(T) ? T->getStructNumElements() : T->getArrayNumElements();
  Value *Sum = L;
  for (unsigned K = 0; K != Count; ++K) {
    Value *Element =
        addAdjoints(B, B.CreateExtractValue(L, K), B.CreateExtractValue(R, K));
    Sum = B.CreateInsertValue(Sum, Element, K);
  }
  return Sum;
}

AllocaInst *Adjoints::slot(Value *V) {
  AllocaInst *&Slot = Slots[{V, Lane}];
  if (!Slot) {
    IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
    Slot = Entry.CreateAlloca(A.adjointType(V), nullptr, "adj." + V->getName());
  }
  return Slot;
}

void Adjoints::add(IRBuilderBase &B, Value *V, Value *Contribution) {
  if (!A.isActive(V))
    return;
  AllocaInst *Slot = slot(V);
  Value *Old = B.CreateLoad(Slot->getAllocatedType(), Slot);
  B.CreateStore(addAdjoints(B, Old, Contribution), Slot);
}

Value *Adjoints::read(IRBuilderBase &B, Value *V) {
  AllocaInst *Slot = slot(V);
  return B.CreateLoad(Slot->getAllocatedType(), Slot);
}

Value *Adjoints::take(IRBuilderBase &B, Value *V) {
  Value *Adjoint = read(B, V);
  B.CreateStore(neutralAdjoint(Adjoint->getType()), slot(V));
  return Adjoint;
}

void Adjoints::forEachLane(function_ref<void()> Do) {
  for (Lane = 0; Lane != Width; ++Lane)
    Do();
  Lane = 0;
}

void Adjoints::addAll(IRBuilderBase &B, Value *V,
                      ArrayRef<Value *> Contributions) {
  forEachLane([&] { add(B, V, Contributions[Lane]); });
}

LaneValues Adjoints::takeAll(IRBuilderBase &B, Value *V) {
  LaneValues All;
  forEachLane([&] { All.push_back(take(B, V)); });
  return All;
}

void Adjoints::clearAll(IRBuilderBase &B) {
  for (auto &[Of, Slot] : Slots)
    B.CreateStore(neutralAdjoint(Slot->getAllocatedType()), Slot);
}

} // namespace kdiff
