//===- RunningMaxima.cpp - Sums that follow a running maximum ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the derivative of sums that a loop
// scales anew wherever a maximum grows?
//
//   M' = max(M, s)                      for the softmax in one pass
//   X' = X exp(M - M') + exp(s - M') u  (M. Milakov, N. Gimelshein, "Online
//                                       normalizer calculation for softmax",
//                                       2018)
//
// The sum at the end is, with the maximum N and whatever maxima came before,
//
//   X[n] = X[0] exp(M[0] - N) + sum of exp(s[j] - N) u[j],
//
// so that d X[n] = sum of exp(s[j] - N) (d u[j] + u[j] d s[j]) - X[n] d N, and
// d N = d s[j] where the maximum was last raised: all of it follows from N,
// without what the loop carried. A copy of the loop behind it, of whose values
// only derivatives are wanted, attaches this to the results.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "rules/Attach.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/Sync.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <numbers>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

namespace {

using Factors = SmallVector<Value *, 2>;

/// X' = X * shrink + weight * Others.
struct Rescaled {
  PHINode *Phi;
  Instruction *Next;
  Factors Others;
};

/// What the recurrences of one loop consist of.
class RunningMaximum {
public:
  /// Tries the header phi \p Phi of \p L.
  RunningMaximum(Loop &L, PHINode &Phi) : L(L), Phi(Phi) {}
  bool recognise();
  /// Attaches the derivatives; iterations are counted in \p Count. Changes
  /// blocks. Returns the header of the loop that is new.
  BasicBlock *rewrite(LoopInfo &LI, DominatorTree &DT, Type *Count);

private:
  bool matchMaximum();
  bool matchExponentials();
  bool matchProduct(Value *V, const SmallPtrSetImpl<Value *> &Of,
                    Factors &Others);
  bool matchSum(PHINode &Sum);
  bool isClosed() const;
  Value *atExit(Instruction &V);
  Value *primalAtExit(Instruction &V, IRBuilderBase &B);
  PHINode *counter(Type *Count);
  PHINode *lastRaise(PHINode &Counter);
  Loop &cloneBehind(LoopInfo &LI, DominatorTree &DT);
  void erasePattern();
  Value *again(Value *V) const;
  Value *weigh(IRBuilderBase &B, Value *Value, llvm::Value *Most);
  void replace(Instruction &Result, Loop &Copy,
               function_ref<Value *(IRBuilderBase &, Value *)> Before,
               function_ref<Value *(IRBuilderBase &, Value *, Value *)> Within);

  Loop &L;
  PHINode &Phi;
  Instruction *Next = nullptr; ///< The maximum behind the iteration.
  Value *Score = nullptr;
  Instruction *Weight = nullptr; ///< One of Weights.
  double Log = 1;                ///< The exponentials are of base e^Log.
  SmallPtrSet<Value *, 2> Shrinks, Weights;
  SmallVector<Rescaled, 4> Sums;
  SmallSetVector<Instruction *, 16> Pattern;
  ValueToValueMapTy Map; ///< From the loop to its copy.
};

} // namespace

/// The exponential's base as a power of e; 0 for other instructions.
static double logOfBase(const Instruction &I) {
  const Rule *R = isa<CallBase>(I) ? findRule(I) : nullptr;
  if (!R)
    return 0;
  return name(*R) == "exp" ? 1 : name(*R) == "exp2" ? std::numbers::ln2 : 0;
}

/// The operands of a maximum, as a call or as a comparison and a choice.
static bool matchLarger(Instruction &I, Value *&One, Value *&Other) {
  const Rule *R = isa<CallBase>(I) ? findRule(I) : nullptr;
  if (R && name(*R) == "fmax") {
    One = I.getOperand(0);
    Other = I.getOperand(1);
    return true;
  }
  CmpPredicate P;
  Value *X = nullptr, *Y = nullptr;
  if (!match(&I, m_Select(m_FCmp(P, m_Value(X), m_Value(Y)), m_Value(One),
                          m_Value(Other))))
    return false;
  if (X != One)
    P = CmpInst::getSwappedPredicate(P);
  bool IsLarger = P == CmpInst::FCMP_OGT || P == CmpInst::FCMP_OGE ||
                  P == CmpInst::FCMP_UGT || P == CmpInst::FCMP_UGE;
  return IsLarger && ((X == One && Y == Other) || (X == Other && Y == One));
}

