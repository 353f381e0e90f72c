//===- HostMath.cpp - Roundings that LLVM IR cannot say -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are directed roundings and half-precision
// results computed exactly on the host?
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/Twine.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstdint>
#include <xmmintrin.h>

using namespace llvm;
using namespace kdiff::simt;

StringRef kdiff::simt::name(Rounding R) {
  switch (R) {
  case Rounding::Nearest:
    return "rn";
  case Rounding::Zero:
    return "rz";
  case Rounding::Down:
    return "rm";
  case Rounding::Up:
    return "rp";
  }
  llvm_unreachable("all roundings are named");
}

std::string kdiff::simt::arithmeticName(StringRef Op, Rounding R, StringRef To,
                                        StringRef From) {
  std::string Name =
      (Twine("kdiff_simt_") + Op + "_" + name(R) + "_" + To).str();
  return From.empty() ? Name : Name + "_" + From.str();
}

/// Keeps the compiler from computing \p Value earlier, later or at compile
/// time: it does not know that the rounding mode matters.
template <class T> static void pin(T &Value) {
  if constexpr (std::is_floating_point_v<T>)
    asm volatile("" : "+x"(Value));
  else
    asm volatile("" : "+r"(Value));
}

template <Rounding R, class F, class... T>
static auto rounded(F Compute, T... Operands) {
  constexpr unsigned Mode = R == Rounding::Down   ? _MM_ROUND_DOWN
                            : R == Rounding::Up   ? _MM_ROUND_UP
                            : R == Rounding::Zero ? _MM_ROUND_TOWARD_ZERO
                                                  : _MM_ROUND_NEAREST;
  unsigned Saved = _mm_getcsr();
  _mm_setcsr((Saved & ~_MM_ROUND_MASK) | Mode);
  (pin(Operands), ...);
  auto Result = Compute(Operands...);
  pin(Result);
  _mm_setcsr(Saved);
  return Result;
}

template <class T, Rounding R> static T add(T A, T B) {
  return rounded<R>([](T X, T Y) { return X + Y; }, A, B);
}
template <class T, Rounding R> static T mul(T A, T B) {
  return rounded<R>([](T X, T Y) { return X * Y; }, A, B);
}
template <class T, Rounding R> static T div(T A, T B) {
  return rounded<R>([](T X, T Y) { return X / Y; }, A, B);
}
template <class T, Rounding R> static T fma(T A, T B, T C) {
  return rounded<R>([](T X, T Y, T Z) { return std::fma(X, Y, Z); }, A, B, C);
}
template <class T, Rounding R> static T squareRoot(T A) {
  return rounded<R>([](T X) { return std::sqrt(X); }, A);
}
template <class To, class From, Rounding R> static To convert(From A) {
  return rounded<R>([](From X) { return static_cast<To>(X); }, A);
}

static RoundingMode mode(Rounding R) {
  switch (R) {
  case Rounding::Nearest:
    return RoundingMode::NearestTiesToEven;
  case Rounding::Zero:
    return RoundingMode::TowardZero;
  case Rounding::Down:
    return RoundingMode::TowardNegative;
  case Rounding::Up:
    return RoundingMode::TowardPositive;
  }
  llvm_unreachable("all roundings are mapped");
}

namespace {
struct F16 {
  static const fltSemantics &semantics() { return APFloat::IEEEhalf(); }
};
struct BF16 {
  static const fltSemantics &semantics() { return APFloat::BFloat(); }
};
} // namespace

/// A half-precision value travels in the low 16 bits of an SSE register, as
/// a float does in the low 32: that is the ABI of LLVM's half and bfloat.
static float inRegister(const APFloat &F) {
  return bit_cast<float>(
      static_cast<uint32_t>(F.bitcastToAPInt().getZExtValue()));
}

template <class H> static APFloat fromRegister(float F) {
  return APFloat(H::semantics(), APInt(16, bit_cast<uint32_t>(F) & 0xFFFF));
}

