//===- Seeds.cpp - What writes to seeds -----------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Seeds.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Seeds.h"
#include "analysis/Memory.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

SetVector<const Instruction *> writesToSeeds(const Subject &S) {
  SetVector<const Instruction *> Writes;
  for (const Instruction &I : instructions(*S.P.F)) {
    auto *Memory = dyn_cast<MemIntrinsic>(&I);
    const Value *To = Memory ? Memory->getRawDest() : accessedPointer(I);
    const Formal *Arg = To ? S.formalOf(To) : nullptr;
    if (Arg && isSeed(Arg->Activity))
      Writes.insert(&I);
  }
  return Writes;
}

} // namespace kdiff