bool RunningMaximum::matchMaximum() {
  Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  Value *One = nullptr, *Other = nullptr;
  if (!Next || !L.contains(Next) || !matchLarger(*Next, One, Other) ||
      (One == &Phi) == (Other == &Phi))
    return false;
  if (auto *Select = dyn_cast<SelectInst>(Next))
    Pattern.insert(cast<Instruction>(Select->getCondition()));
  Score = One == &Phi ? Other : One;
  Pattern.insert(&Phi);
  Pattern.insert(Next);
  return true;
}

/// Finds the exponentials of differences to the new maximum.
bool RunningMaximum::matchExponentials() {
  double Found = 0;
  for (User *U : Next->users()) {
    Value *From = nullptr;
    if (!match(U, m_FSub(m_Value(From), m_Specific(Next))) ||
        !L.contains(cast<Instruction>(U)) || (From != &Phi && From != Score))
      continue;
    Pattern.insert(cast<Instruction>(U));
    for (User *Exp : U->users()) {
      double Base = logOfBase(*cast<Instruction>(Exp));
      if (Base == 0 || (Found != 0 && Base != Found))
        return false;
      Found = Base;
      Pattern.insert(cast<Instruction>(Exp));
      (From == &Phi ? Shrinks : Weights).insert(Exp);
      if (From == Score)
        Weight = cast<Instruction>(Exp);
    }
  }
  Log = Found;
  return !Shrinks.empty() && Weight;
}

/// True if \p V is the product of one of \p Of and of \p Others.
bool RunningMaximum::matchProduct(Value *V, const SmallPtrSetImpl<Value *> &Of,
                                  Factors &Others) {
  SmallVector<Instruction *, 2> Products;
  bool Found = Of.contains(V);
  SmallVector<Value *, 4> Work;
  if (!Found)
    Work.push_back(V);
  Others.clear();
  while (!Work.empty()) {
    Value *Next = Work.pop_back_val(), *X = nullptr, *Y = nullptr;
    if (Of.contains(Next)) {
      if (std::exchange(Found, true))
        return false;
    } else if (match(Next, m_FMul(m_Value(X), m_Value(Y))) &&
               L.contains(cast<Instruction>(Next)) && Next->hasOneUse()) {
      Products.push_back(cast<Instruction>(Next));
      Work.append({Y, X});
    } else {
      Others.push_back(Next);
    }
  }
  if (Found)
    Pattern.insert_range(Products);
  return Found;
}

bool RunningMaximum::matchSum(PHINode &Sum) {
  auto *New =
      dyn_cast<Instruction>(Sum.getIncomingValueForBlock(L.getLoopLatch()));
  Value *X = nullptr, *Y = nullptr;
  if (!New || !L.contains(New) || !match(New, m_FAdd(m_Value(X), m_Value(Y))))
    return false;
  Factors Old, Others;
  auto IsOld = [&](Value *V) {
    return matchProduct(V, Shrinks, Old) && Old.size() == 1 &&
           Old.front() == &Sum;
  };
  if (!IsOld(X))
    std::swap(X, Y);
  if (!IsOld(X) || !matchProduct(Y, Weights, Others))
    return false;
  Sums.push_back({&Sum, New, Others});
  Pattern.insert(&Sum);
  Pattern.insert(New);
  return true;
}

/// True if nothing else in the loop uses what the recurrences compute, nobody
/// behind it but the new maximum and the sums, and they take nothing of it.
bool RunningMaximum::isClosed() const {
  auto IsOwn = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && Pattern.contains(I);
  };
  if (IsOwn(Score) || any_of(Sums, [&](const Rescaled &Sum) {
        return any_of(Sum.Others, IsOwn);
      }))
    return false;
  return all_of(Pattern, [&](Instruction *I) {
    bool IsResult = I == Next || any_of(Sums, [&](const Rescaled &Sum) {
                      return Sum.Next == I;
                    });
    return all_of(I->users(), [&](User *U) {
      auto *Reader = cast<Instruction>(U);
      return L.contains(Reader) ? Pattern.contains(Reader) : IsResult;
    });
  });
}

