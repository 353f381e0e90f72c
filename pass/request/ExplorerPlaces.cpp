//===- ExplorerPlaces.cpp - Values kept in local objects --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do values go that a function keeps in
// local variables, shared memory, or objects of its callers?
//
//===----------------------------------------------------------------------===//

#include "request/Explorer.h"
#include "request/Spelling.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace kdiff;

Place Explorer::placeOf(Value *Pointer) const {
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  Value *Object = getUnderlyingObject(Base, /*MaxLookup=*/0);
  return {Object, Object == Base ? Offset.getSExtValue() : Anywhere};
}

/// True if all accesses to the object are in view: a local variable, a shared
/// or internal one, or what a callee's parameter points to.
bool Explorer::isTracked(const Place &P) const {
  if (auto *A = dyn_cast<Argument>(P.Base))
    return A->getParent() != &Primal;
  if (auto *Variable = dyn_cast<GlobalVariable>(P.Base))
    return Variable->hasLocalLinkage() ||
           Variable->getAddressSpace() == nvptx::Shared;
  return isa<AllocaInst>(P.Base);
}

/// What is stored at \p Pointer has, or what is loaded from it gets, role
/// \p R.
void Explorer::addPlace(Value *Pointer, Role R) {
  Place P = placeOf(Pointer);
  if (isTracked(P))
    Places.insert({{P.Base, P.Offset}, R});
  else if (R == Role::Address)
    Hidden = true; // The pointer is kept where nobody can follow it.
}

/// What \p Pointer points to holds a copy of the memory, or the memory holds
/// one of that: it is as good as the memory itself.
void Explorer::addCopy(Value *Pointer) {
  add(Pointer, Role::Address);
  Place P = placeOf(Pointer);
  if (!isTracked(P) || !add(P.Base, Role::Address))
    return;
  if (auto *A = dyn_cast<Argument>(P.Base))
    for (User *U : A->getParent()->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledFunction() == A->getParent())
        addCopy(Call->getArgOperand(A->getArgNo()));
}

/// Follows the accesses to \p P within the object.
void Explorer::visitPlace(Place P, Role R) {
  SetVector<std::pair<Value *, int64_t>> Pointers;
  Pointers.insert({P.Base, 0});
  for (unsigned K = 0; K != Pointers.size(); ++K) {
    auto [Pointer, Delta] = Pointers[K];
    for (const Use &U : Pointer->uses()) {
      if (auto *GEP = dyn_cast<GEPOperator>(U.getUser())) {
        APInt Offset(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        bool Constant =
            Delta != Anywhere && GEP->accumulateConstantOffset(DL, Offset);
        Pointers.insert(
            {GEP, Constant ? Delta + Offset.getSExtValue() : Anywhere});
      } else if (isa<AddrSpaceCastOperator, BitCastOperator>(U.getUser())) {
        Pointers.insert({U.getUser(), Delta});
      } else if (isa<PHINode, SelectInst>(U.getUser())) {
        Pointers.insert({U.getUser(), Anywhere});
      } else {
        visitPlaceUse(U, Delta, P, R);
      }
    }
  }
  auto *A = dyn_cast<Argument>(P.Base);
  if (!A)
    return;
  for (User *U : A->getParent()->users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && Call->getCalledFunction() == A->getParent()) {
      Place Q = placeOf(Call->getArgOperand(A->getArgNo()));
      if (Q.Offset != Anywhere && P.Offset != Anywhere)
        Q.Offset += P.Offset;
      else
        Q.Offset = Anywhere;
      if (isTracked(Q))
        Places.insert({{Q.Base, Q.Offset}, R});
      else if (R == Role::Address || R == Role::Word || R == Role::Source)
        Hidden = true;
    }
}

/// \p U uses a pointer that is \p Delta behind the base of \p P.
void Explorer::visitPlaceUse(const Use &U, int64_t Delta, Place P, Role R) {
  // Does an access of type T at Delta touch P.Offset?
  auto Touches = [&](Type *T) {
    return Delta == Anywhere || P.Offset == Anywhere ||
           (Delta <= P.Offset &&
            P.Offset < Delta + int64_t(DL.getTypeStoreSize(T)));
  };
  if (auto *Load = dyn_cast<LoadInst>(U.getUser())) {
    if (!isForward(R) || !Touches(Load->getType()))
      return;
    if (R != Role::Address && holdsFloat(Load->getType()))
      Float = true;
    else if ((R == Role::Address) != Load->getType()->isIntOrIntVectorTy())
      add(Load, R);
  } else if (auto *Store = dyn_cast<StoreInst>(U.getUser())) {
    Value *V = Store->getValueOperand();
    if (isForward(R) ||
        U.getOperandNo() != StoreInst::getPointerOperandIndex() ||
        !Touches(V->getType()))
      return;
    if (holdsFloat(V->getType()))
      Float = true;
    else
      add(V, R);
  } else if (auto *Copy = dyn_cast<MemTransferInst>(U.getUser())) {
    // Values flow from the second operand to the first.
    if (U.getOperandNo() != (isForward(R) ? 1u : 0u))
      return;
    Place Q = placeOf(Copy->getArgOperand(1 - U.getOperandNo()));
    if (Q.Offset != Anywhere && P.Offset != Anywhere && Delta != Anywhere)
      Q.Offset += P.Offset - Delta;
    else
      Q.Offset = Anywhere;
    if (isTracked(Q))
      Places.insert({{Q.Base, Q.Offset}, R});
    else if (R == Role::Address || R == Role::Word || R == Role::Source)
      Hidden = true;
  } else if (auto *Call = dyn_cast<CallBase>(U.getUser())) {
    Function *Callee = calledFunction(*Call);
    if (!Callee || Callee->isDeclaration() || !Call->isArgOperand(&U) ||
        Call->getArgOperandNo(&U) >= Callee->arg_size())
      return;
    bool Constant = P.Offset != Anywhere && Delta != Anywhere;
    Places.insert({{Callee->getArg(Call->getArgOperandNo(&U)),
                    Constant ? P.Offset - Delta : Anywhere},
                   R});
  }
}
