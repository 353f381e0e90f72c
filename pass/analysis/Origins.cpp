//===- Origins.cpp - Pointers in disguise, and who reads what -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Origins.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Origins.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

/// Memory whose activity is known; anything else may be an address within
/// memory with a shadow, in disguise.
static bool isKnownObject(const Value *Object) {
  if (isa<Argument, AllocaInst, GlobalValue, ConstantPointerNull, UndefValue,
          LoadInst>(Object))
    return true;
  auto *CB = dyn_cast<CallBase>(Object);
  return CB && classify(*CB) == CallClass::Allocation;
}

/// Every pointer that floating point or pointers go through comes from where
/// its activity is known.
static bool checkOrigins(const Instruction &I, const Activity &A) {
  SmallVector<const Value *, 4> Pointers;
  auto Matters = [&](const Value *V) {
    return A.canBeVaried(V) || containsPointer(V->getType());
  };
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    const Value *V = Store->getValueOperand();
    if (Matters(V))
      Pointers.push_back(Store->getPointerOperand());
    if (V->getType()->isPointerTy())
      Pointers.push_back(V);
  } else if (const Value *Pointer = accessedPointer(I)) {
    if (Matters(&I) || isa<AtomicCmpXchgInst>(I))
      Pointers.push_back(Pointer);
  } else if (auto *CB = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*CB);
    if (Class == CallClass::Memory || Class == CallClass::OutPointer ||
        Class == CallClass::Defined || Class == CallClass::Claim)
      for (const Value *Arg : CB->args())
        if (Arg->getType()->isPointerTy())
          Pointers.push_back(Arg);
  }
  for (const Value *Pointer : Pointers)
    for (const Value *Object : underlyingObjects(Pointer))
      if (!isKnownObject(Object)) {
        reportUnsupported(
            I,
            "a pointer that comes from " +
                Twine(Instruction::getOpcodeName(Operator::getOpcode(Object))),
            "derive the pointer from a kernel argument by indexing");
        return false;
      }
  return true;
}

/// An address may be compared, subtracted from another, or tested for its
/// alignment. Where it goes to memory or into a call as an integer, it may come
/// back as a pointer unseen.
static bool checkAddress(const PtrToIntInst &Address, const Activity &A) {
  if (!A.isActivePointer(Address.getPointerOperand()))
    return true;
  SmallVector<const Value *, 8> Work{&Address};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const User *U : V->users()) {
      unsigned Opcode = Operator::getOpcode(U);
      bool Difference = Opcode == Instruction::Sub &&
                        isa<PtrToIntOperator>(U->getOperand(0)) &&
                        isa<PtrToIntOperator>(U->getOperand(1));
      if (Opcode == Instruction::Store || Opcode == Instruction::Call) {
        reportUnsupported(*cast<Instruction>(U),
                          "the address of differentiated memory as an integer",
                          "keep it in a pointer");
        return false;
      }
      if ((Instruction::isBinaryOp(Opcode) && !Difference &&
           Opcode != Instruction::And) ||
          Opcode == Instruction::PHI || Opcode == Instruction::Select ||
          Opcode == Instruction::Freeze || Opcode == Instruction::InsertValue)
        Work.push_back(U);
    }
  }
  return true;
}

bool checkPointers(const Instruction &I, const Activity &A) {
  if (auto *Address = dyn_cast<PtrToIntInst>(&I))
    return checkAddress(*Address, A);
  return checkOrigins(I, A);
}

/// Floating point, or its bits, may be read from where \p Pointer leads to. Two
/// pointers that were loaded may be the same.
bool isReadAsFloat(const Value *Pointer, const Function &F, const Activity &A) {
  auto Objects = underlyingObjects(Pointer);
  const DataLayout &DL = F.getDataLayout();
  std::optional<Place> Here = placeOf(Pointer, 8, DL);
  auto MayRead = [&](const Value *From, std::optional<Place> There) {
    return any_of(underlyingObjects(From), [&](const Value *O) {
      return any_of(Objects, [&](const Value *X) {
        if (isa<LoadInst>(X) && isa<LoadInst>(O) &&
            A.isActiveObject(X) == A.isActiveObject(O))
          return true;
        bool Known = Here && There && Pointer != X;
        return X == O && (!Known || mayOverlap(*Here, *There));
      });
    });
  };
  return any_of(instructions(F), [&](const Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return A.canBeVaried(Load) &&
             MayRead(Load->getPointerOperand(),
                     placeOf(Load->getPointerOperand(),
                             DL.getTypeStoreSize(Load->getType()), DL));
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      return MayRead(Copy->getRawSource(), std::nullopt);
    auto *CB = dyn_cast<CallBase>(&I);
    return CB && classify(*CB) == CallClass::Defined &&
           any_of(CB->args(), [&](const Use &Arg) {
             return Arg->getType()->isPointerTy() && MayRead(Arg, std::nullopt);
           });
  });
}

} // namespace kdiff
