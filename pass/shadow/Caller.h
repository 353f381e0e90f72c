//===- Caller.h - What is known where a gradient is asked for --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do all threads of a block make a request
// together and do nothing else, and which of its arguments are the same for all
// of them?
//
// Callers are as the front end wrote them: arguments may go through variables
// in local memory.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SHADOW_CALLER_H
#define KDIFF_SHADOW_CALLER_H

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace kdiff {

/// True if \p Request is in a kernel, or in functions that one kernel calls, and
/// every thread that does not trap runs it exactly once: behind it, threads may
/// wait for their whole block.
bool isMadeByWholeBlock(const llvm::CallBase &Request);

/// True if \p Call, which the whole block makes, is in a kernel and all that it
/// does.
bool isAllOfKernel(const llvm::CallBase &Call);

/// True if \p V, an operand of a call in a kernel, is a constant or the same
/// kernel parameter (or member of one) in every thread.
bool isKernelParameter(const llvm::Value *V);

} // namespace kdiff
#endif // KDIFF_SHADOW_CALLER_H
