//===- TapeBytes.cpp - How much tape will a thread need? ------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see TapeBytes.h.
//
//===----------------------------------------------------------------------===//

#include "emit/TapeBytes.h"
#include "analysis/Memory.h"
#include "kdiff/TapeLayout.h"
#include "lower/Abstract.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static AbstractOp operationOf(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? abstractOp(*Callee) : AbstractOp::None;
}

/// Writes to the thread's own arrays, which control flow may read, stay.
static bool isOwnWrite(const Instruction &I) {
  const Value *To = accessedPointer(I);
  return To && all_of(underlyingObjects(To), [](const Value *Object) {
           return isa<AllocaInst>(Object);
         });
}

/// What the counting function leaves out.
static bool isEffect(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*Call);
    if (Class == CallClass::Rule || Class == CallClass::Pure ||
        Class == CallClass::Ignorable)
      return false;
  }
  return I.mayHaveSideEffects() && !I.isTerminator() && !isOwnWrite(I);
}

/// What decides which way the function goes, also by way of its own arrays.
static SetVector<Instruction *> controlOf(Function &F) {
  SetVector<Instruction *> Control;
  SmallVector<Instruction *, 32> OwnWrites;
  auto Add = [&](const Instruction &I) {
    for (Value *Operand : I.operands())
      if (auto *Made = dyn_cast<Instruction>(Operand))
        Control.insert(Made);
  };
  for (Instruction &I : instructions(F)) {
    if (I.isTerminator() && !isa<ReturnInst>(I))
      Add(I);
    if (isOwnWrite(I))
      OwnWrites.push_back(&I);
  }
  for (unsigned K = 0; K != Control.size(); ++K) {
    Add(*Control[K]);
    auto *Load = dyn_cast<LoadInst>(Control[K]);
    if (!Load)
      continue;
    auto Read = underlyingObjects(Load->getPointerOperand());
    for (Instruction *Write : OwnWrites)
      if (any_of(underlyingObjects(accessedPointer(*Write)),
                 [&](const Value *O) { return is_contained(Read, O); }))
        Add(*Write);
  }
  return Control;
}

static bool refuse(const Instruction &I, const Twine &What) {
  reportUnsupported(
      I, "the size of the tape, since control flow depends on " + What,
      "give the tape enough bytes; a launch notes what it lacked");
  return false;
}

/// False, and reported, if \p I, which decides on control flow, may read what
/// the function leaves out.
static bool isIndependent(const Instruction &I, ArrayRef<Instruction *> Effects,
                          AAResults &AA) {
  if (isEffect(I))
    return refuse(I, "what happens while it runs");
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load)
    return true;
  for (Instruction *Effect : Effects)
    if (operationOf(*Effect) == AbstractOp::None &&
        isModSet(AA.getModRefInfo(Effect, MemoryLocation::get(Load))))
      return refuse(I, "memory that it writes");
  return true;
}

/// The bytes that \p I pushes, at most.
static uint64_t pushedBytes(const Instruction &I) {
  AbstractOp Op = operationOf(I);
  if (Op == AbstractOp::TapeClaim)
    return TapeClaimBytes;
  return Op == AbstractOp::TapePush
             ? cast<ConstantInt>(I.getOperand(1))->getZExtValue()
             : 0;
}

/// Adds what \p I pushes to \p Counter.
static void count(Instruction &I, AllocaInst *Counter) {
  IRBuilder<> B(&I);
  Value *Bytes = B.getInt64(pushedBytes(I));
  B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Counter), Bytes),
                Counter);
}

bool countTapeBytes(Function &F, AAResults &AA) {
  SmallVector<Instruction *, 32> Effects;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && operationOf(I) == AbstractOp::None &&
        classify(*Call) == CallClass::Defined)
      return refuse(I, "a recursive call");
    if (isEffect(I) || operationOf(I) != AbstractOp::None)
      Effects.push_back(&I);
  }
  for (Instruction *I : controlOf(F))
    if (!isIndependent(*I, Effects, AA))
      return false;

  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *Counter = B.CreateAlloca(B.getInt64Ty(), nullptr, "bytes");
  B.CreateStore(B.getInt64(0), Counter);
  for (Instruction *I : Effects)
    if (pushedBytes(*I))
      count(*I, Counter);
  for (BasicBlock &Block : F)
    if (auto *Ret = dyn_cast<ReturnInst>(Block.getTerminator())) {
      B.SetInsertPoint(Ret);
      B.CreateRet(B.CreateLoad(B.getInt64Ty(), Counter));
      Ret->eraseFromParent();
    }
  for (Instruction *I : Effects) {
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
  return true;
}

} // namespace kdiff
