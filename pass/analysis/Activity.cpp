//===- Activity.cpp - What depends on inputs and reaches outputs ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Activity.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Activity.h"
#include "rules/Custom.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff {

template <typename Pred> static bool containsType(const Type *T, Pred P) {
  if (P(T))
    return true;
  return any_of(T->subtypes(),
                [&](const Type *Sub) { return containsType(Sub, P); });
}

bool containsFloat(const Type *T) {
  return containsType(T, [](const Type *X) { return X->isFloatingPointTy(); });
}

bool containsPointer(const Type *T) {
  return containsType(T, [](const Type *X) { return X->isPointerTy(); });
}

SmallVector<const Value *, 4> differentiableOperands(const Instruction &I) {
  SmallVector<const Value *, 4> Operands;
  if (const Rule *R = findRule(I)) {
    unsigned Count =
        isa<CallBase>(I) ? cast<CallBase>(I).arg_size() : I.getNumOperands();
    for (unsigned K = 0; K != Count; ++K)
      if (isDifferentiable(*R, K))
        Operands.push_back(I.getOperand(K));
    return Operands;
  }
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    if (auto S = nvptx::shuffleOf(*CB))
      Operands.push_back(CB->getArgOperand(S->Value));
    else if (auto Sum = nvptx::blockSumOf(*CB))
      Operands.push_back(Sum->Value);
    return Operands;
  }
  switch (I.getOpcode()) {
  case Instruction::PHI:
    Operands.append(I.value_op_begin(), I.value_op_end());
    break;
  case Instruction::Select:
  case Instruction::ShuffleVector:
    if (isa<SelectInst>(I))
      Operands.append({I.getOperand(1), I.getOperand(2)});
    else
      Operands.append({I.getOperand(0), I.getOperand(1)});
    break;
  case Instruction::InsertElement:
  case Instruction::InsertValue:
  case Instruction::Or:
    Operands.append({I.getOperand(0), I.getOperand(1)});
    break;
  case Instruction::Freeze:
  case Instruction::ExtractElement:
  case Instruction::ExtractValue:
  case Instruction::BitCast:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::Shl:
  case Instruction::LShr:
    Operands.push_back(I.getOperand(0));
    break;
  default:
    break;
  }
  return Operands;
}

Activity::Activity(const Function &F, ArrayRef<ArgActivity> Args,
                   const Value *Result, bool OwnsLaunch)
    : F(F), Args(Args), Places(F), Bits(F, Places) {
  for (auto [Formal, Kind] : zip(F.args(), Args)) {
    bool HasAdjoint = Kind == ArgActivity::Out || hasShadow(Kind);
    if (HasAdjoint && Formal.getType()->isPointerTy())
      ActiveObjects.insert(&Formal);
    else if (HasAdjoint)
      Varied.insert(&Formal);
  }
  for (const GlobalVariable &V : F.getParent()->globals())
    if (custom::shadow(V))
      ActiveObjects.insert(&V);
  spreadVaried();
  spreadUseful(Result);
  findIdleBarriers(OwnsLaunch);
}

bool Activity::canBeVaried(const Value *V) const {
  return containsFloat(V->getType()) || Bits.carried(V);
}

Type *Activity::adjointType(const Value *V) const {
  if (containsFloat(V->getType()))
    return V->getType();
  return Bits.carried(V);
}

/// True if one of \p Objects has a shadow, or is a pointer read from memory
/// that has: its own shadow lies beside it. A list's next pointer comes from
/// such memory again and again.
bool Activity::anyActive(SmallVector<const Value *, 4> Objects) const {
  SmallPtrSet<const Value *, 8> Seen;
  while (!Objects.empty()) {
    const Value *Object = Objects.pop_back_val();
    if (!Seen.insert(Object).second)
      continue;
    if (ActiveObjects.contains(Object))
      return true;
    if (auto *L = dyn_cast<LoadInst>(Object))
      append_range(Objects, underlyingObjects(L->getPointerOperand()));
  }
  return false;
}

bool Activity::isActiveObject(const Value *Object) const {
  return anyActive({Object});
}

bool Activity::isActivePointer(const Value *P) const {
  return anyActive(underlyingObjects(P));
}

bool Activity::isMixedPointer(const Value *P) const {
  auto Objects = underlyingObjects(P);
  bool Active = any_of(Objects, [&](auto *O) { return isActiveObject(O); });
  return Active && any_of(Objects, [&](auto *O) {
           return !isActiveObject(O) && !isNowhere(O);
         });
}

bool Activity::isActiveStore(const Value *Stored, const Value *Pointer) const {
  if (!isActivePointer(Pointer))
    return false;
  if (containsFloat(Stored->getType()) || Bits.carried(Stored))
    return true;
  uint64_t Size = F.getDataLayout().getTypeStoreSize(Stored->getType());
  return Stored->getType()->isIntOrIntVectorTy() &&
         Places.typeAt(Pointer, Size);
}

bool Activity::isVariedCall(const CallBase &CB) const {
  switch (classify(CB)) {
  case CallClass::OutPointer:
    return any_of(inputs(*findOutRule(CB)), [&](unsigned K) {
      return Varied.contains(CB.getArgOperand(K));
    });
  case CallClass::Pure:
  case CallClass::Inactive:
  case CallClass::Ignorable:
  case CallClass::Barrier:
  case CallClass::Fence:
  case CallClass::Allocation:
  case CallClass::Claim:
    return false;
  case CallClass::Warp:
    if (auto S = nvptx::shuffleOf(CB))
      return Varied.contains(CB.getArgOperand(S->Value));
    [[fallthrough]];
  default:
    return any_of(CB.args(), [&](const Value *Arg) {
      return Varied.contains(Arg) ||
             (Arg->getType()->isPointerTy() && isActivePointer(Arg));
    });
  }
}

