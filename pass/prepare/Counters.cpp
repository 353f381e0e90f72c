//===- Counters.cpp - Counting a loop's back edges --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how often was a loop's back edge taken, and
// which inductions are functions of that number?
//
// Scalar evolution knows (Bachmann, Wang, Zima, "Chains of recurrences", ISSAC
// 1994). Its affine recurrence {Start,+,Step} is Start + Step * Counter in the
// type's own modular arithmetic, so rewriting an induction that way is exact
// whether or not it wraps.
//
//===----------------------------------------------------------------------===//

#include "prepare/Halving.h"
#include "prepare/Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// A trip count that is longer than this is counted instead of computed.
constexpr unsigned MaxTripCountSize = 24;

using LoopMap = MapVector<BasicBlock *, LoopShape>;

/// Replaces recurrences of enclosing loops by their counters, because the
/// expander would give such a loop another induction variable.
class InTermsOfCounters : public SCEVRewriteVisitor<InTermsOfCounters> {
public:
  InTermsOfCounters(ScalarEvolution &SE, const LoopMap &Loops)
      : SCEVRewriteVisitor(SE), Loops(Loops) {}

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *E) {
    auto It = Loops.find(E->getLoop()->getHeader());
    if (!E->isAffine() || It == Loops.end() || !It->second.Counter) {
      Failed = true;
      return E;
    }
    const SCEV *Step = visit(E->getStepRecurrence(SE));
    const SCEV *Count = SE.getTruncateOrZeroExtend(
        SE.getUnknown(It->second.Counter), Step->getType());
    return SE.getAddExpr(visit(E->getStart()), SE.getMulExpr(Count, Step));
  }

  bool Failed = false;

private:
  const LoopMap &Loops;
};

class LoopCounting {
public:
  LoopCounting(Function &F, FunctionAnalysisManager &FAM)
      : LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Expander(SE, "kdiff", /*PreserveLCSSA=*/true) {}

  LoopMap run();

private:
  void addCounter(Loop &L, LoopShape &Shape);
  bool fitsInInt32(Loop &L);
  void rewriteInductions(Loop &L, const LoopShape &Shape);
  void rewriteInduction(PHINode &P, const SCEVAddRecExpr &Rec,
                        const LoopShape &Shape);
  void replaceInduction(PHINode &P, Value *New, const LoopShape &Shape);
  void countExits(Loop &L, LoopShape &Shape);
  Value *backedgesIfKnown(Loop &L, BasicBlock *Exiting, const LoopShape &Shape);
  Value *expandBefore(const SCEV *S, Instruction *At);

  LoopInfo &LI;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  LoopMap Result;
  /// What scalar evolution said of each loop before anything was rewritten.
  DenseMap<const BasicBlock *, const SCEV *> ExitCounts;
};

/// \p S as IR at \p At, or null if that is not safe or would add an induction.
Value *LoopCounting::expandBefore(const SCEV *S, Instruction *At) {
  InTermsOfCounters Rewriter(SE, Result);
  S = Rewriter.visit(S);
  if (Rewriter.Failed || !Expander.isSafeToExpandAt(S, At))
    return nullptr;
  return Expander.expandCodeFor(S, S->getType(), At);
}

bool LoopCounting::fitsInInt32(Loop &L) {
  const SCEV *Max = SE.getConstantMaxBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Max) &&
         SE.getUnsignedRangeMax(Max).isIntN(31);
}

void LoopCounting::addCounter(Loop &L, LoopShape &Shape) {
  IRBuilder<> B(Shape.Header, Shape.Header->begin());
  IntegerType *Ty = B.getIntNTy(fitsInInt32(L) ? 32 : 64);
  PHINode *Counter = B.CreatePHI(Ty, 2, "count");
  B.SetInsertPoint(Shape.Latch->getTerminator());
  Value *Next = B.CreateAdd(Counter, B.getIntN(Ty->getBitWidth(), 1),
                            "count.next", /*HasNUW=*/true, /*HasNSW=*/true);
  Counter->addIncoming(B.getIntN(Ty->getBitWidth(), 0), Shape.Preheader);
  Counter->addIncoming(Next, Shape.Latch);
  Shape.Counter = Counter;
}

