//===- Emit.cpp - Formulas as IR ------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions compute a formula?
//
//===----------------------------------------------------------------------===//
#include "rules/Table.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace kdiff {

NeedMask needs(const Expr &E) {
  NeedMask Mask = 0;
  for (unsigned I = 0; I != E.Size; ++I) {
    const Expr::Node &N = E.Nodes[I];
    if (N.O == Op::Arg || N.O == Op::IntArg)
      Mask |= 1u << N.Index;
    else if (N.O == Op::Result)
      Mask |= ResultBit;
  }
  return Mask;
}

namespace {

/// Emits a formula; equal subtrees once.
class Emitter {
public:
  Emitter(IRBuilderBase &B, Quality Q, ArrayRef<Value *> Args, Value *Result,
          Type *Ty, Value *Reciprocal)
      : B(B), Q(Q), Args(Args), Result(Result), Ty(Ty) {
    if (Reciprocal)
      Emitted.push_back({Op::Div, Fn::None, {number(1), Args[1]}, Reciprocal});
  }

  Value *emit(const Expr &E) {
    SmallVector<Value *, 16> Stack;
    for (unsigned I = 0; I != E.Size; ++I) {
      const Expr::Node &N = E.Nodes[I];
      unsigned Pops = popCount(N.O, N.Function);
      ArrayRef<Value *> Operands = ArrayRef(Stack).take_back(Pops);
      Value *V = memoized(N, Operands);
      Stack.truncate(Stack.size() - Pops);
      Stack.push_back(V);
    }
    assert(Stack.size() == 1 && "malformed formula");
    return Stack.back();
  }

private:
  struct Done {
    Op O;
    Fn Function;
    SmallVector<Value *, 3> Operands;
    Value *V;
  };

  Value *memoized(const Expr::Node &N, ArrayRef<Value *> Operands) {
    if (Operands.empty())
      return leaf(N);
    for (const Done &D : Emitted)
      if (D.O == N.O && D.Function == N.Function &&
          ArrayRef(D.Operands) == Operands)
        return D.V;
    Value *V = inner(N, Operands);
    Emitted.push_back({N.O, N.Function, SmallVector<Value *, 3>(Operands), V});
    return V;
  }

  Value *leaf(const Expr::Node &N) {
    switch (N.O) {
    case Op::Arg:
    case Op::IntArg:
      assert(Args[N.Index] && "operand that needs() names is missing");
      return Args[N.Index];
    case Op::Result:
      assert(Result && "result that needs() names is missing");
      return Result;
    case Op::Literal:
      return number(N.Value);
    case Op::PerType:
      return number(Ty->getScalarType()->isDoubleTy() ? N.Value : N.Narrow);
    default:
      llvm_unreachable("no leaf");
    }
  }

  Value *inner(const Expr::Node &N, ArrayRef<Value *> V) {
    switch (N.O) {
    case Op::Neg:
      return B.CreateFNeg(V[0]);
    case Op::Add:
      return B.CreateFAdd(V[0], V[1]);
    case Op::Sub:
      return B.CreateFSub(V[0], V[1]);
    case Op::Mul:
      return multiply(V[0], V[1]);
    case Op::Div:
      return emitDivision(B, Q, V[0], V[1]);
    case Op::MulZero:
      return select(B.CreateFCmpOEQ(V[0], number(0)), number(0),
                    multiply(V[0], V[1]));
    case Op::ToFP:
      return toFP(V[0]);
    case Op::Pred:
      return B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, V[0],
                                     ConstantInt::get(V[0]->getType(), 1));
    case Op::Succ:
      return B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, V[0],
                                     ConstantInt::get(V[0]->getType(), 1));
    case Op::Equal:
      return B.CreateFCmpOEQ(V[0], V[1]);
    case Op::Less:
      return B.CreateFCmpOLT(V[0], V[1]);
    case Op::IsZero:
      return B.CreateIsNull(V[0]);
    case Op::Select:
      return select(V[0], V[1], V[2]);
    case Op::Call:
      return emitFunction(B, N.Function, Q, Ty, V);
    default:
      llvm_unreachable("no inner node");
    }
  }

  Value *number(double V) { return ConstantFP::get(Ty, V); }

  /// Products by one, as constant exponents give them, are left out.
  Value *multiply(Value *L, Value *R) {
    if (R == number(1))
      return L;
    if (L == number(1))
      return R;
    return B.CreateFMul(L, R);
  }

  /// Conditions that constant exponents decide leave one side.
  Value *select(Value *Condition, Value *True, Value *False) {
    if (auto *C = dyn_cast<Constant>(Condition)) {
      if (C->isOneValue() || C->isAllOnesValue())
        return True;
      if (C->isNullValue())
        return False;
    }
    return B.CreateSelect(Condition, True, False);
  }

  Value *toFP(Value *Integer) {
    if (Integer->getType()->isVectorTy() == Ty->isVectorTy())
      return B.CreateSIToFP(Integer, Ty);
    Value *V = B.CreateSIToFP(Integer, Ty->getScalarType());
    return B.CreateVectorSplat(cast<FixedVectorType>(Ty)->getNumElements(), V);
  }

  IRBuilderBase &B;
  Quality Q;
  ArrayRef<Value *> Args;
  Value *Result;
  Type *Ty;
  SmallVector<Done, 16> Emitted;
};

} // namespace

Value *emitExpr(IRBuilderBase &B, const Expr &E, Quality Q,
                ArrayRef<Value *> Args, Value *Result, Type *Ty,
                FastMathFlags FMF, Value *Reciprocal) {
  if (E.Size == 0)
    return Constant::getNullValue(Ty);
  // A partial may be infinite or NaN where the primal is not.
  FMF.setNoNaNs(false);
  FMF.setNoInfs(false);
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.setFastMathFlags(FMF);
  return Emitter(B, Q, Args, Result, Ty, Reciprocal).emit(E);
}

} // namespace kdiff
