//===- TapeTest.cpp - Many threads on one pool ----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does every thread read back what it pushed,
// whatever the others do, and does a launch say exactly what it lacked?
//
// The kernels of Inputs/tape.cu run on the SIMT executor. A yield before each
// atomic operation and fence of the runtime makes the random schedules try
// interleavings that whole threads would not.
//
//===----------------------------------------------------------------------===//

#include "Analyses.h"
#include "kdiff/TapeLayout.h"
#include "lower/Lower.h"
#include "simt/Executor.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <cstring>
#include <vector>

using namespace llvm;
using namespace kdiff;
using simt::Dim3;

namespace {

void lowerModule(Module &M) {
  Analyses A;
  LowerPass().run(M, A.MAM);
}

void addYields(Module &M) {
  std::vector<Instruction *> Places;
  for (Function &F : M)
    if (F.hasLocalLinkage())
      for (Instruction &I : instructions(F))
        if (I.isAtomic())
          Places.push_back(&I);
  ASSERT_GT(Places.size(), 10u);
  for (Instruction *I : Places) {
    IRBuilder<> B(I);
    B.CreateIntrinsic(Intrinsic::nvvm_nanosleep, {B.getInt32(0)});
  }
}

/// The kernels on the executor, with a pool.
class TapeTest : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic Error;
    std::unique_ptr<Module> M = parseIRFile(TAPE_KERNELS, Error, C);
    ASSERT_TRUE(M) << Error.getMessage().str();
    lowerModule(*M);
    addYields(*M);
    auto Created = simt::Device::create(*M);
    ASSERT_TRUE(bool(Created)) << toString(Created.takeError());
    D = std::move(*Created);
  }

  /// Gives the launches a pool of \p Pages pages.
  void makePool(unsigned Pages, unsigned Warps,
                unsigned OnExhaustion = TapeNoteExhaustion,
                bool IsSplit = false) {
    uint64_t Bytes = tapePoolBytes(Warps, Pages, IsSplit);
    Pool = static_cast<PoolHeader *>(D->allocate(Bytes, "tape"));
    ASSERT_TRUE(initTapePool(Pool, Bytes, Warps, OnExhaustion, IsSplit));
    ASSERT_EQ(Pool->Pages, Pages);
    std::memset(roots(), 0, Pool->DumpOffset - Pool->RootsOffset);
    *static_cast<PoolHeader **>(D->symbol("__kd_tape_pool")) = Pool;
  }

  TapeWord *roots() {
    return reinterpret_cast<TapeWord *>(reinterpret_cast<char *>(Pool) +
                                        Pool->RootsOffset);
  }

  /// Runs \p Kernel, whose last parameter is an array of a number a thread.
  std::vector<unsigned> launch(StringRef Kernel, Dim3 Grid, Dim3 Block,
                               std::vector<unsigned> Numbers,
                               simt::LaunchOptions Options = {}) {
    size_t Threads = size_t(Grid.X) * Grid.Y * Block.X * Block.Y * Block.Z;
    auto *Out =
        static_cast<unsigned *>(D->allocate(Threads * sizeof(unsigned), "out"));
    std::vector<void *> Args;
    if (PassesPool)
      Args.push_back(&Pool);
    for (unsigned &N : Numbers)
      Args.push_back(&N);
    Args.push_back(&Out);
    Error E = D->launch(Kernel, Grid, Block, 0, Args, Options, &Printed);
    Message = toString(std::move(E));
    std::vector<unsigned> Result(Out, Out + Threads);
    D->free(Out);
    return Result;
  }

  /// The pool is as it was: no lane holds a page, and every page is free.
  void expectAllReturned() {
    for (uint64_t W = 0; W != Pool->Warps; ++W)
      EXPECT_EQ(roots()[W], 0u) << "warp " << W;
    auto *Map = reinterpret_cast<unsigned *>(reinterpret_cast<char *>(Pool) +
                                             Pool->MapOffset);
    for (unsigned W = 0; W != Pool->MapWords; ++W)
      EXPECT_EQ(Map[W], 0u) << "word " << W << " of the map";
  }

  void expectNothingLacked() {
    EXPECT_EQ(Message, "");
    EXPECT_EQ(Pool->FailedThreads, 0u);
    EXPECT_EQ(Pool->LackingBytes, 0u);
    EXPECT_EQ(Pool->Conflicts, 0u);
    EXPECT_EQ(Pool->WarpsNeeded, 0u);
    EXPECT_EQ(Pool->PagesPerWarp, 0u);
  }

  LLVMContext C;
  std::unique_ptr<simt::Device> D;
  PoolHeader *Pool = nullptr;
  bool PassesPool = false; ///< As a kernel's first argument.
  std::string Message, Printed;
};

const std::vector<unsigned> allRight(size_t Threads) {
  return std::vector<unsigned>(Threads, 0);
}

