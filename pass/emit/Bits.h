//===- Bits.h - Derivatives of floating point moved as bits ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do derivatives pass through bitcasts and
// through the trunc, zext, shift and or of integers that carry bits?
//
// The derivative of such an integer is the floating-point value (or vector of
// them, lowest bits first) that it carries. Each move selects elements.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_BITS_H
#define KDIFF_EMIT_BITS_H

#include "llvm/IR/IRBuilder.h"

namespace kdiff {

/// The adjoint of the operand (of type \p OperandType) of the move \p I,
/// given the adjoint of its result.
llvm::Value *moveBitsBack(llvm::IRBuilderBase &B, const llvm::Instruction &I,
                          llvm::Value *Adjoint, llvm::Type *OperandType);

/// The tangent of the result (of type \p ResultType) of the move \p I of one
/// operand, given the operand's tangent.
llvm::Value *moveBitsOn(llvm::IRBuilderBase &B, const llvm::Instruction &I,
                        llvm::Value *Tangent, llvm::Type *ResultType);

} // namespace kdiff
#endif // KDIFF_EMIT_BITS_H
