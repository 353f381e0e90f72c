//===- Claims.cpp - What happens between maxima of one word ---------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Claims.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Claims.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/Sync.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {

struct ActiveClaim {
  const Instruction *I;
  nvptx::Claim What;
};

} // namespace

/// The pointers through which \p I accesses differentiated values.
static SmallVector<const Value *, 2> activePointers(const Instruction &I,
                                                    const Activity &A) {
  SmallVector<const Value *, 2> Pointers;
  if (const Value *Pointer = accessedPointer(I)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    bool Counts = isa<LoadInst>(I) ? A.isActive(&I)
                  : Store ? A.isActiveStore(Store->getValueOperand(), Pointer)
                          : !nvptx::isClaimed(I);
    if (Counts && A.isActivePointer(Pointer))
      Pointers.push_back(Pointer);
    return Pointers;
  }
  auto *CB = dyn_cast<CallBase>(&I);
  CallClass Class = CB ? classify(*CB) : CallClass::Ignorable;
  if (Class == CallClass::Ignorable || Class == CallClass::Inactive ||
      Class == CallClass::Claim)
    return Pointers;
  for (const Value *Arg : CB->args())
    if (Arg->getType()->isPointerTy() && A.isActivePointer(Arg))
      Pointers.push_back(Arg);
  return Pointers;
}

static bool isSameWord(const Instruction &I, const Value *Pointer,
                       const nvptx::Claim &C) {
  const DataLayout &DL = I.getDataLayout();
  Type *T = accessedType(I);
  if (!T)
    return false;
  auto Here = placeOf(Pointer, DL.getTypeStoreSize(T), DL);
  auto There = placeOf(C.Word, DL.getTypeStoreSize(C.Number->getType()), DL);
  bool IsKnown = Here && There && Here->Stride == 0 && There->Stride == 0;
  return Pointer == C.Word || (IsKnown && mayOverlap(*Here, *There));
}

SmallVector<AccessBetween, 4> accessesBetweenClaims(const Function &F,
                                                    const Activity &A) {
  SmallVector<ActiveClaim, 4> Claims;
  for (const Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      if (auto C = nvptx::claimOf(*CB); C && A.isActivePointer(C->Word))
        Claims.push_back({&I, *C});
  SmallVector<AccessBetween, 4> Found;
  if (Claims.empty())
    return Found;
  for (const Instruction &I : instructions(F)) {
    auto Pointers = activePointers(I, A);
    bool Before = false, Behind = false, IsSame = false;
    for (const Value *Pointer : Pointers)
      for (const ActiveClaim &C : Claims) {
        if (!mayShareObject(Pointer, C.What.Word))
          continue;
        Before |= isPotentiallyReachable(C.I, &I);
        Behind |= isPotentiallyReachable(&I, C.I);
        IsSame |= isSameWord(I, Pointer, C.What);
      }
    bool IsOne = Pointers.size() == 1 && accessedType(I);
    if (Before && Behind)
      Found.push_back({const_cast<Instruction *>(&I),
                       IsOne ? const_cast<Value *>(Pointers.front()) : nullptr,
                       IsSame});
  }
  return Found;
}

bool checkClaims(const Function &F, const Activity &A) {
  bool Fine = true;
  auto Refuse = [&](const Instruction &I, const Twine &What,
                    const Twine &Remedy) {
    reportUnsupported(I, What, Remedy);
    Fine = false;
  };
  for (const Instruction &I : instructions(F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    auto C = CB ? nvptx::claimOf(*CB) : std::nullopt;
    if (C && A.isVaried(C->Number) && !A.isActivePointer(C->Word))
      Refuse(I, "an atomic maximum or minimum in memory without a shadow",
             "mark the memory kd_dup and give it a shadow");
  }
  for (const AccessBetween &Access : accessesBetweenClaims(F, A))
    if (Access.IsSame || !Access.Pointer)
      Refuse(*Access.I,
             "an access to memory between atomic maxima or minima of it",
             "end the kernel before it, or behind it; __restrict__ tells "
             "memories apart");
  return Fine;
}

} // namespace kdiff
