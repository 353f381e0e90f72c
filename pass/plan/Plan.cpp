//===- Plan.cpp - Where the reverse sweep gets primal values from ---------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Plan.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Plan.h"
#include "analysis/Claims.h"
#include "plan/Anew.h"
#include "plan/BlockRows.h"
#include "plan/Chunks.h"
#include "plan/Finite.h"
#include "plan/Invariants.h"
#include "plan/Late.h"
#include "plan/MinCut.h"
#include "plan/Needs.h"
#include "plan/Planner.h"
#include "plan/Quotients.h"
#include "plan/Records.h"
#include "plan/Reload.h"
#include "plan/Seeds.h"
#include "plan/ShareOut.h"
#include "plan/Stale.h"
#include "plan/SumsTogether.h"
#include "plan/Tiles.h"
#include "plan/Unwanted.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kdiff {

namespace {

/// A value in a loop is taped once an iteration: how many bytes at the top
/// level a byte in a loop stands for. Trip counts are not known; any factor
/// above a record's size keeps deep values off the tape first.
constexpr uint64_t LoopWeight = 64;

/// So many instructions may compute again what a side of a branch computes.
constexpr unsigned MaxRepetitions = 32;

/// The sides of a branch that are run again are no longer than this together.
constexpr unsigned MaxJoinInstructions = 256;

} // namespace

/// No floating-point arithmetic would be repeated to find the address again.
bool Planner::hasExactAddress(LoadInst &Load) {
  SmallVector<Value *, 8> Work{Load.getPointerOperand()};
  SmallPtrSet<Value *, 8> Seen;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    Source From;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || isAtHand(V, From) || isa<LoadInst>(I) || Taped.contains(V) ||
        !Seen.insert(V).second)
      continue;
    if (auto *Phi = dyn_cast<PHINode>(I); Phi && !canRepeatJoin(*Phi))
      continue;
    if (findRule(*I))
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

/// True if the sides of a branch are small enough to be run again, to find
/// which value they lead to. The selector is a need of the reverse sweep
/// anyway. Not if that takes another such join: the sides would multiply.
bool Planner::canRepeatJoin(const PHINode &Phi) {
  auto Next = Fl.steps().find(const_cast<BasicBlock *>(Phi.getParent()));
  if (Next == Fl.steps().end() || Next->second.How != Leave::Join ||
      Phi.getNumIncomingValues() != 2 || S.isCut())
    return false;
  if (isMadeFromPhi(S.P.Joins.find(Next->first)->second.Selector, *Next->first))
    return false; // Which side to run would be what it finds.
  SmallVector<const Value *, 16> Work(Phi.incoming_values());
  SmallPtrSet<const Value *, 32> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    Source From;
    if (!I || isAtHand(const_cast<Instruction *>(I), From) ||
        Taped.contains(I) || !Seen.insert(I).second)
      continue;
    if (auto *Inner = dyn_cast<PHINode>(I)) {
      if (S.P.Joins.contains(const_cast<BasicBlock *>(Inner->getParent())))
        return false;
      continue;
    }
    if (Seen.size() > MaxJoinInstructions)
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

bool Planner::canRepeat(Instruction &I, bool Exact, std::string &Why) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!Exact && !hasExactAddress(*Load)) {
      Why = "its address depends on floating-point arithmetic";
      return false;
    }
    if (Memory.isReloadable(*Load, Why))
      return true;
    const Tile *Again = Shared.of(*Load);
    return Again && (Again->IsExact || !Exact);
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    Why = "it depends on the path taken";
    return canRepeatJoin(*Phi);
  }
  auto *CB = dyn_cast<CallBase>(&I);
  if (!isRepeatableKind(I) &&
      !(CB && canExchangeAgain(*CB, LI.getLoopFor(I.getParent())))) {
    Why = "it cannot be computed twice";
    return false;
  }
  if (Exact && findRule(I)) {
    Why = "control flow or an address depends on it exactly";
    return false;
  }
  return true;
}

/// What lets the load \p V of shared memory be repeated; null for others.
const Tile *Planner::tileOf(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  std::string Why;
  return Load && !Memory.isReloadable(*Load, Why) ? Shared.of(*Load) : nullptr;
}

/// What \p I is computed from when it is repeated.
SmallVector<Value *, 8> Planner::inputsOf(Instruction &I) {
  SmallVector<Value *, 8> Inputs(I.operands());
  if (const Tile *Again = tileOf(&I))
    append_range(Inputs, make_first_range(Again->inputs()));
  return Inputs;
}

