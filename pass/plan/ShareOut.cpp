//===- ShareOut.cpp - Iterations that any lane may run --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see ShareOut.h.
//
//===----------------------------------------------------------------------===//

#include "plan/ShareOut.h"
#include "analysis/Memory.h"
#include "analysis/Uniformity.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

/// What a lane must be told of another one to run an iteration of it, in words
/// of 32 bits: an exchange each.
static constexpr unsigned MaxWords = 24;
/// Words further apart in neighbouring iterations than this share nothing.
static constexpr int64_t MaxStep = 128;
/// Reductions of a warp's lanes (PTX ISA, "redux.sync").
static constexpr unsigned MinProcessor = 80;

namespace {

class Sharer {
public:
  Sharer(Plan &P, const Subject &S, const Activity &A, const Shadows &Sh,
         const Flow &Fl, FunctionAnalysisManager &FAM)
      : P(P), S(S), A(A), Sh(Sh), Fl(Fl),
        LI(FAM.getResult<LoopAnalysis>(*S.P.F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(*S.P.F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(*S.P.F)), Lanes(*S.P.F) {}

  void run();

private:
  bool hasShape(const LoopShape &Shape, const Loop &L) const;
  bool readsOwnMemory(const Instruction &I) const;
  bool mayMove(const Instruction &I) const;
  bool staysInside(const Instruction &I, const LoopShape &Shape,
                   const Loop &L) const;
  bool passesOn(PHINode &Phi, const LoopShape &Shape, const Loop &L) const;
  unsigned wordsToTell(const LoopShape &Shape, const Loop &L) const;
  const SCEV *stepOf(const SCEV *Number, const Loop &L) const;
  bool isWorthIt(const LoopShape &Shape, const Loop &L) const;
  void share(const LoopShape &Shape, const Loop &L);

  Plan &P;
  const Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  Uniformity Lanes;
};

} // namespace

/// True if each iteration of the reversed loop is the whole body, and needs
/// nothing but its number of what was noted on the way.
bool Sharer::hasShape(const LoopShape &Shape, const Loop &L) const {
  LoopPlan How = P.loop(Shape.Header);
  if (!L.isInnermost() || !Fl.isReversed(Shape.Header) || How.Replayed.Length ||
      How.Chunk || P.Records.contains(Shape.Header))
    return false;
  auto Exits = Fl.exitsOf(Shape.Header);
  if (Exits.size() != 1 || !DT.dominates(Exits.front().Exiting, Shape.Latch))
    return false;
  const BasicBlock *End = Exits.front().Exiting;
  return none_of(L.blocks(), [&](BasicBlock *B) {
    bool IsBehind = B != End && DT.dominates(End, B);
    return P.Refills.contains(B) || (IsBehind && any_of(*B, [&](auto &I) {
                                       return Flow::hasWork(I, A);
                                     }));
  });
}

/// True if \p I may read memory of the thread's own.
bool Sharer::readsOwnMemory(const Instruction &I) const {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer)
    return false;
  return any_of(underlyingObjects(Pointer), [&](const Value *Object) {
    const Formal *Arg = S.formalOf(Object);
    return isa<AllocaInst>(Object) ||
           Object->getType()->getPointerAddressSpace() == nvptx::Local ||
           (Arg && Arg->PrivateShadow);
  });
}

/// True if the reverse of \p I, and \p I itself where it is repeated, may be
/// run by another lane in any order: the only trace that it leaves are
/// additions to memory.
bool Sharer::mayMove(const Instruction &I) const {
  if (readsOwnMemory(I))
    return false;
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*CB);
    if (Class != CallClass::Rule && Class != CallClass::Pure &&
        Class != CallClass::Ignorable && Class != CallClass::LoadLike)
      return false;
  }
  if (!Flow::hasWork(I, A))
    return true;
  if (separatesAdditions(I, A, Sh))
    return false;
  auto It = P.Adds.Of.find(&I);
  if (It == P.Adds.Of.end())
    return true;
  const Addition &How = It->second;
  return isa<LoadInst>(I) &&
         (How.At == AddAt::Here || How.At == AddAt::Group) &&
         (How.Kind == Accumulation::Contended ||
          How.Kind == Accumulation::Exclusive ||
          How.Kind == Accumulation::ExclusiveInX);
}

