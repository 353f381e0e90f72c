//===- Clone.cpp - A copy of the primal to work on --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what of the primal does its copy keep?
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

Function *kdiff::clonePrimal(Function &Primal) {
  ValueToValueMapTy Map;
  Function *F = CloneFunction(&Primal, Map);
  F->setName(Primal.getName() + ".kdiff");
  F->setLinkage(GlobalValue::InternalLinkage);
  F->setComdat(nullptr);
  F->setCallingConv(CallingConv::C);
  // Passes skip optnone functions; lower inlines the gradient; a gradient
  // writes memory that the primal does not know of.
  for (Attribute::AttrKind Kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline,
        Attribute::MinSize, Attribute::OptimizeForSize, Attribute::Memory,
        Attribute::NoSync, Attribute::NoFree, Attribute::Speculatable})
    F->removeFnAttr(Kind);
  // Behind such a call there is room for nothing, and its reverse comes there.
  for (Instruction &I : instructions(*F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isMustTailCall())
      Call->setTailCallKind(CallInst::TCK_None);
  return F;
}
