//===- Distance.h - How far apart are two addresses? -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: are two addresses that one thread forms a
// multiple of one value apart, as are those of out[i] and out[count + i]?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_DISTANCE_H
#define KDIFF_PLAN_DISTANCE_H

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace kdiff {

/// Factor * Unit bytes, exactly: no wrap-around. Where Unit is zero, both
/// addresses are the same.
struct Distance {
  llvm::Value *Unit = nullptr; ///< An integer of at most 32 bits, signed.
  int64_t Factor = 0;          ///< Not 0.
};

/// From \p From to \p To, formed from values of the same moment. Nothing where
/// it is not of that form. Integer additions and multiplications marked nsw do
/// not wrap around: an access to the address would be undefined otherwise.
std::optional<Distance> distanceBetween(llvm::Value *From, llvm::Value *To,
                                        const llvm::DataLayout &DL);

} // namespace kdiff
#endif // KDIFF_PLAN_DISTANCE_H
