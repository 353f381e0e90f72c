//===- ReverseMemory.cpp - Adjoints of memory accesses --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the reverse of a load, a store, an
// atomic addition, a block copy and a block fill?
//
// A load adds its adjoint to the shadow; a store reads the shadow's adjoint
// and clears it, since what was there before does not matter any more.
//
//===----------------------------------------------------------------------===//

#include "emit/CopyLoop.h"
#include "emit/Reverse.h"
#include "emit/Scale.h"
#include "target/NVPTX.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace kdiff {

void whereShadowed(Value *Pointer, Value *Shadow, ReverseContext &C,
                   function_ref<void()> Emit) {
  if (!C.A.isMixedPointer(Pointer))
    return Emit();
  BasicBlock *Here = C.B.GetInsertBlock();
  Function *F = Here->getParent();
  BasicBlock *Then = BasicBlock::Create(F->getContext(), "shadowed", F);
  BasicBlock *After = BasicBlock::Create(F->getContext(), "after", F);
  C.B.CreateCondBr(C.B.CreateIsNotNull(Shadow), Then, After);
  C.B.SetInsertPoint(Then);
  Emit();
  C.B.CreateBr(After);
  C.B.SetInsertPoint(After);
}

static void reverseLoad(LoadInst &Load, ReverseContext &C) {
  Value *Pointer = Load.getPointerOperand();
  Value *Shadow = C.shadow(Pointer);
  Value *Adjoint = C.Adj.take(C.B, &Load);
  whereShadowed(Pointer, Shadow, C, [&] {
    C.Later.add(C.B, Load, C.Adj.lane(), Shadow, Adjoint, C.Values);
  });
}

/// Zero, but only once \p Adjoint, which was just loaded, has arrived: a store
/// right behind the load of the same address makes streaming kernels several
/// times slower on current cards. The minimum and maximum of a NaN and a number
/// is the number, and the two zeros differ, so that nothing folds it.
static Value *zeroBehind(IRBuilderBase &B, Value *Adjoint, Type *Stored) {
  Type *T = Adjoint->getType();
  Type *Scalar = T->getScalarType();
  if (T != Stored || !(Scalar->isFloatTy() || Scalar->isDoubleTy()))
    return Constant::getNullValue(Stored);
  Value *NotAbove = B.CreateMinNum(Adjoint, Constant::getNullValue(T));
  return B.CreateMaxNum(NotAbove, ConstantFP::getNegativeZero(T));
}

/// Whether a later store to the same seed overwrites this one, as the plan's
/// tests tell; null if none does.
static Value *isOverwritten(const StoreInst &Store, ReverseContext &C) {
  auto Tests = C.P.Overwritten.find(&Store);
  if (Tests == C.P.Overwritten.end())
    return nullptr;
  Value *Any = C.B.getFalse();
  for (Value *Unit : Tests->second)
    Any = C.B.CreateOr(Any, C.B.CreateIsNull(C.primal(Unit)));
  return Any;
}

/// Hands on the adjoint of what \p Store has stored, which is zero where it is
/// \p Overwritten (if that is not null). Returns it; null if that has none.
static Value *takeStored(StoreInst &Store, Value *Shadow, Value *Overwritten,
                         ReverseContext &C) {
  Value *Stored = Store.getValueOperand();
  if (!C.A.isActive(Stored))
    return nullptr;
  Value *Adjoint =
      C.B.CreateAlignedLoad(C.A.adjointType(Stored), Shadow, Store.getAlign());
  if (Overwritten)
    Adjoint = C.B.CreateSelect(
        Overwritten, Constant::getNullValue(Adjoint->getType()), Adjoint);
  C.Adj.add(C.B, Stored, Adjoint);
  return Adjoint;
}

/// Clears what takeStored() has read as \p Adjoint, unless it is a seed.
static void clearStored(StoreInst &Store, Value *Shadow, Value *Adjoint,
                        ReverseContext &C) {
  if (C.P.Seeded.contains(&Store))
    return;
  Type *T = Store.getValueOperand()->getType();
  // Shared memory is near enough.
  bool IsNear = C.Sh.isPrivate(Store.getPointerOperand()) ||
                Store.getPointerAddressSpace() == nvptx::Shared;
  Value *Zero = Adjoint && !IsNear ? zeroBehind(C.B, Adjoint, T)
                                   : Constant::getNullValue(T);
  C.B.CreateAlignedStore(Zero, Shadow, Store.getAlign());
}