void LoopCounting::rewriteInduction(PHINode &P, const SCEVAddRecExpr &Rec,
                                    const LoopShape &Shape) {
  Value *Step =
      expandBefore(Rec.getStepRecurrence(SE), Shape.Preheader->getTerminator());
  if (!Step)
    return;
  Value *Start = P.getIncomingValueForBlock(Shape.Preheader);
  IRBuilder<> B(Shape.Header, Shape.Header->getFirstInsertionPt());
  Value *Count = B.CreateZExtOrTrunc(Shape.Counter, Step->getType());
  Value *Distance =
      match(Step, PatternMatch::m_One()) ? Count : B.CreateMul(Count, Step);
  Value *New = P.getType()->isPointerTy() ? B.CreatePtrAdd(Start, Distance)
               : match(Start, PatternMatch::m_Zero())
                   ? Distance
                   : B.CreateAdd(Start, Distance);
  replaceInduction(P, New, Shape);
}

void LoopCounting::replaceInduction(PHINode &P, Value *New,
                                    const LoopShape &Shape) {
  if (auto *I = dyn_cast<Instruction>(New); I && New != Shape.Counter)
    I->takeName(&P);
  SE.forgetValue(&P);
  P.replaceAllUsesWith(New);
  RecursivelyDeleteDeadPHINode(&P);
}

void LoopCounting::rewriteInductions(Loop &L, const LoopShape &Shape) {
  SmallVector<std::pair<PHINode *, const SCEVAddRecExpr *>, 8> Found;
  for (PHINode &P : Shape.Header->phis()) {
    if (&P == Shape.Counter || !SE.isSCEVable(P.getType()))
      continue;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&P));
    if (Rec && Rec->getLoop() == &L && Rec->isAffine())
      Found.emplace_back(&P, Rec);
  }
  for (auto [P, Rec] : Found)
    rewriteInduction(*P, *Rec, Shape);
  for (PHINode &P : make_early_inc_range(Shape.Header->phis())) {
    if (&P == Shape.Counter)
      continue;
    IRBuilder<> B(Shape.Header, Shape.Header->getFirstInsertionPt());
    if (Value *New = shiftedByCount(B, P, Shape))
      replaceInduction(P, New, Shape);
  }
}

/// The counter's value when the loop is left from \p Exiting, computed before
/// the loop; null if it must be counted.
Value *LoopCounting::backedgesIfKnown(Loop &L, BasicBlock *Exiting,
                                      const LoopShape &Shape) {
  const SCEV *Count = ExitCounts.lookup(Exiting);
  if (!Count || Count->getExpressionSize() > MaxTripCountSize)
    return nullptr;
  // In the counter's type: never more than it holds when this exit is taken.
  return expandBefore(
      SE.getTruncateOrZeroExtend(Count, Shape.Counter->getType()),
      Shape.Preheader->getTerminator());
}

void LoopCounting::countExits(Loop &L, LoopShape &Shape) {
  SmallVector<Loop::Edge, 4> Edges;
  L.getExitEdges(Edges);
  for (auto [Exiting, Exit] : Edges) {
    Value *Backedges = nullptr;
    if (LI.getLoopFor(Exiting) == &L)
      Backedges = backedgesIfKnown(L, Exiting, Shape);
    if (!Backedges) {
      IRBuilder<> B(Exit, Exit->begin());
      PHINode *Phi = B.CreatePHI(Shape.Counter->getType(), 1, "backedges");
      Phi->addIncoming(Shape.Counter, Exiting);
      Backedges = Phi;
    }
    Shape.BackedgesAtExit.insert({Exit, Backedges});
  }
}

LoopMap LoopCounting::run() {
  // Outer loops first: inner ones refer to their counters.
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (Loop *L : Loops) {
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    for (BasicBlock *B : Exiting) {
      const SCEV *Count = SE.getExitCount(L, B);
      if (LI.getLoopFor(B) == L && !isa<SCEVCouldNotCompute>(Count))
        ExitCounts[B] = Count;
    }
  }
  for (Loop *L : Loops) {
    LoopShape Shape;
    Shape.Header = L->getHeader();
    Shape.Preheader = L->getLoopPreheader();
    Shape.Latch = L->getLoopLatch();
    Shape.Snapshots = snapshotsOf(*L);
    addCounter(*L, Shape);
    countExits(*L, Shape);
    rewriteInductions(*L, Shape);
    Result.insert({Shape.Header, Shape});
  }
  return std::move(Result);
}

} // namespace

LoopMap kdiff::countLoops(Function &F, FunctionAnalysisManager &FAM) {
  return LoopCounting(F, FAM).run();
}
