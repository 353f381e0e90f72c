//===- ActiveMask.cpp - Who is asked for the active lanes -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which functions have to be inlined so that each
// place that asks for the active lanes is one instruction?
//
//===----------------------------------------------------------------------===//

#include "Lower.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Whether \p I asks which lanes are active.
static bool readsActiveMask(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return false;
  if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return StringRef(Asm->getAsmString()).contains("activemask");
  return Call->getIntrinsicID() == Intrinsic::nvvm_activemask;
}

void kdiff::simt::inlineActiveMasks(Module &M) {
  SmallVector<Function *, 8> Work;
  for (Function &F : M)
    if (any_of(instructions(F), readsActiveMask))
      Work.push_back(&F);
  SmallPtrSet<Function *, 8> Seen;
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    if (!Seen.insert(F).second ||
        F->getCallingConv() == CallingConv::PTX_Kernel)
      continue;
    F->removeFnAttr(Attribute::NoInline);
    F->removeFnAttr(Attribute::OptimizeNone);
    F->addFnAttr(Attribute::AlwaysInline);
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Work.push_back(Call->getFunction());
  }
}
