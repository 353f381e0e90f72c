//===- Print.cpp - The canonical form as text -------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do people and tests see what prepare made?
//
//===----------------------------------------------------------------------===//

#include "prepare/Canonical.h"
#include "target/NVPTX.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
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
}

void kdiff::printPrepared(Module &M, ModuleAnalysisManager &MAM,
                          raw_ostream &OS) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 8> Primals;
  for (Function &F : M)
    if (!F.isDeclaration() && (nvptx::isKernel(F) || F.hasFnAttribute("kdiff")))
      Primals.push_back(&F);
  for (Function *Primal : Primals) {
    std::optional<Prepared> P = prepare(*Primal, FAM);
    if (!P)
      continue;
    P->print(OS);
    std::string Lacking;
    raw_string_ostream LackingOS(Lacking);
    if (!verifyCanonical(*P, &LackingOS))
      OS << "not canonical: " << Lacking << '\n';
    P->F->print(OS);
    FAM.clear(*P->F, P->F->getName());
    P->F->eraseFromParent();
  }
}
