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

namespace llvm {
class Argument;
}

namespace kdiff {

enum class Pointee {
  FloatingPoint, ///< Some access reads or writes a floating-point number.
  Integer,       ///< Accessed, and only as integers used as such.
  Unknown        ///< Not accessed, or in ways that hide the type.
};

/// What \p A, a pointer parameter of a function with a body, leads to, through
/// pointer arithmetic, local variables, loaded pointers, copies and calls.
/// Works on unoptimised code; reads it only.
Pointee classifyPointee(llvm::Argument &A);

} // namespace kdiff
#endif // KDIFF_REQUEST_POINTERUSE_H
