//===- Types.h - What a type holds ------------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a value of this type hold floating-point
// numbers?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SUPPORT_TYPES_H
#define KDIFF_SUPPORT_TYPES_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Type.h"

namespace kdiff {

/// True if a value of type \p T is, or has within it, a floating-point number.
/// What pointers lead to does not count.
inline bool holdsFloat(const llvm::Type *T) {
  return T->isFPOrFPVectorTy() || llvm::any_of(T->subtypes(), holdsFloat);
}

} // namespace kdiff
#endif // KDIFF_SUPPORT_TYPES_H
