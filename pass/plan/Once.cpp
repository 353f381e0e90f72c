//===- Once.cpp - Is a place touched more than once? ----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Once.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Once.h"
#include "analysis/Memory.h"
#include "rules/Rules.h"
#include "shadow/Subject.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace kdiff {

bool ordersThreads(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*CB);
    return Class == CallClass::Barrier || Class == CallClass::Fence ||
           Class == CallClass::Asm || Class == CallClass::Atomic ||
           Class == CallClass::Defined ||
           (Class == CallClass::Inactive &&
            !CB->getCalledFunction()->isDeclaration());
  }
  if (isa<FenceInst>(I))
    return true;
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return isStrongerThanMonotonic(RMW->getOrdering());
  if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return isStrongerThanMonotonic(CX->getMergedOrdering());
  return I.isAtomic();
}

Once::Once(const Subject &S, FunctionAnalysisManager &FAM)
    : S(S), F(*S.P.F), AA(FAM.getResult<AAManager>(F)),
      SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)) {
  for (const Instruction &I : instructions(F)) {
    if (!ordersThreads(I))
      continue;
    auto *CB = dyn_cast<CallBase>(&I);
    (CB && nvptx::isBlockBarrier(*CB) ? Barriers : OtherSync).push_back(&I);
  }
}

//===--- Within a thread --------------------------------------------------===//

/// \p S without the constant it is multiplied by and the widening in between.
static const SCEV *withoutScale(const SCEV *S) {
  while (true) {
    if (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S))
      S = Cast->getOperand();
    else if (auto *Mul = dyn_cast<SCEVMulExpr>(S);
             Mul && Mul->getNumOperands() == 2 &&
             isa<SCEVConstant>(Mul->getOperand(0)))
      S = Mul->getOperand(1);
    else
      return S;
  }
}

/// Calls \p Fn(value, other side) for both sides of the test that alone decides
/// whether \p L goes on; true if it is true for one.
template <typename Predicate>
static bool anySideOfExit(const Loop &L, Predicate Fn) {
  BasicBlock *Exiting = L.getExitingBlock();
  auto *Branch =
      Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  auto *Test = Branch && Branch->isConditional()
                   ? dyn_cast<ICmpInst>(Branch->getCondition())
                   : nullptr;
  return Test && (Fn(Test->getOperand(0), Test->getOperand(1)) ||
                  Fn(Test->getOperand(1), Test->getOperand(0)));
}

/// True if \p Step, by which something changes in each trip of \p L, is not
/// zero: as is known, or since the loop would never end otherwise: its only
/// exit tests a value that changes by a multiple of the same.
bool Once::moves(const SCEV *Step, const Loop &L) {
  return SE.isKnownNonZero(Step) ||
         anySideOfExit(L, [&](Value *Tested, Value *Bound) {
           auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Tested));
           return Rec && Rec->getLoop() == &L && Rec->isAffine() &&
                  SE.isLoopInvariant(SE.getSCEV(Bound), &L) &&
                  withoutScale(Rec->getStepRecurrence(SE)) ==
                      withoutScale(Step);
         });
}

/// True if \p Rec never comes back to a value. Where the loop's only exit tests
/// a value that comes back with it, the loop would never end; else it must not
/// wrap around.
bool Once::neverRepeats(const SCEVAddRecExpr &Rec) {
  const Loop &L = *Rec.getLoop();
  if (!Rec.isAffine())
    return false;
  const SCEV *Step = Rec.getStepRecurrence(SE);
  bool IsTested = anySideOfExit(L, [&](Value *Tested, Value *Bound) {
    auto *Other = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Tested));
    return Other && Other->getLoop() == &L && Other->isAffine() &&
           Other->getStepRecurrence(SE) == Step &&
           SE.isLoopInvariant(SE.getSCEV(Bound), &L);
  });
  return IsTested ||
         (moves(Step, L) && (Rec.hasNoSignedWrap() || Rec.hasNoUnsignedWrap() ||
                             SE.getTypeSizeInBits(Rec.getType()) == 64));
}

