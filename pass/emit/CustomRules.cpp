//===- CustomRules.cpp - Derivatives by the user's own functions ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a registered rule (rules/Custom.h)
// become the augmented, reverse or tangent function of a call?
//
// The augmented function leaves one record on the caller's tape: what the rule
// saved, then the arguments. The reverse function takes it off and calls the
// rule's reverse with it.
//
//===----------------------------------------------------------------------===//

#include "emit/Callees.h"
#include "lower/Abstract.h"
#include "rules/Custom.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kdiff {

namespace {

constexpr unsigned Word = 8; ///< Of the tape.

/// Writes the bodies of a callee's functions.
class RuleWriter {
public:
  RuleWriter(const Callee &C, const custom::ReverseRule &R)
      : C(C), R(R), Ctx(C.R.Primal->getContext()), B(Ctx),
        SavedWords(divideCeil(R.SavedBytes, Word)) {
    for (Type *T : C.Augmented->getFunctionType()->params().drop_back())
      KeptTypes.push_back(T);
  }
  void writeAugmented();
  void writeReverse();
  SmallVector<Value *, 4> callReverse(Value *Saved, ArrayRef<Value *> Kept,
                                      Value *Adjoint);
  unsigned recordBytes() const {
    return Word * (SavedWords + KeptTypes.size());
  }

private:
  AllocaInst *begin(Function &F);
  void moveSaved(Value *State, Value *Record, Value *Saved, bool ToTape);
  Value *field(Value *State, Value *Record, unsigned Index, Type *T);
  SmallVector<Value *, 8> rowsOf(ArrayRef<Value *> Kept,
                                 ArrayRef<Value *> Adjoints);

  const Callee &C;
  const custom::ReverseRule &R;
  LLVMContext &Ctx;
  IRBuilder<> B;
  unsigned SavedWords;
  SmallVector<Type *, 8> KeptTypes; ///< Arguments and their shadows.
};

} // namespace

/// An entry block with room for what the rule saves.
AllocaInst *RuleWriter::begin(Function &F) {
  B.SetInsertPoint(BasicBlock::Create(Ctx, "entry", &F));
  AllocaInst *Saved =
      B.CreateAlloca(ArrayType::get(B.getInt64Ty(), std::max(SavedWords, 1u)),
                     nullptr, "saved");
  Saved->setAlignment(Align(16));
  return Saved;
}

Value *RuleWriter::field(Value *State, Value *Record, unsigned Index, Type *T) {
  unsigned Bits = C.R.Primal->getDataLayout().getTypeSizeInBits(T);
  unsigned Bytes = PowerOf2Ceil(divideCeil(Bits, 8u));
  return createTapeField(B, State, Record, Index * Word, Bytes);
}

void RuleWriter::moveSaved(Value *State, Value *Record, Value *Saved,
                           bool ToTape) {
  Type *T = B.getInt64Ty();
  for (unsigned K = 0; K != SavedWords; ++K) {
    Value *Kept = field(State, Record, K, T);
    Value *Here = B.CreateConstGEP1_32(T, Saved, K);
    if (ToTape)
      B.CreateStore(B.CreateLoad(T, Here), Kept);
    else
      B.CreateStore(B.CreateLoad(T, Kept), Here);
  }
}

/// The rule's operands from the callee's: each pointer with a shadow, each
/// number with the address of its adjoint (\p Adjoints; empty: alone).
SmallVector<Value *, 8> RuleWriter::rowsOf(ArrayRef<Value *> Kept,
                                           ArrayRef<Value *> Adjoints) {
  SmallVector<Value *, 8> Row;
  unsigned Next = 0, NextAdjoint = 0;
  for (const ArgRequest &Arg : C.R.Args) {
    Value *V = Kept[Next++];
    Row.push_back(V);
    if (V->getType()->isPointerTy())
      Row.push_back(Arg.Activity == ArgActivity::Dup
                        ? Kept[Next++]
                        : Constant::getNullValue(V->getType()));
    else if (Arg.Activity == ArgActivity::Out && !Adjoints.empty())
      Row.push_back(Adjoints[NextAdjoint++]);
  }
  return Row;
}

void RuleWriter::writeAugmented() {
  Function &F = *C.Augmented;
  AllocaInst *Saved = begin(F);
  SmallVector<Value *, 8> Kept;
  for (Argument &Arg : F.args())
    Kept.push_back(&Arg);
  Value *State = Kept.pop_back_val();
  SmallVector<Value *, 8> Row = rowsOf(Kept, {});
  Row.insert(Row.begin(), Saved);
  CallInst *Result = B.CreateCall(R.Augmented, Row);
  Value *Record = createTapePush(B, State, recordBytes());
  moveSaved(State, Record, Saved, true);
  for (auto [K, V] : enumerate(Kept))
    B.CreateStore(V, field(State, Record, SavedWords + K, V->getType()));
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Result);
}

