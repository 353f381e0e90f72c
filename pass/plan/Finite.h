//===- Finite.h - Loops whose end shows that all was finite ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which products of a loop have finite factors,
// provided that what the loop ends with is finite?
//
// An adjoint that is exactly zero has to stay so where the other factor is
// infinite or NaN, which takes a comparison and a selection for every product.
// But what is not finite stays so through sums, differences, products and
// numerators. If such operations lead from a product to what the loop carries,
// in each iteration, and from there to the end of the loop, then a finite end
// shows that no factor of the product was ever infinite or NaN.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_FINITE_H
#define KDIFF_PLAN_FINITE_H

#include "plan/Plan.h"

namespace kdiff {

/// Notes them at the loops of \p P that are replayed, whose forward sweep
/// computes what they end with anyway. A remark names each loop.
void findFinite(Plan &P, const Subject &S, const Activity &A,
                llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_FINITE_H
