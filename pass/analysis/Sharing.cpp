//===- Sharing.cpp - Whose is a word of shared memory ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Sharing.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Sharing.h"
#include "analysis/Memory.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

bool isBlockBarrier(const Instruction &I) {
  auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II)
    return false;
  switch (II->getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all: {
    auto *Number = dyn_cast<ConstantInt>(II->getArgOperand(0));
    return Number && Number->isZero();
  }
  default:
    return false;
  }
}

/// The one array in shared memory that \p Pointer leads into; null if it may be
/// another, or is of dynamic size (those overlap).
static const GlobalVariable *arrayOf(const Value *Pointer) {
  auto Objects = underlyingObjects(Pointer);
  if (Objects.size() != 1)
    return nullptr;
  auto *Array = dyn_cast<GlobalVariable>(Objects.front());
  return Array && Array->getAddressSpace() == nvptx::Shared &&
                 !Array->isDeclaration()
             ? Array
             : nullptr;
}

static bool cannotBeShared(const Value *Pointer) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  if (Space == nvptx::Global || Space == nvptx::Constant ||
      Space == nvptx::Local)
    return true;
  return all_of(underlyingObjects(Pointer), [](const Value *Object) {
    auto *GV = dyn_cast<GlobalVariable>(Object);
    return isa<AllocaInst>(Object) ||
           (GV && GV->getAddressSpace() != nvptx::Shared);
  });
}

/// The factor of threadIdx.x in \p V, a sum of multiples of it and of what is
/// the same for the block; nothing for other values. Sums may wrap around,
/// which keeps different ones different where the factor is a small constant.
static std::optional<int64_t>
factorOfX(const Value *V, function_ref<bool(const Value *)> IsUniform,
          unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 8;
  if (IsUniform(V))
    return 0;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth)
    return std::nullopt;
  auto Of = [&](unsigned K) {
    return factorOfX(I->getOperand(K), IsUniform, Depth + 1);
  };
  if (auto *II = dyn_cast<IntrinsicInst>(I)) {
    if (II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x)
      return 1;
    return std::nullopt;
  }
  if (isa<SExtInst, ZExtInst>(I))
    return Of(0);
  if (I->getOpcode() != Instruction::Add)
    return std::nullopt;
  auto L = Of(0), R = Of(1);
  if (!L || !R)
    return std::nullopt;
  return *L + *R;
}

std::optional<int64_t> strideInX(const Value *Pointer, const DataLayout &DL,
                                 function_ref<bool(const Value *)> IsUniform,
                                 const Value *&Root) {
  int64_t Factor = 0;
  Root = Pointer;
  while (auto *GEP = dyn_cast<GEPOperator>(Root)) {
    SmallMapVector<Value *, APInt, 4> Variable;
    unsigned Bits = DL.getIndexTypeSizeInBits(GEP->getType());
    APInt Constant(Bits, 0);
    if (!GEP->collectOffset(DL, Bits, Variable, Constant))
      return std::nullopt;
    for (auto &[Index, Scale] : Variable) {
      auto Of = factorOfX(Index, IsUniform);
      // Two indices that depend on it might wrap around apart.
      if (!Of || (*Of != 0 && Factor != 0))
        return std::nullopt;
      Factor += *Of * Scale.getSExtValue();
    }
    Root = GEP->getPointerOperand();
  }
  return Factor;
}

/// Threads with other threadIdx.x have other addresses, a multiple of the
/// word's size apart.
static bool isInjective(const LoadInst &Load,
                        function_ref<bool(const Value *)> IsUniform) {
  const DataLayout &DL = Load.getDataLayout();
  int64_t Size = DL.getTypeStoreSize(Load.getType());
  const Value *Root = nullptr;
  std::optional<int64_t> Factor =
      strideInX(Load.getPointerOperand(), DL, IsUniform, Root);
  return Factor && *Factor != 0 && *Factor % Size == 0 &&
         Root->stripPointerCasts() == arrayOf(Load.getPointerOperand());
}

/// True if no two threads with different threadIdx.x come to \p B, however
/// often: a condition on the way there says what that always is.
static bool isReachedAlone(const BasicBlock &B) {
  auto IsUniform = [](const Value *V) { return isa<Constant>(V); };
  const BasicBlock *To = &B;
  while (const BasicBlock *From = To->getSinglePredecessor()) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    auto *Compare = Branch && Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    if (Compare && Compare->isEquality() &&
        Compare->getOperand(0)->getType()->isIntegerTy()) {
      bool IfEqual = Compare->getPredicate() == ICmpInst::ICMP_EQ;
      auto L = factorOfX(Compare->getOperand(0), IsUniform);
      auto R = factorOfX(Compare->getOperand(1), IsUniform);
      if (L && R && *L != *R && Branch->getSuccessor(IfEqual ? 0 : 1) == To)
        return true;
    }
    To = From;
  }
  return false;
}

