//===- Trees.cpp - Sums that a block makes by halves -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the derivative of a sum that the threads
// of a block make in shared memory by halves?
//
//   s[k] = v                             k: the thread's number in its block
//   for (d = D; d > 0; d /= 2) {         (M. Harris, "Optimizing parallel
//     if (k < d) s[k] += s[k + d]         reduction in CUDA", 2007)
//     __syncthreads()
//   }
//   r = s[0]
//
// Where nobody reads what the steps leave in other words, r is the sum of v
// over the threads whose words go into the first (all of the first 2 D, where D
// is a power of two), and nothing else of the array has a derivative:
//
//   s[k] = v without its derivative
//   ... as before ...
//   sum = kd.block.sum(kd.tree.holds(k, D) ? v : 0)
//   r = s[0], with the derivative of sum attached
//
// The adjoint of r goes to all threads at once then, instead of back through
// the tree and its barriers.
//
// The proof. No two threads store to one word without a barrier in between, and
// threads have different numbers, so that the store that each comes to last
// before the loop puts its own v into its own word. In each step the words
// below d get those from d to 2 d, in the order of the barriers. Behind the
// loop, no store but those of another such sum's may come between it and the
// load.
//
//===----------------------------------------------------------------------===//

#include "analysis/Barriers.h"
#include "analysis/Memory.h"
#include "prepare/Steps.h"
#include "prepare/TreeLoop.h"
#include "rules/Attach.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

namespace {

/// All accesses to an array in shared memory.
struct Uses {
  SmallVector<LoadInst *, 8> Loads;
  SmallVector<StoreInst *, 4> Stores;
};

/// One sum: what was stored last before the loop, and who reads the result.
struct Sum {
  const Tree *T;
  StoreInst *Feed;
  SmallVector<LoadInst *, 2> Reads;
};

class Trees {
public:
  Trees(Function &F, LoopInfo &LI) : F(F), LI(LI) {}
  bool run();

private:
  std::optional<Uses> usesOf(GlobalVariable &Array) const;
  StoreInst *feedOf(const Tree &T, const TreeStep &S) const;
  const Tree *treeBefore(LoadInst &Load, GlobalVariable &Array) const;
  std::optional<SmallVector<Sum, 1>> sumsIn(GlobalVariable &Array) const;

  Function &F;
  LoopInfo &LI;
  SmallVector<Tree, 2> Found;
};

} // namespace

//===--- The array --------------------------------------------------------===//

/// Nothing where an access may be hidden.
std::optional<Uses> Trees::usesOf(GlobalVariable &Array) const {
  Uses Result;
  SmallVector<Value *, 8> Work{&Array};
  SmallPtrSet<Value *, 16> Seen;
  while (!Work.empty()) {
    Value *Pointer = Work.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (User *U : Pointer->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (I && I->getFunction() != &F)
        continue;
      auto *Load = dyn_cast<LoadInst>(U);
      auto *Store = dyn_cast<StoreInst>(U);
      auto *CB = dyn_cast<CallBase>(U);
      if (!I || isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(I))
        Work.push_back(U);
      else if (Load && Load->isSimple())
        Result.Loads.push_back(Load);
      else if (Store && Store->isSimple() &&
               Store->getPointerOperand() == Pointer &&
               Store->getValueOperand() != Pointer)
        Result.Stores.push_back(Store);
      else if (!CB || classify(*CB) != CallClass::Ignorable)
        return std::nullopt;
    }
  }
  return Result;
}

static bool accesses(const Instruction &I, const GlobalVariable &Array) {
  const Value *Pointer = accessedPointer(I);
  return Pointer && sharedArrayOf(const_cast<Value *>(Pointer)) == &Array;
}

