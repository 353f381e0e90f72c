//===- Meeting.cpp - All lanes at hand come to a loop ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Meeting.h.
//
//===----------------------------------------------------------------------===//

#include "lower/Meeting.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace kdiff;

/// What \p From leads to without passing \p Last, which is included.
static SetVector<BasicBlock *> reachedFrom(BasicBlock *From, BasicBlock *Last) {
  SetVector<BasicBlock *> Reached;
  Reached.insert(From);
  for (unsigned K = 0; K != Reached.size(); ++K)
    if (Reached[K] != Last)
      Reached.insert_range(successors(Reached[K]));
  return Reached;
}

/// The first branch in the surrounding loop (or function) of which one side
/// leads to \p L, such that all sides meet behind it; and where they do.
static std::pair<BasicBlock *, BasicBlock *>
regionAround(const Loop &L, const LoopInfo &LI, const DominatorTree &DT,
             const PostDominatorTree &PDT) {
  BasicBlock *Fork = nullptr, *Join = nullptr;
  const Loop *Around = L.getParentLoop();
  auto IsHere = [&](BasicBlock *B) { return LI.getLoopFor(B) == Around; };
  BasicBlock *Preheader = L.getLoopPreheader();
  for (auto *Node = DT.getNode(Preheader)->getIDom(); Node;
       Node = Node->getIDom()) {
    BasicBlock *B = Node->getBlock();
    if (Around && !Around->contains(B))
      break;
    auto *After = PDT.getNode(B) ? PDT.getNode(B)->getIDom() : nullptr;
    BasicBlock *Meets = After ? After->getBlock() : nullptr;
    if (Meets && IsHere(B) && IsHere(Meets) && DT.properlyDominates(B, Meets) &&
        !DT.dominates(Meets, Preheader) &&
        PDT.dominates(Meets, L.getExitBlock())) {
      Fork = B;
      Join = Meets;
    }
  }
  return {Fork, Join};
}

/// The edges that lead past \p L from before it to behind it.
SmallVector<Meeting::Edge, 4>
Meeting::waysPast(Loop &L, FunctionAnalysisManager &FAM) const {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto [Fork, Join] = regionAround(L, FAM.getResult<LoopAnalysis>(F), DT,
                                   FAM.getResult<PostDominatorTreeAnalysis>(F));
  SmallVector<Edge, 4> Past;
  if (!Fork)
    return Past;
  SetVector<BasicBlock *> Behind = reachedFrom(L.getExitBlock(), Join);
  // Around the surrounding loop, it would be before it again.
  if (any_of(Behind, [&](BasicBlock *B) {
        return DT.dominates(B, L.getLoopPreheader());
      }))
    return Past;
  for (BasicBlock *B : reachedFrom(Fork, Join)) {
    if (Behind.contains(B) || L.contains(B))
      continue;
    SmallSetVector<BasicBlock *, 2> Next(succ_begin(B), succ_end(B));
    for (BasicBlock *To : Next)
      if (Behind.contains(To))
        Past.push_back({B, To});
  }
  return Past;
}

BasicBlock *Meeting::create(const Twine &Name) const {
  return BasicBlock::Create(F.getContext(), Name, &F);
}

/// What goes from \p From to \p To goes to the start.
void Meeting::leadHere(BasicBlock *From, BasicBlock *To) {
  BasicBlock *Way = create("past." + To->getName());
  Instruction *Branch = From->getTerminator();
  Branch->replaceSuccessorWith(To, Way);
  for (PHINode &Phi : To->phis()) {
    Value *V = Phi.getIncomingValueForBlock(From);
    while (Phi.getBasicBlockIndex(From) >= 0)
      Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(V, Way);
  }
  BranchInst::Create(Start, Way)->setDebugLoc(Branch->getDebugLoc());
  Ways.push_back({Way, To});
}

/// From the end each lane goes where it was going.
void Meeting::part() {
  IRBuilder<> AtStart(Start, Start->begin());
  MapVector<BasicBlock *, SmallVector<BasicBlock *, 2>> WaysTo;
  for (auto &[Way, To] : Ways)
    WaysTo[To].push_back(Way);
  PHINode *Which =
      AtStart.CreatePHI(AtStart.getInt32Ty(), Ways.size(), "goes.on");
  auto *Switch =
      SwitchInst::Create(Which, Ways.front().second, WaysTo.size(), End);
  for (auto [K, Entry] : enumerate(WaysTo)) {
    auto &[To, From] = Entry;
    ConstantInt *Number = AtStart.getInt32(K);
    BasicBlock *On = create("on." + To->getName());
    BranchInst::Create(To, On);
    for (BasicBlock *Way : From)
      Which->addIncoming(Number, Way);
    for (PHINode &Phi : To->phis()) {
      PHINode *Met = AtStart.CreatePHI(Phi.getType(), Ways.size());
      for (auto &[Way, Its] : Ways) {
        bool Is = Its == To;
        Met->addIncoming(Is ? Phi.getIncomingValueForBlock(Way)
                            : PoisonValue::get(Phi.getType()),
                         Way);
        if (Is)
          Phi.removeIncomingValue(Way, /*DeletePHIIfEmpty=*/false);
      }
      Phi.addIncoming(Met, On);
    }
    if (K == 0)
      Switch->setDefaultDest(On);
    else
      Switch->addCase(Number, On);
  }
}

Meeting::Meeting(Loop &L, FunctionAnalysisManager &FAM)
    : F(*L.getHeader()->getParent()), Start(create("meet")),
      End(create("part")) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Exit = L.getExitBlock();
  BasicBlock *Exiting = L.getExitingBlock();
  FoldSingleEntryPHINodes(Exit);
  SmallVector<Edge, 4> Past = waysPast(L, FAM);
  BranchInst::Create(L.getHeader(), Start);
  L.getHeader()->replacePhiUsesWith(Preheader, Start);
  Preheader->getTerminator()->replaceSuccessorWith(L.getHeader(), Start);
  Exiting->getTerminator()->replaceSuccessorWith(Exit, End);
  Ways.push_back({Preheader, Exit});
  for (auto &[From, To] : Past)
    leadHere(From, To);
  part();
}

PHINode *Meeting::choose(Value *Own, Value *Others) {
  PHINode *Phi =
      PHINode::Create(Own->getType(), Ways.size(), "met", Start->begin());
  for (auto [K, Way] : enumerate(Ways))
    Phi->addIncoming(K == 0 ? Own : Others, Way.first);
  return Phi;
}

void Meeting::repair() {
  DominatorTree DT(F);
  for (BasicBlock &B : F)
    for (Instruction &I : make_early_inc_range(B)) {
      PHINode *Met = nullptr;
      for (Use &U : make_early_inc_range(I.uses())) {
        if (DT.dominates(&I, U))
          continue;
        if (!Met) {
          Met = PHINode::Create(I.getType(), Ways.size(), I.getName() + ".met",
                                Start->begin());
          for (auto &[Way, To] : Ways)
            Met->addIncoming(DT.dominates(&I, Way->getTerminator())
                                 ? cast<Value>(&I)
                                 : PoisonValue::get(I.getType()),
                             Way);
        }
        U.set(Met);
      }
    }
}
