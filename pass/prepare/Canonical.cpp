//===- Canonical.cpp - Is the form what it promises? ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a prepared function have every property
// that Prepare.h promises?
//
//===----------------------------------------------------------------------===//

#include "prepare/Canonical.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace kdiff;

namespace {

class CanonicalForm {
public:
  CanonicalForm(const Prepared &P, raw_ostream *OS)
      : P(P), OS(OS), DT(*P.F), LI(DT) {}

  bool verify() {
    return !verifyFunction(*P.F, OS) &&
           all_of(*P.F,
                  [&](BasicBlock &B) {
                    return verifyBlock(B) && verifyJoin(B);
                  }) &&
           verifyReturn() && verifyCycles() && verifyLoops() &&
           check(P.Joins.size() == NumJoins, "a join that is none", nullptr);
  }

private:
  bool check(bool Holds, const Twine &What, const BasicBlock *Where) {
    if (!Holds && OS) {
      *OS << "not canonical: " << What;
      if (Where) {
        *OS << " at ";
        Where->printAsOperand(*OS, false);
      }
      *OS << '\n';
    }
    return Holds;
  }

  bool verifyBlock(BasicBlock &B) {
    const Instruction *T = B.getTerminator();
    if (!check(DT.isReachableFromEntry(&B), "unreachable block", &B) ||
        !check(isa<BranchInst, ReturnInst, UnreachableInst>(T),
               "terminator of another kind", &B))
      return false;
    for (unsigned K = 0, N = T->getNumSuccessors(); K != N; ++K)
      if (!check(!isCriticalEdge(T, K, /*AllowIdenticalEdges=*/false),
                 "critical edge", &B))
        return false;
    return all_of(B, [&](const Instruction &I) {
      auto *AI = dyn_cast<AllocaInst>(&I);
      return check(!AI || AI->isStaticAlloca(), "alloca not in entry", &B);
    });
  }

  bool verifyReturn() {
    for (BasicBlock &B : *P.F)
      if (!check(isa<ReturnInst>(B.getTerminator()) == (&B == P.ReturnBlock),
                 "not the one returning block", &B))
        return false;
    return true;
  }

  bool verifyCycles() {
    using RPOTraversal = ReversePostOrderTraversal<const Function *>;
    RPOTraversal RPOT(P.F);
    return check(!(containsIrreducibleCFG<const BasicBlock *>(RPOT, LI)),
                 "irreducible cycle", nullptr);
  }

  bool isAvailable(const Value *V, const BasicBlock *B) {
    auto *I = dyn_cast<Instruction>(V);
    return !I || (isa<PHINode>(I) && I->getParent() == B) ||
           DT.properlyDominates(I->getParent(), B);
  }

  bool verifyJoin(BasicBlock &B) {
    if (LI.isLoopHeader(&B) || B.hasNPredecessorsOrMore(2) == false)
      return check(!P.Joins.contains(&B), "join of one edge", &B);
    ++NumJoins;
    auto It = P.Joins.find(&B);
    if (!check(It != P.Joins.end(), "join without a selector", &B))
      return false;
    const Join &J = It->second;
    auto *Ty = dyn_cast<IntegerType>(J.Selector->getType());
    SmallPtrSet<const BasicBlock *, 4> Listed(J.Preds.begin(), J.Preds.end());
    SmallPtrSet<const BasicBlock *, 4> Actual(llvm::from_range,
                                              predecessors(&B));
    return check(Ty && (Ty->getBitWidth() == 1) == (J.Preds.size() == 2),
                 "selector of another type", &B) &&
           check(isAvailable(J.Selector, &B), "selector not available", &B) &&
           check(Listed == Actual && Listed.size() == J.Preds.size(),
                 "join with other predecessors", &B);
  }

  bool verifyLoops() {
    SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
    if (!check(Loops.size() == P.Loops.size(), "a loop that is none", nullptr))
      return false;
    return all_of(Loops, [&](Loop *L) {
      auto It = P.Loops.find(L->getHeader());
      return check(It != P.Loops.end(), "loop without a shape",
                   L->getHeader()) &&
             verifyLoop(*L, It->second);
    });
  }

  bool verifyLoop(const Loop &L, const LoopShape &Shape) {
    BasicBlock *Header = L.getHeader();
    return check(L.isLoopSimplifyForm(), "loop not in simplified form",
                 Header) &&
           check(L.isLCSSAForm(DT), "loop not in LCSSA form", Header) &&
           check(Shape.Header == Header &&
                     Shape.Preheader == L.getLoopPreheader() &&
                     Shape.Latch == L.getLoopLatch(),
                 "loop of another shape", Header) &&
           check(isCounter(Shape), "loop without a counter", Header) &&
           verifyExits(L, Shape);
  }

  bool isCounter(const LoopShape &Shape) {
    using namespace PatternMatch;
    const PHINode *C = Shape.Counter;
    return C && C->getParent() == Shape.Header &&
           (C->getType()->isIntegerTy(32) || C->getType()->isIntegerTy(64)) &&
           match(C->getIncomingValueForBlock(Shape.Preheader), m_Zero()) &&
           match(C->getIncomingValueForBlock(Shape.Latch),
                 m_Add(m_Specific(C), m_One()));
  }

  bool verifyExits(const Loop &L, const LoopShape &Shape) {
    SmallVector<BasicBlock *, 4> Exits;
    L.getUniqueExitBlocks(Exits);
    if (!check(Exits.size() == Shape.BackedgesAtExit.size(),
               "an exit that is none", Shape.Header))
      return false;
    return all_of(Exits, [&](BasicBlock *Exit) {
      auto It = Shape.BackedgesAtExit.find(Exit);
      return check(It != Shape.BackedgesAtExit.end(), "exit without a count",
                   Exit) &&
             check(It->second->getType() == Shape.Counter->getType(),
                   "exit count of another type", Exit) &&
             check(isAvailable(It->second, Exit), "exit count not available",
                   Exit);
    });
  }

  const Prepared &P;
  raw_ostream *OS;
  DominatorTree DT;
  LoopInfo LI;
  size_t NumJoins = 0;
};

} // namespace

bool kdiff::verifyCanonical(const Prepared &P, raw_ostream *OS) {
  return CanonicalForm(P, OS).verify();
}
