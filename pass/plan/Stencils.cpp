//===- Stencils.cpp - Additions that other threads make
//--------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Stencils.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Stencils.h"
#include "analysis/Memory.h"
#include "analysis/Polynomials.h"
#include "analysis/Writers.h"
#include "plan/EndValues.h"
#include "plan/Seeds.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

/// An atomic addition to a word of its own takes about as long as that many
/// instructions (seven-point stencil on an H200: 30 µs each for 2^25 threads).
static constexpr unsigned InstructionsForOne = 30;
/// A call of the mathematical library, in instructions.
static constexpr unsigned InstructionsOfCall = 20;
/// Fewer are not worth it.
static constexpr unsigned FewestGathered = 2;

namespace {

/// An addition that may be gathered.
struct Candidate {
  const LoadInst *Load;
  Polynomial At;       ///< Its address, from the root of all of its group.
  bool CanBeOwn;       ///< Every thread can compute the address, of any thread.
  ThreadsAway Owner{}; ///< For the own word that was chosen.
};

/// What the threads' own words are, of one array.
struct OwnWords {
  const Candidate *Own = nullptr;
  SmallVector<std::pair<const Candidate *, ThreadsAway>, 16> Members;
  unsigned Here = 0;     ///< Of these: the thread's own ones.
  uint64_t Distance = 0; ///< The sum of all factors' absolute values.

  unsigned gathered() const { return Members.size() - Here; }
  bool isBetterThan(const OwnWords &Other) const {
    return std::tuple(Members.size(), Here, Other.Distance) >
           std::tuple(Other.Members.size(), Other.Here, Distance);
  }
};

} // namespace

//===--- What a thread can compute of another -----------------------------===//

/// True if \p I is arithmetic with floating-point numbers, which may round
/// otherwise in another copy of the code.
static bool mayRound(const Instruction &I) {
  return findRule(I) != nullptr || (I.getType()->isFPOrFPVectorTy() &&
                                    !isa<LoadInst, PHINode, SelectInst>(I));
}

/// True if all copies of the code find the same for \p Roots.
static bool areExact(ArrayRef<const Value *> Roots) {
  SmallVector<const Value *, 16> Work(Roots);
  SmallPtrSet<const Value *, 32> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (mayRound(*I))
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

/// True if \p I does the same in a copy of the code that has another thread's
/// index, and whose effects are left out.
static bool canBeCopied(const Instruction &I, Writers &W) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && !W.of(*Load);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple();
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*CB);
    return (Class == CallClass::Rule || Class == CallClass::Pure ||
            Class == CallClass::Ignorable) &&
           !isOtherThreadRegister(*CB);
  }
  return !isa<AllocaInst>(I) && !I.isAtomic() && !isa<FenceInst>(I);
}

/// True if what a thread adds can be computed by any other one.
static bool isFunctionOfIndex(const Subject &S, const Activity &A,
                              const Shadows &Sh, Writers &W,
                              const LoopInfo &LI) {
  SetVector<const Instruction *> Seeded = writesToSeeds(S);
  SmallVector<const Value *, 16> Decide;
  for (const Instruction &I : instructions(*S.P.F)) {
    if (!canBeCopied(I, W))
      return false;
    // The seeds of others are cleared at any time, unless they are kept.
    if (isa<StoreInst>(I) && Flow::hasWork(I, A) && !Seeded.contains(&I))
      return false;
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && A.isActive(Load))
      append_range(Decide,
                   Sh.inLanes(const_cast<Value *>(Load->getPointerOperand())));
    if (I.isTerminator())
      append_range(Decide, I.operands());
  }
  return LI.empty() && areExact(Decide);
}

/// True if \p Address is arithmetic of arguments, sizes and the launch's index.
static bool isOfIndexAlone(const Value *Address) {
  SmallVector<const Value *, 16> Work{Address};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (isa<Constant, Argument>(V) || !Seen.insert(V).second)
      continue;
    auto *I = cast<Instruction>(V);
    if (auto *CB = dyn_cast<CallBase>(I)) {
      if (classify(*CB) != CallClass::Pure || CB->arg_size() != 0)
        return false;
      continue;
    }
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst>(I) ||
        !isSafeToSpeculativelyExecute(I))
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

