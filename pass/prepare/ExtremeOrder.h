//===- ExtremeOrder.h - The order of a word's contents ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which numbers do atomic maxima and minima put
// into memory, and in which order do the contents of a word follow each other?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_EXTREMEORDER_H
#define KDIFF_PREPARE_EXTREMEORDER_H

#include "llvm/IR/Instructions.h"
#include <optional>

namespace kdiff {

/// The floating-point number that the maximum or minimum \p RMW puts; null for
/// other operations, and for those of integers.
llvm::Value *numberOf(const llvm::AtomicRMWInst &RMW);

/// The maximum or minimum in whose order the contents of \p Object's words
/// follow each other, so that none comes twice. Nothing if the atomic
/// operations of \p F on it are others, or go both ways. That is one operation,
/// or the two halves of a maximum or minimum of numbers: bits as signed
/// integers have the order of numbers that are at least zero; as unsigned ones,
/// the reverse order of those below.
std::optional<llvm::AtomicRMWInst::BinOp> orderOf(const llvm::Function &F,
                                                  const llvm::Value *Object);

} // namespace kdiff
#endif // KDIFF_PREPARE_EXTREMEORDER_H
