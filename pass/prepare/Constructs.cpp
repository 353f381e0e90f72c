//===- Constructs.cpp - What no later stage could reverse -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which constructs does prepare refuse, and with
// which words?
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace kdiff;

namespace {

struct Refusal {
  StringRef What, Remedy;
};

std::optional<Refusal> refuseCall(const CallInst &CI) {
  switch (CI.getIntrinsicID()) {
  case Intrinsic::vastart:
  case Intrinsic::vacopy:
  case Intrinsic::vaend:
    return Refusal{"variable arguments", "pass the arguments one by one"};
  case Intrinsic::eh_sjlj_setjmp:
  case Intrinsic::eh_sjlj_longjmp:
    return Refusal{"setjmp/longjmp", "leave by return or break instead"};
  default:
    break;
  }
  const Function *Callee = CI.getCalledFunction();
  if (!Callee)
    return std::nullopt;
  if (!Callee->isDeclaration() && Callee->isVarArg())
    return Refusal{"a call with variable arguments",
                   "pass the arguments one by one"};
  bool Jumps = StringSwitch<bool>(Callee->getName())
                   .Cases({"setjmp", "_setjmp", "longjmp", "_longjmp"}, true)
                   .Default(false);
  if (Jumps)
    return Refusal{"setjmp/longjmp", "leave by return or break instead"};
  return std::nullopt;
}

bool isScalable(const Instruction &I) {
  return isa<ScalableVectorType>(I.getType()) ||
         any_of(I.operands(), [](const Use &U) {
           return isa<ScalableVectorType>(U->getType());
         });
}

std::optional<Refusal> refuse(const Instruction &I) {
  if (isScalable(I))
    return Refusal{"a vector of a length known at run time only",
                   "use vectors of constant length"};
  switch (I.getOpcode()) {
  case Instruction::IndirectBr:
    return Refusal{"a computed goto", "use a switch instead"};
  case Instruction::CallBr:
    return Refusal{"asm goto", "branch in C++ on a result of the assembly"};
  case Instruction::Invoke:
  case Instruction::Resume:
  case Instruction::LandingPad:
  case Instruction::CatchSwitch:
  case Instruction::CatchRet:
  case Instruction::CleanupRet:
    return Refusal{"exception handling", "compile with -fno-exceptions"};
  case Instruction::VAArg:
    return Refusal{"variable arguments", "pass the arguments one by one"};
  case Instruction::Alloca:
    if (!cast<AllocaInst>(I).isStaticAlloca())
      return Refusal{"local memory of a size or number known at run time only",
                     "use an array of constant size"};
    return std::nullopt;
  case Instruction::Call:
    return refuseCall(cast<CallInst>(I));
  default:
    return std::nullopt;
  }
}

const Cycle *findIrreducible(ArrayRef<const Cycle *> Cycles) {
  for (const Cycle *C : Cycles) {
    if (!C->isReducible())
      return C;
    SmallVector<const Cycle *, 4> Children(C->children());
    if (const Cycle *Inner = findIrreducible(Children))
      return Inner;
  }
  return nullptr;
}

} // namespace

bool kdiff::checkConstructs(const Function &F) {
  if (F.isVarArg()) {
    reportUnsupported(F, "a function with variable arguments",
                      "give it a fixed number of parameters");
    return false;
  }
  for (const Instruction &I : instructions(F)) {
    if (std::optional<Refusal> R = refuse(I)) {
      reportUnsupported(I, R->What, R->Remedy);
      return false;
    }
  }
  return true;
}

bool kdiff::checkControlFlow(const Function &F, FunctionAnalysisManager &FAM) {
  auto &CI = FAM.getResult<CycleAnalysis>(const_cast<Function &>(F));
  SmallVector<const Cycle *, 4> Top(CI.toplevel_cycles());
  if (const Cycle *C = findIrreducible(Top)) {
    reportUnsupported(*C->getHeader()->getTerminator(),
                      "a goto into the middle of a loop",
                      "write the loop with one entry");
    return false;
  }
  if (llvm::none_of(F, [](const BasicBlock &B) {
        return isa<ReturnInst>(B.getTerminator());
      })) {
    reportUnsupported(F, "a function that never returns",
                      "give it a path that returns");
    return false;
  }
  return true;
}
