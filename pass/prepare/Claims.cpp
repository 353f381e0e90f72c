//===- Claims.cpp - Maxima in global memory, in split mode ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: whose are the derivatives of atomic maxima and
// minima in memory that blocks share?
//
//   atomicMax(p, v);      =>      old = atomicMax(p, v); kd.claim(p, v, old)
//
// The winner is known when the launch is over: to the reverse launch of split
// mode. What an operation puts is above all that was there, so that each
// content of a word was put by one thread, and the last one is the highest. A
// claim notes it beside the tape (kd.tape.claim); whose it is takes the
// derivative of the word. Of equal numbers the first has it whole.
//
//===----------------------------------------------------------------------===//

#include "analysis/Memory.h"
#include "prepare/ExtremeOrder.h"
#include "prepare/Steps.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace kdiff;

/// Memory that ends with the launch has no winner afterwards.
static bool outlivesLaunch(const AtomicRMWInst &RMW) {
  unsigned Space = RMW.getPointerOperand()->getType()->getPointerAddressSpace();
  return (Space == nvptx::Generic || Space == nvptx::Global) &&
         !endsWithLaunch(RMW.getPointerOperand());
}

void kdiff::claimExtremes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *RMW = dyn_cast<AtomicRMWInst>(&I);
    if (!RMW || !RMW->use_empty() || !outlivesLaunch(*RMW))
      continue;
    auto Objects = underlyingObjects(RMW->getPointerOperand());
    Value *Number = numberOf(*RMW);
    if (!Number || Objects.size() != 1)
      continue;
    if (auto Order = orderOf(F, Objects.front()))
      nvptx::createClaim(*RMW, *Order, Number);
  }
}