bool RunningMaximum::recognise() {
  if (!Phi.getType()->isFloatingPointTy() || !matchMaximum() ||
      !matchExponentials())
    return false;
  for (PHINode &Sum : L.getHeader()->phis())
    if (&Sum != &Phi && Sum.getType() == Phi.getType())
      matchSum(Sum);
  return !Sums.empty() && isClosed();
}

/// \p V of the last iteration, behind the loop.
Value *RunningMaximum::atExit(Instruction &V) {
  BasicBlock *Exit = L.getExitBlock();
  for (PHINode &Known : Exit->phis())
    if (Known.getIncomingValue(0) == &V)
      return &Known;
  IRBuilder<> B(Exit, Exit->begin());
  PHINode *Last = B.CreatePHI(V.getType(), 1, V.getName() + ".last");
  Last->addIncoming(&V, L.getLoopLatch());
  return Last;
}

/// The same, without a derivative.
Value *RunningMaximum::primalAtExit(Instruction &V, IRBuilderBase &B) {
  Value *Last = atExit(V);
  Value *Primal =
      createAttach(B, Last, Last, Constant::getNullValue(V.getType()));
  markPrimalOnly(*cast<CallBase>(Primal));
  return Primal;
}

/// A phi that counts the iterations.
PHINode *RunningMaximum::counter(Type *Count) {
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  PHINode *Counter = B.CreatePHI(Count, 2, "step");
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Counter->addIncoming(ConstantInt::get(Count, 0), L.getLoopPreheader());
  Counter->addIncoming(
      B.CreateNUWAdd(Counter, ConstantInt::get(Count, 1), "step.next"),
      L.getLoopLatch());
  return Counter;
}

/// The iteration that raised the maximum last, behind the loop; all ones if
/// none did.
PHINode *RunningMaximum::lastRaise(PHINode &Counter) {
  IRBuilder<> B(L.getHeader(), L.getHeader()->begin());
  Type *Count = Counter.getType();
  PHINode *Last = B.CreatePHI(Count, 2, "raised");
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  B.SetCurrentDebugLocation(Next->getDebugLoc());
  Value *Raises = B.CreateFCmpOGT(Score, &Phi);
  auto *Now = cast<Instruction>(B.CreateSelect(Raises, &Counter, Last));
  Last->addIncoming(ConstantInt::getAllOnesValue(Count), L.getLoopPreheader());
  Last->addIncoming(Now, L.getLoopLatch());
  return cast<PHINode>(atExit(*Now));
}

/// Exit -> what follows becomes Exit -> copy -> Out -> what follows.
Loop &RunningMaximum::cloneBehind(LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Exit = L.getExitBlock();
  BasicBlock *After = SplitBlock(Exit, Exit->getFirstNonPHIOrDbg(), &DT, &LI);
  SmallVector<BasicBlock *, 4> Blocks;
  Loop *Copy =
      cloneLoopWithPreheader(After, Exit, &L, Map, ".again", &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  Exit->getTerminator()->setSuccessor(0, Copy->getLoopPreheader());
  BasicBlock *Out = BasicBlock::Create(Exit->getContext(), "attached",
                                       Exit->getParent(), After);
  BranchInst::Create(After, Out);
  Copy->getLoopLatch()->getTerminator()->replaceSuccessorWith(Exit, Out);
  return *Copy;
}

Value *RunningMaximum::again(Value *V) const {
  Value *Copy = Map.lookup(V);
  return Copy ? Copy : V;
}

/// The copy has no recurrences of its own.
void RunningMaximum::erasePattern() {
  SmallVector<Instruction *, 16> Copies;
  for (Instruction *I : Pattern)
    Copies.push_back(cast<Instruction>(again(I)));
  for (Instruction *I : Copies)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Copies)
    I->eraseFromParent();
}