/// The last access to the array on every way to the loop, if that is one store,
/// and of the thread's own word.
StoreInst *Trees::feedOf(const Tree &T, const TreeStep &S) const {
  SmallVector<BasicBlock *, 8> Work{T.L->getLoopPreheader()};
  SmallPtrSet<BasicBlock *, 16> Seen;
  Instruction *Last = nullptr;
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    auto At = find_if(reverse(*B), [&](const Instruction &I) {
      return accesses(I, *S.Array);
    });
    if (At == B->rend()) {
      if (B->isEntryBlock())
        return nullptr;
      append_range(Work, predecessors(B));
      continue;
    }
    if (Last && Last != &*At)
      return nullptr;
    Last = &*At;
  }
  auto *Feed = dyn_cast_or_null<StoreInst>(Last);
  Type *Word = S.Own->getType();
  if (!Feed || Feed->getValueOperand()->getType() != Word)
    return nullptr;
  Value *Number = numberIn(*S.Array, Feed->getPointerOperand(), Word);
  return Number && isSameNumber(Number, T.Number) ? Feed : nullptr;
}

/// The tree that every way to \p Load comes through, with no store to the array
/// behind it; null if there is none.
const Tree *Trees::treeBefore(LoadInst &Load, GlobalVariable &Array) const {
  const Tree *Result = nullptr;
  // Blocks that are passed up to an instruction; null: as a whole.
  SmallVector<std::pair<BasicBlock *, Instruction *>, 8> Work{
      {Load.getParent(), &Load}};
  SmallPtrSet<BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    auto [B, Until] = Work.pop_back_val();
    auto Stores = [&](const Instruction &I) {
      return isa<StoreInst>(I) && accesses(I, Array);
    };
    auto Passed =
        make_range(B->begin(), Until ? Until->getIterator() : B->end());
    if (any_of(Passed, Stores) || B->isEntryBlock())
      return nullptr;
    for (BasicBlock *Pred : predecessors(B)) {
      const Tree *T = find_if(Found, [&](const Tree &Each) {
        return Each.L->getHeader() == Pred &&
               any_of(Each.Steps,
                      [&](const TreeStep &S) { return S.Array == &Array; });
      });
      if (T == Found.end()) {
        if (Seen.insert(Pred).second)
          Work.push_back({Pred, nullptr});
        continue;
      }
      if (Result && Result != T)
        return nullptr;
      Result = T;
    }
  }
  return Result;
}

/// All sums in \p Array; nothing if anything else happens to it.
std::optional<SmallVector<Sum, 1>> Trees::sumsIn(GlobalVariable &Array) const {
  std::optional<Uses> All = usesOf(Array);
  if (!All)
    return std::nullopt;
  SmallVector<Sum, 1> Sums;
  SmallPtrSet<const Instruction *, 16> Known;
  for (const Tree &T : Found)
    for (const TreeStep &S : T.Steps) {
      if (S.Array != &Array)
        continue;
      StoreInst *Feed = feedOf(T, S);
      if (!Feed)
        return std::nullopt;
      Sums.push_back({&T, Feed, {}});
      Known.insert_range(
          ArrayRef<const Instruction *>{S.Store, S.Own, S.Other, Feed});
    }
  for (StoreInst *Store : All->Stores)
    if (!Known.contains(Store))
      return std::nullopt;
  for (LoadInst *Load : All->Loads) {
    if (Known.contains(Load))
      continue;
    const Tree *T = treeBefore(*Load, Array);
    auto S = find_if(Sums, [&](const Sum &Each) { return Each.T == T; });
    Type *Word = Load->getType();
    if (!T || S->Feed->getValueOperand()->getType() != Word)
      return std::nullopt;
    if (!isFirstWord(Array, Load->getPointerOperand()))
      return std::nullopt;
    S->Reads.push_back(Load);
  }
  return Sums;
}

//===--- The derivative ---------------------------------------------------===//

/// True if only the thread of number 0 comes to \p B.
static bool isOfFirstThread(const BasicBlock &B, Value *Number) {
  const BasicBlock *To = &B;
  while (const BasicBlock *From = To->getSinglePredecessor()) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    CmpPredicate P;
    Value *V = nullptr;
    if (Branch && Branch->isConditional() &&
        match(Branch->getCondition(), m_ICmp(P, m_Value(V), m_Zero())) &&
        (P == ICmpInst::ICMP_EQ || P == ICmpInst::ICMP_NE) &&
        isSameNumber(V, Number) &&
        Branch->getSuccessor(P == ICmpInst::ICMP_EQ ? 0 : 1) == To &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1))
      return true;
    To = From;
  }
  return false;
}