/// The largest number found that divides \p S. Addresses within an object do
/// not wrap around.
static uint64_t divisorOf(const SCEV *S) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().abs().getLimitedValue(INT64_MAX);
  if (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S)) {
    // The operand may have wrapped around in its type.
    uint64_t Divisor = divisorOf(Cast->getOperand());
    return Divisor & -Divisor;
  }
  if (auto *Mul = dyn_cast<SCEVMulExpr>(S)) {
    uint64_t Product = 1;
    for (const SCEV *Factor : Mul->operands())
      Product = SaturatingMultiply(Product, divisorOf(Factor));
    return std::min<uint64_t>(Product, INT64_MAX);
  }
  uint64_t Divisor = 0;
  if (isa<SCEVAddExpr, SCEVAddRecExpr>(S))
    for (const SCEV *Term : cast<SCEVNAryExpr>(S)->operands())
      Divisor = std::gcd(Divisor, divisorOf(Term));
  return Divisor ? Divisor : 1;
}

/// Bytes [Offset, Offset + Size) and [0, OtherSize), modulo \p Modulus.
static bool areApartModulo(int64_t Offset, uint64_t Size, uint64_t OtherSize,
                           uint64_t Modulus) {
  int64_t M = int64_t(Modulus);
  uint64_t At = uint64_t((Offset % M + M) % M);
  return At >= OtherSize && At + Size <= Modulus;
}

/// True if the places of \p X and \p Y, at the same index or at different
/// ones, have no byte in common (\p IsOne: are the same access at different
/// ones).
bool Once::areApartAt(const Affine &X, const Access &OfX, const Affine &Y,
                      const Access &OfY, bool IsOne) {
  if (!OfX.At.Size.isPrecise() || !OfY.At.Size.isPrecise() ||
      X.Base != Y.Base || X.Scaled != Y.Scaled)
    return false;
  uint64_t Size = OfX.At.Size.getValue();
  return IsOne ? Size <= X.Modulus
               : areApartModulo(X.Offset - Y.Offset, Size,
                                OfY.At.Size.getValue(), X.Modulus);
}

bool Once::areApartInLoop(const Loop &L, const Access &X, const Access &Y) {
  std::optional<Affine> AX = affine(X.At.Ptr), AY = affine(Y.At.Ptr);
  if (L.getParentLoop() || !AX || !AY ||
      !areApartAt(*AX, X, *AY, Y, X.I == Y.I))
    return false;
  auto *Index = dyn_cast<SCEVAddRecExpr>(withoutScale(AX->Scaled));
  return Index && Index->getLoop() == &L && neverRepeats(*Index);
}

bool Once::areApart(const Access &X, const Access &Y) {
  Loop *LX = LI.getLoopFor(X.I->getParent());
  Loop *LY = LI.getLoopFor(Y.I->getParent());
  if (LX != LY)
    return false; // Values of different trips would be compared.
  if (LX)
    return areApartInLoop(*LX, X, Y);
  return X.I == Y.I || AA.isNoAlias(X.At, Y.At);
}

bool Once::isFreshAfter(const Access &First, const Access &Second) {
  if (First.I == Second.I
          ? !LI.getLoopFor(First.I->getParent())
          : !isPotentiallyReachable(First.I, Second.I, nullptr, &DT, &LI))
    return true;
  return areApart(First, Second);
}

//===--- Between threads --------------------------------------------------===//

bool Once::isOrderedAcrossThreads(const Instruction &First,
                                  const Instruction &Second) const {
  auto Reaches = [&](const Instruction &From, const Instruction &To) {
    return isPotentiallyReachable(&From, &To, nullptr, &DT, &LI);
  };
  // All threads of a block pass the same barriers in the same order.
  if (any_of(Barriers, [&](const Instruction *Barrier) {
        return Reaches(First, *Barrier) && Reaches(*Barrier, Second);
      }))
    return true;
  // Of the others, a thread may pass one where another passes another.
  return any_of(OtherSync,
                [&](const Instruction *S) { return Reaches(First, *S); }) &&
         any_of(OtherSync,
                [&](const Instruction *S) { return Reaches(*S, Second); });
}

