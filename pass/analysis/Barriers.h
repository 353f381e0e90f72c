//===- Barriers.h - Who passes the barriers of a block ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do all threads of a block pass the same barriers
// of the block?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_BARRIERS_H
#define KDIFF_ANALYSIS_BARRIERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace kdiff {

/// False if a thread may go around a barrier of the block in \p F: a kernel's
/// threads that return early end, so that the others do not wait for them. The
/// derivative has work for them still. Arguments are taken to be the same for
/// the block, as those of kernels are.
bool passSameBarriers(llvm::Function &F);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_BARRIERS_H
