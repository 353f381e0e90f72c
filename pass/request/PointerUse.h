//===- PointerUse.h - What a pointer parameter leads to --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does the memory that a pointer parameter leads
// to hold floating-point numbers?
//
// Opaque pointers say nothing about that; the accesses do.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_POINTERUSE_H
#define KDIFF_REQUEST_POINTERUSE_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>

namespace llvm {
class Argument;
class Function;
class Module;
} // namespace llvm

namespace kdiff {

enum class Pointee {
  FloatingPoint, ///< Some access reads or writes a floating-point number.
  Integer,       ///< Accessed, and only as integers used as such.
  Unknown        ///< Not accessed, or in ways that hide the type.
};

/// Answers for the functions of one module, which must not change meanwhile
/// (but for the functions that hold requests). The module itself is not
/// touched: a copy is made when first asked.
class PointerUse {
public:
  explicit PointerUse(llvm::Module &M);
  ~PointerUse();

  /// What \p A, a pointer parameter of a function with a body, leads to,
  /// through pointer arithmetic, local variables, loaded pointers, copies and
  /// calls. Integers that may be floating-point bits (moved unchanged from
  /// memory to memory, given to inline assembly) make it Unknown.
  Pointee classify(const llvm::Argument &A);

private:
  void cleanReachable(llvm::Function &F);

  llvm::Module &M;
  std::unique_ptr<llvm::Module> Copy; ///< Null until first asked.
  llvm::ValueToValueMapTy Map;        ///< From M to Copy.
  llvm::SmallPtrSet<llvm::Function *, 16> Cleaned;
};

} // namespace kdiff
#endif // KDIFF_REQUEST_POINTERUSE_H
