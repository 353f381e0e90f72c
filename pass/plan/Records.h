//===- Records.h - How taped values lie in memory --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how many bits does a value take on the tape, and
// where does it lie in its record?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_RECORDS_H
#define KDIFF_PLAN_RECORDS_H

#include "plan/Plan.h"

namespace llvm {
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace kdiff {

/// What iterations may keep to share words: with more, a word of eight bytes
/// would be for fewer than eight of them.
constexpr unsigned MaxSharedBits = 8;

/// Records of a loop that need no more of a thread's local memory are kept
/// there: it is as fast as the tape, and needs neither a pool nor tests for
/// room.
constexpr uint64_t LocalBytes = 1024;

/// The bits of a scalar, or of an element of a vector, that may differ from
/// zero; at least one.
unsigned scalarBits(const llvm::Value *V, const llvm::DataLayout &DL);

/// True if a tape may hold \p V.
bool canTape(const llvm::Value *V);

/// Appends what makes up \p V, not yet placed.
void appendFields(llvm::Value *V, const llvm::DataLayout &DL,
                  llvm::SmallVectorImpl<Field> &Fields);

/// The loops around \p L, innermost first, and how many of L's iterations one
/// of theirs has at most; last, without a header, how many there are in all.
/// Empty if there is no small bound, for records of \p Bytes.
Strides stridesOf(const llvm::Loop *L, unsigned Bytes,
                  llvm::ScalarEvolution &SE);

/// Makes the records of what \p P has on the tape or runs again, by loop and in
/// program order.
void layOutRecords(Plan &P, const Subject &S, llvm::LoopInfo &LI,
                   llvm::ScalarEvolution &SE);

} // namespace kdiff
#endif // KDIFF_PLAN_RECORDS_H
