//===- Additions.cpp - How each adjoint addition is made ------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Additions.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Additions.h"
#include "analysis/Sharing.h"
#include "analysis/Uniformity.h"
#include "analysis/Writers.h"
#include "plan/EndValues.h"
#include "plan/Neighbours.h"
#include "plan/Stencils.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <map>

using namespace llvm;

namespace kdiff {

namespace {

class Chooser {
public:
  Chooser(const Subject &S, const Activity &A, const Shadows &Sh,
          const Flow &Fl, FunctionAnalysisManager &FAM)
      : S(S), A(A), Sh(Sh), Fl(Fl), FAM(FAM),
        LI(FAM.getResult<LoopAnalysis>(*S.P.F)), Lanes(*S.P.F),
        Row(*S.P.F, Among::Row), Column(*S.P.F, Among::Column),
        HasRows(readsRow(*S.P.F)), W(*S.P.F, FAM.getResult<AAManager>(*S.P.F)),
        End(S, Sh, W, FAM.getResult<DominatorTreeAnalysis>(*S.P.F), LI),
        Shared(*S.P.F, [&](const Value *V) { return End.isBlockUniform(V); }) {}

  Additions run();

private:
  void choose(LoadInst &Load);
  Accumulation sumOf(const Value *Pointer) const;
  bool atEnd(LoadInst &Load, Addition &Here);
  bool behindLoop(LoadInst &Load, Addition &Here);
  bool isForGrid(LoadInst &Load, SetVector<Value *> &Leaves);
  void persist();
  void group(BasicBlock &B);
  void groupNeighbours(ArrayRef<LoadInst *> Loads);