/// A store to the same address in the same block, with no barrier in between.
static bool hasStoreWitness(const LoadInst &Load) {
  auto IsWitness = [&](const Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    return Store && Store->isSimple() &&
           Store->getPointerOperand() == Load.getPointerOperand() &&
           Store->getValueOperand()->getType() == Load.getType();
  };
  auto Waits = [](const Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    return CB && (classify(*CB) == CallClass::Barrier ||
                  classify(*CB) == CallClass::Warp);
  };
  for (auto *I = Load.getNextNode(); I && !Waits(*I); I = I->getNextNode())
    if (IsWitness(*I))
      return true;
  for (auto *I = Load.getPrevNode(); I && !Waits(*I); I = I->getPrevNode())
    if (IsWitness(*I))
      return true;
  return false;
}

/// Accesses that are seen through their pointers, or are not to memory.
static bool isTransparent(const Instruction &I) {
  if (!I.mayReadOrWriteMemory() || isa<LoadInst, StoreInst>(I))
    return true;
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB || I.isAtomic())
    return false;
  CallClass Class = classify(*CB);
  if (Class == CallClass::Memory)
    return all_of(CB->args(), [](const Use &Arg) {
      return !Arg->getType()->isPointerTy() || cannotBeShared(Arg);
    });
  return Class == CallClass::Rule || Class == CallClass::Pure ||
         Class == CallClass::Ignorable || Class == CallClass::Warp ||
         isBlockBarrier(I);
}

Sharing::Sharing(const Function &F,
                 function_ref<bool(const Value *)> IsUniform) {
  // Barriers reach blocks until nothing changes.
  DenseMap<const BasicBlock *, Since> AtStart;
  AtStart[&F.getEntryBlock()].insert(nullptr);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock &B : F) {
      Since Now = AtStart[&B];
      for (const Instruction &I : B)
        if (isBlockBarrier(I))
          Now = {&I};
      for (const BasicBlock *Next : successors(&B))
        for (const Instruction *Barrier : Now)
          Changed |= AtStart[Next].insert(Barrier).second;
    }
  }
  for (const BasicBlock &B : F) {
    Since Now = AtStart[&B];
    for (const Instruction &I : B) {
      if (isBlockBarrier(I))
        Now = {&I};
      Opaque |= !isTransparent(I);
      const Value *Pointer = accessedPointer(I);
      if (!Pointer || cannotBeShared(Pointer))
        continue;
      const GlobalVariable *Array = arrayOf(Pointer);
      if (!Array)
        Opaque = true;
      else if (auto *Load = dyn_cast<LoadInst>(&I))
        Reads.push_back({Load, Array, Now, hasStoreWitness(*Load),
                         Load->isSimple() && isInjective(*Load, IsUniform),
                         isReachedAlone(B)});
    }
  }
}

const Sharing::Read *Sharing::find(const LoadInst &Load) const {
  auto It = find_if(Reads, [&](const Read &R) { return R.Load == &Load; });
  return It == Reads.end() ? nullptr : It;
}

/// Another load may read the same word in another thread at that time.
bool Sharing::mayShare(const Read &Mine) const {
  return any_of(Reads, [&](const Read &Other) {
    bool IsSameWord =
        Other.Load->getPointerOperand() == Mine.Load->getPointerOperand();
    if (Other.Array != Mine.Array || Other.Witnessed || &Other == &Mine ||
        (IsSameWord && Mine.Injective))
      return false;
    return any_of(Other.Barriers, [&](const Instruction *Barrier) {
      return Mine.Barriers.count(Barrier) != 0;
    });
  });
}

Owner Sharing::ownerOf(const LoadInst &Load) const {
  const Read *Mine = find(Load);
  if (!Mine || Opaque || !Load.isSimple())
    return Owner::Unknown;
  if (Mine->Witnessed)
    return Owner::Thread;
  return (Mine->Injective || Mine->Alone) && !mayShare(*Mine) ? Owner::ThreadX
                                                              : Owner::Unknown;
}

} // namespace kdiff
