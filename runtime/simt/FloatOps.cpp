//===- FloatOps.cpp - PTX floating-point arithmetic -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a floating-point operation with PTX'
// modifiers (.rz, .ftz, .sat, .relu, .NaN) said in host IR?
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace kdiff::simt;

FloatMode FloatMode::parse(ArrayRef<StringRef> Parts) {
  FloatMode Mode;
  for (StringRef P : Parts) {
    if (P == "rn" || P == "rni")
      Mode.Round = Rounding::Nearest;
    else if (P == "rz" || P == "rzi")
      Mode.Round = Rounding::Zero;
    else if (P == "rm" || P == "rmi")
      Mode.Round = Rounding::Down;
    else if (P == "rp" || P == "rpi")
      Mode.Round = Rounding::Up;
    else if (P == "ftz")
      Mode.Ftz = true;
    else if (P == "sat")
      Mode.Sat = true;
    else if (P == "relu")
      Mode.Relu = true;
    else if (P == "NaN" || P == "nan")
      Mode.NaN = true;
    else if (P == "xorsign")
      Mode.XorSign = true;
  }
  return Mode;
}

static StringRef typeName(Type *Ty) {
  return Ty->isHalfTy()     ? "f16"
         : Ty->isBFloatTy() ? "bf16"
         : Ty->isFloatTy()  ? "f32"
                            : "f64";
}

static bool isHalf(Type *Ty) {
  return Ty->getScalarType()->isHalfTy() || Ty->getScalarType()->isBFloatTy();
}

Value *FloatOps::flush(Value *X) {
  Type *Ty = X->getType();
  auto Smallest =
      APFloat::getSmallestNormalized(Ty->getScalarType()->getFltSemantics());
  Value *Tiny = B.CreateFCmpOLT(B.CreateUnaryIntrinsic(Intrinsic::fabs, X),
                                ConstantFP::get(Ty, Smallest));
  Value *Zero =
      B.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::getZero(Ty), X);
  return B.CreateSelect(Tiny, Zero, X);
}

Value *FloatOps::out(Value *X, FloatMode Mode) {
  Type *Ty = X->getType();
  Constant *Zero = ConstantFP::getZero(Ty);
  if (Mode.Ftz)
    X = flush(X);
  if (Mode.Sat)
    X = B.CreateBinaryIntrinsic(
        Intrinsic::minimumnum,
        B.CreateBinaryIntrinsic(Intrinsic::maximumnum, X, Zero),
        ConstantFP::get(Ty, 1.0));
  if (Mode.Relu)
    X = B.CreateSelect(B.CreateFCmpOLT(X, Zero), Zero, X);
  return X;
}

Value *FloatOps::runtime(StringRef Op, ArrayRef<Value *> Args, FloatMode Mode) {
  Type *Ty = Args[0]->getType();
  std::string Name =
      arithmeticName(Op, Mode.Round, typeName(Ty->getScalarType()));
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  if (!Vector)
    return E.callRuntime(Name, Ty, Args);
  Value *R = PoisonValue::get(Ty);
  for (unsigned I = 0; I < Vector->getNumElements(); ++I) {
    SmallVector<Value *, 3> Elements;
    for (Value *A : Args)
      Elements.push_back(B.CreateExtractElement(A, I));
    R = B.CreateInsertElement(
        R, E.callRuntime(Name, Vector->getElementType(), Elements), I);
  }
  return R;
}

Value *FloatOps::add(Value *X, Value *Y, FloatMode Mode) {
  X = in(X, Mode);
  Y = in(Y, Mode);
  return out(Mode.Round == Rounding::Nearest ? B.CreateFAdd(X, Y)
                                             : runtime("add", {X, Y}, Mode),
             Mode);
}

Value *FloatOps::sub(Value *X, Value *Y, FloatMode Mode) {
  return add(X, B.CreateFNeg(Y), Mode);
}

Value *FloatOps::mul(Value *X, Value *Y, FloatMode Mode) {
  X = in(X, Mode);
  Y = in(Y, Mode);
  return out(Mode.Round == Rounding::Nearest ? B.CreateFMul(X, Y)
                                             : runtime("mul", {X, Y}, Mode),
             Mode);
}

Value *FloatOps::div(Value *X, Value *Y, FloatMode Mode) {
  X = in(X, Mode);
  Y = in(Y, Mode);
  return out(Mode.Round == Rounding::Nearest ? B.CreateFDiv(X, Y)
                                             : runtime("div", {X, Y}, Mode),
             Mode);
}

Value *FloatOps::fma(Value *X, Value *Y, Value *Z, FloatMode Mode) {
  X = in(X, Mode);
  Y = in(Y, Mode);
  Z = in(Z, Mode);
  bool Plain = Mode.Round == Rounding::Nearest && !isHalf(X->getType());
  return out(Plain
                 ? B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, Z})
                 : runtime("fma", {X, Y, Z}, Mode),
             Mode);
}

