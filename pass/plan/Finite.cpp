//===- Finite.cpp - Loops whose end shows that all was finite -------------===//
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
  bool passesOn(const Instruction &User, unsigned Operand) const;
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

/// True if \p User is not finite where its operand is not.
bool Finder::passesOn(const Instruction &User, unsigned Operand) const {
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
  case Instruction::PHI:
    return User.getParent() != Shape.Header;
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&User);
  return Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                  Call->getIntrinsicID() == Intrinsic::fmuladd);
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
          Def && passesOn(*I, K) && isMetWith(*Def, *I, K))
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

/// The lanes of a warp decide together on a version, the warps of a block do
/// not.
static bool canHaveVersions(const Loop &L) {
  unsigned Size = 0;
  for (BasicBlock *B : L.blocks()) {
    Size += B->sizeWithoutDebug();
    for (Instruction &I : *B)
      if (auto *CB = dyn_cast<CallBase>(&I);
          CB && classify(*CB) != CallClass::Rule &&
          classify(*CB) != CallClass::Pure &&
          classify(*CB) != CallClass::Ignorable)
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

} // namespace kdiff
