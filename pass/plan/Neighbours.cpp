//===- Neighbours.cpp - Additions to near words, at the end ---------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Neighbours.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Neighbours.h"
#include "analysis/Sharing.h"
#include "analysis/Uniformity.h"
#include "analysis/Writers.h"
#include "plan/EndValues.h"
#include "target/NVPTX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <cstdlib>

using namespace llvm;

namespace kdiff {

/// How many words neighbours may be apart: each one takes an exchange.
static constexpr int64_t MaxWords = 3;

namespace {

/// An address as a root, multiples of indices, and a constant.
struct Spot {
  /// An index, and as what it is extended to an address' width (0: as it is).
  using Index = std::pair<const Value *, unsigned>;

  const Value *Root;
  SmallMapVector<Index, int64_t, 4> Indices;
  int64_t Constant = 0;
  /// Additions to indices, and subtractions, that are told not to wrap around:
  /// threads that did not make them were promised nothing.
  SmallVector<const Instruction *, 2> Promises;

  Spot(const Value *Address, const DataLayout &DL);
  bool isBeside(const Spot &Other) const;

private:
  void add(const Value *I, int64_t Scale, unsigned Bits);
};

/// Loads at constant distances from the first.
struct Cluster {
  Spot At;
  SmallVector<std::pair<const LoadInst *, int64_t>, 4> Members;