/// The weight of what is \p Value, with the maximum \p Most at the end.
Value *RunningMaximum::weigh(IRBuilderBase &B, Value *Value,
                             llvm::Value *Most) {
  Instruction *Exp = Weight->clone();
  Exp->setOperand(0, B.CreateFSub(Value, Most));
  return B.Insert(Exp);
}

/// Attaches what \p Slope makes, but to constants.
static Value *attach(IRBuilderBase &B, Value *V, Value *Operand,
                     function_ref<Value *()> Slope) {
  return isa<Constant>(Operand) ? V : createAttach(B, V, Operand, Slope());
}

/// Lets what is behind the loop read \p Result with its derivatives: \p Before
/// attaches those by what the loop starts from, \p Within those by what an
/// iteration of \p Copy computes. They are given the primal's result.
void RunningMaximum::replace(
    Instruction &Result, Loop &Copy,
    function_ref<Value *(IRBuilderBase &, Value *)> Before,
    function_ref<Value *(IRBuilderBase &, Value *, Value *)> Within) {
  BasicBlock *Out = Copy.getExitBlock(), *Entry = Copy.getLoopPreheader();
  Value *Last = atExit(Result);
  auto IsBehind = [&](const Use &U) {
    return cast<Instruction>(U.getUser())->getParent() != Entry;
  };
  if (none_of(Last->uses(), IsBehind))
    return;
  IRBuilder<> Start(Copy.getLoopPreheader()->getTerminator());
  IRBuilder<> Step(Copy.getLoopLatch()->getTerminator());
  for (IRBuilder<> *B : {&Start, &Step})
    B->SetCurrentDebugLocation(Result.getDebugLoc());
  Value *Primal = primalAtExit(Result, Start);
  IRBuilder<> Top(Copy.getHeader(), Copy.getHeader()->begin());
  PHINode *Sum = Top.CreatePHI(Result.getType(), 2, "attached");
  Sum->addIncoming(Before(Start, Primal), Copy.getLoopPreheader());
  Value *Now = Within(Step, Sum, Primal);
  Sum->addIncoming(Now, Copy.getLoopLatch());
  PHINode *End = IRBuilder<>(Out, Out->begin())
                     .CreatePHI(Result.getType(), 1, "attached.last");
  End->addIncoming(Now, Copy.getLoopLatch());
  Last->replaceUsesWithIf(End, IsBehind);
}

BasicBlock *RunningMaximum::rewrite(LoopInfo &LI, DominatorTree &DT,
                                    Type *Count) {
  remark("RunningMaximum", *Next,
         "sums that follow this maximum get their derivatives by its last "
         "value: what the loop carried is not kept");
  // A block of its own, so that nothing else is copied.
  SplitEdge(L.getLoopPreheader(), L.getHeader(), &DT, &LI);
  const BasicBlock *Before = L.getLoopPreheader();
  Value *First = Phi.getIncomingValueForBlock(Before);
  PHINode *Counter = counter(Count);
  Loop &Copy = cloneBehind(LI, DT);
  PHINode *Raised = lastRaise(*Counter);
  Type *T = Phi.getType();
  Constant *Zero = Constant::getNullValue(T);

  IRBuilder<> Start(Copy.getLoopPreheader()->getTerminator());
  IRBuilder<> Step(Copy.getLoopLatch()->getTerminator());
  for (IRBuilder<> *B : {&Start, &Step}) {
    B->SetCurrentDebugLocation(Weight->getDebugLoc());
    B->setFastMathFlags(Weight->getFastMathFlags());
  }
  Value *Most = primalAtExit(*Next, Start);
  Value *IsFirst =
      Start.CreateICmpEQ(Raised, ConstantInt::getAllOnesValue(Count));
  Value *AtFirst = weigh(Start, First, Most);
  Value *NewScore = again(Score), *Weighs = weigh(Step, NewScore, Most);
  Value *IsLast = Step.CreateICmpEQ(again(Counter), Raised);
  // What depends on the maximum at the end goes to who raised it last.
  auto SlopeBy = [&](IRBuilderBase &B, Value *Part, Value *Whole,
                     Value *IsMost) {
    Value *Slope = B.CreateFSub(Part, B.CreateSelect(IsMost, Whole, Zero));
    return Log == 1 ? Slope : B.CreateFMul(Slope, ConstantFP::get(T, Log));
  };
  for (const Rescaled &Sum : Sums) {
    Value *Initial = Sum.Phi->getIncomingValueForBlock(Before);
    replace(
        *Sum.Next, Copy,
        [&](IRBuilderBase &B, Value *Primal) {
          Value *V = attach(B, Primal, Initial, [&] { return AtFirst; });
          return attach(B, V, First, [&] {
            return SlopeBy(B, B.CreateFMul(Initial, AtFirst), Primal, IsFirst);
          });
        },
        [&](IRBuilderBase &B, Value *V, Value *Primal) {
          Value *Part = Weighs;
          Value *Product = nullptr;
          for (Value *Factor : Sum.Others)
            Product =
                Product ? B.CreateFMul(Product, again(Factor)) : again(Factor);
          if (Product) {
            V = attach(B, V, Product, [&] { return Weighs; });
            Part = B.CreateFMul(Weighs, Product);
          }
          return attach(B, V, NewScore,
                        [&] { return SlopeBy(B, Part, Primal, IsLast); });
        });
  }
  auto Selected = [&](IRBuilderBase &B, Value *Condition) {
    return B.CreateSelect(Condition, ConstantFP::get(T, 1), Zero);
  };
  replace(
      *Next, Copy,
      [&](IRBuilderBase &B, Value *Primal) {
        return attach(B, Primal, First, [&] { return Selected(B, IsFirst); });
      },
      [&](IRBuilderBase &B, Value *V, Value *) {
        return attach(B, V, NewScore, [&] { return Selected(B, IsLast); });
      });
  erasePattern();
  return Copy.getHeader();
}