Value *FloatOps::minMax(bool Max, Value *X, Value *Y, FloatMode Mode) {
  X = in(X, Mode);
  Y = in(Y, Mode);
  Intrinsic::ID Id =
      Mode.NaN ? (Max ? Intrinsic::maximum : Intrinsic::minimum)
               : (Max ? Intrinsic::maximumnum : Intrinsic::minimumnum);
  if (!Mode.XorSign)
    return out(B.CreateBinaryIntrinsic(Id, X, Y), Mode);
  auto magnitude = [&](Value *V) {
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  };
  Value *R = B.CreateBinaryIntrinsic(Id, magnitude(X), magnitude(Y));
  // 1.0 with the sign of X, times the sign of Y, is the xor of the signs.
  Value *One = ConstantFP::get(X->getType(), 1.0);
  Value *Sign =
      B.CreateFMul(B.CreateBinaryIntrinsic(Intrinsic::copysign, One, X),
                   B.CreateBinaryIntrinsic(Intrinsic::copysign, One, Y));
  return out(B.CreateBinaryIntrinsic(Intrinsic::copysign, R, Sign), Mode);
}

Value *FloatOps::unary(StringRef Op, Value *X, FloatMode Mode) {
  Type *Ty = X->getType();
  X = in(X, Mode);
  if (Op == "neg")
    return out(B.CreateFNeg(X), Mode);
  if (Op == "abs")
    return out(B.CreateUnaryIntrinsic(Intrinsic::fabs, X), Mode);
  if (Op == "rcp")
    return div(ConstantFP::get(Ty, 1.0), X, Mode);
  if (Op == "sqrt" && Mode.Round != Rounding::Nearest)
    return out(runtime("sqrt", {X}, Mode), Mode);
  if (Op == "rsqrt")
    return out(B.CreateFDiv(ConstantFP::get(Ty, 1.0),
                            B.CreateUnaryIntrinsic(Intrinsic::sqrt, X)),
               Mode);
  auto Id = StringSwitch<Intrinsic::ID>(Op)
                .Case("sqrt", Intrinsic::sqrt)
                .Case("ex2", Intrinsic::exp2)
                .Case("lg2", Intrinsic::log2)
                .Case("sin", Intrinsic::sin)
                .Case("cos", Intrinsic::cos)
                .Case("tanh", Intrinsic::tanh)
                .Default(Intrinsic::not_intrinsic);
  if (Id == Intrinsic::not_intrinsic)
    return nullptr;
  return out(B.CreateUnaryIntrinsic(Id, X), Mode);
}

Value *FloatOps::integral(Value *X, FloatMode Mode) {
  X = in(X, Mode);
  switch (Mode.Round) {
  case Rounding::Nearest:
    return out(B.CreateUnaryIntrinsic(Intrinsic::roundeven, X), Mode);
  case Rounding::Zero:
    return out(B.CreateUnaryIntrinsic(Intrinsic::trunc, X), Mode);
  case Rounding::Down:
    return out(B.CreateUnaryIntrinsic(Intrinsic::floor, X), Mode);
  case Rounding::Up:
    return out(B.CreateUnaryIntrinsic(Intrinsic::ceil, X), Mode);
  }
  llvm_unreachable("all roundings are handled");
}

Value *FloatOps::toInteger(Value *X, Type *To, bool Signed, FloatMode Mode) {
  bool Wide = X->getType()->getScalarType()->isDoubleTy() ||
              To->getScalarSizeInBits() == 64;
  if (isHalf(X->getType()))
    X = B.CreateFPExt(X, X->getType()->getWithNewType(B.getFloatTy()));
  X = integral(X, {Mode.Round, Mode.Ftz});
  Value *R =
      B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                        {To, X->getType()}, {X});
  if (!Wide)
    return R;
  APInt OfNaN = APInt::getSignMask(To->getScalarSizeInBits());
  return B.CreateSelect(B.CreateFCmpUNO(X, X), ConstantInt::get(To, OfNaN), R);
}

Value *FloatOps::fromInteger(Value *X, bool Signed, Type *To, FloatMode Mode) {
  if (Mode.Round == Rounding::Nearest && !isHalf(To))
    return out(Signed ? B.CreateSIToFP(X, To) : B.CreateUIToFP(X, To), Mode);
  Value *Wide = Signed ? B.CreateSExt(X, B.getInt64Ty())
                       : B.CreateZExt(X, B.getInt64Ty());
  return out(E.callRuntime(arithmeticName("cvt", Mode.Round, typeName(To),
                                          Signed ? "s64" : "u64"),
                           To, {Wide}),
             Mode);
}

Value *FloatOps::convert(Value *X, Type *To, FloatMode Mode) {
  X = in(X, Mode);
  Type *From = X->getType();
  if (From == To)
    return out(X, Mode);
  unsigned FromBits = From->getScalarSizeInBits();
  unsigned ToBits = To->getScalarSizeInBits();
  if (FromBits < ToBits)
    return out(B.CreateFPExt(X, To), Mode);
  if (FromBits == ToBits) { // half and bfloat: over float, exactly.
    X = B.CreateFPExt(X, B.getFloatTy());
    From = X->getType();
  } else if (Mode.Round == Rounding::Nearest && !isHalf(To)) {
    return out(B.CreateFPTrunc(X, To), Mode);
  }
  return out(E.callRuntime(arithmeticName("cvt", Mode.Round, typeName(To),
                                          typeName(From)),
                           To, {X}),
             Mode);
}
