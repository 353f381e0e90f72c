//===- TreeLoop.cpp - Loops that add halves of an array -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see TreeLoop.h.
//
//===----------------------------------------------------------------------===//

#include "prepare/TreeLoop.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

namespace {

/// How a value numbers the threads of a block.
enum class Numbering { None, X, Rows, All };

} // namespace

//===--- Threads and words ------------------------------------------------===//

template <Intrinsic::ID ID> static bool reads(Value *V) {
  return match(V, m_Intrinsic<ID>());
}

/// True if \p V is Inner + Size * Outer.
static bool isRowMajor(Value *V, function_ref<bool(Value *)> IsInner,
                       function_ref<bool(Value *)> IsSize,
                       function_ref<bool(Value *)> IsOuter) {
  Value *X = nullptr, *Y = nullptr, *P = nullptr, *Q = nullptr;
  if (!match(V, m_Add(m_Value(X), m_Value(Y))))
    return false;
  if (!IsInner(X))
    std::swap(X, Y);
  return IsInner(X) && match(Y, m_Mul(m_Value(P), m_Value(Q))) &&
         ((IsSize(P) && IsOuter(Q)) || (IsSize(Q) && IsOuter(P)));
}

static Numbering numberingOf(Value *V) {
  auto IsX = reads<Intrinsic::nvvm_read_ptx_sreg_tid_x>;
  auto IsY = reads<Intrinsic::nvvm_read_ptx_sreg_tid_y>;
  auto IsZ = reads<Intrinsic::nvvm_read_ptx_sreg_tid_z>;
  auto IsWidth = reads<Intrinsic::nvvm_read_ptx_sreg_ntid_x>;
  auto IsHeight = reads<Intrinsic::nvvm_read_ptx_sreg_ntid_y>;
  auto IsRow = [&](Value *Row) { return isRowMajor(Row, IsY, IsHeight, IsZ); };
  if (IsX(V))
    return Numbering::X;
  if (isRowMajor(V, IsX, IsWidth, IsY))
    return Numbering::Rows;
  return isRowMajor(V, IsX, IsWidth, IsRow) ? Numbering::All : Numbering::None;
}

bool kdiff::isSameNumber(Value *V, Value *Number) {
  Numbering Of = numberingOf(V);
  return Of != Numbering::None && Of == numberingOf(Number);
}

