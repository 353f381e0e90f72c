//===- Clearing.cpp - Who clears shadows in shared memory -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Clearing.h.
//
//===----------------------------------------------------------------------===//

#include "shadow/Clearing.h"
#include "shadow/Caller.h"
#include "support/Diagnostics.h"
#include "target/Sync.h"
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

bool checkClearing(const Subject &S, const Shadows &Sh, const CallBase &Call) {
  if (S.M != Mode::Reverse || Sh.shared().empty() || isMadeByWholeBlock(Call))
    return true;
  bool Waits = waitsForAll(*S.P.F);
  if (Waits && S.SameBarriers)
    return true;
  reportUnsupported(
      Call,
      Twine("shared memory ") +
          (Waits
               ? "and a barrier of the block that some of its threads may not "
                 "come to"
               : "without a barrier of the block") +
          ", in a gradient that some threads of the block may not ask for",
      Twine("ask for the gradient in a kernel, where every thread of the block "
            "comes by once") +
          (Waits ? "" : ", or put __syncthreads() into the function"));
  return false;
}

} // namespace kdiff
