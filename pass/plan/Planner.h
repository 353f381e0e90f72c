//===- Planner.h - The planner's state -------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the steps of planning where the reverse
// sweep gets primal values from (Plan.h) share?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_PLANNER_H
#define KDIFF_PLAN_PLANNER_H

#include "plan/Anew.h"
#include "plan/Needs.h"
#include "plan/Plan.h"
#include "plan/Reload.h"
#include "plan/Tiles.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace kdiff {

/// Plans one function: run() is all that others call. Plan.cpp chooses what is
/// taped, PlanReplay.cpp which loops are run again.
class Planner {
public:
  Planner(const Subject &S, const Activity &A, const Shadows &Sh,
          const Flow &Fl, const SeedTests &Tests,
          llvm::FunctionAnalysisManager &FAM)
      : S(S), A(A), Sh(Sh), Fl(Fl), DL(S.P.F->getDataLayout()), FAM(FAM),
        LI(FAM.getResult<llvm::LoopAnalysis>(*S.P.F)),
        SE(FAM.getResult<llvm::ScalarEvolutionAnalysis>(*S.P.F)),
        Memory(S, Sh, FAM), Needs(collectNeeds(S, A, Sh, Fl)),
        Shared(
            S, A, Sh, Needs, [this](llvm::Value *V) { return isFree(V); }, FAM),
        Free(findAnew(S, Fl)) {
    Result.Overwritten = Tests;
    for (auto &[Header, Shape] : S.P.Loops)
      Counters.insert(Shape.Counter);
  }

  Plan run();

private:
  bool isAtHand(llvm::Value *V, Source &From);
  unsigned repetitions(llvm::Value *V);
  bool hasExactAddress(llvm::LoadInst &Load);
  bool canRepeatJoin(const llvm::PHINode &Phi);
  bool canRepeat(llvm::Instruction &I, bool Exact, std::string &Why);
  bool isFree(llvm::Value *V);
  const Tile *tileOf(const llvm::Value *V);
  llvm::SmallVector<llvm::Value *, 8> inputsOf(llvm::Instruction &I);
  uint64_t tapeWeight(llvm::Value *V);
  void cut(bool Exact);
  void commit(llvm::Value *V, bool Exact, const llvm::Instruction *NeededBy);
  void commitInputs(llvm::Instruction &I, bool Exact,
                    const llvm::Instruction *NeededBy);
  bool isExact(const Need &N) const;
  void choose();
  bool keepsSide(const AnewBranch &Branch) const;
  void replayLoops();
  std::pair<llvm::SmallVector<llvm::Value *, 8>, unsigned>
  tapedBy(const llvm::Loop *L);
  void replayLoop(const LoopShape &Shape);
  void checkSnapshots(const LoopShape &Shape, const Segment &Seg);
  void commitReplay(llvm::ArrayRef<llvm::Value *> Kept,
                    llvm::ArrayRef<llvm::PHINode *> State,
                    const LoopShape &Shape);
  void dropUnwanted();

  const Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  const llvm::DataLayout &DL;
  llvm::FunctionAnalysisManager &FAM;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  Reloads Memory;
  llvm::SmallVector<Need, 32> Needs;
  Tiles Shared;
  llvm::SmallVector<AnewBranch, 2> Free; ///< Not decided by the forward sweep.
  llvm::SmallPtrSet<const llvm::Value *, 8> Counters;
  llvm::DenseMap<const llvm::Value *, unsigned> Repetitions;
  /// What the cuts put on the tape, and why it is not repeated.
  llvm::DenseMap<llvm::Value *, std::string> Taped;
  llvm::SmallPtrSet<const llvm::Value *, 8> Replayed; ///< Of these.
  Plan Result;
};

} // namespace kdiff
#endif // KDIFF_PLAN_PLANNER_H