/// A sum that was handed to \p Store, in C's lane, is the adjoint of what it
/// stored; nothing is in the shadow then.
static void reverseWithHanded(StoreInst &Store, Sums::Handed Sum,
                              ReverseContext &C) {
  Value *Shadow = C.shadow(Store.getPointerOperand());
  C.Adj.add(C.B, Store.getValueOperand(), Sum.Sum);
  Function *F = C.S.P.F;
  BasicBlock *Else = BasicBlock::Create(F->getContext(), "not.handed", F);
  BasicBlock *After = BasicBlock::Create(F->getContext(), "handed", F);
  C.B.CreateCondBr(Sum.WasMade, After, Else);
  C.B.SetInsertPoint(Else);
  Value *Adjoint = takeStored(Store, Shadow, nullptr, C);
  clearStored(Store, Shadow, Adjoint, C);
  C.B.CreateBr(After);
  C.B.SetInsertPoint(After);
}

/// All lanes' adjoints are loaded before any lane's is cleared: for all that
/// the optimiser knows they may be one place, so that each load would wait for
/// the store before it.
static void reverseStore(StoreInst &Store, ReverseContext &C) {
  Value *Pointer = Store.getPointerOperand();
  bool IsHanded = false;
  C.Adj.forEachLane([&] {
    if (auto Sum = C.Later.takeHanded(C.B, Store, C.Adj.lane())) {
      reverseWithHanded(Store, *Sum, C);
      IsHanded = true;
    }
  });
  if (IsHanded)
    return;
  LaneValues Shadows, Adjoints;
  C.Adj.forEachLane([&] { Shadows.push_back(C.shadow(Pointer)); });
  Value *Overwritten = isOverwritten(Store, C);
  auto Take = [&] {
    return takeStored(Store, Shadows[C.Adj.lane()], Overwritten, C);
  };
  auto Clear = [&](Value *Adjoint) {
    clearStored(Store, Shadows[C.Adj.lane()], Adjoint, C);
  };
  if (C.A.isMixedPointer(Pointer))
    return C.Adj.forEachLane([&] {
      whereShadowed(Pointer, Shadows[C.Adj.lane()], C, [&] { Clear(Take()); });
    });
  C.Adj.forEachLane([&] { Adjoints.push_back(Take()); });
  C.Adj.forEachLane([&] { Clear(Adjoints[C.Adj.lane()]); });
}

/// *p += v leaves the shadow of p as it is and adds it to v's adjoint.
static void reverseAtomicAdd(AtomicRMWInst &RMW, ReverseContext &C) {
  Value *Added = RMW.getValOperand();
  if (!C.A.isActive(Added))
    return;
  Value *Pointer = RMW.getPointerOperand();
  Value *Shadow = C.shadow(Pointer);
  whereShadowed(Pointer, Shadow, C, [&] {
    Value *Adjoint =
        C.B.CreateAlignedLoad(RMW.getType(), Shadow, RMW.getAlign());
    if (RMW.getOperation() == AtomicRMWInst::FSub)
      Adjoint = C.B.CreateFNeg(Adjoint);
    C.Adj.add(C.B, Added, Adjoint);
  });
}

void reverseAccess(Instruction &I, ReverseContext &C) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return reverseStore(*Store, C);
  C.Adj.forEachLane([&] {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      reverseLoad(*Load, C);
    else
      reverseAtomicAdd(cast<AtomicRMWInst>(I), C);
  });
}