static Value *unextended(Value *V) {
  while (isa<SExtInst, ZExtInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  return V;
}

GlobalVariable *kdiff::sharedArrayOf(Value *Pointer) {
  auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
  return G && G->getAddressSpace() == nvptx::Shared ? G : nullptr;
}

/// What the index is the sum of by which \p Pointer leads to one of the words
/// of type \p T in \p Array; nothing where it is no such sum.
static std::optional<SmallVector<Value *, 2>>
indexIn(const GlobalVariable &Array, Value *Pointer, Type *T) {
  const DataLayout &DL = Array.getDataLayout();
  uint64_t Size = DL.getTypeAllocSize(T);
  SmallVector<Value *, 2> Terms;
  for (Pointer = Pointer->stripPointerCasts(); Pointer != &Array;
       Pointer = Pointer->stripPointerCasts()) {
    auto *GEP = dyn_cast<GEPOperator>(Pointer);
    if (!GEP)
      return std::nullopt;
    SmallMapVector<Value *, APInt, 4> Variable;
    unsigned Bits = DL.getIndexTypeSizeInBits(GEP->getType());
    APInt Constant(Bits, 0);
    if (!GEP->collectOffset(DL, Bits, Variable, Constant) || !Constant.isZero())
      return std::nullopt;
    for (auto &[Index, Scale] : Variable) {
      if (Scale != Size)
        return std::nullopt;
      Value *Term = unextended(Index), *X = nullptr, *Y = nullptr;
      if (numberingOf(Term) == Numbering::None &&
          match(Term, m_Add(m_Value(X), m_Value(Y))))
        Terms.append({unextended(X), unextended(Y)});
      else
        Terms.push_back(Term);
    }
    Pointer = GEP->getPointerOperand();
  }
  return Terms;
}

Value *kdiff::numberIn(const GlobalVariable &Array, Value *Pointer, Type *T) {
  auto Terms = indexIn(Array, Pointer, T);
  bool IsNumber = Terms && Terms->size() == 1 &&
                  numberingOf(Terms->front()) != Numbering::None;
  return IsNumber ? Terms->front() : nullptr;
}

bool kdiff::isFirstWord(const GlobalVariable &Array, Value *Pointer) {
  return Pointer->stripPointerCasts() == &Array;
}

static bool canBeSummed(const Type *T) {
  return T->isFloatTy() || T->isDoubleTy();
}

//===--- The loop ---------------------------------------------------------===//

/// True if \p Condition is true in the iterations of \p T with a distance left
/// and false behind the last (\p GoesIf: true; else the other way round).
static bool matchGoesOn(Tree &T, Value *Condition, bool GoesIf) {
  CmpPredicate P;
  const APInt *C = nullptr;
  if (!match(Condition, m_ICmp(P, m_Specific(T.Distance), m_APInt(C))))
    return false;
  ICmpInst::Predicate Goes =
      GoesIf ? ICmpInst::Predicate(P) : CmpInst::getInversePredicate(P);
  switch (Goes) {
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_SGE:
    T.IsSigned = true;
    return *C == (Goes == ICmpInst::ICMP_SGE ? 1 : 0);
  case ICmpInst::ICMP_NE:
  case ICmpInst::ICMP_UGT:
    return C->isZero();
  case ICmpInst::ICMP_UGE:
    return C->isOne();
  default:
    return false;
  }
}

/// True if \p Next is half of the distance.
static bool isHalved(const Tree &T, Value *Next) {
  auto Distance = m_Specific(T.Distance);
  if (match(Next, m_LShr(Distance, m_SpecificInt(1))) ||
      match(Next, m_UDiv(Distance, m_SpecificInt(2))))
    return true;
  // Of what is not negative.
  auto *First = dyn_cast<ConstantInt>(
      T.Distance->getIncomingValueForBlock(T.L->getLoopPreheader()));
  return (T.IsSigned || (First && !First->isNegative())) &&
         (match(Next, m_AShr(Distance, m_SpecificInt(1))) ||
          match(Next, m_SDiv(Distance, m_SpecificInt(2))));
}

/// True if control comes from \p Before to \p Then where the thread's number is
/// below the distance, and nowhere else to \p Then.
static bool matchGuard(Tree &T, const BasicBlock &Before,
                       const BasicBlock &Then) {
  auto *Branch = dyn_cast<BranchInst>(Before.getTerminator());
  CmpPredicate P;
  Value *Number = nullptr;
  if (!Branch || !Branch->isConditional() ||
      !match(Branch->getCondition(),
             m_c_ICmp(P, m_Specific(T.Distance), m_Value(Number))))
    return false;
  bool IfTrue = Branch->getSuccessor(0) == &Then;
  ICmpInst::Predicate Of =
      IfTrue ? ICmpInst::Predicate(P) : CmpInst::getInversePredicate(P);
  T.Number = Number;
  return numberingOf(Number) != Numbering::None &&
         Branch->getSuccessor(0) != Branch->getSuccessor(1) &&
         (Of == ICmpInst::ICMP_UGT || Of == ICmpInst::ICMP_SGT);
}

static std::optional<TreeStep> matchStep(const Tree &T, StoreInst &Store) {
  Value *X = nullptr, *Y = nullptr, *Sum = Store.getValueOperand();
  GlobalVariable *Array = sharedArrayOf(Store.getPointerOperand());
  if (!Array || !canBeSummed(Sum->getType()) || !Sum->hasOneUse() ||
      !match(Sum, m_FAdd(m_Value(X), m_Value(Y))))
    return std::nullopt;
  auto *Own = dyn_cast<LoadInst>(X), *Other = dyn_cast<LoadInst>(Y);
  if (!Own || !Other || !Own->hasOneUse() || !Other->hasOneUse() ||
      Own->getParent() != Store.getParent() ||
      Other->getParent() != Store.getParent())
    return std::nullopt;
  auto IsOwn = [&](Value *Pointer) {
    Value *Number = numberIn(*Array, Pointer, Sum->getType());
    return Number && isSameNumber(Number, T.Number);
  };
  if (!IsOwn(Own->getPointerOperand()))
    std::swap(Own, Other);
  auto Terms = indexIn(*Array, Other->getPointerOperand(), Sum->getType());
  if (!IsOwn(Own->getPointerOperand()) || !IsOwn(Store.getPointerOperand()) ||
      !Terms || Terms->size() != 2)
    return std::nullopt;
  if (Terms->front() == T.Distance)
    std::swap(Terms->front(), Terms->back());
  if (Terms->back() != T.Distance || !isSameNumber(Terms->front(), T.Number))
    return std::nullopt;
  return TreeStep{&Store, Own, Other, Array};
}

namespace {

/// What the blocks of a loop hold that may be a tree.
struct Contents {
  SmallVector<StoreInst *, 2> Stores;
  SmallVector<LoadInst *, 4> Loads;
  SmallVector<BasicBlock *, 2> Waits;
};

} // namespace

/// Nothing if there is something else.
static std::optional<Contents> contentsOf(const Tree &T) {
  Contents Result;
  for (BasicBlock *B : T.L->blocks())
    for (Instruction &I : *B) {
      auto *CB = dyn_cast<CallBase>(&I);
      if (auto *Store = dyn_cast<StoreInst>(&I); Store && Store->isSimple())
        Result.Stores.push_back(Store);
      else if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple())
        Result.Loads.push_back(Load);
      else if (CB && nvptx::isBlockBarrier(*CB))
        Result.Waits.push_back(B);
      else if (CB ? classify(*CB) != CallClass::Ignorable &&
                        classify(*CB) != CallClass::Pure
                  : I.mayReadOrWriteMemory() ||
                        (isa<PHINode>(I) && &I != T.Distance))
        return std::nullopt;
    }
  return Result;
}

