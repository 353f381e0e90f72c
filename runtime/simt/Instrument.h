//===- Instrument.h - Calls of the checks ----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does code call the checks?
//
// The rest of it is in Emitter.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_INSTRUMENT_H
#define KDIFF_SIMT_INSTRUMENT_H

#include "Emitter.h"
#include "Lower.h"

namespace kdiff::simt {

/// Bytes behind each variable that belong to nobody.
constexpr size_t RedZone = 32;

/// Marks the functions of other files than the kernels' to be inlined, before
/// lowering: their own lines would say little.
void inlineHeaders(llvm::Module &M);
/// Emits the calls for \p I, if it accesses memory, around it. \p E is at it.
void instrument(llvm::Instruction &I, Emitter &E);
/// Gives all variables a red zone and a name for the linker, and lists them.
void exposeVariables(llvm::Module &M, llvm::StringMap<size_t> &Objects);
/// Asks LLVM's MemorySanitizer to instrument \p F; it takes only generic
/// pointers in memory intrinsics.
void letFollowUndefined(llvm::Function &F);
/// Takes casts between address spaces, which mean nothing on the host, for
/// copies of bits: LLVM's MemorySanitizer takes each for a use.
void castByIntegers(llvm::Module &M);
/// Gives the reports of LLVM's MemorySanitizer, which has run on \p M, the
/// numbers of their places.
void numberReports(llvm::Module &M, SiteTable &Sites);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_INSTRUMENT_H