/// True for the threads whose word goes into the first.
static Value *createHolds(IRBuilderBase &B, const Tree &T, Value *Number) {
  Value *First = T.Distance->getIncomingValueForBlock(T.L->getLoopPreheader());
  auto *C = dyn_cast<ConstantInt>(First);
  if (T.IsSigned && C && C->isNegative())
    C = B.getInt32(0);
  if (C && (C->isZero() || C->getValue().isPowerOf2()) &&
      C->getValue().ult(1u << 30))
    return B.CreateICmpULT(
        Number, B.getInt32(std::max<uint64_t>(2 * C->getZExtValue(), 1)));
  if (T.IsSigned)
    First = B.CreateBinaryIntrinsic(Intrinsic::smax, First, B.getInt32(0));
  return nvptx::createTreeHolds(B, Number, First);
}

static void attachSum(const Sum &S) {
  Value *V = S.Feed->getValueOperand();
  Type *Word = V->getType();
  Value *Number = numberIn(*sharedArrayOf(S.Feed->getPointerOperand()),
                           S.Feed->getPointerOperand(), Word);
  IRBuilder<> B(S.Feed);
  Value *Plain = createAttach(B, V, V, Constant::getNullValue(Word));
  markPrimalOnly(*cast<CallBase>(Plain));
  S.Feed->setOperand(0, Plain);
  if (S.Reads.empty())
    return;
  BasicBlock *Exit = S.T->L->getExitBlock();
  B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
  B.SetCurrentDebugLocation(S.T->Steps.front().Store->getDebugLoc());
  Value *Part = B.CreateSelect(createHolds(B, *S.T, Number), V,
                               Constant::getNullValue(Word));
  bool IsAlone = all_of(S.Reads, [&](const LoadInst *Load) {
    return isOfFirstThread(*Load->getParent(), Number);
  });
  Value *Reader = IsAlone ? B.CreateICmpEQ(Number, B.getInt32(0)) : B.getTrue();
  Value *Whole = nvptx::createBlockSum(B, {Part, Reader});
  for (LoadInst *Load : S.Reads) {
    B.SetInsertPoint(Load->getNextNode());
    B.SetCurrentDebugLocation(Load->getDebugLoc());
    Value *Read = createAttach(B, Load, Whole, ConstantFP::get(Word, 1));
    Load->replaceUsesWithIf(Read, [&](Use &U) { return U.getUser() != Read; });
  }
  remark("Tree", *S.T->Steps.front().Store,
         Twine("the derivative of this sum over the block goes from ") +
             (IsAlone ? "the thread that reads it" : "those that read it") +
             " to all threads at once, not by these steps");
}

/// True if a call of \p F may access an array in shared memory by its name.
static bool hidesAccesses(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    if (!CB)
      return false;
    switch (classify(*CB)) {
    case CallClass::Defined:
    case CallClass::Indirect:
    case CallClass::Unknown:
    case CallClass::Asm:
      return true;
    case CallClass::Inactive:
      return !CB->getCalledFunction()->isDeclaration();
    default:
      return false;
    }
  });
}

bool Trees::run() {
  for (Loop *L : LI.getLoopsInPreorder())
    if (auto T = matchTree(*L))
      Found.push_back(std::move(*T));
  if (Found.empty() || hidesAccesses(F) || !passSameBarriers(F))
    return false;
  SmallSetVector<GlobalVariable *, 2> Arrays;
  for (const Tree &T : Found)
    for (const TreeStep &S : T.Steps)
      Arrays.insert(S.Array);
  // Arrays of dynamic size lie on one another.
  bool Overlap =
      count_if(F.getParent()->globals(), [](GlobalVariable &G) {
        return G.getAddressSpace() == nvptx::Shared && G.isDeclaration();
      }) > 1;
  bool Changed = false;
  for (GlobalVariable *Array : Arrays) {
    if (Array->isDeclaration() && Overlap)
      continue;
    auto Sums = sumsIn(*Array);
    if (!Sums)
      continue;
    for (const Sum &S : *Sums)
      attachSum(S);
    Changed = true;
  }
  return Changed;
}

bool kdiff::attachToTrees(Function &F, FunctionAnalysisManager &FAM) {
  return Trees(F, FAM.getResult<LoopAnalysis>(F)).run();
}
