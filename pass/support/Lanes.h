//===- Lanes.h - Several derivatives as one value ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the derivatives of all lanes of a request
// (kd_width) go into and out of functions?
//
// A lane is one of the tangents, or of the adjoints, that a request of width N
// has at once. Functions take and return one derivative as it is, and N of them
// as an array.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SUPPORT_LANES_H
#define KDIFF_SUPPORT_LANES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace kdiff {

/// One derivative of each lane, in order; at least one.
using LaneValues = llvm::SmallVector<llvm::Value *, 1>;

/// The type of \p Width derivatives of type \p T; T itself for one.
inline llvm::Type *lanesType(llvm::Type *T, unsigned Width) {
  return Width == 1 ? T : llvm::ArrayType::get(T, Width);
}

/// \p Values, all of one type, as a value of lanesType().
inline llvm::Value *packLanes(llvm::IRBuilderBase &B,
                              llvm::ArrayRef<llvm::Value *> Values) {
  if (Values.size() == 1)
    return Values.front();
  llvm::Value *Packed = llvm::PoisonValue::get(
      llvm::ArrayType::get(Values.front()->getType(), Values.size()));
  for (unsigned K = 0; K != Values.size(); ++K)
    Packed = B.CreateInsertValue(Packed, Values[K], K);
  return Packed;
}

/// What packLanes() was given.
inline LaneValues unpackLanes(llvm::IRBuilderBase &B, llvm::Value *Packed,
                              unsigned Width) {
  if (Width == 1)
    return {Packed};
  LaneValues Values;
  for (unsigned K = 0; K != Width; ++K)
    Values.push_back(B.CreateExtractValue(Packed, K));
  return Values;
}

} // namespace kdiff
#endif // KDIFF_SUPPORT_LANES_H
