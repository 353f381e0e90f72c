//===- Steps.h - The steps to the canonical form ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: of which steps, beyond LLVM's own passes, is
// prepare() made?
//
// For prepare/ alone; Prepare.cpp gives the order.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_STEPS_H
#define KDIFF_PREPARE_STEPS_H

#include "prepare/Prepare.h"

namespace kdiff {

/// An internal copy `<name>.kdiff` with the C calling convention, in the
/// module of \p Primal. Owned by the module.
llvm::Function *clonePrimal(llvm::Function &Primal);

/// Inlines every call of a function with a body, but for those that have a
/// derivative of their own (rules/Rules.h) and recursive ones. True if it
/// changed \p F.
bool inlineCalls(llvm::Function &F);

/// Turns calls through function pointers whose targets are known into direct
/// calls. True if it changed \p F.
bool resolveIndirectCalls(llvm::Function &F);

/// Replaces constant-size memcpy and memmove of known types by loads and
/// stores of the fields, so that no later pass moves floating point as
/// integers. True if it changed \p F.
bool expandCopies(llvm::Function &F);

/// Joins the two 32-bit shuffles of a 64-bit value into one operation
/// (nvptx::createWideShuffle). True if anything changed.
bool joinShuffles(llvm::Function &F);
/// Erases the shuffles whose result nobody uses (any more), and what is
/// computed for them alone.
void dropUnusedShuffles(llvm::Function &F);

/// Replaces inline assembly whose every statement is known by the IR and the
/// arithmetic with rows (rules/Ptx.h) that it consists of. True if it changed
/// \p F.
bool readAssembly(llvm::Function &F);

/// Takes apart intrinsics that return several numbers, reductions of vectors,
/// and libdevice's norms of vectors in memory, whose calls stay as the primal's
/// values with derivatives attached (rules/Attach.h). True if it changed \p F.
bool expandComposites(llvm::Function &F);

/// Replaces inline assembly (and intrinsics) that synchronise threads or copy
/// asynchronously by barriers, fences and copies in IR. True if it changed
/// \p F.
bool rewriteAssembly(llvm::Function &F);

/// Replaces atomic operations that are written as calls or as loops around a
/// compare-and-swap by the instructions that they amount to. True if it changed
/// \p F.
bool recogniseAtomics(llvm::Function &F);

/// Gives atomic maxima and minima in shared memory a store of the winner
/// behind the next barrier. True if it changed \p F.
bool settleExtremes(llvm::Function &F);

/// Attaches to sums that loops scale anew wherever a maximum grows, and to that
/// maximum, derivatives that need nothing of what the loop carried. True if it
/// changed \p F. Loops must be in simplified and LCSSA form.
bool attachToRunningMaxima(llvm::Function &F,
                           llvm::FunctionAnalysisManager &FAM);

/// Attaches to what is read of sums that a block makes by halves in shared
/// memory a derivative that needs none of the steps. True if it changed \p F.
/// Loops must be in simplified form, and not rotated or unrolled.
bool attachToTrees(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces calls that are plain IR in disguise (bit casts, read-only loads,
/// hints) by that IR.
void simplifyIntrinsics(llvm::Function &F);
/// Removes lifetime markers, assumptions and the like: the reverse sweep
/// reads memory after the primal's lifetimes ended.
void dropMarkers(llvm::Function &F);

/// Turns integer operations on the sign bit of floating-point values into
/// floating-point operations. True if it changed \p F.
bool recogniseFloatBits(llvm::Function &F);

/// Notes at the loops of \p F how many snapshots __kd_checkpoint asks for, and
/// erases those calls. False if one does not fit; reported.
bool readCheckpoints(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// What was noted at \p L; 0: nothing.
unsigned snapshotsOf(const llvm::Loop &L);

/// True if \p F has no construct that no later stage could reverse. The first
/// one has been reported otherwise.
bool checkConstructs(const llvm::Function &F);
/// The same for control flow, after irreducible cycles were mended.
bool checkControlFlow(const llvm::Function &F,
                      llvm::FunctionAnalysisManager &FAM);

/// Moves accesses from the generic address space to the inferred one. With
/// \p IsKernel, pointers that the host passed lead to global memory.
void inferPointerSpaces(llvm::Function &F, bool IsKernel);

/// Fully unrolls loops with a small constant trip count. True if it changed
/// \p F. Loops must be in simplified and LCSSA form.
bool unrollSmallLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Gives every loop its LoopShape, and writes inductions as functions of the
/// counters. Loops must be in their final form.
llvm::MapVector<llvm::BasicBlock *, LoopShape>
countLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Gives every join its selector.
llvm::MapVector<llvm::BasicBlock *, Join>
selectJoins(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PREPARE_STEPS_H
