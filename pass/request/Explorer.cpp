//===- Explorer.cpp - Who accesses the memory of a pointer ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which values are addresses in the memory, come
// from it, or go to it?
//
//===----------------------------------------------------------------------===//

#include "request/Explorer.h"
#include "request/Spelling.h"
#include "rules/Rules.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace kdiff;

/// Instructions that pass an operand on as it is.
static bool isMove(const Instruction &I) {
  return isa<PHINode, FreezeInst, InsertValueInst, ExtractValueInst,
             InsertElementInst, ExtractElementInst, ShuffleVectorInst>(I);
}

/// Offsets that grow with the depth of a recursion would be endless.
constexpr unsigned MaxPlaces = 1000;

Pointee Explorer::run() {
  unsigned NextFact = 0, NextPlace = 0;
  while (!Float) {
    if (Places.size() > MaxPlaces)
      return Pointee::Unknown;
    if (NextFact != Facts.size()) {
      auto [V, R] = Facts[NextFact++];
      if (!isForward(R))
        visitSource(V, R);
      else
        for (const Use &U : V->uses())
          visitUse(U, R);
    } else if (NextPlace != Places.size()) {
      auto [P, R] = Places[NextPlace++];
      visitPlace({P.first, P.second}, R);
    } else {
      break;
    }
  }
  if (Float)
    return Pointee::FloatingPoint;
  return Integer && !Hidden ? Pointee::Integer : Pointee::Unknown;
}

/// A value of type \p T was read from the memory.
void Explorer::read(Type *T, Value *Read) {
  if (holdsFloat(T))
    Float = true;
  else if (T->isIntOrIntVectorTy())
    foundInteger(Read, Role::Word);
  else
    add(Read, Role::Address); // A pointer, or an aggregate of pointers.
}

/// \p V is written to the memory.
void Explorer::written(Value *V) {
  if (holdsFloat(V->getType()))
    Float = true;
  else if (V->getType()->isIntOrIntVectorTy())
    foundInteger(V, Role::Source);
}

void Explorer::visitUse(const Use &U, Role R) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return void(add(U.getUser(), R)); // A variable's constant expression.
  if (auto *Select = dyn_cast<SelectInst>(I)) {
    if (U.getOperandNo() != 0)
      add(Select, R);
    return;
  }
  if (isMove(*I) && !(isa<ExtractElementInst>(I) && U.getOperandNo() == 1))
    return void(add(I, R));
  if (auto *Call = dyn_cast<CallBase>(I))
    return visitCallUse(*Call, U, R);
  if (isa<ReturnInst>(I))
    return visitReturn(*I->getFunction(), R);
  if (R == Role::Address)
    return visitAddressUse(U);
  visitWordUse(U, R);
}

void Explorer::visitAddressUse(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(I))
    return void(add(I, Role::Address));
  if (isa<ICmpInst>(I))
    return;
  if (isa<PtrToIntInst, PtrToAddrInst>(I))
    return void(add(I, Role::DerivedWord));
  if (auto *Load = dyn_cast<LoadInst>(I))
    return read(Load->getType(), Load);
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
      return written(Store->getValueOperand());
    return addPlace(Store->getPointerOperand(), Role::Address);
  }
  if (auto *RMW = dyn_cast<AtomicRMWInst>(I)) {
    if (U.getOperandNo() != AtomicRMWInst::getPointerOperandIndex())
      return addPlace(RMW->getPointerOperand(), Role::Address);
    written(RMW->getValOperand());
    return read(RMW->getType(), RMW);
  }
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(I)) {
    if (U.getOperandNo() != AtomicCmpXchgInst::getPointerOperandIndex())
      return addPlace(Swap->getPointerOperand(), Role::Address);
    written(Swap->getNewValOperand());
    return read(Swap->getNewValOperand()->getType(), Swap);
  }
  Hidden = true;
}

void Explorer::visitWordUse(const Use &U, Role R) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Cast = dyn_cast<CastInst>(I)) {
    if (isa<BitCastInst>(Cast) && holdsFloat(Cast->getType()))
      Float = true;
    else if (Cast->getType()->isPtrOrPtrVectorTy())
      add(Cast, Role::Address); // An address that is kept as an integer.
    else if (Cast->getType()->isIntOrIntVectorTy())
      add(Cast, R);
    return;
  }
  if (auto *Operator = dyn_cast<BinaryOperator>(I))
    // Shifts and `or` put halves of a word together.
    return void(add(Operator, Operator->isShift() ||
                                      Operator->getOpcode() == Instruction::Or
                                  ? R
                                  : Role::DerivedWord));
  Value *Pointer = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(I);
      Store && U.getOperandNo() != StoreInst::getPointerOperandIndex())
    Pointer = Store->getPointerOperand();
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(I);
           RMW && RMW->getOperation() == AtomicRMWInst::Xchg)
    Pointer = RMW->getPointerOperand();
  if (!Pointer)
    return; // A comparison, an index, a switch: a number.
  if (isTracked(placeOf(Pointer)))
    addPlace(Pointer, R);
  else if (R == Role::Word)
    Hidden = true;
}

