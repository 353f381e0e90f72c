//===- Attach.h - A value with a derivative given for it -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a step before the analysis say what
// the derivative of a value is that it cannot express by operations with rows?
//
// Norms of vectors in memory and inline assembly keep their primal operation,
// whose result stays as it is to the last bit; the derivative is attached to
// the result, an operand at a time.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_ATTACH_H
#define KDIFF_RULES_ATTACH_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace kdiff {

/// kd.attach.<type>(T Value, U Operand, T Slope): \p Value, whose derivative
/// is its own plus \p Slope times that of \p Operand. T and U are
/// floating-point numbers, or vectors of them of one length. The slope is a
/// factor alone: it has no derivative of its own. lower replaces the call by
/// \p Value.
llvm::Value *createAttach(llvm::IRBuilderBase &B, llvm::Value *Value,
                          llvm::Value *Operand, llvm::Value *Slope);
bool isAttach(const llvm::Function &F);

/// Marks \p CB as a call that gives the primal's value alone: its derivative
/// is attached to the result, or there is none. Such a call is Inactive.
void markPrimalOnly(llvm::CallBase &CB);
bool isPrimalOnly(const llvm::CallBase &CB);

} // namespace kdiff
#endif // KDIFF_RULES_ATTACH_H
