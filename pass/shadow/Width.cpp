//===- Width.cpp - What has a derivative in one lane alone ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Width.h.
//
//===----------------------------------------------------------------------===//

#include "shadow/Width.h"
#include "rules/Custom.h"
#include "support/Diagnostics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static bool takesShadow(const CallBase &CB, const Activity &A) {
  return any_of(CB.args(), [&](const Use &Arg) {
    return Arg->getType()->isPointerTy() && A.isActivePointer(Arg);
  });
}

static bool isDifferentiated(const CallBase &CB, const Activity &A) {
  return A.isActive(&CB) || takesShadow(CB, A);
}

/// What of the rule for \p CB's callee is for one lane alone; empty: nothing.
static StringRef limitOf(const CallBase &CB, const Subject &S,
                         const Activity &A) {
  const Function *Callee = CB.getCalledFunction();
  if (!Callee || !isDifferentiated(CB, A))
    return "";
  if (S.M == Mode::Forward && custom::tangentRule(*Callee))
    return ", whose registered tangent function makes one tangent";
  if (S.M == Mode::Reverse && custom::reverseRule(*Callee).Reverse &&
      takesShadow(CB, A))
    return ", whose registered reverse rule takes one shadow for a pointer";
  return "";
}

bool checkWidth(const Subject &S, const Activity &A) {
  bool Sound = true;
  if (S.Width == 1)
    return Sound;
  for (const Instruction &I : instructions(*S.P.F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    StringRef Limit = CB ? limitOf(*CB, S, A) : "";
    if (Limit.empty())
      continue;
    reportUnsupported(I,
                      "with " + Twine(S.Width) + " derivatives at once '" +
                          CB->getCalledFunction()->getName() + "'" + Limit,
                      "ask for one derivative at a time");
    Sound = false;
  }
  return Sound;
}

} // namespace kdiff
