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
#include "plan/Together.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace kdiff {

/// Fewer words are not worth the seeds' way through shared memory.
static constexpr unsigned MinWords = 4;
/// Of a vector of words.
static constexpr unsigned VectorBytes = 16;

/// The register of a thread's index along a row, or along a column.
static Intrinsic::ID indexAlong(bool Y) {
  return Y ? Intrinsic::nvvm_read_ptx_sreg_tid_y
           : Intrinsic::nvvm_read_ptx_sreg_tid_x;
}

static bool isRegister(const Value *V, Intrinsic::ID Register) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == Register;
}

static bool isRegister(const SCEV *E, Intrinsic::ID Register) {
  auto *Unknown = dyn_cast<SCEVUnknown>(E);
  return Unknown && isRegister(Unknown->getValue(), Register);
}

namespace {

/// An address as a multiple of a thread's index, and a rest of that many
/// trailing zero bits, counted from its array's beginning.
struct Linear {
  int64_t Stride = 0;
  unsigned Zeros = 64;
};

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
  std::optional<Term> termOf(const LoadInst &Word) const;
  bool areInChain(ArrayRef<Term> Terms) const;
  bool areAlone(ArrayRef<Term> Terms) const;
  std::optional<int64_t> distance(const LoadInst &From, const LoadInst &To);
  bool findSteps(SmallVectorImpl<Term> &Terms, Gather &Result);
  std::optional<Linear> linearIn(const SCEV *E, Intrinsic::ID Index) const;
  bool hasOnly(const SCEV *E, const EvenLoops &Even,
               function_ref<bool(const Value *)> IsSame) const;
  bool findStrides(const Term &First, const EvenLoops &Even, Gather &Result);
  const StoreInst *fillOf(const LoadInst &First, const Gather &Found) const;

  Plan &P;
  const Subject &S;
  function_ref<const Tile *(const LoadInst &)> TileOf;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  Together Meetings;
};

} // namespace

