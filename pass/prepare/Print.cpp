//===- Print.cpp - The canonical form as text -------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do people and tests see what prepare made?
//
//===----------------------------------------------------------------------===//

#include "prepare/Canonical.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace kdiff;

void Prepared::print(raw_ostream &OS) const {
  ModuleSlotTracker Slots(F->getParent());
  Slots.incorporateFunction(*F);
  auto Name = [&](const Value *V, bool WithType = false) -> raw_ostream & {
    V->printAsOperand(OS, WithType, Slots);
    return OS;
  };
  OS << "prepared @" << F->getName() << ": returns from ";
  Name(ReturnBlock) << '\n';
  for (const auto &[Header, L] : Loops) {
    OS << "  loop ";
    Name(Header) << ": preheader ";
    Name(L.Preheader) << ", latch ";
    Name(L.Latch) << ", counter ";
    Name(L.Counter, true) << '\n';
    for (const auto &[Exit, Backedges] : L.BackedgesAtExit) {
      OS << "    exit ";
      Name(Exit) << " after ";
      Name(Backedges, true) << " back edges\n";
    }
  }
  for (const auto &[Block, J] : Joins) {
    OS << "  join ";
    Name(Block) << ": ";
    Name(J.Selector, true) << " of";
    for (const BasicBlock *Pred : J.Preds) {
      OS << ' ';
      Name(Pred);
    }
    OS << '\n';
  }
  verifyCanonical(*this, &OS);
  F->print(OS);
}
