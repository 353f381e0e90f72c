//===- Replacement.h - What replaces a function -----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a call of a replaced function mean
// within its replacement?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_REPLACEMENT_H
#define KDIFF_REQUEST_REPLACEMENT_H

#include "llvm/IR/Function.h"

namespace kdiff {

/// \p By, which nothing but custom::setReplacement() knows, replaces a function
/// F in differentiated code. Lets F mean F in \p By and in all that it calls,
/// by copies of those callees that call F in their turn. Call it when all
/// replacements are known. False, and nothing is done, if F may be called there
/// through a pointer.
bool keepOriginalWithin(llvm::Function &By);

} // namespace kdiff
#endif // KDIFF_REQUEST_REPLACEMENT_H
