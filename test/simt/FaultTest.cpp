//===- FaultTest.cpp - Kernels that go wrong ------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does each fault end the launch with an error
// that names kernel, block and thread, and leave the device usable?
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include <gmock/gmock.h>

using namespace kdiff::simt;
using testing::HasSubstr;

namespace {

class Faults : public Levels {
protected:
  Kernels &K = Kernels::cached("faults", GetParam());

  ~Faults() override {
    Buffer<float> Y = K.zeros<float>(4);
    EXPECT_EQ(K.run("plain", {1}, {4}, Y), "");
    EXPECT_EQ(Y.values(), (std::vector<float>{0, 1, 2, 3}));
  }
};
INSTANTIATE_TEST_SUITE_P(All, Faults, allLevels(), Levels::name);

TEST_P(Faults, TrapNamesThreadAndLine) {
  std::string Error = K.run("trapAt", {2}, {4, 2}, 3);
  EXPECT_THAT(Error, HasSubstr("kernel 'trapAt', block (0,0,0), thread "
                               "(3,0,0): trap at "));
  EXPECT_THAT(Error, HasSubstr("faults.cu:11"));
}

TEST_P(Faults, AssertionNamesConditionAndLine) {
  EXPECT_EQ(K.run("assertBelow", {1}, {8}, 8), "");
  std::string Error = K.run("assertBelow", {1}, {8}, 5);
  EXPECT_THAT(Error, HasSubstr("thread (5,0,0): assertion 'threadIdx.x < n' "
                               "failed at "));
  EXPECT_THAT(Error, HasSubstr("faults.cu:13"));
}

TEST_P(Faults, IllegalAddressNamesThreadAndAddress) {
  Buffer<float> Y = K.zeros<float>(8);
  EXPECT_THAT(K.run("wildStore", {2, 2}, {8}, Y),
              HasSubstr("kernel 'wildStore', block (0,1,0), thread (3,0,0): "
                        "illegal address 0x10"));
  EXPECT_THAT(K.run("farBehind", {1}, {8}, Y),
              HasSubstr("thread (0,0,0): illegal address"));
}

TEST_P(Faults, StackOverflowIsReported) {
  Buffer<int> Y = K.zeros<int>(32);
  EXPECT_EQ(K.run("recurse", {1}, {32}, Y, 20), "");
  EXPECT_THAT(K.run("recurse", {1}, {32}, Y, 1000000),
              HasSubstr("thread (0,0,0): stack overflow"));
}

TEST_P(Faults, DivisionByZeroIsReported) {
  Buffer<int> X = K.copy<int>({1, 2, 0, 4}), Y = K.zeros<int>(4);
  EXPECT_THAT(K.run("divide", {1}, {4}, Y, X),
              HasSubstr("thread (2,0,0): integer division by zero"));
}

TEST_P(Faults, DeadlockNamesWhatWaits) {
  Buffer<int> Y = K.zeros<int>(32);
  std::string Error = K.run("divergedBarrier", {1}, {32}, Y);
  EXPECT_THAT(Error, HasSubstr("kernel 'divergedBarrier', block (0,0,0)"));
  EXPECT_THAT(Error, HasSubstr("deadlock"));
  EXPECT_THAT(Error, HasSubstr("16 thread(s) from (0,0,0) wait at barrier 0"));
  EXPECT_THAT(Error, HasSubstr("16 thread(s) from (16,0,0) wait in a shuffle "
                               "for lanes 0xffffffff"));
}

TEST_P(Faults, LaneOutsideOfItsMaskIsReported) {
  Buffer<int> Y = K.zeros<int>(32);
  EXPECT_THAT(K.run("wrongMask", {1}, {32}, Y),
              HasSubstr("thread (16,0,0): lane 16 takes part in a warp "
                        "operation whose mask 0xffff leaves it out"));
}

TEST_P(Faults, DoubleFreeIsReported) {
  EXPECT_THAT(K.run("doubleFree", {1}, {1}),
              HasSubstr("which malloc did not return"));
}

TEST_P(Faults, TimeOutEndsKernelsThatPollAndThatDoNot) {
  K.Options.TimeoutSeconds = 1;
  Buffer<int> Y = K.zeros<int>(4);
  EXPECT_THAT(K.run("endless", {1}, {2}, Y), HasSubstr("time-out"));
  EXPECT_THAT(K.run("endlessSilent", {1}, {2}, Y), HasSubstr("time-out"));
}

TEST_P(Faults, UnsupportedCodeIsNamedByTheKernelsThatReachIt) {
  Buffer<float> Y = K.zeros<float>(4);
  std::string Error = K.run("texture", {1}, {1}, uint64_t(0), Y);
  EXPECT_THAT(Error, HasSubstr("kernel 'texture' cannot run on the CPU"));
  EXPECT_THAT(Error, HasSubstr("tex"));
}

TEST_P(Faults, WrongLaunchesAreRefused) {
  Buffer<float> Y = K.zeros<float>(4);
  EXPECT_THAT(K.run("nosuch", {1}, {1}), HasSubstr("no kernel 'nosuch'"));
  EXPECT_THAT(K.run("plain", {1}, {1}),
              HasSubstr("kernel 'plain' takes 1 arguments, not 0"));
  EXPECT_THAT(K.run("plain", {1}, {1025}, Y),
              HasSubstr("no device has a grid"));
  EXPECT_THAT(K.run("plain", {0}, {1}, Y), HasSubstr("no device has a grid"));
}

} // namespace
