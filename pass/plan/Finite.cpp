//===- Finite.cpp - Products without guards -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Finite.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Finite.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "support/Finite.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

/// Fewer products than this are not worth a second version of the loop, which
/// is no more than this many instructions of the primal.
static constexpr unsigned MinProducts = 4, MaxInstructions = 512;

/// A guard costs a comparison, often shared by two, and a selection; a test of
/// a block costs a comparison, and all of them a branch.
static constexpr unsigned MinGuardsPerTest = 2;

namespace {

class Finder {
public:
  Finder(const LoopShape &Shape, const Loop &L, const PostDominatorTree &PDT)
      : Shape(Shape), L(L), PDT(PDT) {}

  /// The phis of the header, of \p Candidates, that are not finite at the end
  /// if they are not in one iteration, as what they are at the end. Before
  /// shows().
  SmallVector<Value *, 4> findEnds(ArrayRef<PHINode *> Candidates);
  /// True if a factor of \p I that is not finite makes an end so.
  bool shows(const Instruction &I) const { return Seen.contains(&I); }

private:
  bool leadsOn(const Instruction &User, unsigned Operand) const;
  bool isMetWith(const Instruction &Def, const Instruction &User,
                 unsigned Operand) const;
  void collect(ArrayRef<PHINode *> Ends);

  const LoopShape &Shape;
  const Loop &L;
  const PostDominatorTree &PDT;
  /// What is infinite or NaN in no iteration if the ends are finite.
  SmallPtrSet<const Value *, 32> Seen;
};

} // namespace

/// True if \p User, no phi, is not finite where its operand is not.
static bool passesOn(const Instruction &User, unsigned Operand) {
  switch (User.getOpcode()) {
  case Instruction::FNeg:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return true;
  case Instruction::FDiv:
    return Operand == 0;
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&User);
  return Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                  Call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// The same of a loop's body.
bool Finder::leadsOn(const Instruction &User, unsigned Operand) const {
  return isa<PHINode>(User) ? User.getParent() != Shape.Header
                            : passesOn(User, Operand);
}

/// True if every iteration that computes \p Def also makes the use of it.
bool Finder::isMetWith(const Instruction &Def, const Instruction &User,
                       unsigned Operand) const {
  const BasicBlock *At = User.getParent();
  if (auto *Phi = dyn_cast<PHINode>(&User)) {
    At = Phi->getIncomingBlock(Operand);
    if (At->getSingleSuccessor() != User.getParent())
      return false;
  }
  return L.contains(At) && PDT.dominates(At, Def.getParent());
}

/// From what \p Ends carry to the next iteration back to what that shows.
void Finder::collect(ArrayRef<PHINode *> Ends) {
  Seen.clear();
  SmallVector<Value *, 32> Work;
  for (PHINode *Phi : Ends)
    Work.push_back(Phi->getIncomingValueForBlock(Shape.Latch));
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    for (unsigned K = 0; K != I->getNumOperands(); ++K)
      if (auto *Def = dyn_cast<Instruction>(I->getOperand(K));
          Def && leadsOn(*I, K) && isMetWith(*Def, *I, K))
        Work.push_back(Def);
  }
}

SmallVector<Value *, 4> Finder::findEnds(ArrayRef<PHINode *> Candidates) {
  SmallVector<PHINode *, 4> Ends(Candidates);
  auto IsLost = [&](PHINode *Phi) { return !Seen.contains(Phi); };
  for (collect(Ends); any_of(Ends, IsLost); collect(Ends))
    erase_if(Ends, IsLost);
  SmallVector<Value *, 4> Last;
  for (PHINode *Phi : Ends)
    Last.push_back(Phi->getIncomingValueForBlock(Shape.Latch));
  return Last;
}

/// True if the partials of \p I are its own operands.
static bool isProduct(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return I.getOpcode() == Instruction::FMul ||
         (Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                   Call->getIntrinsicID() == Intrinsic::fmuladd));
}

/// True if all calls of \p B are of classes \p Allowed, or stay within the
/// thread.
static bool callsOnly(const BasicBlock &B, ArrayRef<CallClass> Allowed) {
  return all_of(B, [&](const Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    if (!CB)
      return true;
    CallClass Class = classify(*CB);
    return Class == CallClass::Rule || Class == CallClass::Pure ||
           Class == CallClass::Ignorable || is_contained(Allowed, Class);
  });
}

/// The lanes of a warp decide together on a version, the warps of a block do
/// not.
static bool canHaveVersions(const Loop &L) {
  unsigned Size = 0;
  for (BasicBlock *B : L.blocks()) {
    Size += B->sizeWithoutDebug();
    if (!callsOnly(*B, {}))
      return false;
  }
  return Size <= MaxInstructions && L.getExitingBlock();
}

