//===- Checkpoints.cpp - Loops that are to keep few snapshots -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which loops did the user mark with
// __kd_checkpoint(k), and with which k?
//
// The mark becomes metadata of the loop, which survives what is done to loops
// until they are counted. A loop that is unrolled completely needs no
// snapshots.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace kdiff;

static constexpr StringLiteral SnapshotsAttribute = "kdiff.checkpoint";
static constexpr unsigned MinSnapshots = 2, MaxSnapshots = 1024;

/// False if the mark \p Call does not fit; reported.
static bool markLoop(CallInst &Call, LoopInfo &LI) {
  Loop *L = LI.getLoopFor(Call.getParent());
  if (!L) {
    reportMisuse(Call, "__kd_checkpoint is in no loop: call it in the body of "
                       "the loop that is to keep snapshots");
    return false;
  }
  auto *Count = Call.arg_size() == 1
                    ? dyn_cast<ConstantInt>(Call.getArgOperand(0))
                    : nullptr;
  if (!Count || Count->getValue().ult(MinSnapshots) ||
      Count->getValue().ugt(MaxSnapshots)) {
    reportMisuse(Call, "__kd_checkpoint takes one constant, the number of "
                       "snapshots, from " +
                           Twine(MinSnapshots) + " to " + Twine(MaxSnapshots));
    return false;
  }
  addStringMetadataToLoop(L, SnapshotsAttribute.data(),
                          unsigned(Count->getZExtValue()));
  return true;
}

bool kdiff::readCheckpoints(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<CallInst *, 2> Marks;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && isCheckpointMark(*Call))
      Marks.push_back(Call);
  if (Marks.empty())
    return true;
  bool Fits = true;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (CallInst *Mark : Marks) {
    Fits &= markLoop(*Mark, LI);
    Mark->eraseFromParent();
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  return Fits;
}

unsigned kdiff::snapshotsOf(const Loop &L) {
  return unsigned(
      getOptionalIntLoopAttribute(&L, SnapshotsAttribute).value_or(0));
}
