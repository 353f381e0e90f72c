//===- Reload.cpp - Which loads the reverse sweep may repeat --------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Reload.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Reload.h"
#include "analysis/Memory.h"
#include "analysis/Writers.h"
#include "rules/Rules.h"
#include "shadow/Shadows.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

bool isRepeatableKind(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    // clang calls everything in device code convergent, rsqrtf too; a function
    // with a rule reads its operands alone.
    CallClass Class = classify(*CB);
    return Class == CallClass::Rule ||
           (Class == CallClass::Pure && !CB->isConvergent());
  }
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst, ExtractValueInst, InsertValueInst,
             ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             FreezeInst>(I);
}

Reloads::Reloads(const Subject &S, const Shadows &Sh,
                 FunctionAnalysisManager &FAM)
    : S(S), F(*S.P.F), Sh(Sh), FAM(FAM), W(F, FAM.getResult<AAManager>(F)) {
  for (Instruction &I : instructions(F)) {
    Synchronises |= synchronises(I);
    // Memory that the caller says is never read.
    const Value *To = accessedPointer(I);
    const Formal *Arg = To ? S.formalOf(To) : nullptr;
    if (Arg && isSeed(Arg->Activity))
      continue;
    if (I.mayWriteToMemory() && !isSilent(I) && !(S.IsKernel && onlyWaits(I)))
      Writes.push_back(&I);
  }
}

bool Reloads::isReloadable(const LoadInst &Load, std::string &Why) {
  auto It = Known.find(&Load);
  if (It == Known.end()) {
    std::string Reason;
    bool Answer = decide(Load, Reason);
    It = Known.insert({&Load, {Answer, Reason}}).first;
  }
  Why = It->second.second;
  return It->second.first;
}

bool Reloads::decide(const LoadInst &Load, std::string &Why) {
  // A shadow pointer changes only where the primal pointer beside it does.
  if (const LoadInst *Primal = Sh.mirrored(&Load))
    return isReloadable(*Primal, Why);
  if (!Load.isSimple()) {
    Why = "the load is volatile or atomic";
    return false;
  }
  bool IsFixed = all_of(
      underlyingObjects(Load.getPointerOperand()), [](const Value *Object) {
        auto *G = dyn_cast<GlobalVariable>(Object);
        return G && G->isConstant() && !G->isExternallyInitialized();
      });
  if (IsFixed)
    return true;
  // What is constant for a launch may change before the next.
  if (S.S == Shape::Split) {
    Why = "its memory may be overwritten before the reverse launch";
    return false;
  }
  if (Load.hasMetadata(LLVMContext::MD_invariant_load) ||
      Load.getPointerAddressSpace() == 4)
    return true;
  // What is constant for a call may change behind it.
  if (S.S == Shape::Callee) {
    Why = "its memory may be overwritten after the call";
    return false;
  }
  auto &AA = FAM.getResult<AAManager>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  MemoryLocation Loc = MemoryLocation::get(&Load);
  if (!isModSet(AA.getModRefInfoMask(Loc)))
    return true;
  // Later iterations and other threads write at other indices.
  bool AnyIndex = Synchronises || LI.getLoopFor(Load.getParent());
  for (Instruction *Write : Writes) {
    if (AnyIndex ? !W.mayWrite(*Write, Load)
                 : !isModSet(AA.getModRefInfo(Write, Loc)))
      continue;
    if (!Synchronises &&
        !isPotentiallyReachable(&Load, Write, nullptr, &DT, &LI))
      continue;
    Why = "its memory may be overwritten";
    if (const DebugLoc &At = Write->getDebugLoc())
      Why += " at line " + std::to_string(At.getLine());
    return false;
  }
  return true;
}

} // namespace kdiff