  const Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  FunctionAnalysisManager &FAM;
  LoopInfo &LI;
  Uniformity Lanes, Row, Column;
  bool HasRows; ///< Blocks may extend in y or z.
  Writers W;
  EndValues End;
  Sharing Shared;
  Additions Result;
};

} // namespace

/// Sums over lanes and blocks exist for these.
static bool canBeSummed(const Type *T) {
  return T->isFloatTy() || T->isDoubleTy();
}

/// Registers that a persistent gradient keeps sums in, through both sweeps:
/// a hundred of the 255 that a thread may have. That takes warps from the card,
/// but a sum over a block is a dozen instructions a word and two barriers, for
/// every block (a small network with 97 weights: half of the instructions).
static constexpr uint64_t MaxKeptBytes = 400;

bool isSumOfLanes(Accumulation Kind) {
  return Kind == Accumulation::WarpUniform ||
         Kind == Accumulation::RowUniform || Kind == Accumulation::AcrossRows;
}

static bool isSharedMemory(const Value *Pointer) {
  return any_of(underlyingObjects(Pointer), [](const Value *Object) {
    return Object->getType()->getPointerAddressSpace() == nvptx::Shared;
  });
}

/// One word for the whole block, and every thread comes to the end: one
/// addition there.
bool Chooser::atEnd(LoadInst &Load, Addition &Here) {
  const Value *Pointer = Load.getPointerOperand();
  if (S.S != Shape::Request || isSharedMemory(Pointer) || W.of(Load) ||
      (Here.Kind != Accumulation::WarpUniform &&
       Here.Kind != Accumulation::RowUniform))
    return false;
  LaneValues Shadows = Sh.inLanes(Load.getPointerOperand());
  if (!all_of(Shadows, [&](Value *Shadow) {
        return End.isComputable(Shadow, Result.EndLeaves);
      }))
    return false;
  Here.At = AddAt::End;
  if (S.BlockMeets && all_of(Shadows, [&](const Value *Shadow) {
        return End.isBlockUniform(Shadow);
      }))
    Here.Kind = Accumulation::BlockUniform;
  return true;
}

/// The outermost loop in which the address stays the same and nobody reads the
/// word's adjoint.
bool Chooser::behindLoop(LoadInst &Load, Addition &Here) {
  Loop *Outermost = nullptr;
  LaneValues Shadows = Sh.inLanes(Load.getPointerOperand());
  for (Loop *L = LI.getLoopFor(Load.getParent()); L; L = L->getParentLoop()) {
    if (!all_of(Shadows, [&](Value *V) { return L->isLoopInvariant(V); }) ||
        W.of(Load, *L) || !Fl.isReversed(L->getHeader()))
      break;
    Outermost = L;
  }
  if (!Outermost)
    return false;
  Here.At = AddAt::Loop;
  Here.Header = Outermost->getHeader();
  return true;
}

/// True if the addition may wait until the block has done its share of the
/// grid, where its address can be computed from \p Leaves.
bool Chooser::isForGrid(LoadInst &Load, SetVector<Value *> &Leaves) {
  Accumulation Kind = Result.Of[&Load].Kind;
  bool Waits =
      Kind == Accumulation::BlockUniform || Kind == Accumulation::WarpUniform ||
      Kind == Accumulation::RowUniform || Kind == Accumulation::Contended;
  const Value *Pointer = Load.getPointerOperand();
  if (!Waits || !canBeSummed(Load.getType()) || A.isMixedPointer(Pointer) ||
      isSharedMemory(Pointer) || W.of(Load))
    return false;
  return all_of(Sh.inLanes(Load.getPointerOperand()), [&](Value *Shadow) {
    return End.isGridInvariant(Shadow) && End.isComputable(Shadow, Leaves);
  });
}

/// True if \p F may read the block's index in x other than by the register that
/// is replaced where \p F does the work of several blocks: by one of the
/// cluster (without clusters, the same number), in assembly, or in a function
/// that it calls, however deep.
static bool mayKeepIndex(const Function &F) {
  SmallVector<const Function *, 8> Work{&F};
  SmallPtrSet<const Function *, 8> Seen;
  while (!Work.empty()) {
    const Function *Now = Work.pop_back_val();
    for (const Instruction &I : instructions(*Now)) {
      auto *CB = dyn_cast<CallBase>(&I);
      if (!CB)
        continue;
      if (auto *Asm = dyn_cast<InlineAsm>(CB->getCalledOperand())) {
        StringRef Text = Asm->getAsmString();
        if (Text.contains("ctaid") || Text.contains("clusterid"))
          return true;
        continue;
      }
      const Function *Callee = CB->getCalledFunction();
      if (!Callee)
        return true;
      switch (Callee->getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
        if (Now == &F)
          break;
        [[fallthrough]];
      case Intrinsic::nvvm_read_ptx_sreg_clusterid_x:
        return true;
      default:
        break;
      }
      if (!Callee->isDeclaration() && Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  }
  return false;
}

/// The persistent form, where sums would otherwise be added by every block.
void Chooser::persist() {
  if (!S.OwnsLaunch || S.S != Shape::Request || mayKeepIndex(*S.P.F))
    return;
  const DataLayout &DL = S.P.F->getDataLayout();
  SmallVector<Addition *, 8> Kept;
  SetVector<Value *> Leaves;
  DenseSet<std::pair<Value *, Type *>> Words;
  uint64_t Bytes = 0;
  for (Instruction &I : instructions(*S.P.F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Result.Of.contains(Load) || !isForGrid(*Load, Leaves))
      continue;
    Kept.push_back(&Result.Of[Load]);
    Type *T = Load->getType();
    for (Value *Shadow : Sh.inLanes(Load->getPointerOperand()))
      if (Words.insert({Shadow, T}).second)
        Bytes += DL.getTypeStoreSize(T);
  }
  for (const Formal &Arg : S.Formals)
    if (Arg.Activity == ArgActivity::Acc)
      Bytes += S.Width * DL.getTypeStoreSize(Arg.Primal->getType());
  if (Bytes == 0 || Bytes > MaxKeptBytes)
    return;
  Result.Persistent = true;
  Result.EndLeaves.insert_range(Leaves);
  for (Addition *How : Kept) {
    How->At = AddAt::Grid;
    if (How->Kind == Accumulation::Contended)
      How->Kind = Accumulation::Columns;
  }
}

/// Which lanes of a warp likely add to one word at \p Pointer. Atomics spare no
/// time where rows of the block are as long as a warp, so that for lanes of
/// several rows only those on shared memory are worth a test, which are loops
/// of compare-and-swap in single precision.
Accumulation Chooser::sumOf(const Value *Pointer) const {
  if (Lanes.isLikelyUniform(Pointer))
    return Accumulation::WarpUniform;
  if (Row.isLikelyUniform(Pointer))
    return Accumulation::RowUniform;
  if (HasRows && isSharedMemory(Pointer) && Column.isLikelyUniform(Pointer))
    return Accumulation::AcrossRows;
  return Accumulation::Contended;
}

void Chooser::choose(LoadInst &Load) {
  const Value *Pointer = Load.getPointerOperand();
  Addition Here;
  if (const Formal *Arg = S.formalOf(Pointer);
      Arg && Arg->Activity == ArgActivity::Fresh) {
    Result.Of[&Load].Kind = Accumulation::Overwrite;
    return;
  }
  if (Sh.isPrivate(Pointer))
    Here.Kind = Accumulation::Private;
  else if (Owner Whose = Shared.ownerOf(Load); Whose != Owner::Unknown)
    Here.Kind = Whose == Owner::Thread ? Accumulation::Exclusive
                                       : Accumulation::ExclusiveInX;
  else if (canBeSummed(Load.getType()))
    Here.Kind = sumOf(Pointer);
  // The shadow of a mixed pointer is only added to where it is not null.
  bool MayWait = Here.Kind > Accumulation::ExclusiveInX &&
                 canBeSummed(Load.getType()) && !A.isMixedPointer(Pointer);
  if (MayWait && !atEnd(Load, Here))
    behindLoop(Load, Here);
  Result.Of[&Load] = Here;
}

bool separatesAdditions(const Instruction &I, const Activity &A,
                        const Shadows &Sh) {
  if (!Flow::hasWork(I, A) || isa<LoadInst>(I))
    return false;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return !Sh.isPrivate(Store->getPointerOperand());
  if (I.isAtomic())
    return true;
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB)
    return false;
  CallClass Class = classify(*CB);
  return Class != CallClass::Rule && Class != CallClass::Warp;
}

/// The words that the loads of one base read, by their distance to it.
using Neighbours = std::map<int64_t, SmallVector<LoadInst *, 1>>;

/// How many words begin at \p First that are added at once: 4, 2 or 1, aligned
/// as a whole, by an instruction; or 8 or 4 doubles, by several lanes together.
static unsigned runAt(Neighbours::const_iterator First,
                      Neighbours::const_iterator End, const DataLayout &DL) {
  const LoadInst *Load = First->second.front();
  uint64_t Size = DL.getTypeStoreSize(Load->getType());
  bool IsDouble = Load->getType()->isDoubleTy();
  unsigned Longest = IsDouble                       ? 8
                     : Load->getType()->isFloatTy() ? 4
                     : Size == 2                    ? 2
                                                    : 1;
  unsigned Shortest = IsDouble ? 4 : 2;
  for (unsigned Count = Longest; Count >= Shortest; Count /= 2) {
    if (!IsDouble && Load->getAlign().value() < Count * Size)
      continue;
    auto Next = First;
    unsigned Found = 1;
    while (Found != Count && ++Next != End &&
           Next->first == First->first + int64_t(Found * Size))
      ++Found;
    if (Found == Count)
      return Count;
  }
  return 1;
}

/// Of the contended \p Loads, those of one word are added once, those of
/// neighbouring words at once. What holds in one lane holds in all: their
/// shadows are computed alike.
void Chooser::groupNeighbours(ArrayRef<LoadInst *> Loads) {
  const DataLayout &DL = S.P.F->getDataLayout();
  MapVector<std::pair<const Value *, Type *>, Neighbours> ByBase;
  for (LoadInst *Load : Loads) {
    Value *Shadow = Sh.of(Load->getPointerOperand(), 0);
    APInt Offset(DL.getIndexTypeSizeInBits(Shadow->getType()), 0);
    const Value *Base = Shadow->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    auto &Same = ByBase[{Base, Load->getType()}][Offset.getSExtValue()];
    if (Same.empty() || Sh.of(Same.front()->getPointerOperand(), 0) == Shadow)
      Same.push_back(Load);
  }
  for (auto &[Base, Words] : ByBase) {
    for (auto First = Words.begin(); First != Words.end();) {
      unsigned Count = runAt(First, Words.end(), DL);
      auto End = std::next(First, Count);
      SmallPtrSet<const Instruction *, 8> Members;
      for (auto Word = First; Word != End; ++Word)
        Members.insert_range(Word->second);
      const Instruction *Leader =
          *find_if(Loads, [&](LoadInst *L) { return Members.contains(L); });
      for (unsigned Word = 0; First != End; ++First, ++Word)
        for (LoadInst *Load : First->second)
          if (Members.size() > 1) {
            Addition &How = Result.Of[Load];
            How.At = AddAt::Group;
            How.Leader = Leader;
            How.Word = Word;
          }
    }
  }
}

/// Additions that need not wait for others are made together, as far as nothing
/// in the block separates them: sums over the lanes of a warp, which take fewer
/// exchanges so, and neighbouring words.
void Chooser::group(BasicBlock &B) {
  MapVector<unsigned, SmallVector<LoadInst *, 8>> Summed; // By kind.
  SmallVector<LoadInst *, 8> Contended;
  auto Finish = [&] {
    for (auto &[Kind, Loads] : Summed)
      if (Loads.size() > 1)
        for (LoadInst *Load : Loads) {
          Result.Of[Load].At = AddAt::Group;
          Result.Of[Load].Leader = Loads.front();
        }
    groupNeighbours(Contended);
    Summed.clear();
    Contended.clear();
  };
  for (Instruction &I : B) {
    if (separatesAdditions(I, A, Sh))
      Finish();
    auto It = Result.Of.find(&I);
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || It == Result.Of.end() || It->second.At != AddAt::Here ||
        A.isMixedPointer(Load->getPointerOperand()))
      continue;
    if (isSumOfLanes(It->second.Kind))
      Summed[unsigned(It->second.Kind)].push_back(Load);
    else if (It->second.Kind == Accumulation::Contended &&
             Load->getType()->isFloatingPointTy())
      Contended.push_back(Load);
  }
  Finish();
}

Additions Chooser::run() {
  for (Instruction &I : instructions(*S.P.F)) {
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && A.isActive(Load)) {
      choose(*Load);
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I);
               Copy && A.isActivePointer(Copy->getRawSource())) {
      Result.Of[Copy].Kind = Sh.isPrivate(Copy->getRawSource())
                                 ? Accumulation::Private
                                 : Accumulation::Contended;
    }
  }
  persist();
  gatherStencils(Result, S, A, Sh, W, End, LI);
  joinNeighbours(Result, S, Sh, A, W, End, Row, FAM);
  for (BasicBlock &B : *S.P.F)
    group(B);
  if (S.BlockMeets && all_of(S.Formals, [](const Formal &Arg) {
        return Arg.Activity != ArgActivity::Acc || Arg.Uniform;
      }))
    Result.OfScalars = Accumulation::BlockUniform;
  return std::move(Result);
}

Additions chooseAdditions(const Subject &S, const Activity &A,
                          const Shadows &Sh, const Flow &Fl,
                          FunctionAnalysisManager &FAM) {
  return Chooser(S, A, Sh, Fl, FAM).run();
}

} // namespace kdiff
