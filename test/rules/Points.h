//===- Points.h - Where operations are tested ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: at which points is an operation tested, and
// what is its test called?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TEST_RULES_POINTS_H
#define KDIFF_TEST_RULES_POINTS_H

#include "Laboratory.h"
#include "gtest/gtest.h"

namespace kdiff::test {

/// Within the row's domain, evenly spread, exact in float, not at kinks.
std::vector<Point> ordinaryPoints(const Specimen &S);

/// Zeros, subnormals, the largest numbers, infinities, combined.
std::vector<Point> extremePoints(const Specimen &S);

/// The name of a test of specimen number \p Info.param.
std::string labelOf(const testing::TestParamInfo<unsigned> &Info);

} // namespace kdiff::test
#endif // KDIFF_TEST_RULES_POINTS_H
