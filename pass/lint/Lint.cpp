//===- Lint.cpp - Is a differentiated module what it must be? ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which invariant does a module break?
//
//===----------------------------------------------------------------------===//

#include "lint/Lint.h"
#include "kdiff/TapeLayout.h"
#include "lower/Abstract.h"
#include "request/Spelling.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace kdiff;

static constexpr StringLiteral Prefix = "fault of KDiff: ";

//===--- Behind emit ------------------------------------------------------===//

/// The immediate operand \p No of \p Call, if it is one.
static std::optional<uint64_t> immediate(const CallBase &Call, unsigned No) {
  if (No < Call.arg_size())
    if (auto *C = dyn_cast<ConstantInt>(Call.getArgOperand(No)))
      return C->getZExtValue();
  return std::nullopt;
}

/// What is wrong with the abstract operation \p Call; empty: nothing.
static StringRef faultOf(const CallBase &Call, AbstractOp Op) {
  switch (Op) {
  case AbstractOp::AccumulateAll:
  case AbstractOp::AccumulateChunk:
  case AbstractOp::AccumulateGathered:
  case AbstractOp::Accumulate: {
    std::optional<uint64_t> Kind =
        immediate(Call, Op == AbstractOp::Accumulate ? 2 : 0);
    if (!Kind || *Kind > uint64_t(LastAccumulation))
      return "unknown kind of accumulation";
    return "";
  }
  case AbstractOp::TapePush:
  case AbstractOp::TapePop: {
    std::optional<uint64_t> Bytes = immediate(Call, 1);
    if (!Bytes || *Bytes == 0 || *Bytes > TapeMaxRecordBytes)
      return "size of a record out of range";
    return "";
  }
  case AbstractOp::TapeField: {
    std::optional<uint64_t> Offset = immediate(Call, 2);
    std::optional<uint64_t> Size = immediate(Call, 3);
    if (!Offset || !Size || !isPowerOf2_64(*Size) || *Size > 16 ||
        *Offset % *Size != 0 || *Offset + *Size > TapeMaxRecordBytes)
      return "field of a record out of range or not aligned";
    return "";
  }
  case AbstractOp::None:
    return "unknown abstract operation";
  default: // Without immediates.
    return "";
  }
}

/// The tapes that a function keeps itself (a callee gets its caller's).
static void lintTapes(Function &F) {
  SetVector<Value *> Used, Opened, Closed;
  SmallDenseMap<Value *, Instruction *> FirstUse;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? calledFunction(*Call) : nullptr;
    AbstractOp Op = Callee ? abstractOp(*Callee) : AbstractOp::None;
    if (Op == AbstractOp::None || Op == AbstractOp::Accumulate ||
        Op == AbstractOp::AccumulateAll)
      continue;
    Value *State = getUnderlyingObject(Call->getArgOperand(0));
    if (!isa<AllocaInst>(State))
      continue;
    FirstUse.try_emplace(State, &I);
    (Op == AbstractOp::TapeOpen    ? Opened
     : Op == AbstractOp::TapeClose ? Closed
                                   : Used)
        .insert(State);
  }
  for (Value *State : Used)
    if (!Opened.contains(State) || !Closed.contains(State))
      reportMisuse(*FirstUse.lookup(State),
                   Prefix + "a tape is used and not opened or not closed");
}

static void lintEmitted(Module &M) {
  for (Function &F : M) {
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      Function *Callee = Call ? calledFunction(*Call) : nullptr;
      if (!Callee || !Callee->getName().starts_with("kd."))
        continue;
      if (StringRef Fault = faultOf(*Call, abstractOp(*Callee)); !Fault.empty())
        reportMisuse(I, Prefix + Fault + ", " + Callee->getName());
    }
    lintTapes(F);
  }
}

//===--- Behind lower -----------------------------------------------------===//

/// True if the NVPTX backend has no code for the intrinsic.
static bool isUnselectable(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::exp2:
  case Intrinsic::log2:
    // Approximations exist in single precision, for who allows them.
    return !I.getType()->getScalarType()->isFloatTy() || !I.hasApproxFunc();
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
  case Intrinsic::sincos:
  case Intrinsic::exp:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
    return true;
  default:
    return false;
  }
}

static void lintCall(CallBase &Call) {
  if (auto *I = dyn_cast<IntrinsicInst>(&Call)) {
    if (isUnselectable(*I))
      reportMisuse(Call, Prefix + "the backend cannot select " +
                             I->getCalledFunction()->getName());
    return;
  }
  Function *Callee = calledFunction(Call);
  if (!Callee || !Callee->isDeclaration())
    return;
  if (meaningOf(*Callee) != CallMeaning::None)
    reportMisuse(Call, Prefix + "a request is left, " + Callee->getName());
  else if (Callee->getName().starts_with("kd."))
    reportMisuse(Call, Prefix + "an abstract operation is left, " +
                           Callee->getName());
  else if (Callee->getName().starts_with("__nv_"))
    reportMisuse(Call, Prefix + "a function of libdevice is not linked, " +
                           Callee->getName());
}

/// Adjoint additions are relaxed; those of CUDA's atomicAdd are not.
static void lintAtomic(AtomicRMWInst &I) {
  if (I.getOperation() != AtomicRMWInst::FAdd ||
      I.getOrdering() != AtomicOrdering::Monotonic)
    return;
  if (I.getSyncScopeID() == SyncScope::System)
    reportMisuse(I, Prefix + "an adjoint addition with system scope");
  if (I.getPointerAddressSpace() != nvptx::Generic)
    return;
  const Value *Object = getUnderlyingObject(I.getPointerOperand());
  auto *Parameter = dyn_cast<Argument>(Object);
  if (isa<GlobalVariable, AllocaInst>(Object) ||
      Object->getType()->getPointerAddressSpace() != nvptx::Generic ||
      (Parameter && nvptx::isKernel(*Parameter->getParent())))
    reportMisuse(I, Prefix + "a generic adjoint addition where the address "
                             "space is known");
}

static void lintLowered(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (auto *Call = dyn_cast<CallBase>(&I))
        lintCall(*Call);
      else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
        lintAtomic(*RMW);
      for (Value *Operand : I.operands())
        if (auto *Variable =
                dyn_cast<GlobalVariable>(Operand->stripPointerCasts());
            Variable && Variable->isDeclaration() && asMarker(*Variable))
          reportMisuse(I, Prefix + "a marker is left, " + Variable->getName());
    }
}

//===----------------------------------------------------------------------===//

PreservedAnalyses LintPass::run(Module &M, ModuleAnalysisManager &) {
  if (!nvptx::isDeviceModule(M))
    return PreservedAnalyses::all();
  for (Function &F : M) {
    std::string Text;
    raw_string_ostream OS(Text);
    if (!F.isDeclaration() && verifyFunction(F, &OS))
      reportMisuse(*instructions(F).begin(), Prefix + Text);
  }
  if (Point == LintPoint::Emitted)
    lintEmitted(M);
  else
    lintLowered(M);
  return PreservedAnalyses::all();
}
