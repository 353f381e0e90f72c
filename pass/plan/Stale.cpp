//===- Stale.cpp - Addresses that outlive their memory --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Stale.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Stale.h"
#include "analysis/Memory.h"
#include "plan/Plan.h"
#include "support/Diagnostics.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

bool isStaleAddress(const Value *V, const Subject &S) {
  return S.isCut() && V->getType()->isPointerTy() &&
         (S.S == Shape::Split ? endsWithLaunch(V) : mayBeLocal(V));
}

bool checkTape(const Plan &P, const Subject &S) {
  bool Sound = true;
  for (auto &[Header, R] : P.Records)
    for (const Field &F : R.Fields) {
      auto *I = dyn_cast<Instruction>(F.V);
      if (!I || !isStaleAddress(I, S))
        continue;
      reportUnsupported(*I,
                        "an address of local or shared memory that depends on "
                        "the path taken, where the reverse sweep is " +
                            Twine(S.S == Shape::Split ? "another launch"
                                                      : "another function"),
                        "choose by an index instead");
      Sound = false;
    }
  return Sound;
}

} // namespace kdiff
