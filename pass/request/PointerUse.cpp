//===- PointerUse.cpp - What a pointer parameter leads to -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does the memory that a pointer parameter leads
// to hold floating-point numbers?
//
//===----------------------------------------------------------------------===//

#include "request/PointerUse.h"
#include "request/Cleaner.h"
#include "request/Explorer.h"
#include "request/Spelling.h"
#include "rules/Rules.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

PointerUse::PointerUse(Module &M) : M(M) {}
PointerUse::~PointerUse() = default;

/// Makes values of the local variables of what \p F, in the copy, reaches, so
/// that facts need not be followed through each of them.
void PointerUse::cleanReachable(Function &F) {
  Cleaner TheCleaner;
  SetVector<Function *> Worklist;
  Worklist.insert(&F);
  for (unsigned I = 0; I != Worklist.size(); ++I) {
    Function &Reached = *Worklist[I];
    for (Instruction &Inst : instructions(Reached))
      if (auto *Call = dyn_cast<CallBase>(&Inst))
        if (Function *Callee = calledFunction(*Call))
          if (!Callee->isDeclaration() && !hasRule(*Callee))
            Worklist.insert(Callee);
    if (Cleaned.insert(&Reached).second)
      TheCleaner.clean(Reached);
  }
}

Pointee PointerUse::classify(const Argument &A) {
  if (!Copy)
    Copy = CloneModule(M, Map);
  auto *Mapped = cast<Argument>(Map.lookup(&A));
  cleanReachable(*Mapped->getParent());
  return Explorer(*Mapped).run();
}
