//===- Messages.cpp - Values that threads hand on by flags ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Messages.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Messages.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {

/// How far a walk through the control flow goes.
enum class Until { End, Barrier };

struct Access {
  const Instruction *I;
  const Value *Pointer;
};

class Messages {
public:
  Messages(const Function &F, const Activity &A) : F(F), A(A) {
    for (const Instruction &I : instructions(F))
      note(I);
  }
  bool check();

private:
  void note(const Instruction &I);
  void noteCall(const CallBase &CB);
  bool passes(ArrayRef<Access> Writes, ArrayRef<Access> Loads) const;
  bool checkFence(const Instruction &Fence) const;
  bool passesBy(const Instruction &Fence, Until Where) const;

  const Function &F;
  const Activity &A;
  /// Writes and reads of differentiated values in memory that other threads
  /// see.
  SmallVector<Access, 8> Puts, Reads;
  SmallVector<const Instruction *, 4> Fences, Flags;
};

} // namespace

static bool isOwn(const Value *Pointer) {
  return all_of(underlyingObjects(Pointer),
                [](const Value *O) { return isa<AllocaInst>(O); });
}

/// An operation on memory whose result may tell what another thread did.
static bool readsFlag(const Instruction &I) {
  if (I.use_empty() || nvptx::isClaimed(I))
    return false;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple() && !isOwn(Load->getPointerOperand());
  auto *CB = dyn_cast<CallBase>(&I);
  return CB && classify(*CB) == CallClass::Atomic;
}

/// Reading it again may give what another thread has put there meanwhile. A
/// number drawn from a counter is the thread's own.
static bool watches(const Instruction &I) {
  if (!readsFlag(I))
    return false;
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  if (!RMW)
    return true;
  switch (RMW->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub: {
    auto *Step = dyn_cast<ConstantInt>(RMW->getValOperand());
    return !Step || Step->isZero();
  }
  default:
    return true;
  }
}

/// An atomic that is a fence as well. (CUDA's own atomics, which are relaxed,
/// are sequentially consistent read-modify-writes in clang's IR.)
static bool isOrderingAtomic(const Instruction &I) {
  auto IsOrdering = [](AtomicOrdering Ordering) {
    return isStrongerThanMonotonic(Ordering) &&
           Ordering != AtomicOrdering::SequentiallyConsistent;
  };
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return IsOrdering(RMW->getOrdering());
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return IsOrdering(Swap->getSuccessOrdering());
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isStrongerThanMonotonic(Load->getOrdering());
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isStrongerThanMonotonic(Store->getOrdering());
  return false;
}

static bool isFence(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return isa<FenceInst>(I) || (CB && classify(*CB) == CallClass::Fence) ||
         isOrderingAtomic(I);
}

/// One of all threads of the block: others leave some who need not wait.
static bool isBarrier(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return CB && nvptx::isBarrierOfAll(*CB);
}

void Messages::noteCall(const CallBase &CB) {
  auto Note = [&](const Value *Pointer, bool Writes, bool Loads) {
    if (!A.isActivePointer(Pointer) || isOwn(Pointer))
      return;
    if (Writes)
      Puts.push_back({&CB, Pointer});
    if (Loads)
      Reads.push_back({&CB, Pointer});
  };
  CallClass Class = classify(CB);
  if (auto *Copy = dyn_cast<MemTransferInst>(&CB)) {
    Note(Copy->getRawDest(), true, false);
    Note(Copy->getRawSource(), false, true);
  } else if (Class == CallClass::OutPointer || Class == CallClass::Defined) {
    for (const Value *Arg : CB.args())
      if (Arg->getType()->isPointerTy())
        Note(Arg, true, Class == CallClass::Defined);
  }
}

void Messages::note(const Instruction &I) {
  if (isFence(I))
    Fences.push_back(&I);
  if (readsFlag(I))
    Flags.push_back(&I);
  if (auto *CB = dyn_cast<CallBase>(&I))
    return noteCall(*CB);
  const Value *Pointer = accessedPointer(I);
  if (!Pointer || !A.isActivePointer(Pointer) || isOwn(Pointer))
    return;
  if (isa<LoadInst>(I)) {
    if (A.isActive(&I))
      Reads.push_back({&I, Pointer});
    return;
  }
  if (any_of(I.operands(), [&](const Use &U) { return A.isVaried(U); }))
    Puts.push_back({&I, Pointer});
}

bool Messages::passes(ArrayRef<Access> Writes, ArrayRef<Access> Loads) const {
  return any_of(Writes, [&](const Access &W) {
    return any_of(Loads, [&](const Access &L) {
      return mayShareObject(W.Pointer, L.Pointer);
    });
  });
}