template <class H, class From, Rounding R> static float toHalf(From A) {
  if constexpr (std::is_floating_point_v<From>) {
    APFloat F(A);
    bool Inexact;
    F.convert(H::semantics(), mode(R), &Inexact);
    return inRegister(F);
  } else {
    APFloat F(H::semantics());
    constexpr bool Signed = std::is_signed_v<From>;
    F.convertFromAPInt(APInt(64, static_cast<uint64_t>(A), Signed), Signed,
                       mode(R));
    return inRegister(F);
  }
}

/// LLVM rounds a half-precision fma twice, over float.
template <class H> static float halfFma(float A, float B, float C) {
  APFloat F = fromRegister<H>(A);
  F.fusedMultiplyAdd(fromRegister<H>(B), fromRegister<H>(C),
                     RoundingMode::NearestTiesToEven);
  return inRegister(F);
}

static float halfToFloat(float A) {
  APFloat F = fromRegister<F16>(A);
  bool Inexact;
  F.convert(APFloat::IEEEsingle(), RoundingMode::NearestTiesToEven, &Inexact);
  return F.convertToFloat();
}

template <class F> static void *address(F *Function) {
  return reinterpret_cast<void *>(Function);
}

template <Rounding R> static void addDirected(SymbolList &S) {
  auto operations = [&]<class T>(T, StringRef Type) {
    S.emplace_back(arithmeticName("add", R, Type), address(add<T, R>));
    S.emplace_back(arithmeticName("mul", R, Type), address(mul<T, R>));
    S.emplace_back(arithmeticName("div", R, Type), address(div<T, R>));
    S.emplace_back(arithmeticName("fma", R, Type), address(fma<T, R>));
    S.emplace_back(arithmeticName("sqrt", R, Type), address(squareRoot<T, R>));
    S.emplace_back(arithmeticName("cvt", R, Type, "s64"),
                   address(convert<T, int64_t, R>));
    S.emplace_back(arithmeticName("cvt", R, Type, "u64"),
                   address(convert<T, uint64_t, R>));
  };
  operations(float(), "f32");
  operations(double(), "f64");
  S.emplace_back(arithmeticName("cvt", R, "f32", "f64"),
                 address(convert<float, double, R>));
}

template <class H, Rounding R>
static void addHalf(SymbolList &S, StringRef Type) {
  S.emplace_back(arithmeticName("cvt", R, Type, "f32"),
                 address(toHalf<H, float, R>));
  S.emplace_back(arithmeticName("cvt", R, Type, "f64"),
                 address(toHalf<H, double, R>));
  S.emplace_back(arithmeticName("cvt", R, Type, "s64"),
                 address(toHalf<H, int64_t, R>));
  S.emplace_back(arithmeticName("cvt", R, Type, "u64"),
                 address(toHalf<H, uint64_t, R>));
}

template <class H> static void addHalfType(SymbolList &S, StringRef Type) {
  addHalf<H, Rounding::Nearest>(S, Type);
  addHalf<H, Rounding::Zero>(S, Type);
  addHalf<H, Rounding::Down>(S, Type);
  addHalf<H, Rounding::Up>(S, Type);
  S.emplace_back(arithmeticName("fma", Rounding::Nearest, Type),
                 address(halfFma<H>));
}

void kdiff::simt::addArithmeticSymbols(SymbolList &S) {
  addDirected<Rounding::Zero>(S);
  addDirected<Rounding::Down>(S);
  addDirected<Rounding::Up>(S);
  addHalfType<F16>(S, "f16");
  addHalfType<BF16>(S, "bf16");
  // compiler-rt's names, which the host's libraries may lack.
  constexpr Rounding Nearest = Rounding::Nearest;
  S.emplace_back("__truncsfhf2", address(toHalf<F16, float, Nearest>));
  S.emplace_back("__truncdfhf2", address(toHalf<F16, double, Nearest>));
  S.emplace_back("__truncsfbf2", address(toHalf<BF16, float, Nearest>));
  S.emplace_back("__truncdfbf2", address(toHalf<BF16, double, Nearest>));
  S.emplace_back("__extendhfsf2", address(halfToFloat));
}
