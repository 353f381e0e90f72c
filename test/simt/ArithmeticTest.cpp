//===- ArithmeticTest.cpp - Numbers ---------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do kernels compute what CUDA and the PTX ISA
// say, down to roundings, saturation and subnormal numbers?
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace kdiff::simt;
using llvm::APFloat;
using llvm::APInt;
using llvm::RoundingMode;

namespace {

class Arithmetic : public Levels {
protected:
  Kernels &K = Kernels::cached("arithmetic", GetParam());
  std::mt19937 Random{11};

  template <class T> Buffer<T> uniform(size_t Count, double Low, double High) {
    std::uniform_real_distribution<double> D(Low, High);
    Buffer<T> B = K.zeros<T>(Count);
    for (T &V : B)
      V = D(Random);
    return B;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Arithmetic, allLevels(), Levels::name);

constexpr auto Nearest = RoundingMode::NearestTiesToEven;
constexpr auto Zero = RoundingMode::TowardZero;
constexpr auto Down = RoundingMode::TowardNegative;
constexpr auto Up = RoundingMode::TowardPositive;

template <class T> T value(const APFloat &F) {
  if constexpr (sizeof(T) == 4)
    return F.convertToFloat();
  else
    return F.convertToDouble();
}
template <class T> T add(T X, T Y, RoundingMode R) {
  APFloat F(X);
  F.add(APFloat(Y), R);
  return value<T>(F);
}
template <class T> T mul(T X, T Y, RoundingMode R) {
  APFloat F(X);
  F.multiply(APFloat(Y), R);
  return value<T>(F);
}
template <class T> T div(T X, T Y, RoundingMode R) {
  APFloat F(X);
  F.divide(APFloat(Y), R);
  return value<T>(F);
}
template <class T> T fma(T X, T Y, T Z, RoundingMode R) {
  APFloat F(X);
  F.fusedMultiplyAdd(APFloat(Y), APFloat(Z), R);
  return value<T>(F);
}
template <class To> To fromInteger(uint64_t V, bool Signed, RoundingMode R) {
  APFloat F(sizeof(To) == 4 ? APFloat::IEEEsingle() : APFloat::IEEEdouble());
  F.convertFromAPInt(APInt(64, V), Signed, R);
  return value<To>(F);
}

void expectNear(double Got, double Expected, double Tolerance) {
  EXPECT_NEAR(Got, Expected, Tolerance * (std::abs(Expected) + 1));
}

TEST_P(Arithmetic, SinglePrecisionMath) {
  Buffer<float> X = uniform<float>(64, 0.05, 4), Y = K.zeros<float>(64 * 16);
  ASSERT_EQ(K.run("mathFloat", {1}, {64}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    double V = X[T];
    double Expected[] = {sin(V),      exp(V),    log(V),  pow(V, 2.5),
                         erf(V),      cbrt(V),   tanh(V), 1 / sqrt(V),
                         exp(V),      V / 3,     sin(V),  fmod(X[T], 0.3f),
                         atan2(V, 2), lgamma(V), V * V,   sqrt(V)};
    for (int I = 0; I < 16; ++I)
      expectNear(Y[16 * T + I], Expected[I], 2e-6);
  }
}

TEST_P(Arithmetic, DoublePrecisionMath) {
  Buffer<double> X = uniform<double>(64, 0.05, 4), Y = K.zeros<double>(64 * 16);
  ASSERT_EQ(K.run("mathDouble", {1}, {64}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    double V = X[T];
    double Expected[] = {sin(V),        exp(V),        log(V),    pow(V, 2.5),
                         erf(V),        cbrt(V),       tanh(V),   1 / sqrt(V),
                         sin(V * 1e15), cos(V * 1e12), lgamma(V), fmod(V, 0.3),
                         atan2(V, 2),   hypot(V, 1),   expm1(V),  V / 3};
    for (int I = 0; I < 16; ++I)
      expectNear(Y[16 * T + I], Expected[I], 2e-14);
  }
}

TEST_P(Arithmetic, DirectedRoundingsOfDoubles) {
  Buffer<double> X = uniform<double>(64, -2, 2), Y = K.zeros<double>(64 * 8);
  ASSERT_EQ(K.run("directedDouble", {1}, {64}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    double D = X[T], *O = &Y[8 * T];
    EXPECT_EQ(O[0], add(D, 1e-17, Down));
    EXPECT_EQ(O[1], add(D, 1e-17, Up));
    EXPECT_EQ(O[2], mul(D, 1.1, Zero));
    EXPECT_EQ(O[3], mul(D, 1.1, Up));
    EXPECT_EQ(O[4], div(D, 3.0, Down));
    EXPECT_EQ(O[5], div(D, 3.0, Up));
    EXPECT_EQ(O[6], add(D, -1e-17, Down));
    EXPECT_EQ(O[7], div(1.0, D, Up));
  }
}

TEST_P(Arithmetic, DirectedRoundingsOfFloats) {
  Buffer<float> X = uniform<float>(64, -2, 2), Y = K.zeros<float>(64 * 8);
  ASSERT_EQ(K.run("directedFloat", {1}, {64}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    float D = X[T], *O = &Y[8 * T];
    EXPECT_EQ(O[0], add(D, 1e-9f, Down));
    EXPECT_EQ(O[1], add(D, 1e-9f, Up));
    EXPECT_EQ(O[2], mul(D, 1.1f, Zero));
    EXPECT_EQ(O[3], fma(D, D, 1e-12f, Down));
    EXPECT_EQ(O[4], fma(D, D, 1e-12f, Up));
    EXPECT_EQ(O[5], div(D, 3.f, Up));
    // The largest float whose square does not exceed the argument.
    double Below = O[6], Above = std::nextafter(O[6], 10.f);
    EXPECT_LE(Below * Below, 2 + double(D) * D + 1e-6);
    EXPECT_GT(Above * Above, 2 + double(D) * D - 1e-6);
    EXPECT_EQ(O[7], std::min(std::max(D, 0.f), 1.f));
  }
}

/// The first is not a number.
constexpr double Integers[] = {NAN,   0.5,  1.5,   -1.5, 2.5,      -0.7,
                               3e9,   -3e9, 5e9,   1e19, -1e19,    1e30,
                               -1e30, 1e18, 300.5, -2.5, INFINITY, -INFINITY};
constexpr int IntegerCount = sizeof(Integers) / sizeof(double);

template <class T> T saturated(double V, T OfNaN) {
  llvm::APSInt I(8 * sizeof(T), std::is_unsigned_v<T>);
  bool Exact;
  if (std::isnan(V))
    return OfNaN;
  APFloat(V).convertToInteger(I, Zero, &Exact);
  return static_cast<T>(I.getExtValue());
}
template <> uint64_t saturated(double V, uint64_t OfNaN) {
  llvm::APSInt I(64, true);
  bool Exact;
  if (std::isnan(V))
    return OfNaN;
  APFloat(V).convertToInteger(I, Zero, &Exact);
  return I.getZExtValue();
}

TEST_P(Arithmetic, FloatToIntegerSaturates) {
  Buffer<float> X = K.zeros<float>(IntegerCount);
  Buffer<double> D = K.zeros<double>(IntegerCount);
  std::copy(Integers, Integers + IntegerCount, X.begin());
  std::copy(Integers, Integers + IntegerCount, D.begin());
  Buffer<int> Y = K.zeros<int>(IntegerCount * 8);
  Buffer<int64_t> Z = K.zeros<int64_t>(IntegerCount * 8);
  ASSERT_EQ(K.run("toInteger", {1}, {IntegerCount}, X, D, Y, Z), "");
  constexpr int Min = INT32_MIN;
  constexpr int64_t Min64 = INT64_MIN;
  for (int T = 0; T < IntegerCount; ++T) {
    float F = X[T];
    double V = D[T];
    int *O = &Y[8 * T];
    int64_t *P = &Z[8 * T];
    EXPECT_EQ(O[0], saturated<int32_t>(F, 0)) << V;
    EXPECT_EQ(static_cast<uint32_t>(O[1]), saturated<uint32_t>(F, 0)) << V;
    EXPECT_EQ(O[2], saturated<int32_t>(std::nearbyint(F), 0)) << V;
    EXPECT_EQ(O[3], saturated<int32_t>(std::ceil(F), 0)) << V;
    EXPECT_EQ(O[4], saturated<int32_t>(std::floor(F), 0)) << V;
    EXPECT_EQ(O[5], saturated<int32_t>(V, Min)) << V;
    EXPECT_EQ(O[6], saturated<int32_t>(std::nearbyint(V), Min)) << V;
    EXPECT_EQ(static_cast<uint32_t>(O[7]),
              saturated<uint32_t>(std::nearbyint(F), 0))
        << V;
    EXPECT_EQ(P[0], saturated<int64_t>(F, Min64)) << V;
    EXPECT_EQ(static_cast<uint64_t>(P[1]), saturated<uint64_t>(F, 1ull << 63))
        << V;
    EXPECT_EQ(P[2], saturated<int64_t>(V, Min64)) << V;
    EXPECT_EQ(P[3], saturated<int64_t>(std::floor(V), Min64)) << V;
    EXPECT_EQ(static_cast<uint64_t>(P[4]),
              saturated<uint64_t>(std::ceil(V), 1ull << 63))
        << V;
  }
}

TEST_P(Arithmetic, IntegerToFloatRounds) {
  Buffer<int64_t> X = K.copy<int64_t>(
      {0, 1, -1, 16777217, -16777217, 16777219, (1ll << 53) + 1,
       -(1ll << 53) - 1, INT64_MAX, INT64_MIN, 0x123456789abcdef, -3000000001});
  Buffer<float> Y = K.zeros<float>(X.Count * 8);
  Buffer<double> Z = K.zeros<double>(X.Count * 4);
  ASSERT_EQ(K.run("fromInteger", {1}, {uint32_t(X.Count)}, X, Y, Z), "");
  for (size_t T = 0; T < X.Count; ++T) {
    int64_t V = X[T];
    float *O = &Y[8 * T];
    double *P = &Z[4 * T];
    EXPECT_EQ(O[0], fromInteger<float>(V, true, Nearest)) << V;
    EXPECT_EQ(O[1], fromInteger<float>(V, true, Down)) << V;
    EXPECT_EQ(O[2], fromInteger<float>(V, true, Up)) << V;
    EXPECT_EQ(O[3], fromInteger<float>(V, true, Zero)) << V;
    EXPECT_EQ(O[4], fromInteger<float>(V, false, Up)) << V;
    EXPECT_EQ(O[5], fromInteger<float>(int64_t(int32_t(V)), true, Down)) << V;
    EXPECT_EQ(O[6], fromInteger<float>(uint32_t(V), false, Up)) << V;
    APFloat F(static_cast<double>(V));
    bool Exact;
    F.convert(APFloat::IEEEsingle(), Up, &Exact);
    EXPECT_EQ(O[7], F.convertToFloat()) << V;
    EXPECT_EQ(P[0], fromInteger<double>(V, true, Down)) << V;
    EXPECT_EQ(P[1], fromInteger<double>(V, true, Up)) << V;
    EXPECT_EQ(P[2], fromInteger<double>(V, false, Nearest)) << V;
    EXPECT_EQ(P[3], fromInteger<double>(V, false, Zero)) << V;
  }
}

int funnelLeft(uint32_t Low, uint32_t High, unsigned N) {
  return static_cast<int>((uint64_t(High) << 32 | Low) << N >> 32);
}
int dot4(int A, int B, int C) {
  for (int I = 0; I < 4; ++I)
    C += int8_t(A >> 8 * I) * int8_t(B >> 8 * I);
  return C;
}
int permute(uint32_t A, uint32_t B, uint32_t Selector) {
  uint64_t Source = uint64_t(B) << 32 | A;
  uint32_t R = 0;
  for (int I = 0; I < 4; ++I) {
    unsigned N = Selector >> 4 * I & 15;
    int8_t Byte = Source >> 8 * (N & 7);
    R |= uint32_t(uint8_t(N & 8 ? Byte >> 7 : Byte)) << 8 * I;
  }
  return R;
}

TEST_P(Arithmetic, IntegerIntrinsics) {
  Buffer<int> X = K.zeros<int>(64), Y = K.zeros<int>(64 * 16);
  for (int &V : X)
    V = static_cast<int>(Random());
  X[0] = 0;
  X[1] = -1;
  ASSERT_EQ(K.run("integers", {1}, {64}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    int V = X[T], *O = &Y[16 * T];
    auto U = static_cast<uint32_t>(V);
    uint32_t Reversed = 0;
    for (int I = 0; I < 32; ++I)
      Reversed |= (U >> I & 1) << (31 - I);
    EXPECT_EQ(O[0], __builtin_popcount(U));
    EXPECT_EQ(O[1], U ? __builtin_clz(U) : 32);
    EXPECT_EQ(O[2], __builtin_ffs(V));
    EXPECT_EQ(O[3], static_cast<int>(Reversed));
    EXPECT_EQ(O[4], static_cast<int>(int64_t(V) * 1234567891 >> 32));
    EXPECT_EQ(O[5], static_cast<int>(std::abs(int64_t(V) - 300) + 4));
    // The device's __byte_perm masks the sign bit of each selector.
    EXPECT_EQ(O[6], permute(U, 0x12345678, 0x3520));
    EXPECT_EQ(O[7], static_cast<int>(uint64_t(U * 77777u) * 1234567891u >> 32));
    EXPECT_EQ(O[8], (V << 8 >> 8) * (0x00f12345 << 8 >> 8));
    EXPECT_EQ(O[9], funnelLeft(U, 0x12345678, 9));
    EXPECT_EQ(O[10], 0x12345678);
    EXPECT_EQ(O[11], static_cast<int>((int64_t(V) + 12345) >> 1));
    EXPECT_EQ(O[12],
              static_cast<int>(int64_t((__int128(int64_t(uint64_t(V) << 33)) *
                                        0x123456789abcdefll) >>
                                       64) >>
                               8));
    EXPECT_EQ(O[13], dot4(V, 0x7f80ff01, 5));
    EXPECT_EQ(O[14], V << 20 >> 25);
    EXPECT_EQ(O[15],
              static_cast<int>((U << 8 & 0xFFF00) | (0x5a5a5a5au & ~0xFFF00u)));
  }
}

TEST_P(Arithmetic, IntegerPtx) {
  Buffer<int> X = K.zeros<int>(32), Y = K.zeros<int>(32 * 8);
  for (int I = 0; I < 32; ++I)
    X[I] = I * 15 + 1;
  ASSERT_EQ(K.run("ptxInteger", {1}, {32}, X, Y), "");
  for (int T = 0; T < 32; ++T) {
    int V = X[T], *O = &Y[8 * T];
    EXPECT_EQ(O[0], static_cast<int>(V ^ 0xf0f0f0f0 ^ 0x12345678));
    EXPECT_EQ(O[1], V < 100 ? 2 : 11);
    int64_t Wide;
    memcpy(&Wide, O + 2, 8);
    EXPECT_EQ(Wide, V * -1000000ll);
    EXPECT_EQ(O[4], 2 * V ^ 16);
    EXPECT_EQ(O[5], std::min(std::max(V - 100, 0), 255));
    EXPECT_EQ(O[6], T + 20 >= 32 ? -1 : -V >> (T + 20));
    EXPECT_EQ(O[7],
              static_cast<int>((int64_t(V * 1000003) * -123456789 >> 32) + 7));
  }
}

TEST_P(Arithmetic, FlushSaturateAndNaN) {
  constexpr float Tiny = 1e-40f, Small = 1.2e-38f;
  Buffer<float> X = K.copy<float>({Tiny, -Tiny, Small, 0.25f, NAN, 0.f, -3.f});
  Buffer<float> Y = K.zeros<float>(X.Count * 8);
  ASSERT_EQ(K.run("flush", {1}, {uint32_t(X.Count)}, X, Y), "");
  auto flushed = [](float V) {
    return std::fpclassify(V) == FP_SUBNORMAL ? std::copysign(0.f, V) : V;
  };
  for (size_t T = 0; T < X.Count; ++T) {
    float V = X[T], *O = &Y[8 * T];
    if (std::isnan(V)) {
      EXPECT_EQ(O[3], 0);
      EXPECT_TRUE(std::isnan(O[4]));
      EXPECT_EQ(O[5], 0);
      continue;
    }
    EXPECT_EQ(O[0], flushed(V));
    EXPECT_EQ(O[1], V * 0.5f);
    EXPECT_EQ(O[2], flushed(flushed(V) * 0.5f));
    EXPECT_EQ(O[3], std::min(std::max(3 * V, 0.f), 1.f));
    EXPECT_EQ(O[4], std::max(V, 0.f));
    EXPECT_FALSE(std::signbit(O[4]) && V >= 0);
    EXPECT_EQ(O[5], std::min(V, 0.f));
    EXPECT_TRUE(std::signbit(O[5]));
    EXPECT_FLOAT_EQ(O[6], std::exp2(flushed(V)));
    EXPECT_EQ(O[7], std::abs(flushed(V)));
  }
}

using Half = _Float16;

Half toHalf(double V, RoundingMode R = Nearest) {
  APFloat F(V);
  bool Exact;
  F.convert(APFloat::IEEEhalf(), R, &Exact);
  auto Bits = static_cast<uint16_t>(F.bitcastToAPInt().getZExtValue());
  Half H;
  memcpy(&H, &Bits, 2);
  return H;
}

TEST_P(Arithmetic, HalfPrecision) {
  Buffer<Half> X = uniform<Half>(64, -8, 8), W = uniform<Half>(64, 0.5, 4),
               Y = K.zeros<Half>(64 * 12);
  Buffer<float> F = K.zeros<float>(64);
  ASSERT_EQ(K.run("halfArithmetic", {1}, {64}, X, W, Y, F), "");
  for (int T = 0; T < 64; ++T) {
    // Exact in double, or at least far beyond half.
    double A = X[T], B = W[T];
    Half *O = &Y[12 * T];
    EXPECT_EQ(O[0], toHalf(A + B));
    EXPECT_EQ(O[1], toHalf(A * B));
    EXPECT_EQ(O[2], toHalf(A * B + A));
    expectNear(O[3], A / B, 1e-3);
    expectNear(O[4], std::sqrt(std::abs(A)), 1e-3);
    EXPECT_EQ(O[5], toHalf(std::max(A, B)));
    EXPECT_EQ(O[6], toHalf(static_cast<float>(A) * 1.0009765f, Zero));
    EXPECT_EQ(O[7], toHalf(std::min(std::max(A + B, 0.), 1.)));
    EXPECT_EQ(O[8], toHalf(std::floor(A)));
    EXPECT_EQ(O[9], toHalf(T * 4097));
    expectNear(O[10], std::exp(B / 4), 2e-3);
    EXPECT_EQ(O[11], toHalf(std::min(A, B)));
    EXPECT_EQ(F[T], float(A) + float(toHalf(A + B)) + float(std::nearbyint(B)));
  }
}

TEST_P(Arithmetic, HalfPrecisionFunctions) {
  Buffer<Half> X = uniform<Half>(32, 0.25, 2.75), Y = K.zeros<Half>(32 * 24);
  ASSERT_EQ(K.run("halfFunctions", {1}, {32}, X, Y), "");
  for (int T = 0; T < 32; ++T) {
    double A = X[T];
    double Expected[24] = {sin(A),
                           cos(A),
                           exp2(A),
                           pow(10, A),
                           log(A),
                           log2(A),
                           log10(A),
                           1 / A,
                           1 / sqrt(A),
                           ceil(A),
                           trunc(A),
                           std::nearbyint(A),
                           tanh(A),
                           tanh(A),
                           exp(2 * A),
                           tanh(2 * A),
                           2 * A * A + 2 * A,
                           1,
                           1,
                           std::max(A, 1.),
                           2,
                           double(X[T ^ 1]),
                           -A,
                           -A};
    for (int I = 0; I < 24; ++I)
      expectNear(Y[24 * T + I], Expected[I], 2e-3);
  }
}

uint16_t toBFloat(double V, RoundingMode R = Nearest) {
  APFloat F(V);
  bool Exact;
  F.convert(APFloat::BFloat(), R, &Exact);
  return F.bitcastToAPInt().getZExtValue();
}
float fromBFloat(uint16_t Bits) {
  return llvm::bit_cast<float>(uint32_t(Bits) << 16);
}

TEST_P(Arithmetic, BFloat) {
  Buffer<uint16_t> X = K.zeros<uint16_t>(64), W = K.zeros<uint16_t>(64),
                   Y = K.zeros<uint16_t>(64 * 8);
  for (int I = 0; I < 64; ++I) {
    X[I] = toBFloat(I * 0.37 - 9);
    W[I] = toBFloat(0.1 + I * 0.053);
  }
  Buffer<float> F = K.zeros<float>(64);
  ASSERT_EQ(K.run("bfloatArithmetic", {1}, {64}, X, W, Y, F), "");
  for (int T = 0; T < 64; ++T) {
    double A = fromBFloat(X[T]), B = fromBFloat(W[T]);
    uint16_t *O = &Y[8 * T];
    EXPECT_EQ(O[0], toBFloat(A + B));
    EXPECT_EQ(O[1], toBFloat(A * B));
    EXPECT_EQ(O[2], toBFloat(A * B + A));
    expectNear(fromBFloat(O[3]), A / B, 8e-3);
    EXPECT_EQ(O[4], toBFloat(static_cast<float>(A) * 1.001f, Up));
    EXPECT_EQ(O[5], toBFloat(std::min(A, B)));
    expectNear(fromBFloat(O[6]), std::exp(B), 8e-3);
    EXPECT_EQ(O[7], toBFloat(B * B));
    EXPECT_EQ(F[T], float(A) - fromBFloat(toBFloat(A * B)));
  }
}

TEST_P(Arithmetic, BitsOfDoubles) {
  Buffer<double> X = uniform<double>(32, -9, 9), Z = K.zeros<double>(32);
  Buffer<int> Y = K.zeros<int>(32);
  Buffer<float> F = K.zeros<float>(32);
  ASSERT_EQ(K.run("bits", {1}, {32}, X, Y, Z, F), "");
  for (int T = 0; T < 32; ++T) {
    auto Bits = llvm::bit_cast<uint64_t>(X[T]);
    EXPECT_EQ(Y[T], static_cast<int>(Bits ^ Bits >> 32));
    EXPECT_EQ(llvm::bit_cast<uint64_t>(Z[T]), Bits | 1);
    EXPECT_EQ(F[T], -static_cast<float>(X[T]));
  }
}

} // namespace