//===--- Whose own word it is ---------------------------------------------===//

/// The one term of \p Own with the index of dimension \p D, without it; nothing
/// where there is none, or it is not a multiple of the index.
static std::optional<std::pair<Factors, int64_t>>
strideOf(const Polynomial &Own, unsigned D) {
  std::optional<std::pair<Factors, int64_t>> Stride;
  for (auto &[Of, Factor] : Own.Terms) {
    if (!is_contained(Of, D))
      continue;
    Factors Rest = Of;
    Rest.erase(find(Rest, D));
    if (Stride || any_of(Rest, [](unsigned U) { return U < Dimensions; }))
      return std::nullopt;
    Stride = {Rest, Factor};
  }
  return Stride;
}

/// \p Of times \p Factor as a multiple of \p Stride; nothing where it is none,
/// or one of what threads may not all have in common.
static std::optional<Multiple> divide(const Factors &Of, int64_t Factor,
                                      const std::pair<Factors, int64_t> &Stride,
                                      const Unknowns &Names) {
  if (Stride.second == 0 || Factor % Stride.second != 0 ||
      !std::includes(Of.begin(), Of.end(), Stride.first.begin(),
                     Stride.first.end()))
    return std::nullopt;
  Factors Rest;
  std::set_difference(Of.begin(), Of.end(), Stride.first.begin(),
                      Stride.first.end(), std::back_inserter(Rest));
  Multiple Result{Factor / Stride.second};
  if (!isInt<32>(Result.Factor))
    return std::nullopt;
  for (unsigned Number : Rest) {
    auto *V = const_cast<Value *>(Names.value(Number));
    if (!isa_and_nonnull<Argument>(V))
      return std::nullopt;
    Result.Of.push_back(V);
  }
  return Result;
}

/// How far away the thread likely is whose own word lies \p There, where words
/// are at \p Own.
static std::optional<ThreadsAway>
ownerOf(const Polynomial &There, const Polynomial &Own, const Unknowns &Names) {
  SmallVector<std::pair<unsigned, std::pair<Factors, int64_t>>, Dimensions>
      Strides;
  for (unsigned D = 0; D != Dimensions; ++D)
    if (auto Stride = strideOf(Own, D))
      Strides.push_back({D, *Stride});
  // The longest first: a plane is no number of rows.
  stable_sort(Strides, [](auto &X, auto &Y) {
    return std::pair(X.second.first.size(), X.second.second) >
           std::pair(Y.second.first.size(), Y.second.second);
  });
  ThreadsAway Result;
  for (auto &[Of, Factor] : sum(There, Own, -1).Terms) {
    bool Found = false;
    for (auto &[D, Stride] : Strides)
      if (auto Away = divide(Of, Factor, Stride, Names)) {
        Result[D].push_back(std::move(*Away));
        Found = true;
        break;
      }
    if (!Found)
      return std::nullopt;
  }
  return Result;
}

/// What is gathered of \p Group if \p Own is the address of own words.
static OwnWords gatherFor(const Candidate &Own, ArrayRef<Candidate> Group,
                          const Unknowns &Names) {
  OwnWords Result;
  Result.Own = &Own;
  for (const Candidate &Each : Group) {
    auto Owner = ownerOf(Each.At, Own.At, Names);
    if (!Owner)
      continue;
    uint64_t Distance = 0;
    for (auto &Multiples : *Owner)
      for (const Multiple &M : Multiples)
        Distance += std::abs(M.Factor);
    Result.Distance += Distance;
    Result.Here += Distance == 0;
    Result.Members.push_back({&Each, std::move(*Owner)});
  }
  return Result;
}

