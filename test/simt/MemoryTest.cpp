//===- MemoryTest.cpp - Memory, atomics and calls -------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do kernels read and write the memory of every
// address space as on a device?
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include <cmath>
#include <cstring>
#include <numeric>

using namespace kdiff::simt;

namespace {

class Memory : public Levels {
protected:
  Kernels &K = Kernels::cached("memory", GetParam());

  Buffer<float> ramp(size_t Count) {
    Buffer<float> B = K.zeros<float>(Count);
    for (size_t I = 0; I < Count; ++I)
      B[I] = I * 0.5f - 3;
    return B;
  }
};
INSTANTIATE_TEST_SUITE_P(All, Memory, allLevels(), Levels::name);

TEST_P(Memory, FreshMemoryIsNaN) {
  auto *F = static_cast<float *>(K.Device->allocate(400, "fresh"));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(F) % 256, 0u);
  for (int I = 0; I < 100; ++I)
    EXPECT_TRUE(std::isnan(F[I]));
  Buffer<float> Y = K.zeros<float>(32);
  ASSERT_EQ(K.run("unwritten", {1}, {32}, Y), "");
  for (float V : Y)
    EXPECT_TRUE(std::isnan(V));
  K.Device->free(F);
  auto *G = static_cast<float *>(K.Device->allocate(400, "again"));
  EXPECT_TRUE(std::isnan(G[0]));
}

TEST_P(Memory, VariablesAreVisibleToTheHost) {
  size_t Bytes = 0;
  auto *C = static_cast<float *>(K.Device->symbol("coefficients", &Bytes));
  ASSERT_NE(C, nullptr);
  EXPECT_EQ(Bytes, 16u);
  EXPECT_EQ(K.Device->symbol("nosuch"), nullptr);
  for (int I = 0; I < 4; ++I)
    C[I] = I + 1;
  EXPECT_EQ(*static_cast<int *>(K.Device->symbol("counter")), 5);
  Buffer<float> X = ramp(64), Y = K.zeros<float>(64);
  ASSERT_EQ(K.run("variables", {1}, {64}, X, Y), "");
  float Total = 0;
  for (int T = 0; T < 64; ++T) {
    EXPECT_EQ(Y[T], C[T & 3] * X[T] + 10 * (T % 3 + 1));
    Total += Y[T];
  }
  EXPECT_EQ(*static_cast<float *>(K.Device->symbol("total")), Total);
  EXPECT_EQ(*static_cast<int *>(K.Device->symbol("counter")), 6);
}

TEST_P(Memory, StructsByValueAreCopiedForEachThread) {
  struct {
    float A[5];
    int N;
    const float *X;
    float *Y;
  } P = {{1, 2, 3, 4, 5}, 20, nullptr, nullptr};
  Buffer<float> X = ramp(32), Y = K.zeros<float>(32);
  P.X = X.Data;
  P.Y = Y.Data;
  // Nothing aligns the caller's copy.
  alignas(16) char Room[sizeof(P) + 4];
  memcpy(Room + 4, &P, sizeof(P));
  char C = -2;
  double D = 0.25;
  void *Args[] = {&C, Room + 4, &D};
  ASSERT_EQ(llvm::toString(K.Device->launch("byValue", {1}, {32}, 0, Args)),
            "");
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(Y[I], I < 20 ? X[I] + P.A[I % 5] + I - 1.75f : 0);
}

TEST_P(Memory, VectorAccesses) {
  Buffer<float> X = ramp(128), Y = K.zeros<float>(128);
  Buffer<double> Z = K.zeros<double>(64);
  ASSERT_EQ(K.run("vectors", {1}, {32}, X, Y, Z), "");
  for (int I = 0; I < 128; ++I)
    EXPECT_EQ(Y[I], I % 4 == 0 ? X[I] + 1 : I % 4 == 3 ? 2 * X[I] : X[I]);
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(Z[I], X[I / 2 * 4 + 1 + I % 2]);
}

TEST_P(Memory, FloatAtomicsInAllSpacesAndScopes) {
  Buffer<int> Bin = K.zeros<int>(500);
  for (int I = 0; I < 500; ++I)
    Bin[I] = I * 7 % 16;
  Buffer<float> W = ramp(500), H = K.zeros<float>(16);
  Buffer<double> D = K.zeros<double>(16);
  ASSERT_EQ(K.run("histogram", {2}, {256}, 500, Bin, W, H, D), "");
  std::vector<double> Expected(16);
  for (int I = 0; I < 500; ++I)
    Expected[Bin[I]] += W[I];
  for (int I = 0; I < 16; ++I) {
    EXPECT_EQ(H[I], Expected[I]);
    EXPECT_EQ(D[I], Expected[I]);
  }
}

TEST_P(Memory, IntegerAtomics) {
  Buffer<int> A = K.copy<int>({0, 1000, -1000, -1, 0, 0, 77}),
              Old = K.zeros<int>(32);
  Buffer<unsigned> U = K.copy<unsigned>({0, 0, 0, ~0u, 0});
  Buffer<uint64_t> Q = K.copy<uint64_t>({1, 5, 3});
  ASSERT_EQ(K.run("atomics", {1}, {32}, A, U, Q, Old), "");
  EXPECT_EQ(A.values(),
            (std::vector<int>{-496, 69, -69, ~0xFFFF, 0xFFFF, 0, 31}));
  EXPECT_EQ(Old[0], 77);
  EXPECT_EQ(Old[31], 30);
  // 32 steps modulo 6; down: 0 wraps to 5 and so on.
  EXPECT_EQ(U.values(),
            (std::vector<unsigned>{2, 4, 0x8000001F, 0xEFFFFFE1, 32}));
  EXPECT_EQ(Q.values(), (std::vector<uint64_t>{(496ull << 32) + 1, ~0ull, 32}));
}

