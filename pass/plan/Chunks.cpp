//===- Chunks.cpp - Sums of several iterations at once --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Chunks.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Chunks.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// Words that one exchange sums.
static constexpr unsigned MaxWords = 32;
/// More iterations bring little: one exchange a word is the limit.
static constexpr unsigned MaxChunk = 8;
/// Of all the primal iterations of a chunk together.
static constexpr unsigned MaxInstructions = 512;

namespace {

class Chunker {
public:
  Chunker(Plan &P, const Subject &S, const Activity &A, const Shadows &Sh,
          const Flow &Fl, FunctionAnalysisManager &FAM)
      : P(P), S(S), A(A), Sh(Sh), Fl(Fl),
        LI(FAM.getResult<LoopAnalysis>(*S.P.F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(*S.P.F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(*S.P.F)) {}

  void run();

private:
  using Group = SmallVector<const LoadInst *, 4>;

  const BasicBlock *endOfWork(const LoopShape &Shape, const Loop &L) const;
  std::optional<int64_t> stepOf(const LoadInst &Load, const Loop &L) const;
  void chunk(const LoopShape &Shape, const Loop &L, const BasicBlock *End);

  Plan &P;
  const Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
};

} // namespace

/// The block through which all lanes leave the loop after the same number of
/// iterations, each of which has done all its work there, and only adds; else
/// null.
const BasicBlock *Chunker::endOfWork(const LoopShape &Shape,
                                     const Loop &L) const {
  LoopPlan How = P.loop(Shape.Header);
  if (!L.isInnermost() || How.JoinsLate || How.Replayed.Length ||
      P.Records.contains(Shape.Header) || !Fl.isReversed(Shape.Header))
    return nullptr;
  auto Exits = Fl.exitsOf(Shape.Header);
  if (Exits.size() != 1)
    return nullptr;
  const BasicBlock *End = Exits.front().Exiting;
  bool OnlyAdds =
      DT.dominates(End, Shape.Latch) && all_of(L.blocks(), [&](BasicBlock *B) {
        bool IsBehind = B != End && DT.dominates(End, B);
        return !P.Refills.contains(B) && none_of(*B, [&](const Instruction &I) {
          return separatesAdditions(I, A, Sh) ||
                 (IsBehind && Flow::hasWork(I, A));
        });
      });
  return OnlyAdds ? End : nullptr;
}

/// By how much the word's address grows in each iteration.
std::optional<int64_t> Chunker::stepOf(const LoadInst &Load,
                                       const Loop &L) const {
  std::optional<int64_t> Step;
  auto *Pointer = const_cast<Value *>(Load.getPointerOperand());
  for (Value *Shadow : Sh.inLanes(Pointer)) {
    auto *Moving = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Shadow));
    if (!Moving || Moving->getLoop() != &L || !Moving->isAffine())
      return std::nullopt;
    auto *Constant = dyn_cast<SCEVConstant>(Moving->getStepRecurrence(SE));
    if (!Constant || !Constant->getAPInt().isSignedIntN(32))
      return std::nullopt;
    int64_t Here = Constant->getAPInt().getSExtValue();
    if (Step && *Step != Here)
      return std::nullopt;
    Step = Here;
  }
  return Step;
}

void Chunker::chunk(const LoopShape &Shape, const Loop &L,
                    const BasicBlock *End) {
  MapVector<const Instruction *, Group> Groups; // By leader.
  unsigned Size = 0;
  for (const BasicBlock *B : L.blocks()) {
    Size += B->sizeWithoutDebug();
    if (!DT.dominates(B, End))
      continue;
    for (const Instruction &I : *B) {
      auto It = P.Adds.Of.find(&I);
      if (It == P.Adds.Of.end() || !isSumOfLanes(It->second.Kind))
        continue;
      const Addition &How = It->second;
      if (How.At == AddAt::Here)
        Groups[&I].push_back(cast<LoadInst>(&I));
      else if (How.At == AddAt::Group)
        Groups[How.Leader].push_back(cast<LoadInst>(&I));
    }
  }
  Groups.remove_if([&](auto &Each) {
    return any_of(Each.second,
                  [&](const LoadInst *Load) { return !stepOf(*Load, L); });
  });
  unsigned Words = 0;
  for (auto &[Leader, Loads] : Groups) {
    DenseSet<const Value *> Addresses;
    for (const LoadInst *Load : Loads)
      Addresses.insert(Load->getPointerOperand());
    Words = std::max<unsigned>(Words, Addresses.size() * S.Width);
  }
  if (Words == 0)
    return;
  unsigned Most =
      std::min({MaxWords / Words, MaxInstructions / Size, MaxChunk});
  if (Most < 2)
    return;
  P.Loops[Shape.Header].Chunk = bit_floor(Most);
  for (auto &[Leader, Loads] : Groups)
    for (const LoadInst *Load : Loads) {
      Addition &How = P.Adds.Of[Load];
      How.Step = stepOf(*Load, L);
      How.At = AddAt::Group;
      How.Leader = Leader;
    }
}

void Chunker::run() {
  for (auto &[Header, Shape] : S.P.Loops) {
    const Loop *L = LI.getLoopFor(Header);
    if (const BasicBlock *End = endOfWork(Shape, *L))
      chunk(Shape, *L, End);
  }
}

void chunkSums(Plan &P, const Subject &S, const Activity &A, const Shadows &Sh,
               const Flow &Fl, FunctionAnalysisManager &FAM) {
  Chunker(P, S, A, Sh, Fl, FAM).run();
}

void remarkChunks(const Plan &P, const Subject &S) {
  for (auto &[Header, How] : P.Loops)
    if (How.Chunk)
      remark("Chunk", *S.P.Loops.find(Header)->second.Latch->getTerminator(),
             "the lanes' sums of " + Twine(How.Chunk) +
                 " iterations are made at once");
}

} // namespace kdiff
