//===- CheckTest.cpp - What the checks find -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is each planted fault found, with its kind and
// place, and are the twins without it silent, in all orders?
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include <fstream>
#include <gmock/gmock.h>
#include <numeric>

using namespace kdiff::simt;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

constexpr unsigned Threads = 64;
constexpr uint64_t Seeds = 3;

struct Plant {
  const char *Name;
  const char *Kind; ///< What the report calls it.
  unsigned Blocks = 1;
};
std::ostream &operator<<(std::ostream &OS, const Plant &P) {
  return OS << P.Name;
}

const Plant Plants[] = {
    {"barrierBeforeRead", "data race"},
    {"barrierAfterRead", "data race"},
    {"warpBarrier", "data race"},
    {"shuffleInPlaceOfBarrier", "data race"},
    {"warpBarrierOfHalves", "data race"},
    {"plainAdjoint", "data race"},
    {"plainReadOfAtomic", "data race"},
    {"endedBeforeBarrier", "data race"},
    {"arriveAtBarrier", "data race"},
    {"plainUnlock", "data race"},
    {"sameOutput", "data race", 2},
    {"fence", "data race", 4},
    {"fenceOfBlock", "data race", 4},
    {"unorderedCounter", "data race", 4},
    {"atomicOfBlock", "data race", 2},
    {"behindShared", "out-of-bounds read"},
    {"behindGlobal", "out-of-bounds read of 4 bytes, 0 bytes behind 'x'"},
    {"behindVariable", "out-of-bounds write"},
    {"behindConstant", "out-of-bounds read"},
    {"behindLocal", "out-of-bounds write"},
    {"foreignLocal", "local memory"},
    {"freed", "out-of-bounds read"},
    {"misaligned", "misaligned read"},
    {"undefinedShared", "undefined value"},
    {"undefinedLocal", "undefined value"},
    {"undefinedBranch", "undefined value"},
    {"undefinedIndex", "undefined value"},
    {"undefinedSum", "undefined value"},
    {"undefinedShuffle", "undefined value"},
    {"counterSetBack", "data race"},
    {"divergentBarrier", "divergent barrier"},
    {"barriersCrossed", "deadlock"},
    {"tooFewAtBarrier", "deadlock"},
};

/// The lines of planted.cu that bear "@Name".
std::vector<unsigned> markedLines(const std::string &Name) {
  std::ifstream File(PLANTED);
  std::vector<unsigned> Lines;
  std::string Line;
  for (unsigned Number = 1; std::getline(File, Line); ++Number) {
    Line += ' ';
    if (Line.find("@" + Name + " ") != std::string::npos)
      Lines.push_back(Number);
  }
  return Lines;
}

/// How often \p Text names one of \p Lines.
unsigned countPlaces(const std::string &Text,
                     const std::vector<unsigned> &Lines) {
  unsigned Count = 0;
  for (unsigned Line : Lines)
    for (size_t At = 0; (At = Text.find("planted.cu:" + std::to_string(Line),
                                        At)) != std::string::npos;
         ++At)
      ++Count;
  return Count;
}

class Planted : public testing::TestWithParam<std::tuple<const char *, Plant>> {
protected:
  const Plant &P = std::get<1>(GetParam());
  Kernels &K = Kernels::cached("planted", std::get<0>(GetParam()), true);

  std::string run(const std::string &Suffix, uint64_t Seed) {
    K.Options.Order = Schedule::Random;
    K.Options.Seed = Seed;
    std::vector<float> Values(Threads);
    std::iota(Values.begin(), Values.end(), 1.0f);
    Buffer<float> X = K.copy(Values, "x");
    Buffer<float> Y = K.zeros<float>(P.Blocks * Threads, "y");
    return K.run(P.Name + Suffix, {P.Blocks}, {Threads}, Y, X);
  }
};
INSTANTIATE_TEST_SUITE_P(All, Planted,
                         testing::Combine(allLevels(),
                                          testing::ValuesIn(Plants)),
                         [](const auto &Info) {
                           return std::string(std::get<1>(Info.param).Name) +
                                  "_" + std::get<0>(Info.param);
                         });

TEST_P(Planted, FaultIsFoundWithItsKindAndPlace) {
  std::vector<unsigned> Lines = markedLines(P.Name);
  ASSERT_FALSE(Lines.empty());
  bool IsRace = std::string(P.Kind) == "data race";
  unsigned Found = 0;
  for (uint64_t Seed = 1; Seed <= Seeds; ++Seed) {
    std::string Error = run("Wrong", Seed);
    if (Error.empty())
      continue;
    ++Found;
    EXPECT_THAT(Error, HasSubstr("kernel '" + std::string(P.Name) + "Wrong'"));
    EXPECT_THAT(Error, HasSubstr("block ("));
    EXPECT_THAT(Error, HasSubstr("thread ("));
    EXPECT_THAT(Error, HasSubstr(P.Kind));
    // Of a race, both accesses.
    EXPECT_GE(countPlaces(Error, Lines), IsRace ? 2u : 1u) << Error;
    // One fault is told once, though many threads have it.
    EXPECT_LE(std::count(Error.begin(), Error.end(), '\n'), 4) << Error;
  }
  EXPECT_GE(Found, 1u);
}

