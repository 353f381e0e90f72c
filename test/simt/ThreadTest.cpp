//===- ThreadTest.cpp - Threads, barriers and warps -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do barriers and warp operations give what the
// PTX ISA says, in every order of the threads?
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include <climits>
#include <numeric>
#include <random>

using namespace kdiff::simt;

namespace {

/// Each optimisation level in each order.
class Threads
    : public testing::TestWithParam<std::tuple<const char *, Schedule>> {
protected:
  Kernels &K = Kernels::cached("threads", std::get<0>(GetParam()));
  std::mt19937 Random{7};

  Threads() {
    K.Options.Order = std::get<1>(GetParam());
    K.Options.Seed = 42;
  }
  std::vector<float> floats(size_t Count) {
    std::vector<float> V(Count);
    for (float &F : V)
      F = static_cast<int>(Random() % 2000) / 8.f - 125;
    return V;
  }
  std::vector<int> ints(size_t Count) {
    std::vector<int> V(Count);
    for (int &I : V)
      I = Random() % 1000;
    return V;
  }
};
std::string name(const testing::TestParamInfo<Threads::ParamType> &Info) {
  static const char *const Orders[] = {"Fifo", "Lifo", "Random"};
  auto [Level, Order] = Info.param;
  return std::string(Level) + Orders[static_cast<int>(Order)];
}
INSTANTIATE_TEST_SUITE_P(All, Threads,
                         testing::Combine(allLevels(),
                                          testing::Values(Schedule::Fifo,
                                                          Schedule::Lifo,
                                                          Schedule::Random)),
                         name);

TEST_P(Threads, IndicesCoverAllDimensions) {
  Buffer<int> Y = K.zeros<int>(720);
  ASSERT_EQ(K.run("indices", {3, 2, 2}, {4, 3, 5}, Y), "");
  for (int I = 0; I < 720; ++I)
    EXPECT_EQ(Y[I], I);
}

TEST_P(Threads, TreeSumThroughSharedMemory) {
  Buffer<float> X = K.copy(floats(1000)), Out = K.zeros<float>(4);
  ASSERT_EQ(K.run("treeSum", {4}, {256}, 1000, X, Out), "");
  for (int B = 0; B < 4; ++B)
    EXPECT_EQ(Out[B],
              std::accumulate(X.begin() + 256 * B,
                              X.begin() + std::min(1000, 256 * B + 256), 0.f));
}

TEST_P(Threads, DynamicSharedMemory) {
  Buffer<float> X = K.copy(floats(192)), Y = K.zeros<float>(192);
  K.DynamicShared = 96 * sizeof(float);
  ASSERT_EQ(K.run("reverseDynamic", {2}, {96}, X, Y), "");
  for (int I = 0; I < 192; ++I)
    EXPECT_EQ(Y[I], X[I / 96 * 96 + 95 - I % 96]);
}

TEST_P(Threads, BarrierInACalledFunction) {
  Buffer<float> X = K.copy(floats(64)), Y = K.zeros<float>(64);
  ASSERT_EQ(K.run("barrierInCallee", {1}, {64}, X, Y), "");
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(Y[I], X[I ^ 1]);
}

TEST_P(Threads, BarriersReduce) {
  Buffer<int> X = K.copy(ints(96)), Y = K.zeros<int>(288);
  X[33] = 999;
  ASSERT_EQ(K.run("barrierReductions", {1}, {96}, X, Y), "");
  int Odd = 0;
  for (int V : X)
    Odd += V & 1;
  for (int I = 0; I < 96; ++I) {
    EXPECT_EQ(Y[3 * I], Odd);
    EXPECT_NE(Y[3 * I + 1], 0);
    EXPECT_NE(Y[3 * I + 2], 0);
  }
  X[5] = -1;
  X[33] = 0;
  ASSERT_EQ(K.run("barrierReductions", {1}, {96}, X, Y), "");
  EXPECT_EQ(Y[1], 0);
  EXPECT_EQ(Y[2], 0);
}

TEST_P(Threads, NamedBarriersOfHalfBlocks) {
  Buffer<int> X = K.copy(ints(128)), Y = K.zeros<int>(128);
  ASSERT_EQ(K.run("namedBarriers", {1}, {128}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    EXPECT_EQ(Y[T], X[(T + 1) % 64]);
    EXPECT_EQ(Y[64 + T], X[64 + (T + 1) % 64] + X[(T + 1) % 64]);
  }
}

TEST_P(Threads, ThreadsThatLeftAreNotWaitedFor) {
  Buffer<int> Y = K.zeros<int>(64);
  ASSERT_EQ(K.run("earlyExit", {1}, {64}, Y), "");
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(Y[I], I < 40 ? 39 - I : 0);
  Buffer<int> X = K.copy(ints(32)), Z = K.zeros<int>(32);
  ASSERT_EQ(K.run("exitedLanes", {1}, {32}, X, Z), "");
  EXPECT_EQ(Z[19], std::accumulate(X.begin(), X.begin() + 20, 0));
  Buffer<int> W = K.zeros<int>(64);
  ASSERT_EQ(K.run("exits", {1}, {64}, W), "");
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(W[I], !(I & 1));
}

void expectWarpOps(const int *V, int Lane, const int *O) {
  uint32_t Ballot = 0, Match = 0;
  bool Seven = false, Same = true, Uniform = true;
  int Sum = 0, Max = -1000, Xor = 0;
  for (int I = 0; I < 32; ++I) {
    Ballot |= (V[I] & 1u) << I;
    Match |= uint32_t((V[I] & 3) == (V[Lane] & 3)) << I;
    Seven |= V[I] == 7;
    Same &= (V[I] & 3) == (V[0] & 3);
    Uniform &= (V[I] & 1) == (V[0] & 1);
    Sum += V[I];
    Max = std::max(Max, V[I] - 500);
    Xor ^= V[I];
  }
  uint32_t Min = ~0u;
  for (int I = 0; I < 32; ++I)
    Min = std::min(Min, static_cast<uint32_t>(V[I] - 500));
  EXPECT_EQ(O[0], static_cast<int>(Ballot));
  EXPECT_EQ(O[1] != 0, Seven);
  EXPECT_NE(O[2], 0);
  EXPECT_EQ(O[3] != 0, Uniform);
  EXPECT_EQ(O[4], V[Lane ^ 5]);
  EXPECT_EQ(O[5], Lane % 16 >= 3 ? V[Lane - 3] : V[Lane]);
  EXPECT_EQ(O[6], Lane % 8 < 2 ? V[Lane + 6] : V[Lane]);
  EXPECT_EQ(O[7], V[Lane / 8 * 8 + 1]); // 9 modulo the width
  EXPECT_EQ(O[8], static_cast<int>(Match));
  EXPECT_EQ(O[9], Same ? -1 : 0);
  EXPECT_EQ(O[10], Same);
  EXPECT_EQ(O[11], Sum);
  EXPECT_EQ(O[12], Max);
  EXPECT_EQ(O[13], Xor);
  // The lanes of one branch may be seen as converged or not.
  uint32_t Active = O[14], Branch = V[Lane] & 1 ? Ballot : ~Ballot;
  EXPECT_EQ(Active & ~Branch, 0u);
  EXPECT_TRUE(Active >> Lane & 1);
  EXPECT_EQ(O[15], static_cast<int>(Min));
}

TEST_P(Threads, WarpOperations) {
  std::vector<int> V = ints(128);
  std::fill(V.begin() + 32, V.begin() + 64, 5); // A warp of one mind.
  V[70] = 7;
  Buffer<int> X = K.copy(V), Y = K.zeros<int>(128 * 16);
  ASSERT_EQ(K.run("warpOps", {2}, {64}, X, Y), "");
  for (int I = 0; I < 128; ++I)
    expectWarpOps(&X[I / 32 * 32], I % 32, &Y[16 * I]);
}

TEST_P(Threads, ShufflesOfDoubles) {
  std::vector<double> V(32);
  for (double &D : V)
    D = Random() * 1e-5 + 1;
  Buffer<double> X = K.copy(V), Y = K.zeros<double>(32);
  ASSERT_EQ(K.run("shuffleDouble", {1}, {32}, X, Y), "");
  for (int T = 0; T < 32; ++T)
    EXPECT_EQ(Y[T], X[std::min(T + 1, 31)] + X[31 - T]);
}

TEST_P(Threads, ShufflePredicateInPtx) {
  Buffer<int> Y = K.zeros<int>(64);
  ASSERT_EQ(K.run("shufflePredicate", {1}, {32}, Y), "");
  for (int T = 0; T < 32; ++T) {
    EXPECT_EQ(Y[2 * T], T < 4 ? T * 10 : (T - 4) * 10);
    EXPECT_EQ(Y[2 * T + 1], T >= 4);
  }
}

TEST_P(Threads, PartialMasksInDivergentBranches) {
  Buffer<int> X = K.copy(ints(64)), Y = K.zeros<int>(64);
  ASSERT_EQ(K.run("partialMasks", {1}, {64}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    int W = T / 32 * 32, L = T % 32;
    EXPECT_EQ(Y[T], L < 8    ? X[W + 3]
                    : L < 20 ? std::accumulate(&X[W + 8], &X[W + 20], 0)
                             : X[T ^ 1]);
  }
}

TEST_P(Threads, WarpBarrierOrdersSharedMemory) {
  Buffer<float> X = K.copy(floats(32)), Y = K.zeros<float>(32);
  ASSERT_EQ(K.run("syncWarpExchange", {1}, {32}, Y, X), "");
  ASSERT_EQ(K.run("syncWarpExchange", {1}, {32}, X, Y), "");
  for (int T = 0; T < 32; ++T)
    EXPECT_EQ(Y[T], X[(T + 2) & 31]);
}

TEST_P(Threads, NthSetBit) {
  struct Row {
    unsigned Mask, Base;
    int Offset;
    unsigned Place;
  };
  static const Row Rows[] = {
      {0x10, 4, 0, 4},         {0x10, 3, 0, ~0u}, {0x92, 0, 1, 1},
      {0x92, 1, 1, 1},         {0x92, 0, 3, 7},   {0x92, 0, 4, ~0u},
      {0x92, 31, -1, 7},       {0x92, 7, -2, 4},  {0x92, 3, -2, ~0u},
      {0x80000000, 31, 1, 31}, {~0u, 0, 32, 31},  {~0u, 5, 33, ~0u},
      {~0u, 31, -32, 0},       {0, 0, 1, ~0u},    {~0u, 9, INT_MIN, ~0u},
      {~0u, 32, 1, ~0u}};
  std::vector<unsigned> Masks, Bases;
  std::vector<int> Offsets;
  for (const Row &R : Rows) {
    Masks.push_back(R.Mask);
    Bases.push_back(R.Base);
    Offsets.push_back(R.Offset);
  }
  unsigned N = std::size(Rows);
  Buffer<unsigned> M = K.copy(Masks), B = K.copy(Bases),
                   Y = K.zeros<unsigned>(2 * N);
  Buffer<int> O = K.copy(Offsets);
  ASSERT_EQ(K.run("findSet", {1}, {N}, M, B, O, Y), "");
  for (unsigned I = 0; I < 2 * N; ++I)
    EXPECT_EQ(Y[I], Rows[I / 2].Place) << "row " << I / 2;
}

TEST_P(Threads, CooperativeGroups) {
  Buffer<float> X = K.copy(floats(64)), Y = K.zeros<float>(64);
  ASSERT_EQ(K.run("groups", {1}, {64}, X, Y), "");
  for (int T = 0; T < 64; ++T) {
    float Sum = std::accumulate(&X[T / 16 * 16], &X[T / 16 * 16 + 16], 0.f);
    EXPECT_EQ(Y[T], T & 1 ? Sum + 16000 + T % 32 / 2 : Sum);
  }
}

TEST_P(Threads, GroupsOfSeveralWarps) {
  std::vector<int> V = ints(256);
  std::replace(V.begin(), V.end(), 5, 6);
  V[130] = 5;
  Buffer<int> X = K.copy(V), Y = K.zeros<int>(256);
  ASSERT_EQ(K.run("wideGroup", {1}, {256}, X, Y), "");
  for (int T = 0; T < 256; ++T)
    EXPECT_EQ(Y[T], X[T / 64 * 64 + 40] + (T / 64 == 2));
}

TEST_P(Threads, LocksAndFlagsMakeProgress) {
  Buffer<int> Lock = K.zeros<int>(1), Counter = K.zeros<int>(1);
  ASSERT_EQ(K.run("spinLock", {3}, {64}, Lock, Counter), "");
  EXPECT_EQ(Counter[0], 192);
  for (int Setter : {0, 50, 99}) {
    Buffer<int> Flag = K.zeros<int>(1), Y = K.zeros<int>(100);
    ASSERT_EQ(K.run("flagWait", {1}, {100}, Flag, Y, Setter), "");
    EXPECT_EQ(std::count(Y.begin(), Y.end(), 7), 100);
  }
}

TEST_P(Threads, TheLastBlockSeesAllOthers) {
  Buffer<float> X = K.copy(floats(20)), Part = K.zeros<float>(20),
                Out = K.zeros<float>(1);
  Buffer<unsigned> Count = K.zeros<unsigned>(1);
  ASSERT_EQ(K.run("lastBlock", {20}, {64}, 20, X, Part, Count, Out), "");
  EXPECT_EQ(Out[0], std::accumulate(X.begin(), X.end(), 0.f));
}

TEST_P(Threads, SpecialRegisters) {
  Buffer<unsigned> Y = K.zeros<unsigned>(66 * 8);
  K.DynamicShared = 100;
  ASSERT_EQ(K.run("registers", {1}, {66}, Y), "");
  for (unsigned T = 0; T < 66; ++T) {
    unsigned L = T % 32, *O = &Y[8 * T];
    EXPECT_EQ(O[0], L);
    EXPECT_EQ(O[1], (1u << L) - 1);
    EXPECT_EQ(O[2], ~((1u << L) - 1));
    EXPECT_EQ(O[3], T / 32);
    EXPECT_EQ(O[4], 3u);
    EXPECT_EQ(O[5], 100u);
    EXPECT_EQ(O[6], 1u);
    EXPECT_EQ(O[7], 1u);
  }
}

TEST(Order, FollowsTheSchedule) {
  Kernels K("threads", "O2");
  auto order = [&](Schedule S, uint64_t Seed) {
    K.Options.Order = S;
    K.Options.Seed = Seed;
    Buffer<int> Counter = K.zeros<int>(1), Y = K.zeros<int>(64);
    EXPECT_EQ(K.run("order", {1}, {64}, Counter, Y), "");
    return Y.values();
  };
  std::vector<int> Up(64);
  std::iota(Up.begin(), Up.end(), 0);
  std::vector<int> Fifo = order(Schedule::Fifo, 1);
  std::vector<int> Random = order(Schedule::Random, 1);
  EXPECT_NE(Fifo, order(Schedule::Lifo, 1));
  EXPECT_NE(Fifo, Random);
  EXPECT_EQ(Random, order(Schedule::Random, 1));
  EXPECT_NE(Random, order(Schedule::Random, 2));
  std::sort(Random.begin(), Random.end());
  EXPECT_EQ(Random, Up);
}

} // namespace