/// True if \p Phi, of the header, is a sum, so that its adjoint is that of the
/// sum at the end in every iteration: nothing else in the loop reads it or the
/// sums on the way.
bool Sharer::passesOn(PHINode &Phi, const LoopShape &Shape,
                      const Loop &L) const {
  const Value *Last = Phi.getIncomingValueForBlock(Shape.Latch);
  const Value *Sum = &Phi;
  do {
    const Use *Only = nullptr;
    for (const Use &U : Sum->uses()) {
      if (!L.contains(cast<Instruction>(U.getUser())))
        continue;
      if (Only)
        return false;
      Only = &U;
    }
    auto *Next = Only ? dyn_cast<Instruction>(Only->getUser()) : nullptr;
    if (!Next)
      return false;
    auto *Call = dyn_cast<IntrinsicInst>(Next);
    bool IsSum =
        Next->getOpcode() == Instruction::FAdd ||
        (Next->getOpcode() == Instruction::FSub && Only->getOperandNo() == 0) ||
        (Call && Only->getOperandNo() == 2 &&
         (Call->getIntrinsicID() == Intrinsic::fma ||
          Call->getIntrinsicID() == Intrinsic::fmuladd));
    if (!IsSum)
      return false;
    Sum = Next;
  } while (Sum != Last);
  // Its only reader in the loop is the phi.
  return all_of(Last->users(), [&](const User *U) {
    return U == &Phi || !L.contains(cast<Instruction>(U));
  });
}

/// True if no adjoint leaves the loop by \p I, or enters it in the last
/// iteration alone.
bool Sharer::staysInside(const Instruction &I, const LoopShape &Shape,
                         const Loop &L) const {
  if (!A.isActive(&I))
    return true;
  bool IsSum = isa<PHINode>(I) && I.getParent() == Shape.Header;
  if (!IsSum && any_of(I.operands(), [&](const Use &U) {
        return A.isActive(U) && !isa<Constant>(U) &&
               !(isa<Instruction>(U) && L.contains(cast<Instruction>(U)));
      }))
    return false;
  bool IsLast = any_of(Shape.Header->phis(), [&](const PHINode &Phi) {
    return A.isActive(&Phi) && Phi.getIncomingValueForBlock(Shape.Latch) == &I;
  });
  return IsLast || all_of(I.users(), [&](const User *U) {
           return L.contains(cast<Instruction>(U));
         });
}

/// What differs from lane to lane of what the loop has from outside.
unsigned Sharer::wordsToTell(const LoopShape &Shape, const Loop &L) const {
  const DataLayout &DL = S.P.F->getDataLayout();
  SmallPtrSet<const Value *, 16> Told;
  unsigned Words = 0;
  auto Tell = [&](const Value *V) {
    if (Told.insert(V).second)
      Words += divideCeil(DL.getTypeStoreSize(V->getType()).getFixedValue(), 4);
  };
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (auto *Phi = dyn_cast<PHINode>(&I); Phi && A.isActive(Phi)) {
        if (B == Shape.Header)
          for (unsigned Lane = 0; Lane != S.Width; ++Lane)
            Words +=
                divideCeil(DL.getTypeStoreSize(I.getType()).getFixedValue(), 4);
        continue;
      }
      for (Value *Operand : I.operands())
        if (auto *Def = dyn_cast<Instruction>(Operand);
            Def && !L.contains(Def) && !Lanes.isLikelyUniform(Def))
          Tell(Def);
    }
  return Words;
}

