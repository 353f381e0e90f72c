//===- Carved.cpp - Tests that arrays of one block lie apart --------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Carved.h.
//
// Of two arrays, the accesses to the lower one end where the upper one begins,
// and those to the upper one do not begin before.
//
//===----------------------------------------------------------------------===//

#include "emit/Carved.h"
#include "analysis/Carved.h"
#include "analysis/Punning.h"
#include "lower/Abstract.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

namespace {

struct CarvedAccess {
  Instruction *I;
  Value *Pointer, *Begin;
};

/// The beginnings, as the function's entry can name them.
class Beginnings {
public:
  explicit Beginnings(Function &F)
      : B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  Value *of(Value *Begin) {
    return B.CreatePointerBitCastOrAddrSpaceCast(again(Begin), B.getPtrTy(3));
  }

private:
  Value *again(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return V;
    if (Value *Known = Clones.lookup(I))
      return Known;
    Instruction *Clone = I->clone();
    for (Use &Operand : Clone->operands())
      Operand.set(again(Operand));
    return Clones[I] = B.Insert(Clone);
  }

  IRBuilder<> B;
  DenseMap<Instruction *, Value *> Clones;
};

} // namespace

/// Tests that \p X does not touch the array that begins at \p Other.
static void testApart(const CarvedAccess &X, Value *Begin, Value *Other) {
  IRBuilder<> B(X.I);
  Value *First =
      B.CreatePointerBitCastOrAddrSpaceCast(X.Pointer, B.getPtrTy(3));
  uint64_t Bytes = X.I->getDataLayout().getTypeStoreSize(accessedType(*X.I));
  Value *End = B.CreatePtrAdd(First, B.getInt32(Bytes));
  Value *IsBelow = B.CreateICmpULT(Other, Begin);
  createSharedApart(B, B.CreateSelect(IsBelow, Begin, End),
                    B.CreateSelect(IsBelow, First, Other));
}

void keepArraysApart(Subject &S, const Activity &A) {
  Function &F = *S.P.F;
  for (const Value *Block : blocksToldApart(F, A)) {
    SmallVector<CarvedAccess, 8> All;
    for (Instruction &I : instructions(F)) {
      auto *Pointer = const_cast<Value *>(accessedPointer(I));
      Value *Begin = Pointer ? beginningOf(Pointer) : nullptr;
      if (Begin && underlyingObjects(Begin).front() == Block)
        All.push_back({&I, Pointer, Begin});
    }
    Beginnings Known(F);
    for (const CarvedAccess &X : All) {
      SmallSetVector<Value *, 4> Others;
      for (const CarvedAccess &Y : All)
        if (Y.Begin != X.Begin && areOfDifferentTypes(*X.I, *Y.I, A))
          Others.insert(Y.Begin);
      for (Value *Other : Others)
        testApart(X, Known.of(X.Begin), Known.of(Other));
    }
  }
  for (Argument &Arg : F.args()) // It has served.
    F.removeParamAttr(Arg.getArgNo(), UniformAttribute);
}

} // namespace kdiff
