//===- Tape.cpp - Tape operations become runtime calls ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the abstract tape operations become
// code of the device runtime (runtime/device/tape.cpp)?
//
//===----------------------------------------------------------------------===//

#include "kdiff/TapeLayout.h"
#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

namespace {
#define KD_VARIABLE(Name, Symbol)                                              \
  constexpr StringLiteral Name##Variable = Symbol;
#define KD_FUNCTION(Name, Symbol)                                              \
  constexpr StringLiteral Name##Function = Symbol;
#include "kdiff/ABI.def"
} // namespace

/// runtime/device/tape.cpp, compiled.
static constexpr unsigned char RuntimeBytes[] = {
#include "TapeRuntime.inc"
};

static std::unique_ptr<Module> loadRuntime(LLVMContext &C) {
  std::unique_ptr<Module> Runtime = readRuntime(RuntimeBytes, "tape.bc", C);
  Runtime->getGlobalVariable(TapePoolVariable)->setExternallyInitialized(true);
  return Runtime;
}

static StringRef runtimeFunction(AbstractOp Op) {
  switch (Op) {
  case AbstractOp::TapeOpen:
    return TapeOpenFunction;
  case AbstractOp::TapeClose:
    return TapeCloseFunction;
  case AbstractOp::TapeBegin:
    return TapeBeginFunction;
  case AbstractOp::TapeSuspend:
    return TapeSuspendFunction;
  case AbstractOp::TapeResume:
    return TapeResumeFunction;
  case AbstractOp::TapeExhausted:
    return TapeExhaustedFunction;
  case AbstractOp::TapePush:
    return TapePushFunction;
  case AbstractOp::TapePop:
    return TapePopFunction;
  case AbstractOp::TapeClaim:
    return TapeClaimFunction;
  case AbstractOp::TapeSettle:
    return TapeSettleFunction;
  case AbstractOp::TapeWatch:
    return TapeWatchFunction;
  default:
    return {};
  }
}

/// Says of the accesses to \p Field what they may rely on, so that neighbours
/// in a word become one.
static void raiseAlignment(Value *Field, Align A) {
  for (User *U : Field->users()) {
    if (auto *Load = dyn_cast<LoadInst>(U))
      Load->setAlignment(std::max(Load->getAlign(), A));
    else if (auto *Store = dyn_cast<StoreInst>(U);
             Store && Store->getPointerOperand() == Field)
      Store->setAlignment(std::max(Store->getAlign(), A));
  }
}

/// Where the lane's word is that holds byte \p Offset of \p Record, and that
/// byte in it. The lane is the state's last member. Its stride is the same for
/// fields of every size: lanes that are apart have other records at the same
/// place.
static Value *placeOf(IRBuilderBase &B, Value *State, Value *Record,
                      uint64_t Offset) {
  uint64_t InWord = Offset % TapeRecordGranule;
  Value *LaneAt =
      B.CreateStructGEP(tapeStateType(B.getContext()), State, 2, "lane.at");
  Value *Lane = B.CreateLoad(B.getInt32Ty(), LaneAt, "lane");
  Value *Column = B.CreateMul(B.CreateZExt(Lane, B.getInt64Ty()),
                              B.getInt64(TapeRecordGranule), "", true, true);
  return B.CreateInBoundsPtrAdd(
      B.CreateInBoundsPtrAdd(Record, Column),
      B.getInt64((Offset - InWord) * TapeLanes + InWord), "field");
}

/// Replaces \p Access, a load or store of a field of several words, by one of
/// a copy in local memory, which is written to or read from the words.
static void accessWords(Instruction &Access, Value *FirstWord, uint64_t Size) {
  IRBuilder<> B(Access.getContext());
  B.SetInsertPointPastAllocas(Access.getFunction());
  AllocaInst *Copy = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Size),
                                    nullptr, "field.copy");
  Copy->setAlignment(Align(16));
  auto *Store = dyn_cast<StoreInst>(&Access);
  Access.setOperand(Store ? StoreInst::getPointerOperandIndex()
                          : LoadInst::getPointerOperandIndex(),
                    Copy);
  B.SetInsertPoint(Store ? Access.getNextNode() : &Access);
  B.SetCurrentDebugLocation(Access.getDebugLoc());
  for (uint64_t At = 0; At != Size; At += TapeRecordGranule) {
    Value *Word = B.CreateInBoundsPtrAdd(FirstWord, B.getInt64(At * TapeLanes));
    Value *Part = B.CreateInBoundsPtrAdd(Copy, B.getInt64(At));
    Value *From = Store ? Part : Word, *To = Store ? Word : Part;
    Align A(TapeRecordGranule);
    B.CreateAlignedStore(B.CreateAlignedLoad(B.getInt64Ty(), From, A), To, A);
  }
}

static void expandField(CallInst &CI) {
  IRBuilder<> B(&CI);
  uint64_t Offset = cast<ConstantInt>(CI.getArgOperand(2))->getZExtValue();
  uint64_t Size = cast<ConstantInt>(CI.getArgOperand(3))->getZExtValue();
  Value *Field = placeOf(B, CI.getArgOperand(0), CI.getArgOperand(1), Offset);
  if (Size > TapeRecordGranule)
    for (User *U : make_early_inc_range(CI.users()))
      accessWords(*cast<Instruction>(U), Field, Size);
  else
    raiseAlignment(&CI, commonAlignment(Align(TapeRecordGranule),
                                        Offset % TapeRecordGranule));
  CI.replaceAllUsesWith(Field);
  CI.eraseFromParent();
}

/// Calls the runtime in place of \p CI.
static CallInst *callRuntime(CallInst &CI, AbstractOp Op) {
  IRBuilder<> B(&CI);
  SmallVector<Value *, 2> Args(CI.args());
  if (Op == AbstractOp::TapePush || Op == AbstractOp::TapePop) {
    uint64_t Bytes = cast<ConstantInt>(Args[1])->getZExtValue();
    Args[1] = B.getInt32(alignTo(Bytes, TapeRecordGranule));
  }
  CallInst *Call = B.CreateCall(CI.getModule()->getOrInsertFunction(
                                    runtimeFunction(Op), CI.getFunctionType()),
                                Args);
  CI.replaceAllUsesWith(Call);
  CI.eraseFromParent();
  return Call;
}

void kdiff::lowerTape(Module &M) {
  SmallVector<Function *, 8> Operations;
  for (Function &F : M)
    if (abstractOp(F) >= AbstractOp::TapeOpen)
      Operations.push_back(&F);

  SmallVector<CallInst *, 16> Calls;
  for (Function *F : Operations) {
    AbstractOp Op = abstractOp(*F);
    for (User *U : make_early_inc_range(F->users())) {
      auto &CI = *cast<CallInst>(U);
      if (Op == AbstractOp::TapeField)
        expandField(CI);
      else
        Calls.push_back(callRuntime(CI, Op));
    }
    F->eraseFromParent();
  }
  if (Calls.empty())
    return;

  linkNeeded(M, loadRuntime(M.getContext()), {TapePoolVariable});
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    [[maybe_unused]] InlineResult Result = InlineFunction(*Call, Info);
    assert(Result.isSuccess() && "the runtime's short paths can be inlined");
  }
#define KD_FUNCTION(Name, Symbol)                                              \
  if (Function *F = M.getFunction(Symbol))                                     \
    if (F->use_empty())                                                        \
      F->eraseFromParent();
#include "kdiff/ABI.def"
}
