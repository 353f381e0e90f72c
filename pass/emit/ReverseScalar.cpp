//===- ReverseScalar.cpp - Adjoints of rules and moves --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the reverse of an operation on SSA
// values: one with a rule, or one that only moves values (select, casts of
// bits, vectors, aggregates)?
//
//===----------------------------------------------------------------------===//

#include "emit/Bits.h"
#include "emit/Reverse.h"
#include "emit/Scale.h"
#include "lower/Abstract.h"
#include "support/Finite.h"
#include "target/Sync.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

void reverseRule(Instruction &I, const Rule &R, ReverseContext &C) {
  unsigned Count =
      isa<CallBase>(I) ? cast<CallBase>(I).arg_size() : I.getNumOperands();
  NeedMask Mask =
      needsOf(R, I, [&](const Value *V) { return C.A.isActive(V); });
  SmallVector<Value *, 4> Args(Count, nullptr);
  for (unsigned K = 0; K != Count; ++K)
    if (Mask & (1u << K))
      Args[K] = C.primal(I.getOperand(K));
  Value *Result = Mask & ResultBit ? C.primal(&I) : nullptr;
  Value *Reciprocal =
      C.P.takesReciprocal(I) ? C.Values.reciprocal(C.B, I) : nullptr;
  AllocaInst *Slot = C.Doubts.lookup(&I);
  Value *Doubt = Slot ? C.B.CreateLoad(C.B.getInt1Ty(), Slot) : nullptr;
  LaneValues Adjoints = C.Adj.takeAll(C.B, &I);
  C.Later.noteSeeds(C.B, I, Adjoints);
  // A product may go into the sum unrounded where the primal's might have.
  FastMathFlags Flags;
  Flags.setAllowContract(isa<FPMathOperator>(I) && I.hasAllowContract());
  IRBuilderBase::FastMathFlagGuard Guard(C.B);
  C.B.setFastMathFlags(Flags);
  for (unsigned K = 0; K != Count; ++K)
    if (isDifferentiable(R, K) && C.A.isActive(I.getOperand(K)))
      C.Adj.addAll(C.B, I.getOperand(K),
                   scale(C.B, I, R, K, Adjoints, Args, Result,
                         I.getOperand(K)->getType(), Doubt, Reciprocal));
}

void askFinite(const FiniteTest &Test, ReverseContext &C) {
  BasicBlock &Entry = C.S.P.F->getEntryBlock();
  AllocaInst *Slot = IRBuilder<>(&Entry, Entry.begin())
                         .CreateAlloca(C.B.getInt1Ty(), nullptr, "doubt");
  Value *Doubt = C.B.getFalse();
  for (Value *V : Test.Tested)
    Doubt = C.B.CreateOr(createIsNotFinite(C.B, C.primal(V)), Doubt);
  C.B.CreateStore(createDoubt(C.B, Doubt), Slot);
  for (const Instruction *I : Test.Products)
    C.Doubts[I] = Slot;
}

static void reverseSelect(SelectInst &Sel, Value *Adjoint, ReverseContext &C) {
  Value *Condition = C.primal(Sel.getCondition());
  Constant *Neutral = neutralAdjoint(Adjoint->getType());
  C.Adj.add(C.B, Sel.getTrueValue(),
            C.B.CreateSelect(Condition, Adjoint, Neutral));
  C.Adj.add(C.B, Sel.getFalseValue(),
            C.B.CreateSelect(Condition, Neutral, Adjoint));
}

static void reverseInsertElement(Instruction &I, Value *Adjoint,
                                 ReverseContext &C) {
  Value *Index = C.primal(I.getOperand(2));
  C.Adj.add(C.B, I.getOperand(1), C.B.CreateExtractElement(Adjoint, Index));
  Type *Scalar = Adjoint->getType()->getScalarType();
  C.Adj.add(C.B, I.getOperand(0),
            C.B.CreateInsertElement(Adjoint, neutralAdjoint(Scalar), Index));
}

static void reverseExtractElement(Instruction &I, Value *Adjoint,
                                  ReverseContext &C) {
  Value *Vector = I.getOperand(0);
  Value *Index = C.primal(I.getOperand(1));
  if (C.A.isActive(Vector))
    C.Adj.add(C.B, Vector,
              C.B.CreateInsertElement(neutralAdjoint(C.A.adjointType(Vector)),
                                      Adjoint, Index));
}

