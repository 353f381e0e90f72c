//===- Composite.cpp - Calls that consist of simpler operations -*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which simpler operations make up an intrinsic
// that returns several numbers, a sum over a vector's elements, or the norm of
// a vector in memory?
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "rules/Attach.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace kdiff;

namespace {

Value *pairOf(IRBuilderBase &B, Type *T, Value *First, Value *Second) {
  Value *Pair = B.CreateInsertValue(PoisonValue::get(T), First, 0);
  return B.CreateInsertValue(Pair, Second, 1);
}

/// The fraction with the number's sign, and the integer (C23 7.12.6.18: the
/// fraction of an infinity is zero).
Value *emitModf(IRBuilderBase &B, CallInst &CI) {
  Value *X = CI.getArgOperand(0);
  Value *Whole = B.CreateUnaryIntrinsic(Intrinsic::trunc, X);
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  Value *IsInfinite =
      B.CreateFCmpOEQ(Size, ConstantFP::getInfinity(X->getType()));
  Value *Rest = B.CreateSelect(IsInfinite, Constant::getNullValue(X->getType()),
                               B.CreateFSub(X, Whole));
  return pairOf(B, CI.getType(), B.CreateCopySign(Rest, X), Whole);
}

/// One number of a pair of a half, float or double: x * 2^-e in [0.5, 1), and
/// e. (0, infinities and NaN are their own fractions; for the latter two, e is
/// not specified.) ldexp has a row, and scaling by a power of two is exact.
Value *emitFrexp(IRBuilderBase &B, CallInst &CI) {
  Value *X = CI.getArgOperand(0);
  Type *T = X->getType(), *I32 = B.getInt32Ty();
  if (T->isVectorTy() || CI.getType()->getStructElementType(1) != I32)
    return nullptr;
  Type *Wide = T->isDoubleTy() ? T : B.getFloatTy();
  FunctionCallee ILogB = CI.getModule()->getOrInsertFunction(
      Wide->isDoubleTy() ? "__nv_ilogb" : "__nv_ilogbf", I32, Wide);
  CallInst *Log = B.CreateCall(ILogB, B.CreateFPExt(X, Wide));
  Log->setDoesNotAccessMemory();
  Log->setDoesNotThrow();
  Log->addFnAttr(Attribute::WillReturn);
  Value *Exponent =
      B.CreateSelect(B.CreateFCmpUEQ(X, Constant::getNullValue(T)),
                     B.getInt32(0), B.CreateAdd(Log, B.getInt32(1)));
  Value *Fraction =
      B.CreateIntrinsic(Intrinsic::ldexp, {T, I32}, {X, B.CreateNeg(Exponent)});
  return pairOf(B, CI.getType(), Fraction, Exponent);
}

Value *emitSinCosPi(IRBuilderBase &B, CallInst &CI) {
  Value *X = CI.getArgOperand(0);
  Type *T = X->getType();
  if (!T->isFloatTy() && !T->isDoubleTy())
    return nullptr;
  auto Call = [&](StringRef Name) {
    return B.CreateCall(CI.getModule()->getOrInsertFunction(
                            (Name + (T->isFloatTy() ? "f" : "")).str(), T, T),
                        X);
  };
  return pairOf(B, CI.getType(), Call("__nv_sinpi"), Call("__nv_cospi"));
}

/// The elements in order, starting from \p Start where there is one: the order
/// that the language defines; flags that allow another allow this one too.
template <typename Combine>
Value *reduce(IRBuilderBase &B, Value *Start, Value *Vector, Combine C) {
  unsigned Count = cast<FixedVectorType>(Vector->getType())->getNumElements();
  Value *Result = Start;
  for (unsigned K = 0; K != Count; ++K) {
    Value *Element = B.CreateExtractElement(Vector, uint64_t(K));
    Result = Result ? C(Result, Element) : Element;
  }
  return Result;
}

Value *emitReduction(IRBuilderBase &B, CallInst &CI) {
  auto ByIntrinsic = [&](Intrinsic::ID Id) {
    return reduce(B, nullptr, CI.getArgOperand(0), [&](Value *L, Value *R) {
      return B.CreateBinaryIntrinsic(Id, L, R);
    });
  };
  switch (CI.getIntrinsicID()) {
  case Intrinsic::vector_reduce_fadd:
    return reduce(B, CI.getArgOperand(0), CI.getArgOperand(1),
                  [&](Value *L, Value *R) { return B.CreateFAdd(L, R); });
  case Intrinsic::vector_reduce_fmul:
    return reduce(B, CI.getArgOperand(0), CI.getArgOperand(1),
                  [&](Value *L, Value *R) { return B.CreateFMul(L, R); });
  case Intrinsic::vector_reduce_fmin:
    return ByIntrinsic(Intrinsic::minnum);
  case Intrinsic::vector_reduce_fmax:
    return ByIntrinsic(Intrinsic::maxnum);
  case Intrinsic::vector_reduce_fminimum:
    return ByIntrinsic(Intrinsic::minimum);
  case Intrinsic::vector_reduce_fmaximum:
    return ByIntrinsic(Intrinsic::maximum);
  default:
    return nullptr;
  }
}

/// Null if \p CI is a call like any other.
Value *emitParts(IRBuilderBase &B, CallInst &CI) {
  switch (CI.getIntrinsicID()) {
  case Intrinsic::sincos: {
    Value *X = CI.getArgOperand(0);
    return pairOf(B, CI.getType(), B.CreateUnaryIntrinsic(Intrinsic::sin, X),
                  B.CreateUnaryIntrinsic(Intrinsic::cos, X));
  }
  case Intrinsic::sincospi:
    return emitSinCosPi(B, CI);
  case Intrinsic::modf:
    return emitModf(B, CI);
  case Intrinsic::frexp:
    return emitFrexp(B, CI);
  default:
    return emitReduction(B, CI);
  }
}

/// libdevice's norm(dim, p) = sqrt(sum of p[i]^2) and its reciprocal.
struct Norm {
  bool IsReciprocal;
  Type *Element;
};

std::optional<Norm> normOf(const CallInst &CI) {
  const Function *F = CI.getCalledFunction();
  if (!F || isPrimalOnly(CI))
    return std::nullopt;
  return StringSwitch<std::optional<Norm>>(F->getName())
      .Cases({"__nv_norm", "__nv_normf"}, Norm{false, F->getReturnType()})
      .Cases({"__nv_rnorm", "__nv_rnormf"}, Norm{true, F->getReturnType()})
      .Default(std::nullopt);
}

/// d y / d x of the norm y (0 at the origin, as hypot has it), or of its
/// reciprocal y, in an order that does not overflow before its time.
Value *normSlope(IRBuilderBase &B, const Norm &N, Value *X, Value *Y) {
  if (N.IsReciprocal)
    return B.CreateFNeg(B.CreateFMul(B.CreateFMul(B.CreateFMul(X, Y), Y), Y));
  Constant *Zero = ConstantFP::getZero(N.Element);
  return B.CreateSelect(B.CreateFCmpOEQ(Y, Zero), Zero, B.CreateFDiv(X, Y));
}

/// Attaches the slope by each element in a loop over them. libdevice reads the
/// first element whatever the number of dimensions, and the norm of none is
/// that element's magnitude.
void expandNorm(CallInst &CI, const Norm &N) {
  IRBuilder<> B(CI.getNextNode());
  B.SetCurrentDebugLocation(CI.getDebugLoc());
  Value *Trips = B.CreateBinaryIntrinsic(Intrinsic::smax, CI.getArgOperand(0),
                                         B.getInt32(1));
  Instruction *Behind = &*B.GetInsertPoint();
  BasicBlock *Before = CI.getParent();
  auto [Body, Index] =
      SplitBlockAndInsertSimpleForLoop(Trips, Behind->getIterator());
  B.SetInsertPoint(Body->getParent(), Body->getParent()->begin());
  PHINode *Value = B.CreatePHI(N.Element, 2, "norm");
  B.SetInsertPoint(Body);
  B.SetCurrentDebugLocation(CI.getDebugLoc());
  llvm::Value *X = B.CreateLoad(
      N.Element, B.CreateInBoundsGEP(N.Element, CI.getArgOperand(1),
                                     B.CreateZExt(Index, B.getInt64Ty())));
  llvm::Value *Next = createAttach(B, Value, X, normSlope(B, N, X, &CI));
  CI.replaceUsesWithIf(Next, [&](Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    return User->getParent() != Body->getParent() && User != Value;
  });
  Value->addIncoming(&CI, Before);
  Value->addIncoming(Next, Body->getParent());
  markPrimalOnly(CI);
}

} // namespace

bool kdiff::expandComposites(Function &F) {
  SmallVector<std::pair<CallInst *, Norm>, 4> Norms;
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *CI = dyn_cast<CallInst>(&I);
    if (!CI)
      continue;
    if (std::optional<Norm> N = normOf(*CI)) {
      Norms.push_back({CI, *N});
      continue;
    }
    IRBuilder<> B(CI);
    if (isa<FPMathOperator>(CI))
      B.setFastMathFlags(CI->getFastMathFlags());
    if (Value *V = emitParts(B, *CI)) {
      CI->replaceAllUsesWith(V);
      CI->eraseFromParent();
      Changed = true;
    }
  }
  for (auto &[CI, N] : Norms)
    expandNorm(*CI, N);
  return Changed || !Norms.empty();
}
