//===- StandIns.cpp - Requests that have bodies ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see StandIns.h.
//
//===----------------------------------------------------------------------===//

#include "request/StandIns.h"
#include "request/Spelling.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

bool kdiff::takeStandIns(Module &M) {
  Function *Mark = M.getFunction("__kd_compile_with_fpass_plugin_libKDiff_so");
  if (!Mark)
    return false;
  SmallSetVector<Function *, 8> StandIns;
  for (User *U : Mark->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call)
      continue;
    Function *F = Call->getFunction();
    if (meaningOfName(F->getName()) != CallMeaning::None)
      StandIns.insert(F);
    else
      reportMisuse(*Call, "the request was inlined before KDiff ran: give "
                          "clang -fpass-plugin=libKDiff.so, or opt what clang "
                          "writes with -Xclang -disable-llvm-passes");
  }
  for (Function *F : StandIns) {
    F->deleteBody();
    F->setComdat(nullptr);
    if (F->use_empty())
      F->eraseFromParent();
  }
  if (Mark->use_empty())
    Mark->eraseFromParent();
  return !StandIns.empty();
}
