//===- IdleBarriers.cpp - Barriers without a mirror -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which barriers of the primal order nothing in
// the reverse sweep?
//
// The sweep passes barriers in reverse order, and touches shadows in between:
// it adds to those of what the primal read, and reads and clears those of what
// it wrote. A barrier with nothing of that behind it, up to the next one or the
// end of the sweep, parts nothing: what it would part from the interval in
// front of it, the next barrier parts from that, too. So all such barriers may
// go at once.
//
// Some accesses need no order. Additions to global memory are atomic, or of
// words that no other thread touches at all, so that they may be made at any
// time as long as nobody reads or clears the words. The same holds for reading
// a seed, which nobody changes.
//
//===----------------------------------------------------------------------===//

#include "analysis/Activity.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {

/// What the reverse sweep does to the shadow of a place.
enum class Touch {
  Adds,
  Reads, ///< The place was added to.
  Clears ///< And may read; or nothing is known.
};

class IdleBarriers {
public:
  IdleBarriers(const Function &F, const Activity &A, ArrayRef<ArgActivity> Args)
      : A(A), Args(Args) {
    for (const Instruction &I : instructions(F))
      note(I);
    for (const Touched &T : Touches)
      if (needsOrder(T))
        Ordered.insert(T.I);
  }

  /// False where a call may do what is not seen.
  bool areKnown() const { return !Opaque; }
  /// True if nothing that needs an order may happen between the barrier in
  /// front of \p Barrier, or the function's entry, and \p Barrier.
  bool isIdle(const CallBase &Barrier, bool OwnsLaunch) const;

private:
  struct Touched {
    const Instruction *I;
    const Value *Pointer;
    Touch How;
  };

  void note(const Instruction &I);
  void noteCall(const CallBase &CB);
  void add(const Instruction &I, const Value *Pointer, Touch How);
  bool isSeedOnly(const Value *Pointer) const;
  bool needsOrder(const Touched &Mine) const;

  const Activity &A;
  ArrayRef<ArgActivity> Args;
  SmallVector<Touched, 16> Touches;
  SmallPtrSet<const Instruction *, 16> Ordered;
  bool Opaque = false;
};

} // namespace

static bool isBlockBarrier(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return CB && nvptx::isBlockBarrier(*CB);
}

/// True if \p Pointer leads to global memory for sure.
static bool isGlobal(const Value *Pointer) {
  if (Pointer->getType()->getPointerAddressSpace() == nvptx::Global)
    return true;
  return all_of(underlyingObjects(Pointer), [](const Value *Object) {
    auto *G = dyn_cast<GlobalVariable>(Object);
    return G && G->getAddressSpace() == nvptx::Global;
  });
}

/// The caller says that these are written or added to, and never read.
bool IdleBarriers::isSeedOnly(const Value *Pointer) const {
  return all_of(underlyingObjects(Pointer), [&](const Value *Object) {
    auto *Arg = dyn_cast<Argument>(Object);
    return Arg && Arg->getArgNo() < Args.size() &&
           isSeed(Args[Arg->getArgNo()]);
  });
}

void IdleBarriers::add(const Instruction &I, const Value *Pointer, Touch How) {
  bool IsOwn = all_of(underlyingObjects(Pointer), [](const Value *Object) {
    return isa<AllocaInst>(Object);
  });
  if (A.isActivePointer(Pointer) && !IsOwn)
    Touches.push_back({&I, Pointer, How});
}

void IdleBarriers::noteCall(const CallBase &CB) {
  switch (classify(CB)) {
  case CallClass::Rule:
  case CallClass::Pure:
  case CallClass::Ignorable:
  case CallClass::Barrier:
  case CallClass::Fence:
  case CallClass::Warp:
    return;
  case CallClass::Memory:
    add(CB, CB.getArgOperand(0), Touch::Clears);
    if (isa<MemTransferInst>(CB))
      add(CB, CB.getArgOperand(1), Touch::Adds);
    return;
  case CallClass::Defined:
  case CallClass::Indirect:
    Opaque = true;
    return;
  default:
    for (const Value *Arg : CB.args())
      if (Arg->getType()->isPointerTy())
        add(CB, Arg, Touch::Clears);
  }
}

void IdleBarriers::note(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I))
    return noteCall(*CB);
  const Value *Pointer = accessedPointer(I);
  if (!Pointer)
    return;
  if (isa<LoadInst>(I)) {
    if (A.isActive(&I))
      add(I, Pointer, Touch::Adds);
    return;
  }
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  bool Adds = RMW && RMW->use_empty() &&
              (RMW->getOperation() == AtomicRMWInst::FAdd ||
               RMW->getOperation() == AtomicRMWInst::FSub);
  add(I, Pointer, Adds ? Touch::Reads : Touch::Clears);
}

bool IdleBarriers::needsOrder(const Touched &Mine) const {
  if (!isGlobal(Mine.Pointer))
    return true;
  if (isSeedOnly(Mine.Pointer))
    return false;
  return Mine.How == Touch::Clears ||
         any_of(Touches, [&](const Touched &Other) {
           return Other.How != Mine.How && !isSeedOnly(Other.Pointer) &&
                  mayShareObject(Mine.Pointer, Other.Pointer);
         });
}

bool IdleBarriers::isIdle(const CallBase &Barrier, bool OwnsLaunch) const {
  SmallVector<const Instruction *, 8> Work{&Barrier};
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    const BasicBlock *B = I->getParent();
    // Blocks are entered at their terminator, which is no access.
    do
      I = I->getPrevNode();
    while (I && !isBlockBarrier(*I) && !Ordered.contains(I));
    if (I && Ordered.contains(I))
      return false;
    if (I)
      continue;
    if (B->isEntryBlock() && !OwnsLaunch)
      return false;
    for (const BasicBlock *Pred : predecessors(B))
      if (Seen.insert(Pred).second)
        Work.push_back(Pred->getTerminator());
  }
  return true;
}

void Activity::findIdleBarriers(bool OwnsLaunch) {
  IdleBarriers Barriers(F, *this, Args);
  if (!Barriers.areKnown())
    return;
  for (const Instruction &I : instructions(F))
    if (isBlockBarrier(I) && Barriers.isIdle(cast<CallBase>(I), OwnsLaunch))
      Idle.insert(cast<CallBase>(&I));
}

} // namespace kdiff
