//===- Bits.cpp - Derivatives of floating point moved as bits -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Bits.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Bits.h"
#include "analysis/FloatBits.h"
#include "emit/Adjoints.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static unsigned elementCount(Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  return Vector ? Vector->getNumElements() : 1;
}

static Value *element(IRBuilderBase &B, Value *V, unsigned K) {
  return V->getType()->isVectorTy() ? B.CreateExtractElement(V, uint64_t(K))
                                    : V;
}

static Value *withElement(IRBuilderBase &B, Value *V, Value *E, unsigned K) {
  return V->getType()->isVectorTy() ? B.CreateInsertElement(V, E, uint64_t(K))
                                    : E;
}

/// By how many elements the result of \p I lies above its operand: element k
/// of the operand is element k + offset of the result.
static int elementOffset(const Instruction &I, Type *Scalar) {
  unsigned Bits = Scalar->getPrimitiveSizeInBits();
  if (I.getOpcode() == Instruction::Shl)
    return shiftInElements(I, Bits);
  if (I.getOpcode() == Instruction::LShr)
    return -shiftInElements(I, Bits);
  return 0;
}

/// Element k of the answer is element k + \p Offset of \p From where there is
/// one, else \p Fill.
static Value *shifted(IRBuilderBase &B, Value *From, int Offset, Type *To,
                      Constant *Fill) {
  Type *Scalar = To->getScalarType();
  int Count = elementCount(From->getType());
  Value *Result = To->isVectorTy()
                      ? ConstantVector::getSplat(
                            ElementCount::getFixed(elementCount(To)), Fill)
                      : Fill;
  assert(From->getType()->getScalarType() == Scalar &&
         "moves of bits keep the scalar type");
  (void)Scalar;
  for (int K = 0, N = elementCount(To); K != N; ++K)
    if (K + Offset >= 0 && K + Offset < Count)
      Result = withElement(B, Result, element(B, From, K + Offset), K);
  return Result;
}

Value *moveBitsBack(IRBuilderBase &B, const Instruction &I, Value *Adjoint,
                    Type *OperandType) {
  Type *Scalar = OperandType->getScalarType();
  return shifted(B, Adjoint, elementOffset(I, Scalar), OperandType,
                 neutralAdjoint(Scalar));
}

Value *moveBitsOn(IRBuilderBase &B, const Instruction &I, Value *Tangent,
                  Type *ResultType) {
  Type *Scalar = ResultType->getScalarType();
  return shifted(B, Tangent, -elementOffset(I, Scalar), ResultType,
                 Constant::getNullValue(Scalar));
}

} // namespace kdiff
