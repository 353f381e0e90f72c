//===- Frames.cpp - Whose code a debugger shows ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which function and line does a debugger show for
// a kernel that only holds a derivative?
//
// The kernels of kdiff/gradient.h have no debug information, being no code of
// the user's. What is inlined into a function keeps its lines only where that
// function has a place in the source: so such a kernel gets the primal's.
//
//===----------------------------------------------------------------------===//

#include "lower/Steps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace kdiff;

/// The functions that \p F, which has no place in the source, ends up in when
/// all calls are inlined.
static SmallSetVector<Function *, 4> outermost(Function &F) {
  SmallSetVector<Function *, 4> Seen, Outermost;
  Seen.insert(&F);
  for (size_t I = 0; I != Seen.size(); ++I) {
    Function *Callee = Seen[I];
    if (Callee->getSubprogram())
      continue;
    bool IsCalled = false;
    for (User *U : Callee->users())
      if (auto *Call = dyn_cast<CallBase>(U)) {
        IsCalled |= Call->getCalledOperand() == Callee;
        Seen.insert(Call->getFunction());
      }
    if (!IsCalled)
      Outermost.insert(Callee);
  }
  return Outermost;
}

/// \p F stands where \p Primal does.
static void place(Function &F, const DISubprogram &Primal) {
  DISubprogram *Own = DISubprogram::getDistinct(
      F.getContext(), Primal.getFile(), Primal.getName(), F.getName(),
      Primal.getFile(), Primal.getLine(), Primal.getType(), Primal.getLine(),
      /*ContainingType=*/nullptr, /*VirtualIndex=*/0, /*ThisAdjustment=*/0,
      DINode::FlagZero, Primal.getSPFlags(), Primal.getUnit());
  F.setSubprogram(Own);
  auto *Line = DILocation::get(F.getContext(), Primal.getLine(), 0, Own);
  for (Instruction &I : instructions(F))
    if (!I.getDebugLoc())
      I.setDebugLoc(Line);
}

void kdiff::placeFrames(ArrayRef<Emitted> Gradients) {
  for (const Emitted &E : Gradients)
    if (const DISubprogram *Primal = E.R.Primal->getSubprogram())
      for (Function *F : outermost(*E.R.Call->getFunction()))
        place(*F, *Primal);
}