/// Visits what control may pass behind \p Start (\p Forward), or before it.
static void walk(const Instruction &Start, bool Forward, Until Where,
                 function_ref<void(const Instruction &)> Visit) {
  SmallVector<const Instruction *, 16> Work;
  SmallPtrSet<const Instruction *, 16> Seen;
  auto Push = [&](const Instruction &From) {
    const BasicBlock *B = From.getParent();
    const Instruction *Next = Forward ? From.getNextNode() : From.getPrevNode();
    if (Next) {
      Work.push_back(Next);
    } else if (Forward) {
      for (const BasicBlock *S : successors(B))
        Work.push_back(&S->front());
    } else {
      for (const BasicBlock *P : predecessors(B))
        Work.push_back(&P->back());
    }
  };
  Push(Start);
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (!Seen.insert(I).second)
      continue;
    Visit(*I);
    if (Where == Until::End || !isBarrier(*I))
      Push(*I);
  }
}

/// Some value put before \p Fence may be read behind some flag.
bool Messages::passesBy(const Instruction &Fence, Until Where) const {
  auto Within = [&](ArrayRef<Access> All,
                    const SmallPtrSetImpl<const Instruction *> &Place) {
    SmallVector<Access, 8> Result;
    for (const Access &X : All)
      if (Place.contains(X.I) &&
          (Where == Until::Barrier ||
           X.Pointer->getType()->getPointerAddressSpace() != nvptx::Shared))
        Result.push_back(X);
    return Result;
  };
  SmallPtrSet<const Instruction *, 32> Before, Behind;
  walk(Fence, /*Forward=*/false, Where,
       [&](const Instruction &I) { Before.insert(&I); });
  for (const Instruction *Flag : Flags)
    walk(*Flag, /*Forward=*/true, Where,
         [&](const Instruction &I) { Behind.insert(&I); });
  return passes(Within(Puts, Before), Within(Reads, Behind));
}

/// Within the block, barriers stand between threads; between blocks nothing
/// does.
bool Messages::checkFence(const Instruction &Fence) const {
  bool Passes = passesBy(Fence, Until::Barrier) ||
                (!nvptx::isBlockFence(Fence) && passesBy(Fence, Until::End));
  if (Passes)
    reportUnsupported(
        Fence,
        Twine(isOrderingAtomic(Fence) ? "an atomic operation"
                                      : "a memory fence") +
            " by which differentiated values may pass from thread to "
            "thread",
        "end the kernel there, or wait at __syncthreads() where the threads "
        "are of one block; __restrict__ tells what is written and not read");
  return !Passes;
}

/// A compare-and-swap that tries again with what it found: some thread always
/// gets on, and none waits for another.
static bool isOwnUpdate(const Instruction &I, const Loop &L) {
  auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I);
  return Swap && !L.isLoopInvariant(Swap->getCompareOperand());
}

/// What a loop's way out depends on, found backwards from its branches.
static const Instruction *watchedBy(const Loop &L) {
  SmallVector<const Value *, 16> Work;
  auto PushConditions = [&](const BasicBlock &B) {
    auto *Br = dyn_cast<BranchInst>(B.getTerminator());
    if (Br && Br->isConditional())
      Work.push_back(Br->getCondition());
  };
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *B : Exiting)
    PushConditions(*B);
  SmallPtrSet<const Value *, 32> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (watches(*I) && !isOwnUpdate(*I, L))
      return I;
    Work.append(I->value_op_begin(), I->value_op_end());
    // Which value a phi has depends on the way to it.
    if (auto *Phi = dyn_cast<PHINode>(I))
      for (const BasicBlock *B : Phi->blocks())
        for (const BasicBlock *Way = B; Way && L.contains(Way);
             Way = Way->getSinglePredecessor())
          PushConditions(*Way);
  }
  return nullptr;
}

bool Messages::check() {
  bool Fine = true;
  if (Puts.empty() || Reads.empty() || Flags.empty())
    return Fine;
  for (const Instruction *Fence : Fences)
    Fine &= checkFence(*Fence);
  if (!passes(Puts, Reads))
    return Fine;
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo LI(DT);
  SmallPtrSet<const Instruction *, 4> Reported;
  for (const Loop *L : LI.getLoopsInPreorder()) {
    const Instruction *Watched = watchedBy(*L);
    if (!Watched || !Reported.insert(Watched).second)
      continue;
    reportUnsupported(*Watched,
                      "a loop that waits for other threads (a lock or a flag)",
                      "use atomicAdd instead of a lock, or end the kernel "
                      "where threads must wait");
    Fine = false;
  }
  return Fine;
}

bool checkMessages(const Function &F, const Activity &A) {
  return Messages(F, A).check();
}

} // namespace kdiff
