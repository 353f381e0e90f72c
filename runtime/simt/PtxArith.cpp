//===- PtxArith.cpp - Arithmetic of inline PTX ----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the arithmetic, comparing and
// converting instructions of inline PTX compute?
//
//===----------------------------------------------------------------------===//

#include "IntegerOps.h"
#include "PtxAsm.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace kdiff::simt;

bool AsmLowering::emitFloat() {
  if (!Kind.Ty || !Kind.isFloat())
    return false;
  FloatMode Mode = FloatMode::parse(I->Name);
  if (Op == "add")
    return write(0, Floats.add(read(1), read(2), Mode));
  if (Op == "sub")
    return write(0, Floats.sub(read(1), read(2), Mode));
  if (Op == "mul")
    return write(0, Floats.mul(read(1), read(2), Mode));
  if (Op == "fma" || Op == "mad")
    return write(0, Floats.fma(read(1), read(2), read(3), Mode));
  if (Op == "div")
    return write(0, Floats.div(read(1), read(2), Mode));
  if (Op == "min" || Op == "max")
    return write(0, Floats.minMax(Op == "max", read(1), read(2), Mode));
  if (Op == "copysign") // copysign d, a, b: the sign of a.
    return write(
        0, B.CreateBinaryIntrinsic(Intrinsic::copysign, read(2), read(1)));
  Value *R = Floats.unary(Op, read(1), Mode);
  return R && write(0, R);
}

bool AsmLowering::emitInteger() {
  if (!Kind.Ty || Kind.isFloat())
    return false;
  if (emitCarry() || emitMultiply())
    return true;
  bool Signed = Kind.Signed;
  auto minMax = [&](bool Max) {
    Intrinsic::ID Id = Signed ? (Max ? Intrinsic::smax : Intrinsic::smin)
                              : (Max ? Intrinsic::umax : Intrinsic::umin);
    Value *R = B.CreateBinaryIntrinsic(Id, read(1), read(2));
    if (has("relu"))
      R = B.CreateBinaryIntrinsic(Intrinsic::smax, R,
                                  ConstantInt::get(Kind.Ty, 0));
    return write(0, R);
  };
  if (Op == "min" || Op == "max")
    return minMax(Op == "max");
  if (Op == "div")
    return write(0, Signed ? B.CreateSDiv(read(1), read(2))
                           : B.CreateUDiv(read(1), read(2)));
  if (Op == "rem")
    return write(0, Signed ? B.CreateSRem(read(1), read(2))
                           : B.CreateURem(read(1), read(2)));
  if (Op == "fns") {
    Type *I32 = B.getInt32Ty();
    return write(0, E.callRuntime("kdiff_simt_fns", I32,
                                  {read(1, I32), read(2, I32), read(3, I32)}));
  }
  if (Op == "neg")
    return write(0, B.CreateNeg(read(1)));
  if (Op == "abs")
    return write(
        0, B.CreateBinaryIntrinsic(Intrinsic::abs, read(1), B.getFalse()));
  if (Op == "sad")
    return write(0, B.CreateAdd(read(3), absoluteDifference(B, read(1), read(2),
                                                            Signed)));
  return false;
}

/// add, sub and their forms with the carry flag.
bool AsmLowering::emitCarry() {
  bool Add = Op == "add" || Op == "addc", Sub = Op == "sub" || Op == "subc";
  if (!Add && !Sub)
    return false;
  if (has("sat")) {
    Intrinsic::ID Id = Add ? Intrinsic::sadd_sat : Intrinsic::ssub_sat;
    return write(0, B.CreateBinaryIntrinsic(Id, read(1), read(2)));
  }
  unsigned Width = Kind.Ty->getIntegerBitWidth();
  Type *Wide = B.getIntNTy(Width + 1);
  Value *X = B.CreateZExt(read(1), Wide), *Y = B.CreateZExt(read(2), Wide);
  Value *R = Add ? B.CreateAdd(X, Y) : B.CreateSub(X, Y);
  if (Op.ends_with("c")) {
    if (!Carry)
      return false;
    Value *In = B.CreateZExt(Carry, Wide);
    R = Add ? B.CreateAdd(R, In) : B.CreateSub(R, In);
  }
  if (has("cc"))
    Carry = B.CreateTrunc(B.CreateLShr(R, Width), B.getInt1Ty());
  return write(0, B.CreateTrunc(R, Kind.Ty));
}