/// How much \p Number grows in an iteration, for a guess: as if nothing wrapped
/// around. Null if that is not known.
const SCEV *Sharer::stepOf(const SCEV *Number, const Loop &L) const {
  if (SE.isLoopInvariant(Number, &L))
    return SE.getZero(SE.getEffectiveSCEVType(Number->getType()));
  if (auto *Moving = dyn_cast<SCEVAddRecExpr>(Number))
    return Moving->getLoop() == &L && Moving->isAffine()
               ? Moving->getStepRecurrence(SE)
               : nullptr;
  if (auto *Cast = dyn_cast<SCEVCastExpr>(Number)) {
    const SCEV *Step = stepOf(Cast->getOperand(), L);
    return Step ? SE.getTruncateOrSignExtend(Step, Number->getType()) : nullptr;
  }
  auto *All = dyn_cast<SCEVCommutativeExpr>(Number);
  if (!All || !isa<SCEVAddExpr, SCEVMulExpr>(All))
    return nullptr;
  SmallVector<const SCEV *, 4> Parts;
  for (const SCEV *Operand : All->operands()) {
    const SCEV *Step = stepOf(Operand, L);
    if (!Step)
      return nullptr;
    bool IsFactor = isa<SCEVMulExpr>(All) && SE.isLoopInvariant(Operand, &L);
    Parts.push_back(IsFactor ? Operand : Step);
  }
  if (isa<SCEVMulExpr>(All))
    return SE.getMulExpr(Parts);
  return SE.getAddExpr(Parts);
}

/// True if lanes leave the loop at different times, or each reads words of its
/// own side by side; false where lanes at the same iteration may be at
/// neighbouring words now.
bool Sharer::isWorthIt(const LoopShape &Shape, const Loop &L) const {
  bool SideBySide = false;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Pointer = const_cast<Value *>(getLoadStorePointerOperand(&I));
      if (!Pointer || L.isLoopInvariant(Pointer))
        continue;
      const SCEV *Step = stepOf(SE.getSCEV(Pointer), L);
      if (!Step)
        continue;
      auto *Constant = dyn_cast<SCEVConstant>(Step);
      if (!Constant || Constant->getAPInt().abs().ugt(MaxStep))
        return false;
      SideBySide |= !Lanes.isLikelyUniform(Pointer);
    }
  return P.loop(Shape.Header).JoinsLate || SideBySide;
}

void Sharer::share(const LoopShape &Shape, const Loop &L) {
  LoopPlan &How = P.Loops[Shape.Header];
  How.SharedOut = true;
  How.JoinsLate = false;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto It = P.Adds.Of.find(&I); It != P.Adds.Of.end())
        It->second.Kind = Accumulation::Contended;
  remark("SharedOut", *Shape.Latch->getTerminator(),
         "the lanes of a warp share out the iterations of the reverse loop");
}

void Sharer::run() {
  if (nvptx::processorOf(*S.P.F) < MinProcessor || S.S == Shape::Callee)
    return;
  for (auto &[Header, Shape] : S.P.Loops) {
    const Loop *L = LI.getLoopFor(Header);
    bool IsFree =
        hasShape(Shape, *L) && all_of(L->blocks(), [&](BasicBlock *B) {
          return all_of(*B, [&](const Instruction &I) {
            return mayMove(I) && staysInside(I, Shape, *L);
          });
        });
    IsFree = IsFree && all_of(Header->phis(), [&](PHINode &Phi) {
               return !A.isActive(&Phi) || passesOn(Phi, Shape, *L);
             });
    if (IsFree && isWorthIt(Shape, *L) && wordsToTell(Shape, *L) <= MaxWords)
      share(Shape, *L);
  }
}

void shareOut(Plan &P, const Subject &S, const Activity &A, const Shadows &Sh,
              const Flow &Fl, FunctionAnalysisManager &FAM) {
  Sharer(P, S, A, Sh, Fl, FAM).run();
}

} // namespace kdiff