/// True if \p L may be run a second time for what it computes, and runs all of
/// itself in every iteration.
static bool canRunAgain(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch(), *Exit = L.getExitBlock();
  if (!L.isInnermost() || !L.getLoopPreheader() || !Latch ||
      L.getExitingBlock() != Latch || !Exit || !Exit->getSinglePredecessor() ||
      snapshotsOf(L))
    return false;
  return all_of(L.blocks(), [&](const BasicBlock *B) {
    return (B == Latch || B->getSingleSuccessor()) &&
           all_of(*B, [](const Instruction &I) {
             if (auto *Load = dyn_cast<LoadInst>(&I))
               return Load->isSimple();
             auto *CB = dyn_cast<CallBase>(&I);
             if (!CB)
               return !I.mayHaveSideEffects();
             CallClass Class = classify(*CB);
             return Class == CallClass::Rule || Class == CallClass::Pure ||
                    Class == CallClass::Ignorable || nvptx::shuffleOf(*CB);
           });
  });
}

/// The type that can number the iterations, and has a number to spare.
static Type *countType(const Loop &L, ScalarEvolution &SE) {
  LLVMContext &C = L.getHeader()->getContext();
  auto *Most = dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(&L));
  return Most && Most->getAPInt().ult(UINT32_MAX) ? Type::getInt32Ty(C)
                                                  : Type::getInt64Ty(C);
}

bool kdiff::attachToRunningMaxima(Function &F, FunctionAnalysisManager &FAM) {
  SmallPtrSet<BasicBlock *, 4> Done;
  auto RewriteOne = [&] {
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    for (Loop *L : LI.getLoopsInPreorder()) {
      if (!canRunAgain(*L) || !Done.insert(L->getHeader()).second)
        continue;
      for (PHINode &Phi : L->getHeader()->phis()) {
        RunningMaximum Found(*L, Phi);
        if (!Found.recognise())
          continue;
        Type *Count = countType(*L, FAM.getResult<ScalarEvolutionAnalysis>(F));
        Done.insert(
            Found.rewrite(LI, FAM.getResult<DominatorTreeAnalysis>(F), Count));
        FAM.invalidate(F, PreservedAnalyses::none());
        return true;
      }
    }
    return false;
  };
  bool Changed = false;
  while (RewriteOne())
    Changed = true;
  return Changed;
}