TEST_P(Planted, TwinWithoutTheFaultIsSilent) {
  for (uint64_t Seed = 1; Seed <= Seeds; ++Seed)
    EXPECT_EQ(run("Right", Seed), "") << "seed " << Seed;
  K.Options.Order = Schedule::Fifo;
}

class Silent : public Levels {
protected:
  Kernels &K = Kernels::cached("planted", GetParam(), true);

  template <class... Ts>
  void expectSilence(const char *Kernel, Dim3 Grid, Ts... Arguments) {
    K.Options.Order = Schedule::Random;
    for (uint64_t Seed = 1; Seed <= Seeds; ++Seed) {
      K.Options.Seed = Seed;
      EXPECT_EQ(K.run(Kernel, Grid, {Threads}, Arguments...), "");
    }
  }
};
INSTANTIATE_TEST_SUITE_P(All, Silent, allLevels(), Levels::name);

TEST_P(Silent, PaddingMayBeCopied) {
  Buffer<char> From = K.zeros<char>(24 * Threads);
  Buffer<char> To = K.zeros<char>(24 * Threads);
  expectSilence("paddingIsCopied", {1}, To, From);
}

TEST_P(Silent, ThreadsMayShareWords) {
  Buffer<char> X = K.zeros<char>(Threads), Y = K.zeros<char>(Threads);
  expectSilence("bytesOfOneWord", {1}, Y, X);
}

TEST_P(Silent, UndefinedValuesMayGoRoundUnused) {
  Buffer<float> X = K.zeros<float>(Threads), Y = K.zeros<float>(Threads);
  expectSilence("unusedLanes", {1}, Y, X, 41);
}

TEST_P(Silent, FlagsWithFencesPassMessages) {
  Buffer<float> X = K.zeros<float>(1), Y = K.zeros<float>(2);
  Buffer<int> Flag = K.zeros<int>(1);
  K.Options.Order = Schedule::Random;
  EXPECT_EQ(K.run("flagAndFence", {2}, {1}, Y, X, Flag), "");
}

TEST_P(Silent, CompareAndSwapMayStartWithAGuess) {
  Buffer<float> X = K.zeros<float>(Threads), Y = K.zeros<float>(Threads);
  expectSilence("sumByCompareAndSwap", {1}, Y, X);
}

// PTX ISA, "barrier": it waits for the threads of a warp that have not ended.
TEST_P(Silent, BarriersDoNotWaitForThreadsThatHaveEnded) {
  std::vector<float> Values(Threads);
  std::iota(Values.begin(), Values.end(), 1.0f);
  Buffer<float> X = K.copy(Values), Y = K.zeros<float>(Threads);
  expectSilence("someEnd", {1}, Y, X);
  EXPECT_EQ(Y[0], 40.0f);
  EXPECT_EQ(Y[39], 1.0f);
}

TEST_P(Silent, VariablesMayShareAPlaceInTurn) {
  Buffer<float> X = K.zeros<float>(Threads), Y = K.zeros<float>(Threads);
  expectSilence("variablesInTurn", {1}, Y, X);
}

TEST_P(Silent, HeapBlocksMayComeBack) {
  Buffer<float> X = K.zeros<float>(Threads), Y = K.zeros<float>(Threads);
  expectSilence("heapBlocksComeBack", {1}, Y, X);
}

TEST_P(Silent, WhatTheHostHasNotWrittenIsUndefined) {
  Buffer<float> X = K.zeros<float>(Threads), Y = K.zeros<float>(Threads);
  expectSilence("barrierBeforeReadRight", {1}, Y, X);
  K.Device->setDefined(X.Data, 4, false);
  EXPECT_THAT(K.run("barrierBeforeReadRight", {1}, {Threads}, Y, X),
              HasSubstr("use of an undefined value"));
}

// Optimisers put addresses, and casts of them, where they are not always set.
TEST(Undefined, AddressesMayBeCastUnused) {
  Kernels K(R"(
    target triple = "nvptx64-nvidia-cuda"
    define ptx_kernel void @cast(ptr %y, i64 %n) {
    entry:
      %some = icmp sgt i64 %n, 0
      br i1 %some, label %set, label %join
    set:
      %last = getelementptr float, ptr %y, i64 %n
      %global = addrspacecast ptr %last to ptr addrspace(1)
      br label %join
    join:
      %p = phi ptr addrspace(1) [ %global, %set ], [ undef, %entry ]
      %q = addrspacecast ptr addrspace(1) %p to ptr
      %i = ptrtoint ptr %q to i64
      br i1 %some, label %use, label %end
    use:
      store i64 %i, ptr %q
      br label %end
    end:
      ret void
    })",
            Kernels::Watch::Everything);
  Buffer<int64_t> Y = K.zeros<int64_t>(4);
  EXPECT_EQ(K.run("cast", {1}, {1}, Y, int64_t(0)), "");
  EXPECT_EQ(K.run("cast", {1}, {1}, Y, int64_t(2)), "");
}

} // namespace
