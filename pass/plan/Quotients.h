//===- Quotients.h - Quotients that are computed again ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which quotients may the reverse sweep compute
// again as products with the reciprocal that their derivatives take anyway?
//
// a / b and a * (1 / b) differ by at most one unit in the last place, as long
// as 1 / b is a normal number, which is tested at run time. That much may not
// decide anything: where a quotient leads to a comparison, a rounding to
// integers, a minimum and the like, it is divided as the primal did (a / a is
// 1, a * (1 / a) may be less). Sums and products pass it on like the rounding
// that differs anyway when they are contracted differently.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_QUOTIENTS_H
#define KDIFF_PLAN_QUOTIENTS_H

#include "plan/Plan.h"

namespace kdiff {

/// Notes them at the values of \p P, when these are decided. A remark names
/// each.
void shareReciprocals(Plan &P, const Activity &A);

} // namespace kdiff
#endif // KDIFF_PLAN_QUOTIENTS_H
