//===- BlockRows.cpp - Sums over rows and over their lanes ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see BlockRows.h.
//
//===----------------------------------------------------------------------===//

#include "plan/BlockRows.h"
#include "plan/Together.h"
#include "target/NVPTX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// Barriers take about as long as the atomics of so many words.
static constexpr unsigned MinWords = 4;

namespace {

using Group = SmallVector<const LoadInst *, 16>;

class RowSums {
public:
  RowSums(Plan &P, const Subject &S, const Shadows &Sh,
          FunctionAnalysisManager &FAM)
      : P(P), S(S), Sh(Sh), LI(FAM.getResult<LoopAnalysis>(*S.P.F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(*S.P.F)),
        Meetings(P, S, Sh, FAM) {}

  Accumulation kindOf(const Group &Loads, Accumulation Likely);

private:
  bool areUniform(const Group &Loads, const EvenLoops &Even,
                  function_ref<bool(const Value *)> Uniform);
  unsigned countWords(const Group &Loads) const;

  Plan &P;
  const Subject &S;
  const Shadows &Sh;
  LoopInfo &LI;
  ScalarEvolution &SE;
  Together Meetings;
};

} // namespace

/// The addresses of \p Loads are made of what is \p Uniform, where all threads
/// are in the same iteration of the loops \p Even.
bool RowSums::areUniform(const Group &Loads, const EvenLoops &Even,
                         function_ref<bool(const Value *)> Uniform) {
  auto Differs = [&](const SCEV *Part) {
    if (auto *Moving = dyn_cast<SCEVAddRecExpr>(Part))
      return !Even.contains(Moving->getLoop());
    auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    return Unknown && !Uniform(Unknown->getValue());
  };
  return all_of(Loads, [&](const LoadInst *Load) {
    auto *Pointer = const_cast<Value *>(Load->getPointerOperand());
    return all_of(Sh.inLanes(Pointer), [&](Value *Shadow) {
      return !SCEVExprContains(SE.getSCEV(Shadow), Differs);
    });
  });
}

/// How many words \p Loads add to at once.
unsigned RowSums::countWords(const Group &Loads) const {
  DenseSet<const Value *> Words;
  for (const LoadInst *Load : Loads)
    Words.insert(Load->getPointerOperand());
  const Loop *L = LI.getLoopFor(Loads.front()->getParent());
  unsigned Chunk = L ? P.loop(L->getHeader()).Chunk : 0;
  return Words.size() * S.Width * std::max(Chunk, 1u);
}

/// The kind of the sums of \p Loads, which was \p Likely.
Accumulation RowSums::kindOf(const Group &Loads, Accumulation Likely) {
  EvenLoops Even;
  if (!Meetings.isRun(Loads.front()->getParent(), Even))
    return Likely;
  if (Likely == Accumulation::AcrossRows)
    return countWords(Loads) >= MinWords &&
                   areUniform(Loads, Even,
                              [&](const Value *V) {
                                return Meetings.Values.isColumnUniform(V);
                              })
               ? Accumulation::BlockRows
               : Likely;
  // Without a barrier, lanes may be in different iterations.
  return areUniform(
             Loads, {},
             [&](const Value *V) { return Meetings.Values.isRowUniform(V); })
             ? Accumulation::Rows
             : Likely;
}

void proveRows(Plan &P, const Subject &S, const Shadows &Sh,
               FunctionAnalysisManager &FAM) {
  MapVector<const Instruction *, Group> Groups;
  for (auto &[I, How] : P.Adds.Of) {
    auto *Load = dyn_cast<LoadInst>(I);
    if (!Load || Load->getPointerAddressSpace() != nvptx::Shared)
      continue;
    bool IsAlone = How.At == AddAt::Here;
    if ((How.Kind == Accumulation::AcrossRows ||
         How.Kind == Accumulation::RowUniform) &&
        (IsAlone || How.At == AddAt::Group))
      Groups[IsAlone ? I : How.Leader].push_back(Load);
  }
  if (Groups.empty())
    return;
  RowSums Rows(P, S, Sh, FAM);
  for (auto &[Leader, Loads] : Groups) {
    Accumulation Kind = Rows.kindOf(Loads, P.Adds.Of[Loads.front()].Kind);
    for (const LoadInst *Load : Loads)
      P.Adds.Of[Load].Kind = Kind;
  }
}

} // namespace kdiff
