//===- Joins.cpp - Which predecessor ran ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a block know, after the fact, which of
// its predecessors ran before it?
//
// Best is a function of branch conditions, which the plan may recompute; a phi
// of the predecessors' numbers always does.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/IR/PassManager.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// The join of the two sides of one branch: the branch's own condition tells.
std::optional<Join> joinOfBranch(BasicBlock &B, ArrayRef<BasicBlock *> Preds,
                                 const DominatorTree &DT, const LoopInfo &LI) {
  BasicBlock *Top = DT.getNode(&B)->getIDom()->getBlock();
  auto *Br = dyn_cast<BranchInst>(Top->getTerminator());
  if (Preds.size() != 2 || !Br || Br->isUnconditional())
    return std::nullopt;
  // A condition made in a loop that this block is not in would break LCSSA.
  if (auto *Cond = dyn_cast<Instruction>(Br->getCondition()))
    if (const Loop *L = LI.getLoopFor(Cond->getParent()); L && !L->contains(&B))
      return std::nullopt;
  // No edge is critical, so a successor stands for the edge that leads to it.
  BasicBlock *True = Br->getSuccessor(0), *False = Br->getSuccessor(1);
  for (unsigned K : {0u, 1u})
    if (DT.dominates(False, Preds[K]) && DT.dominates(True, Preds[1 - K]))
      return Join{Br->getCondition(), {Preds[K], Preds[1 - K]}};
  return std::nullopt;
}

/// The number of the predecessor that ran, as selects on the conditions of the
/// branches between the join's immediate dominator and the join. Conditions are
/// computed ahead at the dominator: where a branch would not have been reached,
/// its select is not looked at.
class SelectTree {
public:
  SelectTree(BasicBlock &B, ArrayRef<BasicBlock *> Preds,
             const DominatorTree &DT, unsigned Bits)
      : B(B), Preds(Preds), DT(DT), Top(*DT.getNode(&B)->getIDom()->getBlock()),
        Builder(Top.getTerminator()), Bits(Bits) {}

  /// Null if a condition is not a small pure function of what the dominator
  /// knows. Leaves nothing behind then.
  Value *build() {
    findReaching();
    if (Value *Root = numberFrom(Top))
      return Root;
    for (Instruction *I : reverse(Made))
      I->eraseFromParent();
    return nullptr;
  }

private:
  static constexpr unsigned MaxInstructions = 16;

  /// Which predecessors each block between the dominator and the join leads to.
  void findReaching() {
    for (auto [K, Pred] : enumerate(Preds)) {
      SmallVector<BasicBlock *, 16> Work{Pred};
      while (!Work.empty()) {
        BasicBlock *At = Work.pop_back_val();
        if (!DT.dominates(&Top, At) || At == &B ||
            !Reaching[At].insert(K).second || At == &Top)
          continue;
        Work.append(pred_begin(At), pred_end(At));
      }
    }
  }

  Value *numberFrom(BasicBlock &At) {
    const auto &Numbers = Reaching[&At];
    if (Numbers.size() == 1)
      return Builder.getIntN(Bits, *Numbers.begin());
    auto *Br = dyn_cast<BranchInst>(At.getTerminator());
    // In a loop, the condition of the last time around would be needed.
    if (!Br || !Visiting.insert(&At).second)
      return nullptr;
    if (Br->isUnconditional())
      return numberFrom(*Br->getSuccessor(0));
    BasicBlock *True = Br->getSuccessor(0), *False = Br->getSuccessor(1);
    if (Reaching[True].empty() || Reaching[False].empty()) // A trap.
      return numberFrom(Reaching[True].empty() ? *False : *True);
    Value *Cond = ahead(Br->getCondition());
    Value *IfTrue = Cond ? numberFrom(*True) : nullptr;
    Value *IfFalse = IfTrue ? numberFrom(*False) : nullptr;
    if (!IfFalse || Made.size() >= MaxInstructions)
      return nullptr;
    Visiting.erase(&At);
    return note(Builder.CreateSelect(Cond, IfTrue, IfFalse, "ran"));
  }

  /// \p V at the dominator, or null.
  Value *ahead(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || DT.dominates(I, Top.getTerminator()))
      return V;
    if (Value *Known = Ahead.lookup(I))
      return Known;
    if (!isa<CmpInst, BinaryOperator, CastInst, SelectInst>(I) ||
        !isSafeToSpeculativelyExecute(I) || Made.size() >= MaxInstructions)
      return nullptr;
    SmallVector<Value *, 3> Operands;
    for (Value *Op : I->operands()) {
      Operands.push_back(ahead(Op));
      if (!Operands.back())
        return nullptr;
    }
    Instruction *Copy = I->clone();
    for (auto [K, Op] : enumerate(Operands))
      Copy->setOperand(K, Op);
    Builder.Insert(Copy, I->getName());
    return Ahead[I] = note(Copy);
  }

  Value *note(Value *V) {
    if (auto *I = dyn_cast<Instruction>(V))
      Made.push_back(I);
    return V;
  }

  BasicBlock &B;
  ArrayRef<BasicBlock *> Preds;
  const DominatorTree &DT;
  BasicBlock &Top;
  IRBuilder<NoFolder> Builder;
  unsigned Bits;
  DenseMap<BasicBlock *, SmallSet<unsigned, 4>> Reaching;
  SmallPtrSet<BasicBlock *, 8> Visiting;
  DenseMap<Instruction *, Value *> Ahead;
  SmallVector<Instruction *, 16> Made;
};

/// The general case.
Join joinByNumber(BasicBlock &B, ArrayRef<BasicBlock *> Preds,
                  const DominatorTree &DT, const LoopInfo &LI) {
  unsigned Bits = Preds.size() <= 2 ? 1 : Preds.size() <= 256 ? 8 : 32;
  Join J{nullptr, SmallVector<BasicBlock *, 2>(Preds)};
  const Loop *L = LI.getLoopFor(DT.getNode(&B)->getIDom()->getBlock());
  if (!L || L->contains(&B))
    J.Selector = SelectTree(B, Preds, DT, Bits).build();
  if (J.Selector)
    return J;
  IRBuilder<> Builder(&B, B.begin());
  PHINode *Phi =
      Builder.CreatePHI(Builder.getIntNTy(Bits), Preds.size(), "ran");
  for (auto [K, Pred] : enumerate(Preds))
    Phi->addIncoming(Builder.getIntN(Bits, K), Pred);
  J.Selector = Phi;
  return J;
}

} // namespace

MapVector<BasicBlock *, Join> kdiff::selectJoins(Function &F,
                                                 FunctionAnalysisManager &FAM) {
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  MapVector<BasicBlock *, Join> Joins;
  for (BasicBlock &B : F) {
    SmallVector<BasicBlock *, 4> Preds(predecessors(&B));
    if (Preds.size() < 2 || LI.isLoopHeader(&B))
      continue;
    std::optional<Join> J = joinOfBranch(B, Preds, DT, LI);
    Joins.insert({&B, J ? *J : joinByNumber(B, Preds, DT, LI)});
  }
  return Joins;
}
