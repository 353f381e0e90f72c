//===- Access.h - Kinds of accesses ----------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does instrumented code say about an access
// to memory?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CHECK_ACCESS_H
#define KDIFF_SIMT_CHECK_ACCESS_H

#include <cstdint>

namespace kdiff::simt {

/// Travels as one integer.
struct AccessKind {
  uint32_t LogAlign : 6 = 0; ///< Of what the code promises.
  uint32_t Read : 1 = 0;
  uint32_t Write : 1 = 0;
  uint32_t Atomic : 1 = 0;     ///< Or volatile.
  uint32_t BlockScope : 1 = 0; ///< An atomic for threads of the block only.
  uint32_t Acquires : 1 = 0;   ///< As if a fence followed.
  uint32_t Releases : 1 = 0;   ///< As if it followed a fence.
  uint32_t Unused : 20 = 0;
};
static_assert(sizeof(AccessKind) == sizeof(uint32_t), "passed as an i32");

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CHECK_ACCESS_H
