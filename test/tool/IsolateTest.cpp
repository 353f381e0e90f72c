//===- IsolateTest.cpp - Work in child processes --------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do crashes and hangs stay where they are?
//
//===----------------------------------------------------------------------===//

#include "cases/Isolate.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace kdiff::tool;

static std::vector<ChildResult>
runAll(unsigned Count, unsigned Jobs, unsigned Timeout,
       llvm::function_ref<std::string(unsigned)> Work) {
  std::vector<ChildResult> Results;
  runIsolated(Count, Jobs, Timeout, Work, [&](unsigned I, ChildResult R) {
    EXPECT_EQ(I, Results.size()) << "results come in order";
    Results.push_back(std::move(R));
  });
  return Results;
}

TEST(Isolate, AnswersComeInOrderWhateverTheirLength) {
  auto R = runAll(5, 3, 0, [](unsigned I) {
    usleep((5 - I) * 1000);
    return std::string(100000 * I, char('a' + I));
  });
  ASSERT_EQ(R.size(), 5u);
  for (unsigned I = 0; I != 5; ++I) {
    EXPECT_EQ(R[I].End, ChildResult::Returned);
    EXPECT_EQ(R[I].Answer, std::string(100000 * I, char('a' + I)));
  }
}

TEST(Isolate, ACrashIsReportedAndTheOthersRun) {
  auto R = runAll(3, 1, 0, [](unsigned I) -> std::string {
    if (I == 1) {
      signal(SIGABRT, SIG_DFL);
      llvm::errs() << "last words\n";
      std::abort();
    }
    return "fine";
  });
  EXPECT_EQ(R[0].Answer, "fine");
  EXPECT_EQ(R[1].End, ChildResult::Crashed);
  EXPECT_NE(R[1].Detail.find("Abort"), std::string::npos);
  EXPECT_NE(R[1].Detail.find("last words"), std::string::npos);
  EXPECT_EQ(R[2].Answer, "fine");
}

TEST(Isolate, AnExitStatusIsACrash) {
  auto R = runAll(1, 1, 0, [](unsigned) -> std::string { _exit(3); });
  EXPECT_EQ(R[0].End, ChildResult::Crashed);
  EXPECT_EQ(R[0].Detail, "exit status 3");
}

TEST(Isolate, AHangEndsAtItsTimeWithAllThatItStarted) {
  auto R = runAll(2, 2, 1, [](unsigned I) -> std::string {
    if (I == 0) {
      // A grandchild that holds the answer's pipe open.
      if (fork() == 0)
        while (true)
          pause();
      while (true)
        pause();
    }
    return "fine";
  });
  EXPECT_EQ(R[0].End, ChildResult::TimedOut);
  EXPECT_EQ(R[1].Answer, "fine");
}

TEST(Isolate, Nests) {
  auto R = runAll(1, 1, 10, [](unsigned) {
    std::string All;
    runIsolated(
        2, 1, 1,
        [](unsigned I) -> std::string {
          if (I == 0)
            while (true)
              pause();
          return "inner";
        },
        [&](unsigned, ChildResult Inner) {
          All += Inner.End == ChildResult::TimedOut ? "late " : Inner.Answer;
        });
    return All;
  });
  EXPECT_EQ(R[0].Answer, "late inner");
}