/// The floating-point numbers that \p L carries from one iteration to the next,
/// of which the next is known in the last iteration too.
static SmallVector<PHINode *, 4> carriedBy(const Loop &L, const Plan &P,
                                           const DominatorTree &DT) {
  SmallVector<PHINode *, 4> Carried;
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Next =
        dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
    if (P.sourceOf(&Phi) == Source::Replay &&
        Phi.getType()->isFloatingPointTy() && Next &&
        DT.dominates(Next, L.getExitingBlock()->getTerminator()))
      Carried.push_back(&Phi);
  }
  return Carried;
}

void findFinite(Plan &P, const Subject &S, const Activity &A,
                FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(*S.P.F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*S.P.F);
  auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(*S.P.F);
  for (auto &[Header, Planned] : P.Loops) {
    const Loop &L = *LI.getLoopFor(Header);
    const LoopShape &Shape = S.P.Loops.find(Header)->second;
    if (!Planned.Replayed.Length || S.isCut() || L.getParentLoop() ||
        !canHaveVersions(L))
      continue;
    Finder F(Shape, L, PDT);
    SmallVector<Value *, 4> Ends = F.findEnds(carriedBy(L, P, DT));
    DenseSet<const Instruction *> Products;
    for (BasicBlock *B : L.blocks())
      for (Instruction &I : *B)
        if (isProduct(I) && A.isActive(&I) && F.shows(I))
          Products.insert(&I);
    if (Ends.empty() || Products.size() < MinProducts)
      continue;
    remark("Finite", *Shape.Latch->getTerminator(),
           "where what the loop ends with is finite, the reverse sweep makes " +
               Twine(Products.size()) +
               " products without a guard against 0 * infinity");
    Planned.Ends = std::move(Ends);
    Planned.Products = std::move(Products);
  }
}

/// The guards that the adjoints of \p I, a product, have: their partials.
static SmallVector<Value *, 2> guardsOf(const Instruction &I,
                                        const Activity &A) {
  SmallVector<Value *, 2> Partials;
  for (unsigned K = 0; K != 2; ++K) {
    Value *Partial = I.getOperand(1 - K);
    if (A.isActive(I.getOperand(K)) &&
        !isKnownFinite(*Partial, I.getDataLayout()))
      Partials.push_back(Partial);
  }
  return Partials;
}

/// Of \p Factors those that are not known to be finite if the others are.
static SmallVector<Value *, 4> leastTests(ArrayRef<Value *> Factors) {
  SmallPtrSet<const Value *, 32> Shown;
  SmallVector<const Value *, 32> Work(Factors);
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    for (unsigned K = 0; I && K != I->getNumOperands(); ++K)
      if (passesOn(*I, K) && Shown.insert(I->getOperand(K)).second)
        Work.push_back(I->getOperand(K));
  }
  return to_vector<4>(make_filter_range(
      Factors, [&](const Value *V) { return !Shown.contains(V); }));
}

void testFinite(Plan &P, const Subject &S, const Activity &A, const Flow &Fl) {
  DenseSet<const Instruction *> Done;
  for (auto &[Header, Planned] : P.Loops)
    Done.insert(Planned.Products.begin(), Planned.Products.end());
  for (auto &[B, Next] : Fl.steps()) {
    FiniteTest Test;
    SmallSetVector<Value *, 8> Factors;
    unsigned Guards = 0;
    for (const Instruction &I : *B)
      if (isProduct(I) && !I.getType()->isVectorTy() && Flow::hasWork(I, A) &&
          !I.hasNoInfs() && !I.hasNoNaNs() && !Done.contains(&I)) {
        SmallVector<Value *, 2> Partials = guardsOf(I, A);
        Factors.insert_range(Partials);
        Guards += Partials.size() * S.Width;
        Test.Products.push_back(&I);
      }
    Test.Tested = leastTests(Factors.getArrayRef());
    if (Guards < MinProducts ||
        Guards < MinGuardsPerTest * Test.Tested.size() ||
        !callsOnly(*B, CallClass::Warp))
      continue;
    size_t Count = Test.Tested.size();
    std::string Subject =
        Count == 1 ? "a value is" : std::to_string(Count) + " values are";
    remark("Finite", *Test.Products.front(),
           "where " + Subject + " finite, the reverse sweep makes " +
               Twine(Guards) +
               " products without a guard against 0 * infinity");
    P.Tests[B] = std::move(Test);
  }
}

} // namespace kdiff
