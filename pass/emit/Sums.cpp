//===- Sums.cpp - Adjoint additions that wait -----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Sums.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Sums.h"
#include "emit/Adjoints.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

Sums::Point Sums::pointOf(const Addition &How) {
  if (How.At == AddAt::Group)
    return How.Leader;
  return How.At == AddAt::Loop ? How.Header : nullptr;
}

/// The adjoint of a scalar that the whole grid shares; sums are of float and
/// double.
static bool waits(const Formal &Arg) {
  Type *T = Arg.Primal->getType();
  return Arg.Activity == ArgActivity::Acc && !Arg.PrivateShadow &&
         (T->isFloatTy() || T->isDoubleTy());
}

Sums::Sums(Subject &S, const Shadows &Sh, const Plan &P) : S(S), P(P) {
  for (auto &[I, How] : P.Adds.Of)
    if (How.At != AddAt::Here) {
      auto *Load = cast<LoadInst>(I);
      Value *Pointer = const_cast<Value *>(Load->getPointerOperand());
      slot(pointOf(How), Sh.of(Pointer), Load->getType(), How.Kind);
    }
  for (const Formal &Arg : S.Formals)
    if (waits(Arg))
      slot(nullptr, Arg.Shadow, Arg.Primal->getType(), P.Adds.OfScalars);
}

AllocaInst *Sums::slot(Point At, Value *Shadow, Type *T, Accumulation Kind) {
  auto &Here = Waiting[At];
  for (const Sum &Known : Here)
    if (Known.Shadow == Shadow && Known.Slot->getAllocatedType() == T)
      return Known.Slot;
  IRBuilder<> Entry(&S.P.F->getEntryBlock(), S.P.F->getEntryBlock().begin());
  AllocaInst *Slot = Entry.CreateAlloca(T, nullptr, "sum." + Shadow->getName());
  Here.push_back({Shadow, Slot, Kind});
  return Slot;
}

static void addTo(IRBuilderBase &B, AllocaInst *Slot, Value *Adjoint) {
  Value *Old = B.CreateLoad(Slot->getAllocatedType(), Slot);
  B.CreateStore(B.CreateFAdd(Old, Adjoint), Slot);
}

void Sums::add(IRBuilderBase &B, LoadInst &Load, Value *Shadow, Value *Adjoint,
               const Shadows &Sh, PrimalValues &Values) {
  const Addition &How = P.Adds.Of.find(&Load)->second;
  if (How.At == AddAt::Here) {
    createAccumulate(B, Shadow, Adjoint, How.Kind);
    return;
  }
  Value *Word = Sh.of(Load.getPointerOperand());
  addTo(B, slot(pointOf(How), Word, Load.getType(), How.Kind), Adjoint);
  if (How.Leader == &Load)
    make(B, &Load, [&](Value *V) { return Values.get(B, V); });
}

void Sums::addScalar(IRBuilderBase &B, const Formal &Arg, Value *Adjoint) {
  if (!waits(Arg)) {
    createAccumulate(B, Arg.Shadow, Adjoint,
                     Arg.PrivateShadow ? Accumulation::Private
                                       : Accumulation::Contended);
    return;
  }
  addTo(B, slot(nullptr, Arg.Shadow, Arg.Primal->getType(), P.Adds.OfScalars),
        Adjoint);
}

/// Adds the sums that wait for \p At, those of one kind and type together.
void Sums::make(IRBuilderBase &B, Point At,
                function_ref<Value *(Value *)> Address) {
  auto It = Waiting.find(At);
  if (It == Waiting.end())
    return;
  MapVector<std::pair<unsigned, Type *>, SmallVector<WordSum, 8>> Together;
  for (const Sum &Each : It->second) {
    Type *T = Each.Slot->getAllocatedType();
    Value *Total = B.CreateLoad(T, Each.Slot);
    B.CreateStore(neutralAdjoint(T), Each.Slot);
    Together[{unsigned(Each.Kind), T}].push_back({Address(Each.Shadow), Total});
  }
  for (auto &[Key, Words] : Together)
    createAccumulateAll(B, Words, Accumulation(Key.first));
}

void Sums::leaveLoop(IRBuilderBase &B, BasicBlock *Header,
                     PrimalValues &Values) {
  make(B, Header, [&](Value *V) { return Values.get(B, V); });
}

/// Every thread computes \p V again from what it has, whatever path it took.
Value *Sums::atEnd(IRBuilderBase &B, Value *V, PrimalValues &Values) {
  if (isa<Constant>(V))
    return V;
  if (isa<Argument>(V) || P.Adds.EndLeaves.contains(V))
    return Values.get(B, V);
  Instruction *Again = cast<Instruction>(V)->clone();
  for (Use &Operand : Again->operands())
    Operand.set(atEnd(B, Operand.get(), Values));
  return B.Insert(Again, V->getName());
}

void Sums::finish(IRBuilderBase &B, PrimalValues &Values) {
  Values.enterBlock();
  make(B, nullptr, [&](Value *V) { return atEnd(B, V, Values); });
}

void Sums::clear(IRBuilderBase &B) {
  for (auto &[At, Words] : Waiting)
    for (const Sum &Each : Words)
      B.CreateStore(neutralAdjoint(Each.Slot->getAllocatedType()), Each.Slot);
}

} // namespace kdiff
