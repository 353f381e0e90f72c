//===- Table.cpp - The rows -----------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the derivative of each operation?
//
// X0, X1, ... are the operands, Y is the result. Formulas are chosen so that
//  - a smooth point has its derivative, also where the textbook's formula
//    gives 0 * infinity, overflows or cancels;
//  - at a kink one side's derivative results, and the sides' weights add up
//    to one;
//  - the result is preferred to a second evaluation (exp, tan, sqrt, ...).
// Sources: NIST DLMF (dlmf.nist.gov), chapters 4, 5, 7 and 10; each formula
// is checked against differences by test/rules.
//
//===----------------------------------------------------------------------===//
#include "rules/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include <numbers>

using namespace llvm;

namespace kdiff {
namespace {

constexpr double Pi = std::numbers::pi;
constexpr double Ln2 = std::numbers::ln2;
constexpr double Ln10 = std::numbers::ln10;
constexpr double SqrtPi = 1.7724538509055160273;
constexpr double Sqrt2Pi = 2.5066282746310005024;
constexpr double TwoBySqrtPi = 2 / SqrtPi;

/// \p E where the result lies strictly within (0, 1), else 0: what ".sat"
/// makes of a partial. (At 0 and 1 the sum may have been cut off.)
constexpr Expr saturated(const Expr &E) {
  return select(less(0.0, Y), select(less(Y, 1.0), E, 0.0), 0.0);
}
/// \p E where the result is positive, else 0: ".relu".
constexpr Expr rectified(const Expr &E) { return select(less(0.0, Y), E, 0.0); }

/// Minimum and maximum: the operand that the result equals has weight one;
/// the second one at a tie. (A NaN operand is not the result.)
constexpr Expr FirstWins = select(equal(Y, X1), 0.0, 1.0);
constexpr Expr SecondWins = select(equal(Y, X1), 1.0, 0.0);
/// sign(a) * sign(b) * max(|a|, |b|), and the minimum.
constexpr Expr SecondIsLonger = equal(call(Fn::Abs, Y), call(Fn::Abs, X1));
constexpr Expr FirstWinsXorSign =
    select(SecondIsLonger, 0.0, call(Fn::CopySign, 1.0, X1));
constexpr Expr SecondWinsXorSign =
    select(SecondIsLonger, call(Fn::CopySign, 1.0, X0), 0.0);

/// -n of the remainder x - n*y. Taken from the result, because x / y may
/// round up to the next integer.
constexpr Expr MinusQuotient = -call(Fn::Rint, (X0 - Y) / X1);

/// d(a^b)/da = b * a^(b-1); 0 for b = 0, and 1 for b = 1 also at a = 0 in
/// the approximate power, which is exp2(b * log2(a)).
constexpr Expr PowByBase =
    select(equal(X1, 1.0), 1.0, mulZero(X1, call(Fn::Pow, X0, X1 - 1.0)));
/// d(a^b)/db = a^b * log(a). 0 at a = 0, b >= 0; NaN for negative a, where
/// the function exists for integers b alone.
constexpr Expr PowByExponentSmooth = mulZero(Y, call(Fn::Log, X0));
constexpr Expr PowByExponent =
    select(equal(X0, 0.0), select(equal(X1, 0.0), 0.0, PowByExponentSmooth),
           PowByExponentSmooth);

/// erfcx' = 2*x*erfcx - 2/sqrt(pi) (DLMF 7.10); cancels for large x, where
/// the asymptotic series (7.12.1, differentiated) takes over.
constexpr Expr InverseSquare = 1.0 / (X0 * X0);
constexpr Expr ErfcxFar =
    InverseSquare * (-1 / SqrtPi) *
    (1.0 -
     1.5 * InverseSquare *
         (1.0 - 2.5 * InverseSquare *
                    (1.0 - 3.5 * InverseSquare * (1.0 - 4.5 * InverseSquare))));
constexpr Expr ErfcxNear = 2.0 * (X0 * Y) - TwoBySqrtPi;
constexpr Expr ErfcxPrime =
    select(less(perType(30, 8), X0), ErfcxFar, ErfcxNear);

/// Bessel functions: C_n' = (n/x) C_n - C_{n+1} (DLMF 10.6.2), and
/// C_1' = C_0 - C_1 / x. At 0 only J_1' and I_1' differ from 0.
constexpr Expr NearZero = less(call(Fn::Abs, X0), 1e-8);
constexpr Expr J1Prime = select(NearZero, 0.5, call(Fn::J0, X0) - Y / X0);
constexpr Expr I1Prime = select(NearZero, 0.5, call(Fn::I0, X0) - Y / X0);
constexpr Expr JNPrime =
    select(equal(X1, 0.0), select(isZero(pred(N0)), 0.5, 0.0),
           toFP(N0) * (Y / X1) - call(Fn::JN, succ(N0), X1));
constexpr Expr YNPrime = toFP(N0) * (Y / X1) - call(Fn::YN, succ(N0), X1);

/// x / sqrt(x^2 + ...); the origin is a kink: 0.
constexpr Expr overNorm(const Expr &X) {
  return select(equal(Y, 0.0), 0.0, X / Y);
}
/// -x / (x^2 + ...)^(3/2)
constexpr Expr overNormCubed(const Expr &X) { return -(X * Y) * Y * Y; }

/// 1 / (x^2 + y^2) without overflow.
constexpr Expr InverseNorm = call(Fn::RHypot, X0, X1);

constexpr Row Rows[] = {
    // clang-format off: a row in as few lines as it takes.
    // Arithmetic.
    Row("fneg").opcode(Instruction::FNeg).nvvm("neg").ptx("neg").partials(-1.0).bounded(1),
    Row("fadd").opcode(Instruction::FAdd).device("add").nvvm("add").ptx("add")
        .partials(1.0, 1.0).bounded(3),
    Row("fsub").opcode(Instruction::FSub).device("sub").ptx("sub")
        .partials(1.0, -1.0).bounded(3),
    Row("fmul").opcode(Instruction::FMul).device("mul").nvvm("mul").ptx("mul")
        .partials(X1, X0),
    Row("fdiv").opcode(Instruction::FDiv).device("div fdivide").nvvm("div").ptx("div")
        .partials(1.0 / X1, -mulZero(Y, 1.0 / X1)).in(-2, 2).in(0.5, 3),
    Row("fma").id(Intrinsic::fma, Intrinsic::fmuladd).device("fma").nvvm("fma").ptx("fma mad")
        .partials(X1, X0, 1.0).bounded(4),
    Row("fadd.sat").nvvm("add.sat").ptx("add.sat").partials(saturated(1.0), saturated(1.0))
        .bounded(3).in(0.1, 0.4),
    Row("fsub.sat").ptx("sub.sat").partials(saturated(1.0), saturated(-1.0))
        .bounded(3).in(0.6, 0.9).in(0.1, 0.4),
    Row("fmul.sat").ptx("mul.sat").partials(saturated(X1), saturated(X0))
        .in(0.1, 0.9),
    Row("fma.sat").nvvm("fma.sat").ptx("fma.sat mad.sat")
        .partials(saturated(X1), saturated(X0), saturated(1.0)).bounded(4)
        .in(0.1, 0.6),
    Row("fma.relu").nvvm("fma.relu").ptx("fma.relu")
        .partials(rectified(X1), rectified(X0), rectified(1.0)).bounded(4)
        .in(0.5, 2).in(0.5, 2).in(-4, 3),
    Row("rcp").device("rcp rcp64h").nvvm("rcp").ptx("rcp").partials(-(Y * Y)).in(0.5, 3),
    Row("fmod").opcode(Instruction::FRem).device("fmod")
        .partials(1.0, MinusQuotient).bounded(1).in(-7, 7).in(0.5, 1.5),
    Row("remainder").device("remainder").partials(1.0, MinusQuotient).bounded(1)
        .in(-7, 7).in(0.5, 1.5),
    // Changes of the format, and of nothing.
    Row("fpext").opcode(Instruction::FPExt).partials(1.0).bounded(1),
    Row("fptrunc").opcode(Instruction::FPTrunc).id(Intrinsic::fptrunc_round)
        .device("double2float").nvvm("d2f f2f16 f2bf16").ptx("cvt").partials(1.0)
        .bounded(1),
    Row("fptrunc.relu").nvvm("f2f16.relu f2bf16.relu").ptx("cvt.relu").partials(rectified(1.0))
        .bounded(1),
    Row("fptrunc.sat").ptx("cvt.sat").partials(saturated(1.0)).bounded(1)
        .in(0.1, 0.9),
    Row("identity").id(Intrinsic::canonicalize, Intrinsic::arithmetic_fence)
        .nvvm("move").partials(1.0).bounded(1),
    Row("attach").device("kd.attach").partials(1.0, X2).bounded(1),
    Row("nextafter").device("nextafter").partials(1.0).bounded(1),
    // Steps: no derivative.
    Row("floor").id(Intrinsic::floor).device("floor").nvvm("floor"),
    Row("ceil").id(Intrinsic::ceil).device("ceil").nvvm("ceil"),
    Row("trunc").id(Intrinsic::trunc).device("trunc").nvvm("trunc"),
    Row("round").id(Intrinsic::round, Intrinsic::roundeven).device("round")
        .nvvm("round"),
    Row("rint").id(Intrinsic::rint, Intrinsic::nearbyint)
        .device("rint nearbyint").ptx("cvt.int"),
    Row("logb").device("logb"),
    // Signs and choices.
    Row("fabs").id(Intrinsic::fabs).device("fabs").nvvm("fabs").ptx("abs")
        .partials(call(Fn::CopySign, 1.0, X0)).bounded(1),
    Row("copysign").id(Intrinsic::copysign).device("copysign")
        .partials(call(Fn::CopySign, 1.0, X0) * call(Fn::CopySign, 1.0, X1))
        .bounded(1),
    Row("fmin").id(Intrinsic::minnum, Intrinsic::minimum, Intrinsic::minimumnum)
        .device("fmin").nvvm("fmin").ptx("min").partials(FirstWins, SecondWins).bounded(3),
    Row("fmax").id(Intrinsic::maxnum, Intrinsic::maximum, Intrinsic::maximumnum)
        .device("fmax").nvvm("fmax").ptx("max").partials(FirstWins, SecondWins).bounded(3),
    Row("fmin.xorsign").nvvm("fmin.xorsign.abs").ptx("min.xorsign.abs")
        .partials(FirstWinsXorSign, SecondWinsXorSign).bounded(3),
    Row("fmax.xorsign").nvvm("fmax.xorsign.abs").ptx("max.xorsign.abs")
        .partials(FirstWinsXorSign, SecondWinsXorSign).bounded(3),
    Row("fdim").device("fdim")
        .partials(select(less(X1, X0), 1.0, 0.0),
                  select(less(X1, X0), -1.0, 0.0)).bounded(3),
    Row("saturate").device("saturate").nvvm("saturate")
        .partials(select(equal(Y, X0), 1.0, 0.0)).bounded(1),
    // Powers and roots.
    Row("sqrt").id(Intrinsic::sqrt).device("sqrt").nvvm("sqrt").ptx("sqrt")
        .partials(0.5 / Y).in(0.1, 5),
    Row("rsqrt").device("rsqrt").nvvm("rsqrt").ptx("rsqrt").partials(-0.5 * Y * Y * Y)
        .in(0.1, 5),
    Row("cbrt").device("cbrt").partials((1.0 / 3) / (Y * Y)).in(0.1, 5),
    Row("rcbrt").device("rcbrt").partials(-1.0 / 3 * (Y * Y) * (Y * Y))
        .in(0.1, 5),
    Row("pow").id(Intrinsic::pow).device("pow")
        .partials(PowByBase, PowByExponent).in(0.2, 3).in(-2, 2),
    Row("powi").id(Intrinsic::powi).device("powi")
        .partials(mulZero(toFP(N1), call(Fn::PowI, X0, pred(N1)))).in(0.2, 3),
    Row("ldexp").id(Intrinsic::ldexp).device("ldexp scalbn")
        .partials(call(Fn::LdExp, 1.0, N1)),
    Row("hypot").device("hypot").partials(overNorm(X0), overNorm(X1)),
    Row("rhypot").device("rhypot")
        .partials(overNormCubed(X0), overNormCubed(X1)).in(0.5, 2),
    Row("norm3d").device("norm3d")
        .partials(overNorm(X0), overNorm(X1), overNorm(X2)),
    Row("rnorm3d").device("rnorm3d")
        .partials(overNormCubed(X0), overNormCubed(X1), overNormCubed(X2))
        .in(0.5, 2),
    Row("norm4d").device("norm4d")
        .partials(overNorm(X0), overNorm(X1), overNorm(X2), overNorm(X3)),
    Row("rnorm4d").device("rnorm4d")
        .partials(overNormCubed(X0), overNormCubed(X1), overNormCubed(X2),
                  overNormCubed(X3)).in(0.5, 2),
    // Exponentials and logarithms.
    Row("exp").id(Intrinsic::exp).device("exp").partials(Y).in(-3, 3),
    Row("exp2").id(Intrinsic::exp2).device("exp2").nvvm("ex2").ptx("ex2").partials(Y * Ln2)
        .in(-3, 3),
    Row("exp10").id(Intrinsic::exp10).device("exp10").partials(Y * Ln10)
        .in(-2, 2),
    Row("expm1").device("expm1").partials(Y + 1.0).in(-3, 3),
    Row("log").id(Intrinsic::log).device("log").partials(1.0 / X0).in(0.1, 5),
    Row("log2").id(Intrinsic::log2).device("log2").nvvm("lg2").ptx("lg2")
        .partials((1 / Ln2) / X0).in(0.1, 5),
    Row("log10").id(Intrinsic::log10).device("log10").partials((1 / Ln10) / X0)
        .in(0.1, 5),
    Row("log1p").device("log1p").partials(1.0 / (1.0 + X0)).in(-0.9, 4),
    // Circular functions.
    Row("sin").id(Intrinsic::sin).device("sin").nvvm("sin").ptx("sin")
        .partials(call(Fn::Cos, X0)).in(-6, 6),
    Row("cos").id(Intrinsic::cos).device("cos").nvvm("cos").ptx("cos")
        .partials(-call(Fn::Sin, X0)).in(-6, 6),
    Row("tan").id(Intrinsic::tan).device("tan").partials(1.0 + Y * Y)
        .in(-1.4, 1.4),
    Row("sinpi").device("sinpi").partials(Pi *call(Fn::CosPi, X0)),
    Row("cospi").device("cospi").partials(-Pi *call(Fn::SinPi, X0)),
    Row("asin").id(Intrinsic::asin).device("asin")
        .partials(call(Fn::Rsqrt, (1.0 - X0) * (1.0 + X0))).in(-0.95, 0.95),
    Row("acos").id(Intrinsic::acos).device("acos")
        .partials(-call(Fn::Rsqrt, (1.0 - X0) * (1.0 + X0))).in(-0.95, 0.95),
    Row("atan").id(Intrinsic::atan).device("atan")
        .partials(1.0 / (1.0 + X0 * X0)).bounded(1).in(-4, 4),
    Row("atan2").id(Intrinsic::atan2).device("atan2")
        .partials((X1 * InverseNorm) * InverseNorm,
                  -((X0 * InverseNorm) * InverseNorm)).in(0.2, 2).in(-2, 2),
    // Hyperbolic functions.
    Row("sinh").id(Intrinsic::sinh).device("sinh").partials(call(Fn::Cosh, X0))
        .in(-3, 3),
    Row("cosh").id(Intrinsic::cosh).device("cosh").partials(call(Fn::Sinh, X0))
        .in(-3, 3),
    Row("tanh").id(Intrinsic::tanh).device("tanh").ptx("tanh")
        .partials((1.0 - Y) * (1.0 + Y)).bounded(1).in(-3, 3),
    Row("asinh").device("asinh").partials(call(Fn::RHypot, 1.0, X0)).bounded(1)
        .in(-4, 4),
    Row("acosh").device("acosh")
        .partials(call(Fn::Rsqrt, X0 - 1.0) * call(Fn::Rsqrt, X0 + 1.0))
        .in(1.1, 5),
    Row("atanh").device("atanh").partials(1.0 / ((1.0 - X0) * (1.0 + X0)))
        .in(-0.95, 0.95),
    // Error functions and the normal distribution.
    Row("erf").device("erf").partials(TwoBySqrtPi *call(Fn::Exp, -(X0 *X0)))
        .bounded(1),
    Row("erfc").device("erfc").partials(-TwoBySqrtPi *call(Fn::Exp, -(X0 *X0)))
        .bounded(1),
    Row("erfcx").device("erfcx").partials(ErfcxPrime).in(-2, 20),
    Row("erfinv").device("erfinv").partials(0.5 * SqrtPi * call(Fn::Exp, Y * Y))
        .in(-0.95, 0.95),
    Row("erfcinv").device("erfcinv")
        .partials(-0.5 * SqrtPi * call(Fn::Exp, Y * Y)).in(0.05, 1.95),
    Row("normcdf").device("normcdf")
        .partials(1 / Sqrt2Pi * call(Fn::Exp, -0.5 * (X0 * X0))).bounded(1),
    Row("normcdfinv").device("normcdfinv")
        .partials(Sqrt2Pi *call(Fn::Exp, 0.5 * (Y * Y))).in(0.05, 0.95),
    // Gamma and Bessel functions.
    Row("tgamma").device("tgamma").partials(mulZero(Y, call(Fn::Digamma, X0)))
        .in(0.3, 6),
    Row("lgamma").device("lgamma").partials(call(Fn::Digamma, X0)).in(0.3, 12),
    Row("j0").device("j0").partials(-call(Fn::J1, X0)).in(-9, 9),
    Row("j1").device("j1").partials(J1Prime).in(-9, 9),
    Row("jn").device("jn").partials({}, JNPrime).in(0.5, 9),
    Row("y0").device("y0").partials(-call(Fn::Y1, X0)).in(0.5, 9),
    Row("y1").device("y1").partials(call(Fn::Y0, X0) - Y / X0).in(0.5, 9),
    Row("yn").device("yn").partials({}, YNPrime).in(0.5, 9),
    Row("cyl_bessel_i0").device("cyl_bessel_i0").partials(call(Fn::I1, X0))
        .in(-4, 4),
    Row("cyl_bessel_i1").device("cyl_bessel_i1").partials(I1Prime).in(-4, 4),
    // clang-format on
};

constexpr unsigned Input0[] = {0};
constexpr unsigned Inputs01[] = {0, 1};
constexpr unsigned Pointer1[] = {1};
constexpr unsigned Pointers12[] = {1, 2};

constexpr OutRow OutRows[] = {
    {"sincos",
     "sincos",
     Pointers12,
     Input0,
     {{{1, {call(Fn::Cos, X0)}}, {2, {-call(Fn::Sin, X0)}}}},
     {-6, 6}},
    {"sincospi",
     "sincospi",
     Pointers12,
     Input0,
     {{{1, {Pi * call(Fn::CosPi, X0)}}, {2, {-Pi * call(Fn::SinPi, X0)}}}},
     {-2, 2}},
    // The fraction is returned, the integer is stored: a step.
    {"modf", "modf", Pointer1, Input0, {{{-1, {1.0}}, {1, {}}}}, {-4, 4}},
    // y = x * 2^-e, and e is stored as an integer.
    {"frexp",
     "frexp",
     {},
     Input0,
     {{{-1, {select(equal(X0, 0.0), 1.0, Y / X0)}}}},
     {0.1, 9}},
    // The quotient is stored as an integer.
    {"remquo",
     "remquo",
     {},
     Inputs01,
     {{{-1, {1.0, MinusQuotient}}}},
     {0.6, 7}},
};

} // namespace

ArrayRef<Row> rows() { return Rows; }
ArrayRef<OutRow> outRows() { return OutRows; }

} // namespace kdiff
