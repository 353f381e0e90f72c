//===- ElementTest.cpp - Numbers and bytes --------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do numbers survive the way to a device and back?
//
//===----------------------------------------------------------------------===//

#include "cases/Element.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kdiff::tool;

static double roundTrip(ElementType T, double V) {
  char Bytes[8];
  encode(T, {V, int64_t(V), false}, Bytes);
  return decode(T, Bytes).Real;
}

TEST(Element, ExactNumbersComeBackFromEveryType) {
  for (ElementType T : {ElementType::F16, ElementType::BF16, ElementType::F32,
                        ElementType::F64, ElementType::I32, ElementType::I64})
    for (double V : {0.0, 1.0, -3.0, 96.0})
      EXPECT_EQ(roundTrip(T, V), V) << name(T).str();
}

TEST(Element, NarrowTypesRoundToNearestEven) {
  EXPECT_EQ(roundTrip(ElementType::F32, 0.1), double(0.1f));
  EXPECT_EQ(roundTrip(ElementType::F16, 1 + 0x1p-11), 1.0);
  EXPECT_EQ(roundTrip(ElementType::F16, 1 + 3 * 0x1p-11), 1 + 2 * 0x1p-10);
  EXPECT_EQ(roundTrip(ElementType::BF16, 1 + 0x1p-8), 1.0);
  EXPECT_TRUE(std::isinf(roundTrip(ElementType::F16, 1e6)));
  EXPECT_TRUE(std::isnan(roundTrip(ElementType::BF16, NAN)));
}

TEST(Element, WideIntegersAreExact) {
  auto V = llvm::json::parse("18446744073709551615");
  ASSERT_TRUE(bool(V));
  llvm::json::Path::Root Root;
  Number N;
  ASSERT_TRUE(fromJSON(*V, N, Root));
  char Bytes[8];
  encode(ElementType::U64, N, Bytes);
  EXPECT_EQ(uint64_t(decode(ElementType::U64, Bytes).Integer), ~uint64_t(0));
}

TEST(Element, EpsilonIsTheDistanceFromOne) {
  EXPECT_EQ(epsilon(ElementType::F32), 0x1p-23);
  EXPECT_EQ(epsilon(ElementType::F64), 0x1p-52);
  EXPECT_EQ(epsilon(ElementType::F16), 0x1p-10);
  EXPECT_EQ(epsilon(ElementType::BF16), 0x1p-7);
}