/// True if \p V is computed exactly, from what is at hand, without a tile.
bool Planner::isFree(Value *V) {
  SmallVector<Value *, 8> Work{V};
  SmallPtrSet<Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    Source From;
    std::string Why;
    if (!I || isAtHand(I, From) || !Seen.insert(I).second)
      continue;
    if (isa<LoadInst>(I) ? !Memory.isReloadable(*cast<LoadInst>(I), Why)
                         : !canRepeat(*I, /*Exact=*/true, Why))
      return false;
    if (isa<PHINode>(I))
      Work.push_back(S.P.Joins.find(I->getParent())->second.Selector);
    append_range(Work, I->operands());
  }
  return true;
}

/// Where additions are gathered: how many instructions compute again what a
/// side of a branch computes, which the forward sweep then need not enter for
/// it; 0 for what is kept.
unsigned Planner::repetitions(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!Result.Adds.hasStencil() || !I || isa<PHINode, CallBase>(I) ||
      FAM.getResult<DominatorTreeAnalysis>(*S.P.F).dominates(I->getParent(),
                                                             S.P.ReturnBlock))
    return 0;
  // Branches are decided again, but what their blocks load stays.
  if (I->getParent()->getTerminator()->getNumSuccessors() > 1 &&
      (isa<LoadInst>(I) || !I->getType()->isIntegerTy()))
    return 0;
  std::string Why;
  if (isa<LoadInst>(I) ? !Memory.isReloadable(*cast<LoadInst>(I), Why)
                       : !isRepeatableKind(*I))
    return 0;
  if (auto It = Repetitions.find(I); It != Repetitions.end())
    return It->second;
  unsigned Count = 1;
  for (Value *Operand : I->operands())
    Count += repetitions(Operand);
  if (Count > MaxRepetitions)
    Count = 0;
  return Repetitions[I] = Count;
}

/// True if \p V needs neither the tape nor repetition.
bool Planner::isAtHand(Value *V, Source &From) {
  From = Source::Free;
  if (isa<Constant, InlineAsm, BasicBlock, AllocaInst, MetadataAsValue>(V) ||
      Counters.contains(V))
    return true;
  if (S.S == Shape::Callee)
    return false;
  auto *I = dyn_cast<Instruction>(V);
  // Addresses in one array are kept as its beginning and the indices they
  // share, not as a register for each.
  if (I &&
      (S.isCut() || LI.getLoopFor(I->getParent()) || isa<GetElementPtrInst>(I)))
    return false;
  if (repetitions(V) != 0)
    return false;
  From = I ? Source::InScope : Source::Free;
  return true;
}

uint64_t Planner::tapeWeight(Value *V) {
  if (!canTape(V))
    return MinCut::Infinite;
  if (isStaleAddress(V, S)) // Only where there is no way around: refused then.
    return MinCut::Infinite / 2;
  auto *I = dyn_cast<Instruction>(V);
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  uint64_t Weight = scalarBits(V, DL) * (Vector ? Vector->getNumElements() : 1);
  for (unsigned Depth = I ? LI.getLoopDepth(I->getParent()) : 0; Depth; --Depth)
    Weight = std::min(Weight * LoopWeight, MinCut::Infinite / 1024);
  return Weight;
}

/// Finds the fewest bytes from which all needs of the given exactness can be
/// computed again.
void Planner::cut(bool Exact) {
  MinCut Graph;
  DenseMap<Value *, unsigned> Nodes;
  SmallVector<Value *, 32> Values, Work;
  auto NodeOf = [&](Value *V) {
    auto [It, New] = Nodes.try_emplace(V, 0);
    if (New) {
      It->second = Graph.addNode(tapeWeight(V));
      Values.push_back(V);
      Work.push_back(V);
    }
    return It->second;
  };
  Source From;
  auto IsGiven = [&](Value *V) {
    return isAtHand(V, From) || Taped.contains(V);
  };
  for (const Need &N : Needs)
    if (isExact(N) == Exact && !IsGiven(N.V))
      Graph.addSink(NodeOf(N.V));
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    unsigned Node = Nodes.lookup(V);
    auto *I = dyn_cast<Instruction>(V);
    std::string Why;
    if (!I || !canRepeat(*I, Exact, Why)) {
      Graph.addSource(Node);
      continue;
    }
    for (Value *Input : inputsOf(*I))
      if (!IsGiven(Input))
        Graph.addFlow(NodeOf(Input), Node);
  }
  for (unsigned Node : Graph.run()) {
    Value *V = Values[Node];
    std::string Why = "it is an argument";
    if (auto *I = dyn_cast<Instruction>(V))
      if (canRepeat(*I, Exact, Why))
        Why = "it is smaller than what it is computed from";
    Taped[V] = Why;
  }
}

bool Planner::isExact(const Need &N) const {
  return N.Exact && none_of(Free, [&](const AnewBranch &B) {
           return N.V == B.Selector && N.NeededBy == B.Join->getTerminator();
         });
}