/// mul and mad, of the lower, upper or both halves of the product.
bool AsmLowering::emitMultiply() {
  bool Mad = Op == "mad" || Op == "madc";
  if (Op != "mul" && !Mad)
    return false;
  unsigned Width = Kind.Ty->getIntegerBitWidth();
  if (has("wide")) {
    Type *Wide = B.getIntNTy(2 * Width);
    auto extend = [&](Value *V) {
      return Kind.Signed ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
    };
    Value *R = B.CreateMul(extend(read(1)), extend(read(2)));
    return write(0, Mad ? B.CreateAdd(R, read(3, Wide)) : R);
  }
  Value *P = has("hi") ? multiplyHigh(B, read(1), read(2), Kind.Signed)
                       : B.CreateMul(read(1), read(2));
  if (!Mad)
    return write(0, P);
  Type *Wide = B.getIntNTy(Width + 1);
  Value *R = B.CreateAdd(B.CreateZExt(P, Wide), B.CreateZExt(read(3), Wide));
  if (Op == "madc") {
    if (!Carry)
      return false;
    R = B.CreateAdd(R, B.CreateZExt(Carry, Wide));
  }
  if (has("cc"))
    Carry = B.CreateTrunc(B.CreateLShr(R, Width), B.getInt1Ty());
  return write(0, B.CreateTrunc(R, Kind.Ty));
}

bool AsmLowering::emitBits() {
  if (!Kind.Ty || Kind.isFloat())
    return false;
  Type *I32 = B.getInt32Ty();
  auto count = [&](unsigned N) { return read(N, I32); };
  if (Op == "and")
    return write(0, B.CreateAnd(read(1), read(2)));
  if (Op == "or")
    return write(0, B.CreateOr(read(1), read(2)));
  if (Op == "xor")
    return write(0, B.CreateXor(read(1), read(2)));
  if (Op == "not")
    return write(0, B.CreateNot(read(1)));
  if (Op == "shl" || Op == "shr")
    return write(0, shift(B, Op == "shl", Kind.Signed, read(1), count(2)));
  if (Op == "shf")
    return write(
        0, funnelShift(B, has("l"), has("clamp"), read(1), read(2), count(3)));
  if (Op == "bfe")
    return write(0, extractField(B, read(1), count(2), count(3), Kind.Signed));
  if (Op == "bfi")
    return write(0, insertField(B, read(1), read(2), count(3), count(4)));
  if (Op == "prmt" && I->Name.size() == 2)
    return write(0, permuteBytes(B, read(1), read(2), read(3)));
  if (Op == "popc")
    return write(
        0, E.bits(B.CreateUnaryIntrinsic(Intrinsic::ctpop, read(1)), I32));
  if (Op == "clz")
    return write(0, E.bits(B.CreateBinaryIntrinsic(Intrinsic::ctlz, read(1),
                                                   B.getFalse()),
                           I32));
  if (Op == "brev")
    return write(0, B.CreateUnaryIntrinsic(Intrinsic::bitreverse, read(1)));
  if (Op == "bfind")
    return write(0, findLeadingOne(B, read(1), Kind.Signed,
                                   B.getInt1(has("shiftamt")), I32));
  if (Op == "lop3" && I->Operands.size() == 5) {
    unsigned Table;
    return !operand(4).getAsInteger(0, Table) &&
           write(0, logic3(B, read(1), read(2), read(3), Table));
  }
  if (Op == "dp4a")
    return write(
        0, dotProduct(B, read(1), Kind.Signed, read(2), From.Signed, read(3)));
  if (Op == "dp2a") {
    Value *Bytes = has("hi") ? B.CreateLShr(read(2), 16) : read(2);
    return write(
        0, dotProduct2(B, read(1), Kind.Signed, Bytes, From.Signed, read(3)));
  }
  return false;
}

