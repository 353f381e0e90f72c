//===- Lines.cpp - Lanes add each other's words -----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does an addition to several neighbouring
// words, for which no instruction exists, become code of the device runtime
// (runtime/device/lines.cpp)?
//
//===----------------------------------------------------------------------===//

#include "lower/Steps.h"
#include "target/NVPTX.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace kdiff;

/// runtime/device/lines.cpp, compiled.
static constexpr unsigned char RuntimeBytes[] = {
#include "LinesRuntime.inc"
};

/// Shuffles and votes of a mask.
static constexpr unsigned MinProcessor = 70;

static std::string nameOf(unsigned Count) {
  return "__kd_add_line_" + std::to_string(Count);
}

bool kdiff::addAsLine(IRBuilderBase &B, Value *Address, Value *Addend) {
  auto *T = cast<FixedVectorType>(Addend->getType());
  unsigned Count = T->getNumElements();
  Function &F = *B.GetInsertBlock()->getParent();
  if (!T->getElementType()->isDoubleTy() || (Count != 4 && Count != 8) ||
      Address->getType()->getPointerAddressSpace() != nvptx::Global ||
      nvptx::processorOf(F) < MinProcessor)
    return false;
  SmallVector<Value *, 9> Args{Address};
  for (unsigned K = 0; K != Count; ++K)
    Args.push_back(B.CreateExtractElement(Addend, K));
  CallInst *Call = createRuntimeCall(B, nameOf(Count), B.getVoidTy(), Args);
  // The lanes at hand are those that make the call.
  Call->setConvergent();
  return true;
}

void kdiff::linkLinesRuntime(Module &M) {
  if (!M.getFunction(nameOf(4)) && !M.getFunction(nameOf(8)))
    return;
  linkNeeded(M, readRuntime(RuntimeBytes, "lines.bc", M.getContext()), {});
}