bool Activity::isVariedResult(const Instruction &I) const {
  if (!canBeVaried(&I))
    return false;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return isActivePointer(L->getPointerOperand());
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return isActivePointer(I.getOperand(0)) ||
           any_of(I.operands(),
                  [&](const Use &U) { return Varied.contains(U); });
  if (auto *CB = dyn_cast<CallBase>(&I); CB && !findRule(I))
    return isVariedCall(*CB);
  return any_of(differentiableOperands(I),
                [&](const Value *V) { return Varied.contains(V); });
}

bool Activity::activate(const Value *Pointer) {
  bool Changed = false;
  for (const Value *Object : underlyingObjects(Pointer)) {
    auto *G = dyn_cast<GlobalVariable>(Object);
    bool Own = isa<AllocaInst>(Object) || isa<CallBase>(Object) ||
               (G && G->getAddressSpace() == nvptx::Shared);
    if (Own)
      Changed |= ActiveObjects.insert(Object).second;
  }
  return Changed;
}

/// Memory of the thread becomes active when something varied is put there.
bool Activity::activateObjects(const Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    const Value *V = S->getValueOperand();
    bool Puts = Varied.contains(V) || Derived.contains(V) ||
                Opaque.contains(V) ||
                (V->getType()->isPointerTy() && isActivePointer(V));
    return Puts && activate(S->getPointerOperand());
  }
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return Varied.contains(RMW->getValOperand()) &&
           activate(RMW->getPointerOperand());
  if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return Varied.contains(CX->getNewValOperand()) &&
           activate(CX->getPointerOperand());
  if (auto *MT = dyn_cast<MemTransferInst>(&I))
    return isActivePointer(MT->getSource()) && activate(MT->getDest());
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB || findRule(I) || !isVariedCall(*CB))
    return false;
  bool Changed = false;
  for (const Value *Arg : CB->args())
    if (Arg->getType()->isPointerTy())
      Changed |= activate(Arg);
  return Changed;
}

/// Arithmetic on bits of varied values yields no derivative; it is remembered
/// so that its return to floating point can be refused.
bool Activity::spreadDerived(const Instruction &I) {
  if (!I.getType()->isIntOrIntVectorTy() || isa<CmpInst>(I) ||
      isa<LoadInst>(I) || Varied.contains(&I) || Derived.contains(&I))
    return false;
  bool FromBits = any_of(I.operands(), [&](const Use &U) {
    return Derived.contains(U) ||
           (U->getType()->isIntOrIntVectorTy() && Varied.contains(U));
  });
  // The condition of a select carries nothing.
  if (auto *Sel = dyn_cast<SelectInst>(&I))
    FromBits = Derived.contains(Sel->getTrueValue()) ||
               Derived.contains(Sel->getFalseValue());
  return FromBits && Derived.insert(&I).second;
}

bool Activity::spreadOpaque(const Instruction &I) {
  if (Varied.contains(&I) || Opaque.contains(&I) || isa<CmpInst>(I))
    return false;
  bool IsOpaque =
      any_of(I.operands(), [&](const Use &U) { return Opaque.contains(U); });
  if (auto *L = dyn_cast<LoadInst>(&I))
    IsOpaque = L->getType()->isIntOrIntVectorTy() &&
               isActivePointer(L->getPointerOperand());
  return IsOpaque && I.getType()->isIntOrIntVectorTy() &&
         Opaque.insert(&I).second;
}

void Activity::spreadVaried() {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const Instruction &I : instructions(F)) {
      if (!Varied.contains(&I) && isVariedResult(I))
        Changed |= Varied.insert(&I).second;
      Changed |= spreadDerived(I);
      Changed |= spreadOpaque(I);
      Changed |= activateObjects(I);
    }
  }
}

void Activity::seedUseful(const Instruction &I,
                          SmallVectorImpl<const Value *> &Work) const {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (isActivePointer(S->getPointerOperand()))
      Work.push_back(S->getValueOperand());
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    if (isActivePointer(I.getOperand(0)) && !nvptx::isClaimed(I))
      Work.append(I.value_op_begin(), I.value_op_end());
  } else if (auto *CB = dyn_cast<CallBase>(&I); CB && !findRule(I)) {
    if (auto C = nvptx::claimOf(*CB); C && isActivePointer(C->Word))
      Work.push_back(C->Number);
    if (isVariedCall(*CB) && !nvptx::shuffleOf(*CB) && !nvptx::blockSumOf(*CB))
      Work.append(CB->arg_begin(), CB->arg_end());
  }
}

void Activity::spreadUseful(const Value *Result) {
  SmallVector<const Value *, 32> Work;
  if (Result)
    Work.push_back(Result);
  for (const Instruction &I : instructions(F))
    seedUseful(I, Work);
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Varied.contains(V) || !Useful.insert(V).second)
      continue;
    if (auto *I = dyn_cast<Instruction>(V))
      append_range(Work, differentiableOperands(*I));
  }
}

void Activity::print(raw_ostream &OS) const {
  OS << "activity of " << F.getName() << ":\n";
  for (const Argument &A : F.args())
    if (isActive(&A) || isActiveObject(&A))
      OS << "  active argument " << A << "\n";
  for (const Instruction &I : instructions(F)) {
    if (isActive(&I))
      OS << "  active" << I << "\n";
    else if (isActiveObject(&I))
      OS << "  shadowed" << I << "\n";
    else if (Derived.contains(&I))
      OS << "  derived from bits" << I << "\n";
    else if (auto *CB = dyn_cast<CallBase>(&I); CB && !isMirrored(*CB))
      OS << "  not mirrored" << I << "\n";
  }
}

} // namespace kdiff