/// The comparison that the name says, of operands 1 and 2.
Value *AsmLowering::compare() {
  Value *X = read(1, From.Ty), *Y = read(2, From.Ty);
  StringRef How;
  for (StringRef Part : drop_begin(I->Name))
    if (Part != "ftz" && !parseType(Part).Ty && How.empty())
      How = Part;
  if (From.isFloat()) {
    auto P = StringSwitch<CmpInst::Predicate>(How)
                 .Case("eq", CmpInst::FCMP_OEQ)
                 .Case("ne", CmpInst::FCMP_ONE)
                 .Case("lt", CmpInst::FCMP_OLT)
                 .Case("le", CmpInst::FCMP_OLE)
                 .Case("gt", CmpInst::FCMP_OGT)
                 .Case("ge", CmpInst::FCMP_OGE)
                 .Case("equ", CmpInst::FCMP_UEQ)
                 .Case("neu", CmpInst::FCMP_UNE)
                 .Case("ltu", CmpInst::FCMP_ULT)
                 .Case("leu", CmpInst::FCMP_ULE)
                 .Case("gtu", CmpInst::FCMP_UGT)
                 .Case("geu", CmpInst::FCMP_UGE)
                 .Case("num", CmpInst::FCMP_ORD)
                 .Case("nan", CmpInst::FCMP_UNO)
                 .Default(CmpInst::BAD_FCMP_PREDICATE);
    if (P == CmpInst::BAD_FCMP_PREDICATE)
      return nullptr;
    FloatMode Flush;
    Flush.Ftz = has("ftz");
    return B.CreateFCmp(P, Floats.convert(X, From.Ty, Flush),
                        Floats.convert(Y, From.Ty, Flush));
  }
  bool S = From.Signed;
  auto P = StringSwitch<CmpInst::Predicate>(How)
               .Case("eq", CmpInst::ICMP_EQ)
               .Case("ne", CmpInst::ICMP_NE)
               .Case("lt", S ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
               .Case("le", S ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
               .Case("gt", S ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
               .Case("ge", S ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
               .Case("lo", CmpInst::ICMP_ULT)
               .Case("ls", CmpInst::ICMP_ULE)
               .Case("hi", CmpInst::ICMP_UGT)
               .Case("hs", CmpInst::ICMP_UGE)
               .Default(CmpInst::BAD_ICMP_PREDICATE);
  return P == CmpInst::BAD_ICMP_PREDICATE ? nullptr : B.CreateICmp(P, X, Y);
}

bool AsmLowering::emitCompare() {
  if (Op == "selp" && Kind.Ty)
    return write(0, B.CreateSelect(readFlag(3), read(1), read(2)));
  if (Op == "testp" && Kind.Ty) {
    FPClassTest Class = StringSwitch<FPClassTest>(I->Name[1])
                            .Case("finite", fcFinite)
                            .Case("infinite", fcInf)
                            .Case("number", ~fcNan)
                            .Case("notanumber", fcNan)
                            .Case("normal", fcNormal)
                            .Case("subnormal", fcSubnormal)
                            .Default(fcNone);
    return Class != fcNone && write(0, B.createIsFPClass(read(1), Class));
  }
  if ((Op != "setp" && Op != "set") || !From.Ty)
    return false;
  Value *R = compare();
  if (!R)
    return false;
  // A third operand is combined with the result.
  auto combine = [&](Value *C) -> Value * {
    if (I->Operands.size() < 4)
      return C;
    Value *Other = readFlag(3);
    return has("and")   ? B.CreateAnd(C, Other)
           : has("or")  ? B.CreateOr(C, Other)
           : has("xor") ? B.CreateXor(C, Other)
                        : nullptr;
  };
  if (Op == "setp") {
    SmallVector<StringRef, 4> To = ptxElements(operand(0));
    if (From.Ty->isVectorTy()) { // p|q are the two elements' results.
      for (unsigned N = 0; N < To.size(); ++N)
        write(To[N], B.CreateExtractElement(R, N));
      return I->Operands.size() < 4;
    }
    Value *First = combine(R);
    if (!First || !write(To[0], First))
      return false;
    if (To.size() < 2)
      return true;
    Value *Second = combine(B.CreateNot(R));
    return Second && write(To[1], Second);
  }
  // set: all ones, or 1.0; a vector's results side by side.
  if (!From.Ty->isVectorTy())
    R = combine(R);
  else if (I->Operands.size() > 3)
    return false;
  if (!R)
    return false;
  if (Kind.isFloat())
    return write(0, B.CreateUIToFP(R, Kind.Ty));
  if (!From.Ty->isVectorTy())
    return write(0, B.CreateSExt(R, Kind.Ty));
  return write(0, B.CreateSExt(R, FixedVectorType::get(B.getInt16Ty(), 2)));
}

bool AsmLowering::emitConvert() {
  if (Op == "cvta") // Generic addresses are addresses here.
    return write(0, read(1, B.getInt64Ty()));
  if (Op != "cvt" || !Kind.Ty)
    return false;
  for (StringRef Unknown : {"satfinite", "rna", "rs", "pack"})
    if (has(Unknown))
      return false;
  FloatMode Mode = FloatMode::parse(I->Name);
  bool ToFloat = Kind.isFloat(), FromFloat = From.isFloat();
  if (auto *Pair = dyn_cast<FixedVectorType>(Kind.Ty)) {
    // cvt.rn.f16x2.f32 d, a, b: a is the upper half.
    if (!FromFloat || I->Operands.size() != 3)
      return false;
    Type *Half = Pair->getElementType();
    Value *R = B.CreateInsertElement(
        PoisonValue::get(Pair), Floats.convert(read(2, From.Ty), Half, Mode),
        uint64_t(0));
    return write(
        0, B.CreateInsertElement(
               R, Floats.convert(read(1, From.Ty), Half, Mode), uint64_t(1)));
  }
  Value *X = read(1, From.Ty);
  // Narrow results fill their register.
  auto fill = [&](Value *V) {
    if (V->getType()->getIntegerBitWidth() >= 32)
      return V;
    return Kind.Signed ? B.CreateSExt(V, B.getInt32Ty())
                       : B.CreateZExt(V, B.getInt32Ty());
  };
  if (FromFloat && ToFloat) {
    bool Integral = has("rni") || has("rzi") || has("rmi") || has("rpi");
    return write(0, Integral && Kind.Ty == From.Ty
                        ? Floats.integral(X, Mode)
                        : Floats.convert(X, Kind.Ty, Mode));
  }
  if (FromFloat)
    return write(0, fill(Floats.toInteger(X, Kind.Ty, Kind.Signed, Mode)));
  if (ToFloat)
    return write(0, Floats.fromInteger(X, From.Signed, Kind.Ty, Mode));
  if (!Mode.Sat) {
    Value *R = From.Signed ? B.CreateSExtOrTrunc(X, Kind.Ty)
                           : B.CreateZExtOrTrunc(X, Kind.Ty);
    return write(0, fill(R));
  }
  // Between the limits of the result's type, as 128-bit numbers.
  Type *Wide = B.getIntNTy(128);
  unsigned Width = Kind.Ty->getIntegerBitWidth();
  APInt Low =
      Kind.Signed ? APInt::getSignedMinValue(Width).sext(128) : APInt(128, 0);
  APInt High = Kind.Signed ? APInt::getSignedMaxValue(Width).sext(128)
                           : APInt::getMaxValue(Width).zext(128);
  Value *V = From.Signed ? B.CreateSExt(X, Wide) : B.CreateZExt(X, Wide);
  V = B.CreateBinaryIntrinsic(Intrinsic::smax, V, ConstantInt::get(Wide, Low));
  V = B.CreateBinaryIntrinsic(Intrinsic::smin, V, ConstantInt::get(Wide, High));
  return write(0, fill(B.CreateTrunc(V, Kind.Ty)));
}
