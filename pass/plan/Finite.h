//===- Finite.h - Products without guards -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which products of a loop or block have finite
// factors, provided that a few values are finite?
//
// An adjoint that is exactly zero has to stay so where the other factor is
// infinite or NaN, which takes a comparison and a selection for every product.
// But what is not finite stays so through sums, differences, products and
// numerators. If such operations lead from a product to what the loop carries,
// in each iteration, and from there to the end of the loop, then a finite end
// shows that no factor of the product was ever infinite or NaN. Elsewhere a
// reversed block tests those factors that no other one is computed from.
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

/// Notes what reversed blocks test, if that saves more than it costs, for
/// products that no loop has been noted for. A remark names each block.
void testFinite(Plan &P, const Subject &S, const Activity &A, const Flow &Fl);

} // namespace kdiff
#endif // KDIFF_PLAN_FINITE_H