TEST_P(Memory, HalfAtomics) {
  Buffer<_Float16> H = K.zeros<_Float16>(2), H2 = K.zeros<_Float16>(2);
  Buffer<uint16_t> B = K.zeros<uint16_t>(2);
  H[0] = 1;
  H[1] = 9;
  ASSERT_EQ(K.run("halfAtomics", {1}, {40}, H, H2, B), "");
  EXPECT_EQ(static_cast<float>(H[0]), 21);
  EXPECT_EQ(static_cast<float>(H[1]), 9);
  EXPECT_EQ(static_cast<float>(H2[0]), 40);
  EXPECT_EQ(static_cast<float>(H2[1]), 80);
  EXPECT_EQ(B[0], 0x4120); // 10
  EXPECT_EQ(B[1], 0);
}

TEST_P(Memory, ReductionsInPtx) {
  Buffer<float> Y = K.zeros<float>(4);
  ASSERT_EQ(K.run("redVector", {2}, {5}, Y), "");
  EXPECT_EQ(Y.values(), (std::vector<float>{15, 0, 20, 30}));
}

TEST_P(Memory, DeviceHeap) {
  Buffer<float> X = ramp(128), Y = K.zeros<float>(128);
  ASSERT_EQ(K.run("heap", {3}, {128}, X, Y), "");
  for (int T = 0; T < 128; ++T)
    EXPECT_EQ(Y[T], X[T] + (T & 63));
}

TEST_P(Memory, Printf) {
  const char Text[] = "text";
  Buffer<char> S = K.copy(std::vector<char>(Text, Text + sizeof(Text)));
  ASSERT_EQ(K.run("print", {1}, {2}, -3, S), "");
  EXPECT_EQ(K.Printed, "-3  0.00|ab  |z 1099511627776 0xff % text\n"
                       "   7|0x10|4|-3\n"
                       "-3  1.50|ab  |z 1099511627776 0xff % text\n");
}

TEST_P(Memory, CallsThroughPointersAndRecursion) {
  Buffer<float> X = ramp(32), Y = K.zeros<float>(32);
  ASSERT_EQ(K.run("functionTable", {1}, {32}, X, Y), "");
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(Y[I], I & 1 ? X[I] * X[I] * X[I] : X[I] * X[I]);
  ASSERT_EQ(K.run("virtualCall", {1}, {32}, X, Y), "");
  for (int I = 0; I < 32; ++I)
    EXPECT_EQ(Y[I], 3 * X[I]);
  Buffer<int> F = K.zeros<int>(15);
  ASSERT_EQ(K.run("recursion", {1}, {15}, F), "");
  EXPECT_EQ(F.values(), (std::vector<int>{0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55,
                                          89, 144, 233, 377}));
}

TEST_P(Memory, LocalMemorySurvivesABarrier) {
  Buffer<float> X = ramp(64), Y = K.zeros<float>(64);
  ASSERT_EQ(K.run("localArray", {1}, {64}, X, Y, 3), "");
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(Y[I], X[I] * ((I + 3) & 31));
}

TEST_P(Memory, AddressSpacesAreToldApart) {
  Buffer<int> Y = K.zeros<int>(8);
  ASSERT_EQ(K.run("spaces", {1}, {8}, Y), "");
  for (int I = 0; I < 8; ++I)
    EXPECT_EQ(Y[I], I & 1 ? 5 : 6);
}

TEST_P(Memory, AsynchronousCopies) {
  Buffer<float> X = ramp(256), Y = K.zeros<float>(256);
  ASSERT_EQ(K.run("asyncCopy", {1}, {64}, X, Y), "");
  for (int I = 0; I < 256; ++I) {
    float V = X[(I / 4 ^ 1) * 4 + I % 4];
    EXPECT_EQ(Y[I], I % 4 < 2 ? 2 * V : V); // The second copy fills with zeros.
  }
}

TEST_P(Memory, LoadsAndStoresWithCacheHints) {
  Buffer<int> X = K.copy<int>({5, -6, 7, 8}), Y = K.zeros<int>(4);
  Buffer<float> F = ramp(8), G = K.zeros<float>(8);
  ASSERT_EQ(K.run("cachedLoads", {1}, {4}, X, F, Y, G), "");
  for (int I = 0; I < 4; ++I) {
    EXPECT_EQ(Y[I], 4 * X[I]);
    EXPECT_EQ(G[2 * I], F[2 * I + 1]);
    EXPECT_EQ(G[2 * I + 1], F[2 * I]);
  }
}

TEST(Devices, LiveSideBySide) {
  Kernels A("memory", "O2"), B("memory", "O2");
  Buffer<float> X = A.zeros<float>(8), Y = B.zeros<float>(8);
  X[0] = 2;
  Y[0] = 3;
  *static_cast<int *>(A.Device->symbol("counter")) = 1;
  EXPECT_EQ(*static_cast<int *>(B.Device->symbol("counter")), 5);
  Buffer<float> OutA = A.zeros<float>(8), OutB = B.zeros<float>(8);
  ASSERT_EQ(A.run("functionTable", {1}, {8}, X, OutA), "");
  ASSERT_EQ(B.run("functionTable", {1}, {8}, Y, OutB), "");
  EXPECT_EQ(OutA[0], 4);
  EXPECT_EQ(OutB[0], 9);
}

} // namespace
