//===- Scale.h - A derivative times a partial ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is an adjoint or a tangent multiplied by
// the partial of a rule?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_SCALE_H
#define KDIFF_EMIT_SCALE_H

#include "rules/Rules.h"
#include "support/Lanes.h"

namespace kdiff {

/// Each of \p Factors (of the result's type in reverse mode, of operand \p K's
/// type in forward mode; one a lane) times the partial of \p I by operand \p K,
/// which they share, as type \p Target. A factor that is exactly zero gives
/// zero, whatever the partial is: an untaken branch must not make a NaN out of
/// 0 * inf. \p Args and \p Result give the primal values that needs(R, K)
/// names. \p Doubt (or null) is false where the partial is known to be finite.
/// \p Reciprocal as for emitPartial().
LaneValues scale(llvm::IRBuilderBase &B, const llvm::Instruction &I,
                 const Rule &R, unsigned K,
                 llvm::ArrayRef<llvm::Value *> Factors,
                 llvm::ArrayRef<llvm::Value *> Args, llvm::Value *Result,
                 llvm::Type *Target, llvm::Value *Doubt = nullptr,
                 llvm::Value *Reciprocal = nullptr);

/// Factor * Partial, with the guard unless \p Bounded; of no effect unless
/// \p Doubt, if given.
llvm::Value *multiply(llvm::IRBuilderBase &B, llvm::Value *Factor,
                      llvm::Value *Partial, bool Bounded,
                      llvm::Value *Doubt = nullptr);

} // namespace kdiff
#endif // KDIFF_EMIT_SCALE_H