/// The constant part of \p Bytes, a distance from an object's start.
static int64_t constantPart(const SCEV *Bytes) {
  if (auto *Rec = dyn_cast<SCEVAddRecExpr>(Bytes))
    return constantPart(Rec->getStart());
  if (auto *Sum = dyn_cast<SCEVAddExpr>(Bytes))
    Bytes = Sum->getOperand(0);
  auto *C = dyn_cast<SCEVConstant>(Bytes);
  return C ? C->getAPInt().getSExtValue() : 0;
}

std::optional<Once::Affine> Once::affine(const Value *Pointer) {
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(Pointer));
  const SCEV *Base = SE.getPointerBase(Address);
  const SCEV *Bytes = SE.getMinusSCEV(Address, Base);
  if (!isa<SCEVUnknown>(Base) || isa<SCEVCouldNotCompute>(Bytes))
    return std::nullopt;
  Affine Result;
  Result.Base = Base;
  Result.Offset = constantPart(Bytes);
  Result.Scaled = SE.getMinusSCEV(
      Bytes, SE.getConstant(Bytes->getType(), Result.Offset, true));
  if (Result.Scaled->isZero())
    return std::nullopt; // One place for all threads.
  Result.Modulus = divisorOf(Result.Scaled);
  return Result;
}

/// True if \p Object is one of the grid: the same in all of its threads, in
/// memory that they all see.
static bool isOfGrid(const Value *Object, const Subject &S) {
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return G->getAddressSpace() != nvptx::Shared &&
           G->getAddressSpace() != nvptx::Local;
  return any_of(S.Formals, [&](const Formal &Arg) {
    return Arg.Primal == Object && Arg.Uniform;
  });
}

/// True if \p Store tells threads apart by the same index, and every thread
/// that comes to the accesses comes to it.
bool Once::isWitness(const StoreInst &Store, ArrayRef<Access> Accesses) {
  auto Objects = underlyingObjects(Store.getPointerOperand());
  std::optional<Affine> Own = affine(Store.getPointerOperand());
  if (!Store.isSimple() || !Own || Objects.size() != 1 ||
      !isOfGrid(Objects[0], S) || isOrderedAcrossThreads(Store, Store))
    return false;
  const BasicBlock *Here = Store.getParent();
  return all_of(Accesses, [&](const Access &A) {
    const BasicBlock *There = A.I->getParent();
    bool Together = (DT.dominates(Here, There) && PDT.dominates(There, Here)) ||
                    (DT.dominates(There, Here) && PDT.dominates(Here, There));
    if (!Together || LI.getLoopFor(Here) != LI.getLoopFor(There))
      return false;
    std::optional<Affine> Other = affine(A.At.Ptr);
    auto Times = [&](const SCEV *S, uint64_t Factor) {
      return SE.getMulExpr(S, SE.getConstant(S->getType(), Factor));
    };
    return Other && Own->Scaled->getType() == Other->Scaled->getType() &&
           Times(Own->Scaled, Other->Modulus) ==
               Times(Other->Scaled, Own->Modulus);
  });
}

bool Once::isThreadsOwn(ArrayRef<Access> Accesses) {
  for (const Access &A : Accesses)
    for (const Access &B : Accesses) {
      std::optional<Affine> X = affine(A.At.Ptr), Y = affine(B.At.Ptr);
      if (!X || !Y || !areApartAt(*X, A, *Y, B, A.I == B.I))
        return false;
    }
  return any_of(instructions(F), [&](const Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    return Store && isWitness(*Store, Accesses);
  });
}

} // namespace kdiff