/// Where does \p V, which is written to the memory, come from?
void Explorer::visitSource(Value *V, Role R) {
  if (auto *A = dyn_cast<Argument>(V)) {
    if (A->getParent() == &Primal)
      return;
    for (User *U : A->getParent()->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        if (Call->getCalledFunction() == A->getParent())
          add(Call->getArgOperand(A->getArgNo()), R);
    return;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return;
  if (auto *Cast = dyn_cast<CastInst>(I)) {
    if (isa<BitCastInst>(Cast) && holdsFloat(Cast->getSrcTy()))
      Float = true;
    else if (Cast->getSrcTy()->isIntOrIntVectorTy())
      add(Cast->getOperand(0), R);
  } else if (auto *Load = dyn_cast<LoadInst>(I)) {
    if (isTracked(placeOf(Load->getPointerOperand())))
      addPlace(Load->getPointerOperand(), R);
    else if (R == Role::Source)
      Hidden = true;
  } else if (auto *Call = dyn_cast<CallBase>(I)) {
    visitSourceCall(*Call, R);
  } else if (isa<BinaryOperator>(I) || isa<SelectInst>(I) || isMove(*I)) {
    if (isa<BinaryOperator>(I) && !I->isShift() &&
        I->getOpcode() != Instruction::Or)
      R = Role::DerivedSource;
    for (Value *Operand : drop_begin(I->operands(), isa<SelectInst>(I)))
      if (holdsFloat(Operand->getType()))
        Float = true;
      else if (!Operand->getType()->isPtrOrPtrVectorTy())
        add(Operand, R);
  }
}

/// True if \p Name is a libdevice function that reinterprets bits.
static bool isReinterpretation(StringRef Name) {
  return Name.contains("_as_") || Name.contains("hiloint2double") ||
         Name.contains("double2hiint") || Name.contains("double2loint");
}

void Explorer::visitSourceCall(CallBase &Call, Role R) {
  Function *Callee = calledFunction(Call);
  if (!Callee) {
    Hidden = true;
    return;
  }
  if (!Callee->isDeclaration()) {
    for (Instruction &I : instructions(Callee))
      if (auto *Return = dyn_cast<ReturnInst>(&I))
        if (Value *V = Return->getReturnValue())
          add(V, R);
    return;
  }
  if (isReinterpretation(Callee->getName())) {
    Float = true;
    return;
  }
  // A shuffle, a byte swap, a funnel shift, or a number.
  for (Value *Operand : Call.args())
    if (Operand->getType()->isIntOrIntVectorTy())
      add(Operand, R);
}

void Explorer::visitCallUse(CallBase &Call, const Use &U, Role R) {
  Function *Callee = calledFunction(Call);
  if (!Callee || !Call.isArgOperand(&U)) { // Assembly, or called itself.
    Hidden = true;
    return;
  }
  unsigned ArgNo = Call.getArgOperandNo(&U);
  if (Callee->isDeclaration() || findOutRule(Call))
    return visitDeclarationUse(Call, U, R);
  if (ArgNo < Callee->arg_size())
    add(Callee->getArg(ArgNo), R);
}

/// A use in a call whose callee's body is not looked at.
void Explorer::visitDeclarationUse(CallBase &Call, const Use &U, Role R) {
  if (isa<MemTransferInst>(Call)) {
    if (R != Role::Address || U.getOperandNo() > 1)
      return;
    addCopy(Call.getArgOperand(1 - U.getOperandNo()));
    return;
  }
  if (R != Role::Address) {
    if (isReinterpretation(calledFunction(Call)->getName()))
      Float = true;
    else if (Call.getType()->isIntOrIntVectorTy())
      add(&Call, R);
    return;
  }
  if (const OutRule *Rule = findOutRule(Call)) {
    if (is_contained(outPointers(*Rule), Call.getArgOperandNo(&U)))
      Float = true;
    else
      Integer = true;
    return;
  }
  switch (classify(Call)) {
  case CallClass::Ignorable:
  case CallClass::Inactive:
  case CallClass::Allocation:
    return;
  case CallClass::Pure:
    if (Call.getType()->isPointerTy())
      add(&Call, Role::Address);
    return;
  case CallClass::LoadLike:
  case CallClass::Atomic:
  case CallClass::Fence:
    if (Call.getType()->isSized())
      read(Call.getType(), &Call);
    for (Value *Operand : Call.args())
      if (!Operand->getType()->isPointerTy() && !isa<Constant>(Operand))
        written(Operand);
    return;
  default:
    if (!isa<MemSetInst>(Call))
      Hidden = true;
  }
}

void Explorer::visitReturn(Function &F, Role R) {
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (Call->getCalledFunction() == &F)
        add(Call, R);
}