/// Divides \p Group by own words, as long as there are any to gather.
static void divideGroup(SmallVector<Candidate, 8> Group, const Unknowns &Names,
                        function_ref<void(const OwnWords &)> Take) {
  while (true) {
    OwnWords Best;
    for (const Candidate &Own : Group)
      if (Own.CanBeOwn)
        if (OwnWords Words = gatherFor(Own, Group, Names);
            Words.gathered() && Words.isBetterThan(Best))
          Best = std::move(Words);
    if (!Best.Own)
      return;
    Take(Best);
    SmallPtrSet<const LoadInst *, 16> Done;
    for (auto &[Each, Owner] : Best.Members)
      Done.insert(Each->Load);
    erase_if(Group, [&](auto &Each) { return Done.contains(Each.Load); });
  }
}

//===--- The decision -----------------------------------------------------===//

/// In instructions, what a thread computes of another one at most.
static unsigned costOf(const Function &F) {
  unsigned Cost = 0;
  for (const Instruction &I : instructions(F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    Cost +=
        CB && CB->getCalledFunction() && !CB->getCalledFunction()->isIntrinsic()
            ? InstructionsOfCall
            : 1;
  }
  return Cost;
}

static bool mayBeGathered(const LoadInst &Load, const Addition &How,
                          const Activity &A) {
  const Value *Pointer = Load.getPointerOperand();
  return How.Kind == Accumulation::Contended && How.At == AddAt::Here &&
         (Load.getType()->isFloatTy() || Load.getType()->isDoubleTy()) &&
         Pointer->getType()->getPointerAddressSpace() == nvptx::Global &&
         !A.isMixedPointer(Pointer);
}

void gatherStencils(Additions &Adds, const Subject &S, const Activity &A,
                    const Shadows &Sh, Writers &W, EndValues &End,
                    const LoopInfo &LI) {
  if (!S.OwnsLaunch || Adds.Persistent || !isFunctionOfIndex(S, A, Sh, W, LI))
    return;
  Unknowns Names(Unknowns::Trust::Likely);
  MapVector<std::pair<const Value *, Type *>, SmallVector<Candidate, 8>> Groups;
  for (auto &[I, How] : Adds.Of) {
    auto *Load = dyn_cast<LoadInst>(I);
    if (!Load || !mayBeGathered(*Load, How, A))
      continue;
    auto *Pointer = const_cast<Value *>(Load->getPointerOperand());
    const Value *Root = nullptr;
    Polynomial At =
        Names.ofAddress(Sh.of(Pointer, 0), Load->getDataLayout(), Root);
    SetVector<Value *> Leaves;
    bool CanBeOwn = all_of(Sh.inLanes(Pointer), [&](Value *Shadow) {
      return isOfIndexAlone(Shadow) && End.isComputable(Shadow, Leaves);
    });
    Groups[{Root, Load->getType()}].push_back({Load, std::move(At), CanBeOwn});
  }
  SmallVector<std::pair<const LoadInst *, Addition>, 16> Chosen;
  unsigned Gathered = 0;
  std::array<bool, Dimensions> Shifts = {};
  for (auto &[Root, Group] : Groups)
    divideGroup(Group, Names, [&](const OwnWords &Words) {
      Gathered += Words.gathered();
      for (auto &[Each, Owner] : Words.Members) {
        Addition How;
        How.Kind = Accumulation::Stencil;
        How.Leader = Words.Own->Load;
        How.Owner = Owner;
        for (unsigned D = 0; D != Dimensions; ++D)
          Shifts[D] |= !Owner[D].empty();
        Chosen.push_back({Each->Load, std::move(How)});
      }
    });
  for (unsigned D = 0; D != Dimensions; ++D)
    if (Shifts[D] && usesPartsOfIndex(*S.P.F, D))
      return;
  if (Gathered < FewestGathered ||
      costOf(*S.P.F) > Gathered * InstructionsForOne)
    return;
  for (auto &[Load, How] : Chosen) {
    if (How.Leader == Load)
      for (Value *Shadow :
           Sh.inLanes(const_cast<Value *>(Load->getPointerOperand())))
        End.isComputable(Shadow, Adds.EndLeaves);
    Adds.Of[Load] = std::move(How);
  }
}

} // namespace kdiff
