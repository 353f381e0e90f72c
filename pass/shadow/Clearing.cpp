//===- Clearing.cpp - Who clears shadows in shared memory -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Clearing.h.
//
//===----------------------------------------------------------------------===//

#include "shadow/Clearing.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static bool waitsForAll(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    return CB && nvptx::isBarrierOfAll(*CB);
  });
}

static bool isPassedOnce(const CallBase &Call) {
  auto &Caller = const_cast<Function &>(*Call.getFunction());
  if (!nvptx::isKernel(Caller))
    return false;
  DominatorTree DT(Caller);
  LoopInfo LI(DT);
  PostDominatorTree PDT(Caller);
  return !LI.getLoopFor(Call.getParent()) &&
         PDT.dominates(Call.getParent(), &Caller.getEntryBlock());
}

bool checkClearing(const Subject &S, const Shadows &Sh, const CallBase &Call) {
  if (S.M != Mode::Reverse || Sh.shared().empty() || waitsForAll(*S.P.F) ||
      isPassedOnce(Call))
    return true;
  reportUnsupported(
      Call,
      "shared memory without a barrier of the block, in a gradient that some "
      "threads of the block may not ask for",
      "ask for the gradient where every thread of the block comes by once, or "
      "put __syncthreads() into the function");
  return false;
}

} // namespace kdiff
