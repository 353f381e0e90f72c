//===- Arithmetic.cpp - llvm.nvvm.* arithmetic on the host ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the NVVM intrinsics for integer and
// floating-point arithmetic become?
//
//===----------------------------------------------------------------------===//

#include "IntegerOps.h"
#include "Intrinsics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace kdiff::simt;

Value *IntrinsicLowering::lowerInteger(StringRef Name) {
  llvm::Type *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  if (Name == "d2i.hi")
    return B.CreateTrunc(B.CreateLShr(B.CreateBitCast(arg(0), I64), 32), I32);
  if (Name == "d2i.lo")
    return B.CreateTrunc(B.CreateBitCast(arg(0), I64), I32);
  if (Name == "lohi.i2d")
    return B.CreateBitCast(joinHalves(B, arg(0), arg(1)), B.getDoubleTy());
  auto [Op, Kind] = Name.split('.');
  bool Signed = !StringRef(Kind).starts_with("u");
  if (Op == "mulhi")
    return multiplyHigh(B, arg(0), arg(1), Signed);
  if (Op == "mul24") {
    auto low24 = [&](Value *V) {
      V = B.CreateShl(V, 8);
      return Signed ? B.CreateAShr(V, 8) : B.CreateLShr(V, 8);
    };
    return B.CreateMul(low24(arg(0)), low24(arg(1)));
  }
  if (Op == "sad")
    return B.CreateAdd(arg(2), absoluteDifference(B, arg(0), arg(1), Signed));
  if (Name == "fns")
    return E.callRuntime("kdiff_simt_fns", I32, {arg(0), arg(1), arg(2)});
  if (Name == "prmt")
    return permuteBytes(B, arg(0), arg(1), arg(2));
  if (Name == "fshl.clamp")
    return funnelShift(B, /*Left=*/true, /*Clamp=*/true, arg(1), arg(0),
                       arg(2));
  if (Name == "fshr.clamp")
    return funnelShift(B, /*Left=*/false, /*Clamp=*/true, arg(1), arg(0),
                       arg(2));
  if (Op == "flo")
    return findLeadingOne(B, arg(0), Kind == "s",
                          B.CreateTrunc(arg(1), B.getInt1Ty()), Type);
  if (Op == "idp4a" || Op == "idp2a") {
    bool FirstSigned = Kind.starts_with("s"),
         SecondSigned = Kind.ends_with("s");
    if (Op == "idp4a")
      return dotProduct(B, arg(0), FirstSigned, arg(1), SecondSigned, arg(2));
    // Operand 2 says whether the upper half of the second one counts.
    Value *Bytes = B.CreateLShr(
        arg(1), B.CreateSelect(arg(2), B.getInt32(16), B.getInt32(0)));
    return dotProduct2(B, arg(0), FirstSigned, Bytes, SecondSigned, arg(3));
  }
  return nullptr;
}

/// f2i, d2ull, ui2f, d2f, f2h, ff2bf16x2 and so on: letters for the type on
/// either side of the 2.
Value *IntrinsicLowering::lowerConversion(StringRef Op, FloatMode Mode) {
  auto [From, To] = Op.split('2');
  auto isInteger = [](StringRef S) {
    return S == "i" || S == "ui" || S == "ll" || S == "ull";
  };
  bool FromFloat = From == "f" || From == "d", ToFloat = To == "f" || To == "d";
  if (FromFloat && isInteger(To))
    return Floats.toInteger(arg(0), Type, !To.starts_with("u"), Mode);
  if (isInteger(From) && ToFloat)
    return Floats.fromInteger(arg(0), !From.starts_with("u"), Type, Mode);
  if (From == "d" && To == "f")
    return Floats.convert(arg(0), Type, Mode);
  if (From == "f" && To == "h") // The half is given as an i16.
    return B.CreateBitCast(Floats.convert(arg(0), B.getHalfTy(), Mode), Type);
  if (From == "f" && (To == "f16" || To == "bf16"))
    return Floats.convert(arg(0), Type, Mode);
  if (From == "ff" && (To == "f16x2" || To == "bf16x2")) {
    // The first operand is the upper half.
    llvm::Type *Half = cast<VectorType>(Type)->getElementType();
    Value *R =
        B.CreateInsertElement(PoisonValue::get(Type),
                              Floats.convert(arg(1), Half, Mode), uint64_t(0));
    return B.CreateInsertElement(R, Floats.convert(arg(0), Half, Mode),
                                 uint64_t(1));
  }
  return nullptr;
}

Value *IntrinsicLowering::lowerFloat(StringRef Name) {
  SmallVector<StringRef, 6> Parts;
  Name.split(Parts, '.');
  StringRef Op = Parts.front();
  FloatMode Mode = FloatMode::parse(Parts);
  if (is_contained(Parts, "satfinite") || is_contained(Parts, "rs") ||
      is_contained(Parts, "rna"))
    return nullptr;
  if (Op.contains('2') && Op != "ex2" && Op != "lg2")
    return lowerConversion(Op, Mode);
  if (!Type->isFPOrFPVectorTy())
    return nullptr;
  if (Op == "add")
    return Floats.add(arg(0), arg(1), Mode);
  if (Op == "mul")
    return Floats.mul(arg(0), arg(1), Mode);
  if (Op == "div")
    return Floats.div(arg(0), arg(1), Mode);
  if (Op == "fma")
    return Floats.fma(arg(0), arg(1), arg(2), Mode);
  if (Op == "fmin" || Op == "fmax")
    return Floats.minMax(Op == "fmax", arg(0), arg(1), Mode);
  if (Op == "saturate") {
    Mode.Sat = true;
    return Floats.convert(arg(0), Type, Mode);
  }
  bool RoundsToIntegral = StringSwitch<bool>(Op)
                              .Cases({"floor", "ceil", "trunc", "round"}, true)
                              .Default(false);
  if (RoundsToIntegral) {
    Mode.Round = StringSwitch<Rounding>(Op)
                     .Case("floor", Rounding::Down)
                     .Case("ceil", Rounding::Up)
                     .Case("trunc", Rounding::Zero)
                     .Default(Rounding::Nearest);
    return Floats.integral(arg(0), Mode);
  }
  return Floats.unary(Op == "fabs" ? "abs" : Op, arg(0), Mode);
}
