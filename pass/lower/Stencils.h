//===- Stencils.h - Threads add what others would add -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the steps of lowering additions that are
// gathered share? For them alone.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_STENCILS_H
#define KDIFF_LOWER_STENCILS_H

#include "analysis/Polynomials.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"
#include <array>

namespace kdiff {

/// How many threads away, or which index, by dimension.
using Away = std::array<llvm::Value *, Dimensions>;

/// kd.stencil.add
struct StencilRead {
  llvm::CallInst *Call;
  unsigned Group;
  llvm::Value *Shadow, *Addend;
  Away Distance;
  bool IsProven = false; ///< It is the own word of the thread there.

  explicit StencilRead(llvm::CallInst &CI);
  bool isHere() const;
};

/// kd.stencil.end
struct OwnWord {
  llvm::CallInst *End = nullptr;
  llvm::Value *Address = nullptr;
  llvm::Type *T = nullptr;
  llvm::AllocaInst *Sum = nullptr; ///< What the thread adds to its own word.
};

/// The quotient, remainder or both (else null), at the entry, of the launch's
/// index by a number that is the same for all threads.
struct IndexDivision {
  unsigned Dimension;
  llvm::Value *Divisor;
  llvm::Instruction *Quotient = nullptr, *Rest = nullptr;
};

/// What is gathered in a function.
struct Stencil {
  llvm::Function &F;
  llvm::SmallVector<StencilRead, 16> Reads;
  llvm::MapVector<unsigned, OwnWord> Words; ///< By group.
  /// Of the launch; null where no distance has this dimension.
  Away Index{}, Size{};
  llvm::SmallVector<IndexDivision, 4> Divisions;
  /// The same for all threads: indices and distances are below 2^30, and what
  /// indices are divided by is positive. If not, no thread is taken to exist.
  llvm::Value *IsUsual = nullptr;
};

/// Finds the operations of G.F. False if there are none.
bool collectStencil(Stencil &G);

/// Makes one value of each index that has distances, and finds the divisions
/// whose results in neighbours follow from those of the thread.
void findLaunchIndices(Stencil &G);

/// Computes G.IsUsual.
void testUsual(Stencil &G);

/// Whether a thread \p Distance away, or less far by it, is in the launch.
llvm::Value *existsInLaunch(llvm::IRBuilderBase &B, const Stencil &G,
                            const Away &Distance, bool Backwards);

bool isZeroDistance(const llvm::Value *V);

/// Where \p F switches by a number that conditions choose, it branches by
/// these.
void branchByConditions(llvm::Function &F);

/// Where the reverse sweep branches as the forward sweep just did, it goes on
/// from there. (LLVM's pipeline does not where threads may differ: sides of
/// branches might grow apart. These do not.)
void joinSweeps(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces indices that are the same as another's by that one.
void mergeIndices(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// What was promised of the arithmetic that \p V is, is not promised of those
/// who use it now.
void dropPromises(llvm::Value *V);

/// Reads words once that several sides of branches read. Nobody writes what F
/// loads.
void hoistLoads(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Adds \p Addend to the variable \p Sum.
void addToSum(llvm::IRBuilderBase &B, llvm::AllocaInst *Sum,
              llvm::Value *Addend);

/// A function of the arguments of G.F, the index of a thread (i32 each), and
/// the own words of the thread that is \p Distance further in the launch: what
/// the former adds to each of these. It must not be called where the former
/// does not exist.
llvm::Function *copyForStencil(const Stencil &G, const Away &Distance,
                               llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_LOWER_STENCILS_H
