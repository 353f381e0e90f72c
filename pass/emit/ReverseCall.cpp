//===- ReverseCall.cpp - Adjoints of calls that stay calls ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the reverse of a recursive call?
//
// The forward sweep calls the augmented function instead, which leaves its
// records on the tape; at the mirrored place the reverse function takes them
// off.
//
//===----------------------------------------------------------------------===//

#include "emit/Reverse.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static CallInst *callAugmented(CallBase &CB, const Callee &Target,
                               ReverseContext &C) {
  IRBuilder<> B(&CB);
  SmallVector<Value *, 8> Args = calleeArguments(
      Target, CB, [&](Value *Pointer) { return C.Sh.inLanes(Pointer); });
  Args.push_back(C.Values.tapeState());
  return B.CreateCall(Target.Augmented, Args);
}

void reverseCall(CallBase &CB, ReverseContext &C) {
  const Callee &Target = C.Calls.of(CB, C.A, Mode::Reverse, C.Adj.width());
  C.Replaced.push_back({&CB, callAugmented(CB, Target, C)});
  SmallVector<Value *, 2> Args;
  if (CB.getType()->isFloatingPointTy())
    Args.push_back(C.A.isActive(&CB) ? packLanes(C.B, C.Adj.takeAll(C.B, &CB))
                                     : Constant::getNullValue(lanesType(
                                           CB.getType(), C.Adj.width())));
  Args.push_back(C.Values.tapeState());
  Value *Adjoints = C.B.CreateCall(Target.Reverse, Args);
  unsigned Next = 0;
  for (auto [Arg, Kind] : zip(CB.args(), Target.R.Args)) {
    if (Kind.Activity != ArgActivity::Out)
      continue;
    Value *Adjoint = Adjoints->getType()->isStructTy()
                         ? C.B.CreateExtractValue(Adjoints, Next++)
                         : Adjoints;
    C.Adj.addAll(C.B, Arg, unpackLanes(C.B, Adjoint, C.Adj.width()));
  }
}

} // namespace kdiff