/// The rule's reverse, in one lane: \p Adjoint, of the result, may be null.
/// Returns the adjoints of the Out arguments.
SmallVector<Value *, 4>
RuleWriter::callReverse(Value *Saved, ArrayRef<Value *> Kept, Value *Adjoint) {
  SmallVector<Value *, 4> Adjoints;
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> Top(&Entry, Entry.begin());
  for (auto [Formal, Arg] : zip(C.R.Primal->args(), C.R.Args)) {
    if (Arg.Activity != ArgActivity::Out)
      continue;
    Adjoints.push_back(
        Top.CreateAlloca(Formal.getType(), nullptr, "d." + Formal.getName()));
    B.CreateStore(Constant::getNullValue(Formal.getType()), Adjoints.back());
  }
  SmallVector<Value *, 8> Row = rowsOf(Kept, Adjoints);
  if (Adjoint)
    Row.insert(Row.begin(), Adjoint);
  Row.insert(Row.begin(), Saved);
  B.CreateCall(R.Reverse, Row);
  for (Value *&Each : Adjoints)
    Each = B.CreateLoad(cast<AllocaInst>(Each)->getAllocatedType(), Each);
  return Adjoints;
}

void RuleWriter::writeReverse() {
  Function &F = *C.Reverse;
  AllocaInst *Saved = begin(F);
  Value *State = F.getArg(F.arg_size() - 1);
  Value *Record = createTapePop(B, State, recordBytes());
  moveSaved(State, Record, Saved, false);
  SmallVector<Value *, 8> Kept;
  for (auto [K, T] : enumerate(KeptTypes))
    Kept.push_back(B.CreateLoad(T, field(State, Record, SavedWords + K, T)));
  LaneValues Seeds(C.R.Width, nullptr);
  if (F.arg_size() == 2)
    Seeds = unpackLanes(B, F.getArg(0), C.R.Width);
  SmallVector<LaneValues, 4> Adjoints; // By argument, then by lane.
  for (Value *Seed : Seeds)
    for (auto [K, Adjoint] : enumerate(callReverse(Saved, Kept, Seed))) {
      Adjoints.resize(std::max(Adjoints.size(), K + 1));
      Adjoints[K].push_back(Adjoint);
    }
  if (Adjoints.empty()) {
    B.CreateRetVoid();
    return;
  }
  Value *Result = PoisonValue::get(F.getReturnType());
  for (auto [K, Lanes] : enumerate(Adjoints)) {
    Value *V = packLanes(B, Lanes);
    Result = Adjoints.size() == 1 ? V : B.CreateInsertValue(Result, V, K);
  }
  B.CreateRet(Result);
}

/// kdiff.tangent.f returns {result, tangent}; the rule writes the result
/// through its first operand.
static void writeTangent(const Callee &C, Function &Rule) {
  Function &F = *C.Tangent;
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", &F));
  Type *T = C.R.Primal->getReturnType();
  SmallVector<Value *, 8> Row;
  AllocaInst *Place = nullptr;
  if (!T->isVoidTy())
    Row.push_back(Place = B.CreateAlloca(T, nullptr, "result"));
  auto Next = F.arg_begin();
  for (const ArgRequest &Arg : C.R.Args) {
    Row.push_back(&*Next++);
    if (Arg.Activity == ArgActivity::Dup)
      Row.push_back(&*Next++);
    else if (Row.back()->getType()->isPointerTy())
      Row.push_back(Constant::getNullValue(Row.back()->getType()));
  }
  Value *Tangent = B.CreateCall(&Rule, Row);
  if (!Place) {
    B.CreateRetVoid();
    return;
  }
  if (Tangent->getType()->isVoidTy())
    Tangent = Constant::getNullValue(T);
  Value *Both = PoisonValue::get(F.getReturnType());
  Both = B.CreateInsertValue(Both, B.CreateLoad(T, Place), 0);
  B.CreateRet(B.CreateInsertValue(Both, Tangent, 1));
}

bool adoptRule(const Callee &C) {
  const Function &Primal = *C.R.Primal;
  if (C.R.M == Mode::Forward) {
    Function *Rule = custom::tangentRule(Primal);
    if (Rule)
      writeTangent(C, *Rule);
    return Rule != nullptr;
  }
  custom::ReverseRule R = custom::reverseRule(Primal);
  if (!R.Reverse)
    return false;
  RuleWriter Writer(C, R);
  Writer.writeAugmented();
  Writer.writeReverse();
  return true;
}

} // namespace kdiff