  const LoadInst *first() const { return Members.front().first; }
  bool hasSeveralWords() const {
    return any_of(Members, [](auto &Each) { return Each.second != 0; });
  }
  /// How many of them are \p Distance away.
  unsigned count(int64_t Distance) const {
    return count_if(Members,
                    [&](auto &Each) { return Each.second == Distance; });
  }
};

} // namespace

/// Adds \p Scale times the index \p I; constants that it is a sum of apart.
void Spot::add(const Value *I, int64_t Scale, unsigned Bits) {
  unsigned Extended =
      I->getType()->getIntegerBitWidth() < Bits ? Instruction::SExt : 0;
  if (auto *Cast = dyn_cast<CastInst>(I);
      !Extended && Cast && isa<SExtInst, ZExtInst>(Cast)) {
    Extended = Cast->getOpcode();
    I = Cast->getOperand(0);
  }
  while (auto *Sum = dyn_cast<BinaryOperator>(I)) {
    auto *C = dyn_cast<ConstantInt>(Sum->getOperand(1));
    bool IsLess = Sum->getOpcode() == Instruction::Sub;
    if ((Sum->getOpcode() != Instruction::Add && !IsLess) || !C ||
        C->getBitWidth() > 64)
      break;
    if (Extended) {
      if (Extended == Instruction::SExt ? !Sum->hasNoSignedWrap()
                                        : !Sum->hasNoUnsignedWrap())
        break;
      Promises.push_back(Sum);
    }
    int64_t More = Extended == Instruction::ZExt ? int64_t(C->getZExtValue())
                                                 : C->getSExtValue();
    Constant += Scale * (IsLess ? -More : More);
    I = Sum->getOperand(0);
  }
  Indices[{I, Extended}] += Scale;
}

Spot::Spot(const Value *Address, const DataLayout &DL) : Root(Address) {
  unsigned Bits = DL.getIndexTypeSizeInBits(Address->getType());
  while (auto *GEP = dyn_cast<GEPOperator>(Root)) {
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Offset(Bits, 0);
    if (!GEP->collectOffset(DL, Bits, Variable, Offset))
      return;
    Constant += Offset.getSExtValue();
    for (auto &[Index, Scale] : Variable)
      add(Index, Scale.getSExtValue(), Bits);
    Root = GEP->getPointerOperand();
  }
}

bool Spot::isBeside(const Spot &Other) const {
  return Root == Other.Root && Indices.size() == Other.Indices.size() &&
         all_of(Indices, [&](auto &Each) {
           auto It = Other.Indices.find(Each.first);
           return It != Other.Indices.end() && It->second == Each.second;
         });
}

/// A few words of \p Size bytes apart.
static bool areNear(const Spot &One, const Spot &Other, int64_t Size) {
  int64_t Distance = Other.Constant - One.Constant;
  return One.isBeside(Other) && Distance % Size == 0 &&
         std::abs(Distance) <= MaxWords * Size;
}

/// Lanes beside each other likely have words beside each other.
static bool areLanesBeside(const LoadInst &Load, const Uniformity &Row) {
  const DataLayout &DL = Load.getDataLayout();
  const Value *Root = nullptr;
  std::optional<int64_t> Stride = strideInX(
      Load.getPointerOperand(), DL,
      [&](const Value *V) { return Row.isLikelyUniform(V); }, Root);
  return Stride && *Stride == int64_t(DL.getTypeStoreSize(Load.getType())) &&
         Row.isLikelyUniform(Root);
}

/// What waits for the end must not be read before, and be global memory: in
/// shared memory barriers order what is read.
static bool mayWait(const LoadInst &Load, const Addition &How,
                    const Activity &A, Writers &W) {
  const Value *Pointer = Load.getPointerOperand();
  return How.Kind == Accumulation::Contended && How.At == AddAt::Here &&
         (Load.getType()->isFloatTy() || Load.getType()->isDoubleTy()) &&
         Pointer->getType()->getPointerAddressSpace() != nvptx::Shared &&
         !A.isMixedPointer(Pointer) && !W.of(Load);
}

/// True if \p Address, computed again at the end without a promise that it does
/// not wrap around, is where every thread that read a word of \p Near takes it
/// to be: these threads made the additions that were promised not to.
static bool isExact(const Value *Address, const Cluster &Near,
                    const DataLayout &DL, const DominatorTree &DT) {
  return all_of(Spot(Address, DL).Promises, [&](const Instruction *Sum) {
    return all_of(Near.Members, [&](auto &Each) {
      return DT.dominates(Sum->getParent(), Each.first->getParent());
    });
  });
}

/// The member whose address every thread can compute at the end, from \p
/// Leaves; null if there is none.
static const LoadInst *findLeader(const Cluster &Near, const Shadows &Sh,
                                  EndValues &End, const DominatorTree &DT,
                                  SetVector<Value *> &Leaves) {
  for (auto &[Load, Distance] : Near.Members) {
    Leaves.clear();
    if (all_of(Sh.inLanes(const_cast<Value *>(Load->getPointerOperand())),
               [&](Value *Shadow) {
                 return isExact(Shadow, Near, Load->getDataLayout(), DT) &&
                        End.isComputable(Shadow, Leaves);
               }))
      return Load;
  }
  return nullptr;
}

/// Puts off the additions of \p Near that gain by it.
static void join(const Cluster &Near, Additions &Adds, const Shadows &Sh,
                 EndValues &End, const Uniformity &Row,
                 const DominatorTree &DT) {
  bool Exchanged =
      Near.hasSeveralWords() && any_of(Near.Members, [&](auto &Each) {
        return areLanesBeside(*Each.first, Row);
      });
  if (!Exchanged && none_of(Near.Members, [&](auto &Each) {
        return Near.count(Each.second) > 1;
      }))
    return;
  SetVector<Value *> Leaves;
  const LoadInst *Leader = findLeader(Near, Sh, End, DT, Leaves);
  if (!Leader)
    return;
  Adds.EndLeaves.insert_range(Leaves);
  int64_t Start = 0;
  for (auto &[Load, Distance] : Near.Members)
    if (Load == Leader)
      Start = Distance;
  for (auto &[Load, Distance] : Near.Members) {
    if (!Exchanged && Near.count(Distance) == 1)
      continue;
    Addition &How = Adds.Of[Load];
    How.At = AddAt::End;
    How.Leader = Leader;
    How.Distance = Distance - Start;
    if (Exchanged)
      How.Kind = Accumulation::Neighbours;
  }
}

void joinNeighbours(Additions &Adds, const Subject &S, const Shadows &Sh,
                    const Activity &A, Writers &W, EndValues &End,
                    const Uniformity &Row, FunctionAnalysisManager &FAM) {
  if (S.S != Shape::Request)
    return;
  const DataLayout &DL = S.P.F->getDataLayout();
  SmallVector<Cluster, 8> Clusters;
  for (auto &[I, How] : Adds.Of) {
    auto *Load = dyn_cast<LoadInst>(I);
    if (!Load || !mayWait(*Load, How, A, W))
      continue;
    Spot Here(Sh.of(const_cast<Value *>(Load->getPointerOperand()), 0), DL);
    auto Near = find_if(Clusters, [&](const Cluster &Each) {
      return Each.first()->getType() == Load->getType() &&
             areNear(Each.At, Here, DL.getTypeStoreSize(Load->getType()));
    });
    if (Near == Clusters.end()) {
      Clusters.push_back({Here, {}});
      Near = std::prev(Clusters.end());
    }
    Near->Members.push_back({Load, Here.Constant - Near->At.Constant});
  }
  for (const Cluster &Near : Clusters)
    join(Near, Adds, Sh, End, Row,
         FAM.getResult<DominatorTreeAnalysis>(*S.P.F));
}

} // namespace kdiff