TEST_F(TapeTest, ThreadsReadBackTheirOwnRecordsInEverySchedule) {
  for (uint64_t Seed = 1; Seed != 9; ++Seed) {
    makePool(512, 8 * 3);
    simt::LaunchOptions Options;
    Options.Order = Seed == 1   ? simt::Schedule::Fifo
                    : Seed == 2 ? simt::Schedule::Lifo
                                : simt::Schedule::Random;
    Options.Seed = Seed;
    // Blocks of two and a half warps, in three dimensions.
    EXPECT_EQ(launch("walk", {4, 2}, {10, 4, 2}, {40, 5}, Options),
              allRight(640));
    expectNothingLacked();
    expectAllReturned();
    D->free(Pool);
  }
}

TEST_F(TapeTest, PagesAreUsedAgain) {
  // A warp needs at most 32 pages (one record of 1024 bytes a page is the worst
  // case), and a launch has 128 warps; blocks run one after the other.
  makePool(2 * 32, 64 * 2);
  for (int Launch = 0; Launch != 2; ++Launch) {
    EXPECT_EQ(launch("walk", {64}, {64}, {32, 3}), allRight(64 * 64));
    expectNothingLacked();
    expectAllReturned();
  }
}

TEST_F(TapeTest, AsManyPagesAsRecordsNeedAreEnough) {
  // Two records of 1000 bytes a page: five pages a warp. Lanes that bring a
  // page at the same time may not use up the pool for each other.
  for (uint64_t Seed = 1; Seed != 20; ++Seed) {
    makePool(5 * 2, 2);
    simt::LaunchOptions Options;
    Options.Order = simt::Schedule::Random;
    Options.Seed = Seed;
    EXPECT_EQ(launch("fill", {1}, {64}, {10, 10}, Options), allRight(64));
    expectNothingLacked();
    expectAllReturned();
    D->free(Pool);
  }
}

TEST_F(TapeTest, ExhaustionSaysExactlyWhatWasLacking) {
  // Six records a lane have room, four have not.
  makePool(3, 1);
  EXPECT_EQ(launch("fill", {1}, {32}, {10, 10}),
            std::vector<unsigned>(32, ~0u));
  EXPECT_EQ(Message, "");
  EXPECT_EQ(Pool->FailedThreads, 32u);
  EXPECT_EQ(Pool->LackingBytes, 32u * 4 * 1000);
  EXPECT_EQ(Pool->PagesPerWarp, 5u);
  expectAllReturned();
}

TEST_F(TapeTest, ThreadsThatFindRoomAreNotDisturbed) {
  // Even threads stay within the first page.
  makePool(1, 1);
  std::vector<unsigned> Expected;
  for (unsigned I = 0; I != 16; ++I)
    Expected.insert(Expected.end(), {0u, ~0u});
  EXPECT_EQ(launch("fill", {1}, {32}, {2, 9}), Expected);
  EXPECT_EQ(Pool->FailedThreads, 16u);
  EXPECT_EQ(Pool->LackingBytes, 16u * 7 * 1000);
  EXPECT_EQ(Pool->PagesPerWarp, 5u);
  expectAllReturned();
}

TEST_F(TapeTest, ExhaustionInRandomSchedulesLosesNoPage) {
  for (uint64_t Seed = 1; Seed != 20; ++Seed) {
    makePool(7, 4);
    simt::LaunchOptions Options;
    Options.Order = simt::Schedule::Random;
    Options.Seed = Seed;
    std::vector<unsigned> Out = launch("walk", {2}, {64}, {30, 4}, Options);
    unsigned Failed = 0;
    for (unsigned Wrong : Out) {
      EXPECT_TRUE(Wrong == 0 || Wrong == ~0u) << Wrong;
      Failed += Wrong == ~0u;
    }
    EXPECT_EQ(Message, "");
    EXPECT_GT(Failed, 0u);
    EXPECT_EQ(Pool->FailedThreads, Failed);
    EXPECT_GT(Pool->LackingBytes, 0u);
    expectAllReturned();
    D->free(Pool);
  }
}

TEST_F(TapeTest, AnExhaustedTapeCanBeUsedOn) {
  makePool(1, 1);
  EXPECT_EQ(launch("goOn", {1}, {32}, {10}), std::vector<unsigned>(32, 1));
  EXPECT_EQ(Message, "");
  EXPECT_EQ(Pool->FailedThreads, 32u);
  expectAllReturned();
}

TEST_F(TapeTest, MoreWarpsThanRootsAreNoted) {
  makePool(64, 2);
  std::vector<unsigned> Out = launch("fill", {1}, {128}, {2, 2});
  for (unsigned I = 0; I != 128; ++I)
    EXPECT_EQ(Out[I], I < 64 ? 0 : ~0u) << I;
  EXPECT_EQ(Pool->FailedThreads, 64u);
  EXPECT_EQ(Pool->WarpsNeeded, 4u);
  expectAllReturned();
}

