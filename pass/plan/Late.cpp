//===- Late.cpp - Loops that lanes leave at different times ---------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Late.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Late.h"
#include "analysis/Uniformity.h"
#include "support/Diagnostics.h"
#include "target/WarpSums.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// True if all lanes of a warp exchange numbers in every iteration: so they
/// make the same iterations.
static bool exchanges(const LoopShape &Shape, const DominatorTree &DT) {
  for (DomTreeNode *N = DT.getNode(Shape.Latch);; N = N->getIDom()) {
    for (const Instruction &I : *N->getBlock())
      if (nvptx::isShuffleOfAll(I))
        return true;
    if (N->getBlock() == Shape.Header)
      return false;
  }
}

void joinLate(Plan &P, const Subject &S, const Flow &Fl,
              const DominatorTree &DT) {
  Uniformity Lanes(*S.P.F);
  for (auto &[Header, Shape] : S.P.Loops) {
    if (!Fl.isReversed(Header))
      continue;
    bool Uniform =
        exchanges(Shape, DT) || all_of(Shape.BackedgesAtExit, [&](auto &Exit) {
          auto *Branch = cast<BranchInst>(
              Exit.first->getSinglePredecessor()->getTerminator());
          return Lanes.isLikelyUniform(Exit.second) &&
                 (Branch->isUnconditional() ||
                  Lanes.isLikelyUniform(Branch->getCondition()));
        });
    P.Loops[Header].JoinsLate = !Uniform;
  }
}

void remarkLate(const Plan &P, const Subject &S) {
  for (auto &[Header, Shape] : S.P.Loops)
    if (P.loop(Header).JoinsLate)
      remark("JoinsLate", *Shape.Latch->getTerminator(),
             "trip counts may differ between lanes: the reverse loop starts at "
             "the warp's largest");
}

} // namespace kdiff