/// Where each value comes from. First what control flow and addresses need;
/// what that puts on the tape is given to the rest.
void Planner::choose() {
  Taped.clear();
  Result.Values.clear();
  cut(/*Exact=*/true);
  cut(/*Exact=*/false);
  for (const Need &N : Needs)
    commit(N.V, isExact(N), N.NeededBy);
}

/// True if the reverse sweep would have from the forward sweep what depends on
/// the side of \p Branch, or would have to decide more than once.
bool Planner::keepsSide(const AnewBranch &Branch) const {
  return any_of(Branch.Dependents,
                [&](const Value *V) {
                  Source From = Result.sourceOf(const_cast<Value *>(V));
                  return From == Source::Tape || From == Source::InScope;
                }) ||
         Branch.isDecidedTwice(Needs);
}

void Planner::commit(Value *V, bool Exact, const Instruction *NeededBy) {
  Source From;
  if (isAtHand(V, From) && From == Source::Free)
    return;
  auto [It, New] = Result.Values.try_emplace(V);
  Decision &D = It->second;
  if (!New && (D.Exact || !Exact))
    return;
  if (New)
    D.NeededBy = NeededBy;
  D.Exact = Exact;
  if (isAtHand(V, From)) {
    D.From = From;
    return;
  }
  if (auto Kept = Taped.find(V); Kept != Taped.end()) {
    D.From = Replayed.contains(V) ? Source::Replay : Source::Tape;
    D.Why = Kept->second;
    return;
  }
  auto *I = cast<Instruction>(V);
  D.From = isa<LoadInst>(I) ? Source::Reload : Source::Recompute;
  commitInputs(*I, Exact, NeededBy);
}

/// \p I is repeated.
void Planner::commitInputs(Instruction &I, bool Exact,
                           const Instruction *NeededBy) {
  for (Value *Operand : I.operands())
    commit(Operand, Exact, NeededBy);
  if (const Tile *Again = tileOf(&I))
    for (auto &[Input, IsExact] : Again->inputs())
      commit(Input, IsExact, &I);
}

void Planner::dropUnwanted() {
  Result.Unwanted = findUnwanted(S, &Result, FAM);
  for (const Instruction *I : Result.Unwanted)
    remark("Dropped", *I, "left out: its result is not wanted");
}

Plan Planner::run() {
  Result.Adds = chooseAdditions(S, A, Sh, Fl, FAM);
  for (Value *Leaf : Result.Adds.EndLeaves)
    Needs.push_back({Leaf, true, nullptr});
  for (auto &[Store, Units] : Result.Overwritten)
    for (Value *Unit : Units)
      Needs.push_back({Unit, true, Store});
  auto Keeps = [&](const AnewBranch &B) { return keepsSide(B); };
  for (choose(); any_of(Free, Keeps); choose())
    erase_if(Free, Keeps);
  for (const AnewBranch &B : Free)
    if (Result.sourceOf(B.Selector) == Source::Recompute)
      remark("Anew", *cast<Instruction>(B.Selector),
             "decided anew in the reverse sweep: nothing that the forward "
             "sweep leaves depends on it");
  replayLoops();
  joinLate(Result, S, Fl, FAM.getResult<DominatorTreeAnalysis>(*S.P.F));
  fillTiles(Result, [&](const Value *V) { return tileOf(V); });
  layOutRecords(Result, S, LI, SE);
  keepInvariants(Result, Needs, S, Fl, LI);
  chunkSums(Result, S, A, Sh, Fl, FAM);
  shareOut(Result, S, A, Sh, Fl, FAM);
  remarkLate(Result, S);
  proveRows(Result, S, Sh, FAM);
  gatherSums(
      Result, S, Sh, [&](const LoadInst &Load) { return Shared.of(Load); },
      FAM);
  remarkChunks(Result, S);
  Result.Adds.report(S.BlockMeets);
  findFinite(Result, S, A, FAM);
  testFinite(Result, S, A, Fl);
  shareReciprocals(Result, A);
  sumTogether(Result, S, FAM);
  Result.Seeded = writesToSeeds(S);
  Result.Watched = accessesBetweenClaims(*S.P.F, A);
  dropUnwanted();
  Result.NeedsTape =
      any_of(Result.Records, [](auto &Entry) { return !Entry.second.Local; }) ||
      leavesOwnRecords(S, A);
  remarkTaped(Result);
  remarkWatched(Result);
  return std::move(Result);
}

Plan makePlan(const Subject &S, const Activity &A, const Shadows &Sh,
              const Flow &Fl, const SeedTests &Tests,
              FunctionAnalysisManager &FAM) {
  return Planner(S, A, Sh, Fl, Tests, FAM).run();
}

} // namespace kdiff