TEST_F(TapeTest, TwoLaunchesAtOnceAreFound) {
  makePool(8, 1);
  roots()[0] = 1ull << 5; // Another launch's lane 5 is about to bring a page.
  std::vector<unsigned> Out = launch("fill", {1}, {32}, {2, 2});
  for (unsigned I = 0; I != 32; ++I)
    EXPECT_EQ(Out[I], I == 5 ? ~0u : 0) << I;
  EXPECT_EQ(Pool->Conflicts, 1u);
  EXPECT_EQ(Pool->FailedThreads, 1u);
}

TEST_F(TapeTest, WithoutAPoolTheLaunchFailsWithARemedy) {
  launch("fill", {1}, {32}, {1, 1});
  EXPECT_NE(Message, "");
  EXPECT_NE(Printed.find("the launch was given none"), std::string::npos)
      << Printed;
  EXPECT_NE(Printed.find("kdiff::TapePool"), std::string::npos);
}

TEST_F(TapeTest, ATooSmallPoolFailsTheLaunchUnlessToldToNoteIt) {
  makePool(2, 1, TapeTrapOnExhaustion);
  launch("fill", {1}, {32}, {10, 10});
  EXPECT_NE(Message, "");
  EXPECT_NE(Printed.find("exhausted: 2 pages of 65536 bytes for 1 warps"),
            std::string::npos)
      << Printed;
}

TEST_F(TapeTest, TapesOutliveTheirLaunchInSplitMode) {
  PassesPool = true;
  makePool(512, 20, TapeNoteExhaustion, /*IsSplit=*/true);
  PoolHeader *First = Pool;
  EXPECT_EQ(launch("keep", {5}, {100}, {40}), allRight(500));
  expectNothingLacked();
  // Another launch keeps its tapes elsewhere meanwhile.
  makePool(512, 20, TapeNoteExhaustion, /*IsSplit=*/true);
  EXPECT_EQ(launch("keep", {5}, {100}, {33}), allRight(500));
  EXPECT_EQ(launch("takeBack", {5}, {100}, {33}), allRight(500));
  expectNothingLacked();
  expectAllReturned();
  Pool = First;
  EXPECT_EQ(launch("takeBack", {5}, {100}, {40}), allRight(500));
  expectNothingLacked();
  expectAllReturned();
}

TEST_F(TapeTest, SplitModeNotesWhatItLacked) {
  PassesPool = true;
  makePool(1, 2, TapeNoteExhaustion, /*IsSplit=*/true);
  std::vector<unsigned> Lacked = launch("keep", {1}, {64}, {40});
  EXPECT_GT(Pool->FailedThreads, 0u);
  EXPECT_GT(Pool->LackingBytes, 0u);
  std::vector<unsigned> Taken = launch("takeBack", {1}, {64}, {40});
  for (unsigned T = 0; T != 64; ++T)
    EXPECT_EQ(Taken[T], Lacked[T] ? ~0u : 0u) << "thread " << T;
  EXPECT_EQ(Message, "");
  expectAllReturned();
}

TEST_F(TapeTest, ATapeIsTakenBackOnceAfterItWasKept) {
  PassesPool = true;
  makePool(64, 1, TapeNoteExhaustion, /*IsSplit=*/true);
  launch("takeBack", {1}, {32}, {4});
  EXPECT_NE(Printed.find("found no tape of its function"), std::string::npos)
      << Printed;
  EXPECT_EQ(launch("keep", {1}, {32}, {4}), allRight(32));
  EXPECT_EQ(launch("takeBack", {1}, {32}, {4}), allRight(32));
  EXPECT_EQ(Message, "");
  launch("takeBack", {1}, {32}, {4});
  EXPECT_NE(Message, "");
}

TEST_F(TapeTest, OtherPoolsAreNoneForSplitMode) {
  PassesPool = true;
  makePool(64, 1);
  launch("keep", {1}, {32}, {4});
  EXPECT_NE(Printed.find("none for split mode"), std::string::npos) << Printed;
}

TEST(TapeLayoutTest, TooFewBytesAreRefused) {
  PoolHeader H;
  EXPECT_FALSE(initTapePool(&H, tapePoolBytes(100, 1) - 1, 100));
  EXPECT_TRUE(initTapePool(&H, tapePoolBytes(100, 1), 100));
  EXPECT_EQ(H.Pages, 1u);
  EXPECT_EQ(H.OnExhaustion, TapeTrapOnExhaustion);
  EXPECT_EQ(H.PagesOffset % 256, 0u);
}

TEST(TapeLayoutTest, PagesPerWarpCoverTheWorstCase) {
  EXPECT_EQ(tapePagesPerWarp(0), 0u);
  EXPECT_EQ(tapePagesPerWarp(1), 1u);
  // Records of 1024 bytes: one a page.
  EXPECT_GE(tapePagesPerWarp(10 * 1024), 10u);
  // Records of 4 bytes fill pages.
  EXPECT_EQ(tapePagesPerWarp(TapeColumnBytes - 3, 4), 1u);
  EXPECT_EQ(tapeWarps(3, 33), 6u);
}

} // namespace
