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
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

PointerUse::PointerUse(Module &M) : M(M) {}
PointerUse::~PointerUse() = default;

/// True for the likes of memcpy() and operator[]: inlined, they no longer mix
/// what their callers do with different memory.
static bool isTiny(const Function &F) {
  return F.size() == 1 && F.front().size() <= 32 && !hasRule(F) &&
         none_of(F.front(), [](const Instruction &I) {
           return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
         });
}

static void inlineTinyCallees(Function &F) {
  SmallVector<CallBase *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Callee = Call->getCalledFunction())
        if (isTiny(*Callee))
          Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    InlineFunctionInfo Info;
    (void)InlineFunction(*Call, Info); // Without it, the call is followed.
  }
}

/// Makes values of the local variables of what \p F, in the copy, reaches, so
/// that facts need not be followed through each of them.
void PointerUse::cleanReachable(Function &F) {
  Cleaner TheCleaner;
  SetVector<Function *> Reached;
  Reached.insert(&F);
  for (unsigned I = 0; I != Reached.size(); ++I)
    for (Instruction &Inst : instructions(Reached[I]))
      if (auto *Call = dyn_cast<CallBase>(&Inst))
        if (Function *Callee = calledFunction(*Call))
          if (!Callee->isDeclaration() && !hasRule(*Callee))
            Reached.insert(Callee);
  for (Function *G : reverse(Reached)) // Callees first, as far as may be.
    if (Cleaned.insert(G).second) {
      inlineTinyCallees(*G);
      TheCleaner.clean(*G);
    }
}

Pointee PointerUse::classify(const Argument &A) {
  if (!Copy)
    Copy = CloneModule(M, Map);
  auto *Mapped = cast<Argument>(Map.lookup(&A));
  cleanReachable(*Mapped->getParent());
  return Explorer(*Mapped).run();
}