/// Element m of the result is element Mask[m] of the two operands in a row.
static void reverseShuffle(ShuffleVectorInst &I, Value *Adjoint,
                           ReverseContext &C) {
  unsigned Width =
      cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements();
  for (unsigned Operand = 0; Operand != 2; ++Operand) {
    Value *V = I.getOperand(Operand);
    if (!C.A.isActive(V))
      continue;
    Value *Sum = neutralAdjoint(C.A.adjointType(V));
    for (auto [K, From] : enumerate(I.getShuffleMask())) {
      int Element = From - int(Operand * Width);
      if (Element < 0 || Element >= int(Width))
        continue;
      Value *Old = C.B.CreateExtractElement(Sum, uint64_t(Element));
      Value *New =
          C.B.CreateFAdd(Old, C.B.CreateExtractElement(Adjoint, uint64_t(K)));
      Sum = C.B.CreateInsertElement(Sum, New, uint64_t(Element));
    }
    C.Adj.add(C.B, V, Sum);
  }
}

static void reverseInsertValue(InsertValueInst &I, Value *Adjoint,
                               ReverseContext &C) {
  Value *Inserted = I.getInsertedValueOperand();
  C.Adj.add(C.B, Inserted, C.B.CreateExtractValue(Adjoint, I.getIndices()));
  Constant *Neutral = neutralAdjoint(Inserted->getType());
  C.Adj.add(C.B, I.getAggregateOperand(),
            C.B.CreateInsertValue(Adjoint, Neutral, I.getIndices()));
}

static void reverseExtractValue(ExtractValueInst &I, Value *Adjoint,
                                ReverseContext &C) {
  Value *Aggregate = I.getAggregateOperand();
  Value *Spread = neutralAdjoint(Aggregate->getType());
  C.Adj.add(C.B, Aggregate,
            C.B.CreateInsertValue(Spread, Adjoint, I.getIndices()));
}

void reverseMove(Instruction &I, ReverseContext &C) {
  Value *Adjoint = C.Adj.take(C.B, &I);
  switch (I.getOpcode()) {
  case Instruction::Select:
    return reverseSelect(cast<SelectInst>(I), Adjoint, C);
  case Instruction::Freeze:
    return C.Adj.add(C.B, I.getOperand(0), Adjoint);
  case Instruction::InsertElement:
    return reverseInsertElement(I, Adjoint, C);
  case Instruction::ExtractElement:
    return reverseExtractElement(I, Adjoint, C);
  case Instruction::ShuffleVector:
    return reverseShuffle(cast<ShuffleVectorInst>(I), Adjoint, C);
  case Instruction::InsertValue:
    return reverseInsertValue(cast<InsertValueInst>(I), Adjoint, C);
  case Instruction::ExtractValue:
    return reverseExtractValue(cast<ExtractValueInst>(I), Adjoint, C);
  default:
    for (Value *Operand : I.operands())
      if (C.A.isActive(Operand))
        C.Adj.add(C.B, Operand,
                  moveBitsBack(C.B, I, Adjoint, C.A.adjointType(Operand)));
  }
}

void reverseInstruction(Instruction &I, ReverseContext &C) {
  if (const Rule *R = findRule(I))
    return reverseRule(I, *R, C);
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB && accessedPointer(I))
    return reverseAccess(I, C);
  if (!CB)
    return C.Adj.forEachLane([&] { reverseMove(I, C); });
  switch (classify(*CB)) {
  case CallClass::Memory:
    return C.Adj.forEachLane([&] { reverseMemoryIntrinsic(*CB, C); });
  case CallClass::Warp:
    return C.Adj.forEachLane([&] {
      nvptx::blockSumOf(*CB) ? reverseBlockSum(*CB, C) : reverseShuffle(*CB, C);
    });
  case CallClass::Defined:
    return reverseCall(*CB, C);
  case CallClass::Barrier:
    return reverseBarrier(*CB, C);
  case CallClass::Claim:
    return reverseClaim(*CB, C);
  default:
    return reverseOutRule(*CB, C);
  }
}

} // namespace kdiff