/// The loop must be as it is written: left at its header, in four blocks at
/// most, where all threads come to all but one in each iteration.
std::optional<Tree> kdiff::matchTree(Loop &L) {
  Tree T;
  T.L = &L;
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  auto *Leaves = dyn_cast<BranchInst>(Header->getTerminator());
  T.Distance = dyn_cast<PHINode>(&Header->front());
  if (!L.isInnermost() || !Latch || !L.getLoopPreheader() || !Leaves ||
      !T.Distance || !T.Distance->getType()->isIntegerTy(32) ||
      L.getExitingBlock() != Header || !L.getExitBlock() ||
      !L.getExitBlock()->getSinglePredecessor())
    return std::nullopt;
  bool GoesIf = L.contains(Leaves->getSuccessor(0));
  if (!matchGoesOn(T, Leaves->getCondition(), GoesIf) ||
      !isHalved(T, T.Distance->getIncomingValueForBlock(Latch)))
    return std::nullopt;
  auto Found = contentsOf(T);
  if (!Found || Found->Stores.empty() || Found->Waits.empty() ||
      Found->Loads.size() != 2 * Found->Stores.size())
    return std::nullopt;
  BasicBlock *Then = Found->Stores.front()->getParent();
  BasicBlock *Before = Then->getSinglePredecessor();
  unsigned Branches = count_if(
      L.blocks(), [](const BasicBlock *B) { return !B->getSingleSuccessor(); });
  if (!Before || Before == Header || Then == Latch || Branches != 2 ||
      is_contained(Found->Waits, Then) || !matchGuard(T, *Before, *Then))
    return std::nullopt;
  for (StoreInst *Store : Found->Stores) {
    auto S = matchStep(T, *Store);
    bool IsNew = S && Store->getParent() == Then &&
                 none_of(T.Steps, [&](const TreeStep &Other) {
                   return Other.Array == S->Array;
                 });
    if (!IsNew)
      return std::nullopt;
    T.Steps.push_back(*S);
  }
  return T;
}