/// \p Word's only use is a product with another load, which goes into a sum,
/// all in one block.
std::optional<Term> Gatherer::termOf(const LoadInst &Word) const {
  if (!Word.hasOneUse() || !TileOf(Word))
    return std::nullopt;
  auto *Product = dyn_cast<Instruction>(Word.user_back());
  auto *Fused = dyn_cast_or_null<IntrinsicInst>(Product);
  bool IsFused = Fused && (Fused->getIntrinsicID() == Intrinsic::fma ||
                           Fused->getIntrinsicID() == Intrinsic::fmuladd);
  if (!Product || !(IsFused || Product->getOpcode() == Instruction::FMul))
    return std::nullopt;
  unsigned Place = Word.use_begin()->getOperandNo();
  if (Place > 1)
    return std::nullopt;
  auto *Factor = dyn_cast<LoadInst>(Product->getOperand(1 - Place));
  const Instruction *Sum = Product;
  if (!IsFused)
    Sum = Product->hasOneUse() ? dyn_cast<Instruction>(Product->user_back())
                               : nullptr;
  if (!Factor || Factor == &Word || !Sum ||
      !(IsFused || Sum->getOpcode() == Instruction::FAdd) ||
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

/// Nothing between the first and the last of \p Terms writes memory or makes
/// threads wait, and no other addition is made to the array of the words.
bool Gatherer::areAlone(ArrayRef<Term> Terms) const {
  SmallPtrSet<const Instruction *, 32> Left;
  for (const Term &Each : Terms) {
    Left.insert(Each.Word);
    Left.insert(Each.Factor);
    Left.insert(Each.Sum);
  }
  SmallPtrSet<const Instruction *, 32> Members = Left;
  for (const Instruction &I : *Terms.front().Word->getParent()) {
    if (Left.size() != Members.size() && I.mayWriteToMemory())
      return false;
    Left.erase(&I);
    if (Left.empty())
      break;
  }
  auto Arrays = underlyingObjects(Terms.front().Word->getPointerOperand());
  for (auto &[I, How] : P.Adds.Of) {
    if (Members.contains(I))
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

std::optional<int64_t> Gatherer::distance(const LoadInst &From,
                                          const LoadInst &To) {
  auto Address = [&](const LoadInst &Load) {
    return SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  };
  auto *Distance =
      dyn_cast<SCEVConstant>(SE.getMinusSCEV(Address(To), Address(From)));
  if (!Distance || !Distance->getAPInt().isSignedIntN(32))
    return std::nullopt;
  return Distance->getAPInt().getSExtValue();
}

/// Sorts \p Terms by their words and finds the steps from one to the next.
bool Gatherer::findSteps(SmallVectorImpl<Term> &Terms, Gather &Result) {
  for (Term &Each : Terms) {
    std::optional<int64_t> Here = distance(*Terms.front().Word, *Each.Word);
    if (!Here)
      return false;
    Each.Distance = *Here;
  }
  llvm::sort(Terms, [](const Term &A, const Term &B) {
    return A.Distance < B.Distance;
  });
  Result.WordStep = Terms[1].Distance - Terms[0].Distance;
  if (Result.WordStep == 0)
    return false;
  for (auto [K, Each] : enumerate(Terms)) {
    std::optional<int64_t> Here = distance(*Terms[0].Factor, *Each.Factor);
    if (K == 1 && Here)
      Result.FactorStep = *Here;
    if (!Here || *Here != int64_t(K) * Result.FactorStep ||
        Each.Distance - Terms[0].Distance != int64_t(K) * Result.WordStep)
      return false;
    Result.Words.push_back(Each.Word);
  }
  return true;
}

/// \p E as a multiple of the register \p Index and a rest; nothing where it is
/// not known to be that.
std::optional<Linear> Gatherer::linearIn(const SCEV *E,
                                         Intrinsic::ID Index) const {
  auto IsIndex = [&](const SCEV *Part) { return isRegister(Part, Index); };
  if (IsIndex(E))
    return Linear{1, 64};
  if (!SCEVExprContains(E, IsIndex)) {
    if (!E->getType()->isPointerTy())
      return Linear{0, SE.getMinTrailingZeros(E)};
    if (isa<SCEVUnknown>(E))
      return Linear{0, 64};
  }
  if (auto *Sum = dyn_cast<SCEVAddExpr>(E)) {
    Linear Result;
    for (const SCEV *Operand : Sum->operands()) {
      std::optional<Linear> Part = linearIn(Operand, Index);
      if (!Part)
        return std::nullopt;
      Result.Stride += Part->Stride;
      Result.Zeros = std::min(Result.Zeros, Part->Zeros);
    }
    return Result;
  }
  if (auto *Product = dyn_cast<SCEVMulExpr>(E)) {
    auto *Scale = dyn_cast<SCEVConstant>(Product->getOperand(0));
    if (!Scale || Product->getNumOperands() != 2 ||
        !Scale->getAPInt().isSignedIntN(31))
      return std::nullopt;
    std::optional<Linear> Part = linearIn(Product->getOperand(1), Index);
    if (Part) {
      Part->Stride *= Scale->getAPInt().getSExtValue();
      Part->Zeros =
          std::min(64u, Part->Zeros + Scale->getAPInt().countr_zero());
    }
    return Part;
  }
  // Wider than what is extended, the same number if that does not wrap around.
  auto *Wide = dyn_cast<SCEVIntegralCastExpr>(E);
  if (!Wide || isa<SCEVTruncateExpr>(Wide))
    return std::nullopt;
  const SCEV *Narrow = Wide->getOperand();
  auto Flag = isa<SCEVZeroExtendExpr>(Wide) ? SCEV::FlagNUW : SCEV::FlagNSW;
  auto *Nary = dyn_cast<SCEVNAryExpr>(Narrow);
  bool IsExact =
      IsIndex(Narrow) ||
      (Nary && !isa<SCEVAddRecExpr>(Nary) && Nary->getNoWrapFlags(Flag) &&
       all_of(Nary->operands(), [&](const SCEV *Part) {
         return IsIndex(Part) || !SCEVExprContains(Part, IsIndex);
       }));
  return IsExact ? linearIn(Narrow, Index) : std::nullopt;
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
bool Gatherer::findStrides(const Term &First, const EvenLoops &Even,
                           Gather &Result) {
  Intrinsic::ID Along = indexAlong(Result.AlongY);
  Intrinsic::ID Other = indexAlong(!Result.AlongY);
  EndValues &Values = Meetings.Values;
  const SCEV *Word =
      SE.getSCEV(const_cast<Value *>(First.Word->getPointerOperand()));
  const SCEV *Factor = SE.getSCEV(First.Factor->getPointerOperand());
  std::optional<Linear> Words = linearIn(Word, Other);
  std::optional<Linear> Factors = linearIn(Factor, Along);
  if (!Words || !Factors || Factors->Stride == 0 ||
      !hasOnly(Word, Even,
               [&](const Value *V) {
                 return isRegister(V, Other) || Values.isBlockUniform(V);
               }) ||
      !hasOnly(Factor, Even, [&](const Value *V) {
        return isRegister(V, Along) ||
               (Result.AlongY ? Values.isColumnUniform(V)
                              : Values.isRowUniform(V));
      }))
    return false;
  uint64_t Step = std::abs(Result.WordStep), Apart = std::abs(Words->Stride);
  Result.FactorStride = Factors->Stride;
  // Either all words of a row lie before those of the next row, or all rows'
  // words of one k before those of the next k.
  Result.MaxOther = Apart >= Step * Result.Words.size() ? 1024
                    : Apart == 0 ? 1
                                 : (Step - 1) / Apart + 1;
  const DataLayout &DL = S.P.F->getDataLayout();
  Result.IsAligned =
      Factors->Stride ==
          int64_t(DL.getTypeStoreSize(First.Factor->getType())) &&
      Result.FactorStep % VectorBytes == 0 &&
      Factors->Zeros >= Log2_32(VectorBytes);
  return true;
}

/// The only store to the array of the words, which is made in each iteration in
/// front of the reads, to the word whose sum the thread makes; null: another.
const StoreInst *Gatherer::fillOf(const LoadInst &First,
                                  const Gather &Found) const {
  const Tile *Filled = TileOf(First);
  if (!Filled->L || Filled->Stores.size() != 1)
    return nullptr;
  const FillStore &Fill = Filled->Stores.front();
  const BasicBlock *Here = First.getParent();
  if (Fill.Header || !Fill.Guards.empty() || LI.getLoopFor(Here) != Filled->L ||
      LI.getLoopFor(Fill.Store->getParent()) != Filled->L ||
      !DT.dominates(Fill.Store, &First) ||
      Fill.Store->getValueOperand()->getType() != First.getType())
    return nullptr;
  auto Address = [&](const Value *Pointer) {
    return SE.getSCEV(const_cast<Value *>(Pointer));
  };
  // By the step times the thread's index from the first word.
  auto *Ahead = dyn_cast<SCEVMulExpr>(
      SE.getMinusSCEV(Address(Fill.Store->getPointerOperand()),
                      Address(First.getPointerOperand())));
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
  SmallVector<Term, 16> Terms;
  EvenLoops Even;
  if (Loads.size() < MinWords ||
      !Meetings.isRun(Loads.front()->getParent(), Even))
    return std::nullopt;
  for (const LoadInst *Load : Loads)
    if (std::optional<Term> Found = termOf(*Load))
      Terms.push_back(*Found);
    else
      return std::nullopt;
  Gather Result;
  Result.AlongY = AlongY;
  if (!areInChain(Terms) || !areAlone(Terms) || !findSteps(Terms, Result) ||
      !findStrides(Terms.front(), Even, Result))
    return std::nullopt;
  Result.Factor = Terms.front().Factor;
  Result.Product = Terms.front().Product;
  Result.Fill = fillOf(*Terms.front().Word, Result);
  return Result;
}

void gatherSums(Plan &P, const Subject &S, const Shadows &Sh,
                function_ref<const Tile *(const LoadInst &)> TileOf,
                FunctionAnalysisManager &FAM) {
  MapVector<const Instruction *, SmallVector<const LoadInst *, 16>> Groups;
  for (auto &[I, How] : P.Adds.Of) {
    bool IsSum =
        How.Kind == Accumulation::BlockRows || How.Kind == Accumulation::Rows;
    if (IsSum && How.At == AddAt::Group && !How.Step)
      Groups[How.Leader].push_back(cast<LoadInst>(I));
  }
  if (Groups.empty())
    return;
  Gatherer Finder(P, S, Sh, TileOf, FAM);
  for (auto &[Leader, Loads] : Groups) {
    bool AlongY = P.Adds.Of[Leader].Kind == Accumulation::BlockRows;
    std::optional<Gather> Found = Finder.find(Loads, AlongY);
    if (!Found)
      continue;
    remark("Gathered", *Leader,
           "the adjoints of these " + Twine(Loads.size()) +
               " words are computed by a thread each, from the seeds of a " +
               (AlongY ? "column" : "row") +
               " of the block and the tile that they are multiplied with, "
               "where the block is whole; else:");
    P.Gathers.insert({Leader, std::move(*Found)});
    // Seldom made, and not worth shared memory then.
    if (AlongY)
      for (const LoadInst *Load : Loads)
        P.Adds.Of[Load].Kind = Accumulation::AcrossRows;
  }
}

} // namespace kdiff
