//===- Inline.cpp - Which calls become part of the primal -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which callees are inlined, whatever their
// attributes, and which stay calls?
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "rules/Custom.h"
#include "rules/Rules.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// The function that \p CB calls within differentiated code if its body is to
/// be differentiated.
Function *definedCallee(CallBase &CB) {
  // Casts and aliases hide a callee from getCalledFunction().
  if (!CB.getCalledFunction())
    if (auto *F = dyn_cast<Function>(
            CB.getCalledOperand()->stripPointerCastsAndAliases()))
      if (F->getFunctionType() == CB.getFunctionType())
        CB.setCalledOperand(F);
  if (Function *By = custom::replacement(CB))
    return custom::hasRule(*By) || custom::isInactive(*By) ? nullptr : By;
  Function *Callee = CB.getCalledFunction();
  if (!Callee || Callee->isDeclaration() || classify(CB) != CallClass::Defined ||
      custom::hasRule(*Callee))
    return nullptr;
  return Callee;
}

/// Which functions reach themselves through direct calls.
class Recursion {
public:
  bool isRecursive(Function &F) {
    auto [It, New] = Known.try_emplace(&F, false);
    if (New)
      It->second = reaches(F, F);
    return Known[&F];
  }

private:
  static bool reaches(Function &From, Function &Target) {
    SmallPtrSet<Function *, 16> Seen;
    SmallVector<Function *, 16> Work{&From};
    while (!Work.empty()) {
      for (Instruction &I : instructions(*Work.pop_back_val())) {
        auto *CB = dyn_cast<CallBase>(&I);
        Function *Callee = CB ? definedCallee(*CB) : nullptr;
        if (Callee == &Target)
          return true;
        if (Callee && Seen.insert(Callee).second)
          Work.push_back(Callee);
      }
    }
    return false;
  }

  DenseMap<Function *, bool> Known;
};

} // namespace

bool kdiff::inlineCalls(Function &F) {
  Recursion Rec;
  SmallVector<CallBase *, 16> Work;
  for (Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      Work.push_back(CB);

  bool Changed = false;
  while (!Work.empty()) {
    CallBase *CB = Work.pop_back_val();
    if (Function *By = custom::replacement(*CB)) {
      CB->setCalledFunction(By);
      Changed = true;
    }
    Function *Callee = definedCallee(*CB);
    if (!Callee || Rec.isRecursive(*Callee))
      continue;
    InlineFunctionInfo Info;
    if (!InlineFunction(*CB, Info).isSuccess())
      continue; // Variadic or the like: checkConstructs reports it.
    Changed = true;
    Work.append(Info.InlinedCallSites.begin(), Info.InlinedCallSites.end());
  }
  return Changed;
}