/// The copied words' adjoints move from the target's shadow to the source's.
static void reverseCopy(MemTransferInst &Copy, ReverseContext &C) {
  Value *To = Copy.getRawDest(), *From = Copy.getRawSource();
  Value *Length = C.primal(Copy.getLength());
  Value *ToShadow = C.shadow(To);
  bool IsSeed = C.P.Seeded.contains(&Copy);
  if (!C.A.isActivePointer(From)) {
    whereShadowed(To, ToShadow, C, [&] {
      if (!IsSeed)
        C.B.CreateMemSet(ToShadow, C.B.getInt8(0), Length, Copy.getDestAlign());
    });
    return;
  }
  Value *FromShadow = C.shadow(From);
  Type *Scalar = C.A.places().onlyTypeOf(To);
  if (!Scalar)
    Scalar = C.A.places().onlyTypeOf(From);
  emitAdjointCopy(C.B, Scalar, ToShadow, FromShadow, Length,
                  C.P.Adds.Of.lookup(&Copy).Kind, isa<MemMoveInst>(Copy),
                  IsSeed);
}

void reverseMemoryIntrinsic(CallBase &CB, ReverseContext &C) {
  if (auto *Copy = dyn_cast<MemTransferInst>(&CB))
    return reverseCopy(*Copy, C);
  if (C.P.Seeded.contains(&CB))
    return;
  auto &Fill = cast<MemSetInst>(CB);
  Value *Pointer = Fill.getRawDest();
  Value *Shadow = C.shadow(Pointer);
  Value *Length = C.primal(Fill.getLength());
  whereShadowed(Pointer, Shadow, C, [&] {
    C.B.CreateMemSet(Shadow, C.B.getInt8(0), Length, Fill.getDestAlign());
  });
}

/// The outputs of \p CB that have adjoints, numbered as OutRule says.
static SmallVector<int, 2> outputs(const CallBase &CB, const OutRule &R,
                                   const Activity &A) {
  SmallVector<int, 2> Active;
  for (unsigned Out : outPointers(R))
    if (A.isActivePointer(CB.getArgOperand(Out)))
      Active.push_back(Out);
  if (A.isActive(&CB))
    Active.push_back(-1);
  return Active;
}

/// Gives \p Spread the adjoint of each output of \p CB, in the lane of C.Adj.
static void takeOutputs(CallBase &CB, const OutRule &R, ReverseContext &C,
                        function_ref<void(int, Value *)> Spread) {
  for (int Out : outputs(CB, R, C.A)) {
    if (Out < 0) {
      Spread(Out, C.Adj.take(C.B, &CB));
      continue;
    }
    Value *Pointer = CB.getArgOperand(Out);
    Value *Shadow = C.shadow(Pointer);
    whereShadowed(Pointer, Shadow, C, [&] {
      Type *T = CB.getArgOperand(inputs(R).front())->getType();
      Value *Adjoint = C.B.CreateLoad(T, Shadow);
      C.B.CreateStore(Constant::getNullValue(T), Shadow);
      Spread(Out, Adjoint);
    });
  }
}

/// A call that writes results through pointers: each result is like a store
/// of a value with partials of its own.
void reverseOutRule(CallBase &CB, ReverseContext &C) {
  const OutRule &R = *findOutRule(CB);
  SmallVector<Value *, 4> Args(CB.arg_size(), nullptr);
  NeedMask Mask =
      needsOf(R, CB, [&](const Value *V) { return C.A.isActive(V); });
  for (unsigned K = 0; K != CB.arg_size(); ++K)
    if (Mask & (1u << K))
      Args[K] = C.primal(CB.getArgOperand(K));
  Value *Result = Mask & ResultBit ? C.primal(&CB) : nullptr;
  // Shared by the lanes: in front of where any of them may be without shadow.
  SmallMapVector<int, SmallVector<std::pair<Value *, Value *>, 2>, 2> Partials;
  for (int Output : outputs(CB, R, C.A))
    for (unsigned K : inputs(R))
      if (Value *In = CB.getArgOperand(K);
          isDifferentiable(R, Output, K) && C.A.isActive(In))
        Partials[Output].push_back(
            {In, emitPartial(C.B, R, Output, K, Args, Result, In->getType())});
  auto Spread = [&](int Output, Value *Adjoint) {
    for (auto [Input, Partial] : Partials[Output])
      C.Adj.add(C.B, Input, multiply(C.B, Adjoint, Partial, false));
  };
  C.Adj.forEachLane([&] { takeOutputs(CB, R, C, Spread); });
}

} // namespace kdiff
