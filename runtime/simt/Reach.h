//===- Reach.h - What a kernel can get to ----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which functions and variables does a kernel
// use, directly or through others?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_REACH_H
#define KDIFF_SIMT_REACH_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalObject.h"

namespace kdiff::simt {

/// All that \p Root names, what these name, and so on; \p Root first. A
/// function whose address is taken counts as called.
llvm::SetVector<llvm::GlobalValue *> reachableFrom(llvm::GlobalValue &Root);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_REACH_H
