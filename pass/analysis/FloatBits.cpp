//===- FloatBits.cpp - Integers that carry floating-point bits ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see FloatBits.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/FloatBits.h"
#include "analysis/Memory.h"
#include "target/Sync.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

int shiftInElements(const Instruction &I, unsigned Element) {
  auto *Amount = dyn_cast<ConstantInt>(I.getOperand(1));
  if (!Amount || Amount->getZExtValue() % Element != 0)
    return -1;
  return Amount->getZExtValue() / Element;
}

Type *FloatBits::scalarOf(const Value *V) const { return Scalars.lookup(V); }

bool FloatBits::note(const Value *V, Type *Scalar) {
  if (!Scalar || isa<Constant>(V) || !V->getType()->isIntOrIntVectorTy())
    return false;
  uint64_t Bits = V->getType()->getPrimitiveSizeInBits().getFixedValue();
  if (Bits == 0 || Bits % Scalar->getPrimitiveSizeInBits().getFixedValue())
    return false;
  return Scalars.try_emplace(V, Scalar).second;
}

/// Whatever one of \p I and \p Others carries, all carry.
bool FloatBits::unify(const Instruction &I, ArrayRef<const Value *> Others) {
  Type *Scalar = scalarOf(&I);
  for (const Value *V : Others)
    if (!Scalar)
      Scalar = scalarOf(V);
  bool Changed = note(&I, Scalar);
  for (const Value *V : Others)
    Changed |= note(V, Scalar);
  return Changed;
}

bool FloatBits::visit(const Instruction &I, const FloatPlaces &Places) {
  const DataLayout &DL = I.getDataLayout();
  switch (I.getOpcode()) {
  case Instruction::BitCast: {
    Type *From = I.getOperand(0)->getType()->getScalarType();
    Type *To = I.getType()->getScalarType();
    if (From->isFloatingPointTy())
      return note(&I, From);
    if (To->isFloatingPointTy())
      return note(I.getOperand(0), To);
    return unify(I, {I.getOperand(0)});
  }
  case Instruction::PHI: {
    SmallVector<const Value *, 4> Others(cast<PHINode>(I).incoming_values());
    return unify(I, Others);
  }
  case Instruction::Select:
    return unify(I, {I.getOperand(1), I.getOperand(2)});
  case Instruction::Freeze:
  case Instruction::ExtractElement:
    return unify(I, {I.getOperand(0)});
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return unify(I, {I.getOperand(0), I.getOperand(1)});
  case Instruction::Trunc:
  case Instruction::ZExt:
    return unify(I, {I.getOperand(0)});
  case Instruction::Or:
    return unify(I, {I.getOperand(0), I.getOperand(1)});
  case Instruction::Shl:
  case Instruction::LShr: {
    Type *Scalar = scalarOf(&I) ? scalarOf(&I) : scalarOf(I.getOperand(0));
    if (!Scalar || shiftInElements(I, Scalar->getPrimitiveSizeInBits()) < 0)
      return false;
    return unify(I, {I.getOperand(0)});
  }
  case Instruction::Load:
    return note(
        &I, Places.typeAt(I.getOperand(0), DL.getTypeStoreSize(I.getType())));
  case Instruction::Store: {
    const Value *Stored = I.getOperand(0);
    return note(Stored, Places.typeAt(I.getOperand(1),
                                      DL.getTypeStoreSize(Stored->getType())));
  }
  case Instruction::Call:
    if (auto S = nvptx::shuffleOf(cast<CallBase>(I)))
      return unify(I, {I.getOperand(S->Value)});
    return false;
  default:
    return false;
  }
}

FloatBits::FloatBits(const Function &F, FloatPlaces &Places) {
  for (const Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      if (auto C = nvptx::claimOf(*CB))
        Places.learn(*C->RMW, C->Number->getType());
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const Instruction &I : instructions(F)) {
      Changed |= visit(I, Places);
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Type *Scalar = scalarOf(Store ? Store->getValueOperand() : &I);
          Scalar && (Store || isa<LoadInst>(I)))
        Changed |= Places.learn(I, Scalar);
    }
  }
}

Type *FloatBits::carried(const Value *V) const {
  Type *Scalar = scalarOf(V);
  if (!Scalar)
    return nullptr;
  unsigned Count = V->getType()->getPrimitiveSizeInBits().getFixedValue() /
                   Scalar->getPrimitiveSizeInBits().getFixedValue();
  return Count == 1 ? Scalar : FixedVectorType::get(Scalar, Count);
}

} // namespace kdiff
