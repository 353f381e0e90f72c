//===- Functions.cpp - Functions that partial derivatives call ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which call computes a function family of a
// given type at a given quality?
//
//===----------------------------------------------------------------------===//
#include "rules/Functions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include <numbers>

using namespace llvm;

namespace kdiff {
namespace {

struct Family {
  Fn F;
  StringLiteral Device; ///< Stem in libdevice; empty: Id is used.
  Intrinsic::ID Id = Intrinsic::not_intrinsic;
};

constexpr Family Families[] = {
    {Fn::Cos, "cos"},
    {Fn::Sin, "sin"},
    {Fn::CosPi, "cospi"},
    {Fn::SinPi, "sinpi"},
    {Fn::Cosh, "cosh"},
    {Fn::Sinh, "sinh"},
    {Fn::Exp, "exp"},
    {Fn::Log, "log"},
    {Fn::Sqrt, "", Intrinsic::sqrt},
    {Fn::Rsqrt, "rsqrt"},
    {Fn::RHypot, "rhypot"},
    {Fn::Pow, "pow"},
    {Fn::PowI, "powi"},
    {Fn::LdExp, "ldexp"},
    {Fn::J0, "j0"},
    {Fn::J1, "j1"},
    {Fn::JN, "jn"},
    {Fn::Y0, "y0"},
    {Fn::Y1, "y1"},
    {Fn::YN, "yn"},
    {Fn::I0, "cyl_bessel_i0"},
    {Fn::I1, "cyl_bessel_i1"},
    {Fn::Rint, "", Intrinsic::rint},
    {Fn::Abs, "", Intrinsic::fabs},
    {Fn::CopySign, "", Intrinsic::copysign},
};

const Family &familyOf(Fn F) {
  for (const Family &Row : Families)
    if (Row.F == F)
      return Row;
  llvm_unreachable("function family without a row");
}

Value *callDevice(IRBuilderBase &B, StringRef Stem, Type *Ty,
                  ArrayRef<Value *> Args) {
  Module &M = *B.GetInsertBlock()->getModule();
  SmallVector<Type *, 2> Params;
  for (Value *A : Args)
    Params.push_back(A->getType());
  FunctionCallee Callee = M.getOrInsertFunction(
      ("__nv_" + Stem + (Ty->isFloatTy() ? "f" : "")).str(),
      FunctionType::get(Ty, Params, false));
  CallInst *Call = B.CreateCall(Callee, Args);
  // At the call: a definition in the module does not state these.
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

/// psi(x) = d log(Gamma(x)) / dx: reflection below 1/2 (DLMF 5.5.4),
/// recurrence up to 8 (5.5.2), asymptotic series from there (5.11.2).
Value *emitDigamma(IRBuilderBase &B, Type *Ty, Value *X) {
  auto Number = [&](double V) { return ConstantFP::get(Ty, V); };
  Value *Reflect = B.CreateFCmpOLT(X, Number(0.5));
  Value *Z = B.CreateSelect(Reflect, B.CreateFSub(Number(1), X), X);

  // Sum of 1 / (z + k) for k < 8, as one fraction P' / P.
  constexpr unsigned Steps = 8;
  Value *P = Z, *PPrime = Number(1);
  for (unsigned K = 1; K != Steps; ++K) {
    Value *Factor = B.CreateFAdd(Z, Number(K));
    PPrime = B.CreateFAdd(B.CreateFMul(PPrime, Factor), P);
    P = B.CreateFMul(P, Factor);
  }
  Value *Small = B.CreateFCmpOLT(Z, Number(Steps));
  Value *Shift = B.CreateSelect(Small, B.CreateFDiv(PPrime, P), Number(0));
  Value *W = B.CreateSelect(Small, B.CreateFAdd(Z, Number(Steps)), Z);

  // B_2n / 2n, last first.
  constexpr double Coefficients[] = {1.0 / 12,   -691.0 / 32760, 1.0 / 132,
                                     -1.0 / 240, 1.0 / 252,      -1.0 / 120,
                                     1.0 / 12};
  Value *Inverse = B.CreateFDiv(Number(1), W);
  Value *U = B.CreateFMul(Inverse, Inverse);
  Value *Series = Number(0);
  for (double C : Coefficients)
    Series = B.CreateFMul(U, B.CreateFAdd(Series, Number(C)));
  Value *Log = emitFunction(B, Fn::Log, Quality::Accurate, Ty, W);
  Value *Psi = B.CreateFSub(Log, B.CreateFMul(Inverse, Number(0.5)));
  Psi = B.CreateFSub(B.CreateFSub(Psi, Series), Shift);

  Value *Cot =
      B.CreateFDiv(emitFunction(B, Fn::CosPi, Quality::Accurate, Ty, X),
                   emitFunction(B, Fn::SinPi, Quality::Accurate, Ty, X));
  Value *Reflected =
      B.CreateFSub(Psi, B.CreateFMul(Cot, Number(std::numbers::pi)));
  return B.CreateSelect(Reflect, Reflected, Psi);
}

/// Powers that need no call; null for others.
Value *emitConstantPower(IRBuilderBase &B, Type *Ty, Value *X, Value *E) {
  auto *C = dyn_cast<ConstantFP>(E);
  if (!C)
    return nullptr;
  if (C->isExactlyValue(0.0))
    return ConstantFP::get(Ty, 1);
  if (C->isExactlyValue(1.0))
    return X;
  if (C->isExactlyValue(2.0))
    return B.CreateFMul(X, X);
  if (C->isExactlyValue(-1.0))
    return B.CreateFDiv(ConstantFP::get(Ty, 1), X);
  if (C->isExactlyValue(0.5))
    return emitFunction(B, Fn::Sqrt, Quality::Accurate, Ty, X);
  if (C->isExactlyValue(-0.5))
    return emitFunction(B, Fn::Rsqrt, Quality::Accurate, Ty, X);
  return nullptr;
}

/// The hardware's approximation in float, or null where there is none.
Value *emitApprox(IRBuilderBase &B, Fn F, bool Ftz, Type *Ty,
                  ArrayRef<Value *> Args) {
  auto Unary = [&](Intrinsic::ID Plain, Intrinsic::ID Flushing, Value *X) {
    return B.CreateIntrinsic(Ty, Ftz ? Flushing : Plain, {X});
  };
  auto Number = [&](double V) { return ConstantFP::get(Ty, V); };
  auto Exp2 = [&](Value *X) {
    return Unary(Intrinsic::nvvm_ex2_approx, Intrinsic::nvvm_ex2_approx_ftz, X);
  };
  auto Log2 = [&](Value *X) {
    return Unary(Intrinsic::nvvm_lg2_approx_f, Intrinsic::nvvm_lg2_approx_ftz_f,
                 X);
  };
  switch (F) {
  case Fn::Cos:
    return Unary(Intrinsic::nvvm_cos_approx_f, Intrinsic::nvvm_cos_approx_ftz_f,
                 Args[0]);
  case Fn::Sin:
    return Unary(Intrinsic::nvvm_sin_approx_f, Intrinsic::nvvm_sin_approx_ftz_f,
                 Args[0]);
  case Fn::Rsqrt:
    return Unary(Intrinsic::nvvm_rsqrt_approx_f,
                 Intrinsic::nvvm_rsqrt_approx_ftz_f, Args[0]);
  case Fn::Exp:
    return Exp2(B.CreateFMul(Args[0], Number(std::numbers::log2e)));
  case Fn::Log:
    return B.CreateFMul(Log2(Args[0]), Number(std::numbers::ln2));
  case Fn::Pow:
    return Exp2(B.CreateFMul(Args[1], Log2(Args[0])));
  default:
    return nullptr;
  }
}

Value *emitScalar(IRBuilderBase &B, Fn F, Quality Q, Type *Ty,
                  ArrayRef<Value *> Args) {
  if (F == Fn::Pow)
    if (Value *V = emitConstantPower(B, Ty, Args[0], Args[1]))
      return V;
  if (Ty->isHalfTy() || Ty->isBFloatTy()) {
    SmallVector<Value *, 2> Wide;
    for (Value *A : Args)
      Wide.push_back(A->getType() == Ty ? B.CreateFPExt(A, B.getFloatTy()) : A);
    return B.CreateFPTrunc(emitScalar(B, F, Q, B.getFloatTy(), Wide), Ty);
  }
  if (Q != Quality::Accurate && Ty->isFloatTy())
    if (Value *V = emitApprox(B, F, Q == Quality::ApproxFtz, Ty, Args))
      return V;
  if (F == Fn::Digamma)
    return emitDigamma(B, Ty, Args[0]);
  return callDevice(B, familyOf(F).Device, Ty, Args);
}

} // namespace

Value *emitFunction(IRBuilderBase &B, Fn F, Quality Q, Type *Ty,
                    ArrayRef<Value *> Args) {
  if (F != Fn::Digamma && familyOf(F).Id != Intrinsic::not_intrinsic)
    return B.CreateIntrinsic(familyOf(F).Id, {Ty}, Args);
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  if (!Vector)
    return emitScalar(B, F, Q, Ty, Args);
  Value *Result = PoisonValue::get(Ty);
  for (unsigned I = 0; I != Vector->getNumElements(); ++I) {
    SmallVector<Value *, 2> Lane;
    for (Value *A : Args)
      Lane.push_back(A->getType()->isVectorTy() ? B.CreateExtractElement(A, I)
                                                : A);
    Result = B.CreateInsertElement(
        Result, emitScalar(B, F, Q, Vector->getElementType(), Lane), I);
  }
  return Result;
}

Value *emitDivision(IRBuilderBase &B, Quality Q, Value *N, Value *D) {
  Type *Ty = N->getType();
  if (Q == Quality::Accurate || !Ty->isFloatTy())
    return B.CreateFDiv(N, D);
  return B.CreateIntrinsic(Ty,
                           Q == Quality::ApproxFtz
                               ? Intrinsic::nvvm_div_approx_ftz_f
                               : Intrinsic::nvvm_div_approx_f,
                           {N, D});
}

} // namespace kdiff
