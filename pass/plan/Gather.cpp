//===- Gather.cpp - Sums over threads as products of tiles ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Gather.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Gather.h"
#include "analysis/Memory.h"
#include "plan/Plan.h"
#include "plan/ThreadStrides.h"
#include "plan/Together.h"
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

/// Fewer words are not worth the seeds' way through shared memory.
static constexpr unsigned MinWords = 4;
/// Of a vector of words.
static constexpr int64_t VectorBytes = 16;

namespace {

/// A load, what it is multiplied with, and where the product goes.
struct Term {
  const LoadInst *Word;
  LoadInst *Factor;
  const Instruction *Product, *Sum;
  int64_t Distance; ///< Of the word from the first found.
};

class Gatherer {
public:
  Gatherer(Plan &P, const Subject &S, const Shadows &Sh,
           function_ref<const Tile *(const LoadInst &)> TileOf,
           FunctionAnalysisManager &FAM)
      : P(P), S(S), TileOf(TileOf), LI(FAM.getResult<LoopAnalysis>(*S.P.F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(*S.P.F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(*S.P.F)),
        Meetings(P, S, Sh, FAM) {}

  std::optional<Gather> find(ArrayRef<const LoadInst *> Loads, bool AlongY);

private:
  /// Where the first word and its factor are.
  struct Addresses {
    const SCEV *Word, *Factor;
  };

  std::optional<Term> termOf(const LoadInst &Word) const;
  bool areInChain(ArrayRef<Term> Terms) const;
  bool isQuiet(ArrayRef<Term> Terms) const;
  bool areAlone(ArrayRef<Term> Terms) const;
  const SCEV *address(const LoadInst &Load) const;
  std::optional<int64_t> distance(const LoadInst &From, const LoadInst &To);
  std::optional<Addresses> findSteps(SmallVectorImpl<Term> &Terms,
                                     Gather &Result);
  std::optional<Addresses> findLoop(const Term &Each, const EvenLoops &Even,
                                    Gather &Result);
  bool hasOnly(const SCEV *E, const EvenLoops &Even,
               function_ref<bool(const Value *)> IsSame) const;
  bool findStrides(Addresses First, const EvenLoops &Even, Gather &Result);
  const StoreInst *fillOf(const SCEV *First, const Gather &Found) const;

  Plan &P;
  const Subject &S;
  function_ref<const Tile *(const LoadInst &)> TileOf;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  Together Meetings;
};

} // namespace

/// The rule \p Name of arithmetic (rules/Table.cpp) holds for \p I.
static bool isRule(const Instruction *I, StringRef Name) {
  const Rule *R = findRule(*I);
  return R && name(*R) == Name;
}

/// \p Word's only use is a product with another load, which goes into a sum,
/// all in one block.
std::optional<Term> Gatherer::termOf(const LoadInst &Word) const {
  if (!Word.hasOneUse() || !TileOf(Word))
    return std::nullopt;
  auto *Product = cast<Instruction>(Word.user_back());
  bool IsFused = isRule(Product, "fma");
  unsigned Place = Word.use_begin()->getOperandNo();
  if (!(IsFused || isRule(Product, "fmul")) || Place > 1)
    return std::nullopt;
  auto *Factor = dyn_cast<LoadInst>(Product->getOperand(1 - Place));
  const Instruction *Sum = Product;
  if (!IsFused)
    Sum = Product->hasOneUse() ? cast<Instruction>(Product->user_back())
                               : nullptr;
  if (!Factor || Factor == &Word || !Sum ||
      Factor->getPointerAddressSpace() != nvptx::Shared ||
      !(IsFused || isRule(Sum, "fadd")) ||
      P.sourceOf(Factor) != Source::Reload || !TileOf(*Factor))
    return std::nullopt;
  for (const Instruction *I :
       {static_cast<const Instruction *>(Factor), Product, Sum})
    if (I->getParent() != Word.getParent())
      return std::nullopt;
  return Term{&Word, Factor, Product, Sum, 0};
}

/// Each sum but one goes into another one, as what it adds to, so that all have
/// the same adjoint.
bool Gatherer::areInChain(ArrayRef<Term> Terms) const {
  SmallPtrSet<const Instruction *, 16> Sums;
  for (const Term &Each : Terms)
    Sums.insert(Each.Sum);
  unsigned Last = count_if(Terms, [&](const Term &Each) {
    return !Each.Sum->hasOneUse() ||
           !Sums.contains(cast<Instruction>(Each.Sum->user_back()));
  });
  return Last == 1 && Sums.size() == Terms.size();
}

/// \p I may write memory or make threads wait.
static bool separates(const Instruction &I) {
  return I.mayWriteToMemory() && !findRule(I);
}

/// Nothing between the first and the last of \p Terms writes memory or makes
/// threads wait.
bool Gatherer::isQuiet(ArrayRef<Term> Terms) const {
  SmallPtrSet<const Instruction *, 32> Left;
  for (const Term &Each : Terms) {
    Left.insert(Each.Word);
    Left.insert(Each.Factor);
    Left.insert(Each.Sum);
  }
  size_t All = Left.size();
  for (const Instruction &I : *Terms.front().Word->getParent()) {
    if (Left.size() != All && separates(I))
      return false;
    Left.erase(&I);
    if (Left.empty())
      break;
  }
  return true;
}

/// No other addition is made to the array of the words.
bool Gatherer::areAlone(ArrayRef<Term> Terms) const {
  auto Arrays = underlyingObjects(Terms.front().Word->getPointerOperand());
  for (auto &[I, How] : P.Adds.Of) {
    if (any_of(Terms, [&](const Term &Each) { return Each.Word == I; }))
      continue;
    auto *Load = dyn_cast<LoadInst>(I);
    const Value *Pointer = Load ? Load->getPointerOperand()
                                : cast<MemTransferInst>(I)->getRawSource();
    for (const Value *Object : underlyingObjects(Pointer))
      if (is_contained(Arrays, Object))
        return false;
  }
  return Arrays.size() == 1;
}

const SCEV *Gatherer::address(const LoadInst &Load) const {
  return SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
}

std::optional<int64_t> Gatherer::distance(const LoadInst &From,
                                          const LoadInst &To) {
  auto *Distance =
      dyn_cast<SCEVConstant>(SE.getMinusSCEV(address(To), address(From)));
  if (!Distance || !Distance->getAPInt().isSignedIntN(32))
    return std::nullopt;
  return Distance->getAPInt().getSExtValue();
}

/// Sorts \p Terms, which are in one block, by their words and finds the steps
/// from one to the next.
std::optional<Gatherer::Addresses>
Gatherer::findSteps(SmallVectorImpl<Term> &Terms, Gather &Result) {
  if (!areInChain(Terms) || !isQuiet(Terms))
    return std::nullopt;
  for (Term &Each : Terms) {
    std::optional<int64_t> Here = distance(*Terms.front().Word, *Each.Word);
    if (!Here)
      return std::nullopt;
    Each.Distance = *Here;
  }
  llvm::sort(Terms, [](const Term &A, const Term &B) {
    return A.Distance < B.Distance;
  });
  Result.WordStep = Terms[1].Distance - Terms[0].Distance;
  for (auto [K, Each] : enumerate(Terms)) {
    std::optional<int64_t> Here = distance(*Terms[0].Factor, *Each.Factor);
    if (K == 1 && Here)
      Result.FactorStep = *Here;
    if (!Here || *Here != int64_t(K) * Result.FactorStep ||
        Each.Distance - Terms[0].Distance != int64_t(K) * Result.WordStep)
      return std::nullopt;
  }
  Result.Count = Terms.size();
  return Addresses{address(*Terms[0].Word), address(*Terms[0].Factor)};
}

/// The start of \p E, which grows by a constant \p Step in each iteration of
/// \p L; else null.
static const SCEV *startIn(const SCEV *E, const Loop &L, ScalarEvolution &SE,
                           int64_t &Step) {
  auto *Moving = dyn_cast<SCEVAddRecExpr>(E);
  if (!Moving || Moving->getLoop() != &L || !Moving->isAffine())
    return nullptr;
  auto *Constant = dyn_cast<SCEVConstant>(Moving->getStepRecurrence(SE));
  if (!Constant || !Constant->getAPInt().isSignedIntN(32))
    return nullptr;
  Step = Constant->getAPInt().getSExtValue();
  return Moving->getStart();
}

/// Finds the steps of \p Each from one iteration to the next of a loop of
/// constant trip count, which makes nothing but its sum.
std::optional<Gatherer::Addresses>
Gatherer::findLoop(const Term &Each, const EvenLoops &Even, Gather &Result) {
  const BasicBlock *Here = Each.Word->getParent();
  Loop *L = LI.getLoopFor(Here);
  if (!L || !Even.contains(L) || !L->isInnermost() || !L->getLoopLatch() ||
      !L->getExitingBlock() || !DT.dominates(Here, L->getExitingBlock()) ||
      any_of(L->blocks(), [](const BasicBlock *B) {
        return any_of(
            *B, [](const Instruction &I) { return I.mayWriteToMemory(); });
      }))
    return std::nullopt;
  const Value *Carried = nullptr;
  for (PHINode &Phi : L->getHeader()->phis())
    if (Phi.getIncomingValueForBlock(L->getLoopLatch()) == Each.Sum &&
        Phi.hasOneUse() && Phi.user_back() == Each.Sum)
      Carried = &Phi;
  // In other iterations, or behind the loop, where it has one adjoint.
  if (!Carried || any_of(Each.Sum->users(), [&](const User *U) {
        return U != Carried && L->contains(cast<Instruction>(U));
      }))
    return std::nullopt;
  Addresses First;
  First.Word = startIn(address(*Each.Word), *L, SE, Result.WordStep);
  First.Factor = startIn(address(*Each.Factor), *L, SE, Result.FactorStep);
  Result.Count = SE.getSmallConstantTripCount(L);
  Result.Header = L->getHeader();
  if (!First.Word || !First.Factor)
    return std::nullopt;
  return First;
}

/// \p E is made of what is the same, and all threads are in the same iteration
/// of the loops \p Even.
bool Gatherer::hasOnly(const SCEV *E, const EvenLoops &Even,
                       function_ref<bool(const Value *)> IsSame) const {
  return !SCEVExprContains(E, [&](const SCEV *Part) {
    if (auto *Moving = dyn_cast<SCEVAddRecExpr>(Part))
      return !Even.contains(Moving->getLoop());
    auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    return Unknown && !IsSame(Unknown->getValue());
  });
}

/// How the addresses depend on the thread, as Gather.h wants it.
bool Gatherer::findStrides(Addresses First, const EvenLoops &Even,
                           Gather &Result) {
  Intrinsic::ID Along = indexAlong(Result.AlongY);
  Intrinsic::ID Other = indexAlong(!Result.AlongY);
  EndValues &Values = Meetings.Values;
  std::optional<Linear> Words = linearIn(First.Word, Other, SE);
  std::optional<Linear> Factors = linearIn(First.Factor, Along, SE);
  if (!Words || !Factors || Factors->Stride == 0 ||
      !hasOnly(First.Word, Even,
               [&](const Value *V) {
                 return isRegister(V, Other) || Values.isBlockUniform(V);
               }) ||
      !hasOnly(First.Factor, Even, [&](const Value *V) {
        return isRegister(V, Along) ||
               (Result.AlongY ? Values.isColumnUniform(V)
                              : Values.isRowUniform(V));
      }))
    return false;
  uint64_t Step = std::abs(Result.WordStep), Apart = std::abs(Words->Stride);
  Result.FactorStride = Factors->Stride;
  // Either all words of a row lie before those of the next row, or all rows'
  // words of one k before those of the next k.
  Result.MaxOther = Apart >= Step * Result.Count ? 1024
                    : Apart == 0                 ? 1
                                                 : (Step - 1) / Apart + 1;
  const DataLayout &DL = S.P.F->getDataLayout();
  int64_t Size = DL.getTypeStoreSize(Result.Factor->getType());
  auto IsRow = [&](int64_t Near, int64_t Far) {
    return Near == Size && Far % VectorBytes == 0;
  };
  Result.IsAligned = (IsRow(Result.FactorStride, Result.FactorStep) ||
                      IsRow(Result.FactorStep, Result.FactorStride)) &&
                     Factors->Zeros >= Log2_32(VectorBytes);
  Result.IsCommon = hasOnly(First.Factor, Even, [&](const Value *V) {
    return isRegister(V, Along) || Values.isBlockUniform(V);
  });
  return true;
}

/// The only store to the array of the words, which is made in each iteration in
/// front of the reads, to the word whose sum the thread makes; null: another.
const StoreInst *Gatherer::fillOf(const SCEV *First,
                                  const Gather &Found) const {
  const LoadInst &Word = *Found.Words.front();
  const Tile *Filled = TileOf(Word);
  if (!Filled->L || Filled->Stores.size() != 1)
    return nullptr;
  const FillStore &Fill = Filled->Stores.front();
  const Loop *Here = LI.getLoopFor(Word.getParent());
  if (Found.Header)
    Here = Here->getParentLoop();
  if (Fill.Header || !Fill.Guards.empty() || Here != Filled->L ||
      LI.getLoopFor(Fill.Store->getParent()) != Filled->L ||
      !DT.dominates(Fill.Store, &Word) ||
      Fill.Store->getValueOperand()->getType() != Word.getType())
    return nullptr;
  // By the step times the thread's index from the first word.
  auto *Ahead = dyn_cast<SCEVMulExpr>(
      SE.getMinusSCEV(SE.getSCEV(Fill.Store->getPointerOperand()), First));
  if (!Ahead || Ahead->getNumOperands() != 2)
    return nullptr;
  auto *Step = dyn_cast<SCEVConstant>(Ahead->getOperand(0));
  const SCEV *Index = Ahead->getOperand(1);
  if (auto *Wide = dyn_cast<SCEVIntegralCastExpr>(Index);
      Wide && !isa<SCEVTruncateExpr>(Wide))
    Index = Wide->getOperand();
  return Step && Step->getAPInt().getSExtValue() == Found.WordStep &&
                 isRegister(Index, indexAlong(Found.AlongY))
             ? Fill.Store
             : nullptr;
}

std::optional<Gather> Gatherer::find(ArrayRef<const LoadInst *> Loads,
                                     bool AlongY) {
  EvenLoops Even;
  if (!Meetings.isRun(Loads.front()->getParent(), Even))
    return std::nullopt;
  SmallVector<Term, 16> Terms;
  for (const LoadInst *Load : Loads)
    if (std::optional<Term> Found = termOf(*Load))
      Terms.push_back(*Found);
    else
      return std::nullopt;
  Gather Result;
  Result.AlongY = AlongY;
  std::optional<Addresses> First = Terms.size() == 1
                                       ? findLoop(Terms.front(), Even, Result)
                                       : findSteps(Terms, Result);
  Result.Factor = Terms.front().Factor;
  Result.Product = Terms.front().Product;
  if (!First || Result.Count < MinWords || Result.WordStep == 0 ||
      !areAlone(Terms) || !findStrides(*First, Even, Result))
    return std::nullopt;
  for (const Term &Each : Terms)
    Result.Words.push_back(Each.Word);
  Result.Fill = fillOf(First->Word, Result);
  return Result;
}

/// Loops whose sums are all gathered have no use for chunks.
static void dropChunks(Plan &P) {
  for (auto &[Leader, Found] : P.Gathers)
    if (Found.Header && none_of(P.Adds.Of, [&](auto &Each) {
          return Each.second.Step && Each.second.At == AddAt::Group &&
                 Each.first->getParent() == Leader->getParent();
        }))
      P.Loops[Found.Header].Chunk = 0;
}

void gatherSums(Plan &P, const Subject &S, const Shadows &Sh,
                function_ref<const Tile *(const LoadInst &)> TileOf,
                FunctionAnalysisManager &FAM) {
  auto IsColumn = [](Accumulation Kind) {
    return Kind == Accumulation::BlockRows || Kind == Accumulation::AcrossRows;
  };
  MapVector<const Instruction *, SmallVector<const LoadInst *, 16>> Groups;
  for (auto &[I, How] : P.Adds.Of) {
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load && Load->getPointerAddressSpace() == nvptx::Shared &&
        (IsColumn(How.Kind) || How.Kind == Accumulation::Rows ||
         How.Kind == Accumulation::RowUniform) &&
        (How.At == AddAt::Here || How.At == AddAt::Group))
      Groups[How.At == AddAt::Here ? I : How.Leader].push_back(Load);
  }
  if (Groups.empty())
    return;
  Gatherer Finder(P, S, Sh, TileOf, FAM);
  for (auto &[Leader, Loads] : Groups) {
    bool AlongY = IsColumn(P.Adds.Of[Leader].Kind);
    std::optional<Gather> Found = Finder.find(Loads, AlongY);
    if (!Found)
      continue;
    remark("Gathered", *Leader,
           "the adjoints of these " + Twine(Found->Count) +
               " words are computed by a thread each, from the seeds of a " +
               (AlongY ? "column" : "row") +
               " of the block and the tile that they are multiplied with, "
               "where the block is whole; else:");
    P.Gathers.insert({Leader, std::move(*Found)});
    for (const LoadInst *Load : Loads) {
      Addition &How = P.Adds.Of[Load];
      How.At = AddAt::Gathered;
      How.Leader = Leader;
      // Seldom made, and not worth shared memory then.
      if (AlongY)
        How.Kind = Accumulation::AcrossRows;
    }
  }
  dropChunks(P);
}

} // namespace kdiff
