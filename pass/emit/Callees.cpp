//===- Callees.cpp - Derivatives of functions that stay calls -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Callees.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Callees.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace kdiff {

/// Numbers are always differentiated: one derivative serves all calls.
static ArgActivity activityOf(const Value *Arg, const Activity &A, Mode M) {
  if (Arg->getType()->isPointerTy())
    return A.isActivePointer(Arg) ? ArgActivity::Dup : ArgActivity::Const;
  if (!Arg->getType()->isFloatingPointTy())
    return ArgActivity::Const;
  return M == Mode::Reverse ? ArgActivity::Out : ArgActivity::Dup;
}

static bool isSame(const Request &L, const Request &R) {
  return L.Primal == R.Primal && L.M == R.M && L.Width == R.Width &&
         all_of(zip(L.Args, R.Args), [](auto Pair) {
           return std::get<0>(Pair).Activity == std::get<1>(Pair).Activity;
         });
}

static Function *declare(Type *Ret, ArrayRef<Type *> Params,
                         const Function &Primal, StringRef Prefix) {
  return Function::Create(
      FunctionType::get(Ret, Params, false), GlobalValue::InternalLinkage,
      Prefix + Primal.getName(), const_cast<Module *>(Primal.getParent()));
}

static void declareFunctions(Callee &C) {
  Function &Primal = *C.R.Primal;
  Type *Result = Primal.getReturnType();
  Type *Pointer = PointerType::get(Primal.getContext(), 0);
  SmallVector<Type *, 8> Params;
  for (auto [Formal, Arg] : zip(Primal.args(), C.R.Args)) {
    Params.push_back(Formal.getType());
    if (Arg.Activity == ArgActivity::Dup)
      Params.append(C.R.Width, Formal.getType());
  }
  Type *Derivatives =
      Result->isVoidTy() ? Result : lanesType(Result, C.R.Width);
  if (C.R.M == Mode::Forward) {
    Type *Both =
        Result->isVoidTy() ? Result : StructType::get(Result, Derivatives);
    C.Tangent = declare(Both, Params, Primal, "kdiff.tangent.");
    return;
  }
  Params.push_back(Pointer);
  C.Augmented = declare(Result, Params, Primal, "kdiff.augmented.");
  SmallVector<Type *, 2> Back;
  if (Result->isFloatingPointTy())
    Back.push_back(Derivatives);
  Back.push_back(Pointer);
  C.Reverse =
      declare(adjointsType(Primal, C.R), Back, Primal, "kdiff.reverse.");
}

const Callee &Callees::of(CallBase &CB, const Activity &A, Mode M,
                          unsigned Width) {
  Callee New;
  New.R.Primal = CB.getCalledFunction();
  New.R.M = M;
  New.R.Width = Width;
  for (Value *Arg : CB.args())
    New.R.Args.push_back({activityOf(Arg, A, M)});
  for (Callee &Known : All)
    if (isSame(Known.R, New.R))
      return Known;
  declareFunctions(New);
  All.push_back(std::move(New));
  return All.back();
}

const Callee *Callees::nextPending() {
  return Done == All.size() ? nullptr : &All[Done++];
}

void Callees::erase() {
  SmallVector<Function *, 8> Functions;
  for (Callee &C : All)
    for (Function *F : {C.Augmented, C.Reverse, C.Tangent})
      if (F)
        Functions.push_back(F);
  for (Function *F : Functions)
    F->dropAllReferences();
  for (Function *F : Functions)
    F->eraseFromParent();
  All.clear();
}

SmallVector<Value *, 8>
calleeArguments(const Callee &C, CallBase &CB,
                function_ref<LaneValues(Value *)> ShadowsOf) {
  SmallVector<Value *, 8> Args;
  for (auto [Arg, Kind] : zip(CB.args(), C.R.Args)) {
    Args.push_back(Arg);
    if (Kind.Activity == ArgActivity::Dup)
      append_range(Args, ShadowsOf(Arg));
  }
  return Args;
}

static void cloneInto(Function &To, Function &From, ValueToValueMapTy &Map) {
  SmallVector<ReturnInst *, 2> Returns;
  CloneFunctionInto(&To, &From, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  To.setLinkage(GlobalValue::InternalLinkage);
}

/// The entry of a reverse function: the allocas, then the reverse sweep.
static void startAt(Function &F, BasicBlock *Cut) {
  BasicBlock &Old = F.getEntryBlock();
  BasicBlock *New = BasicBlock::Create(F.getContext(), "entry", &F, &Old);
  for (Instruction &I : make_early_inc_range(Old))
    if (isa<AllocaInst>(I))
      I.moveBefore(*New, New->end());
  BranchInst::Create(Cut, New);
  removeUnreachableBlocks(F);
}

/// Makes \p End, the copy of the primal's last block, return \p Result.
static void endWith(BasicBlock *End, Value *Result) {
  End->getTerminator()->eraseFromParent();
  ReturnInst::Create(End->getContext(), Result, End);
  removeUnreachableBlocks(*End->getParent());
}

void cutInTwo(const Callee &C, Subject &Whole, BasicBlock *Cut) {
  Function &F = *Whole.P.F;
  ValueToValueMapTy Forward, Back;
  auto Next = C.Augmented->arg_begin();
  for (Argument &Arg : F.args()) {
    Back[&Arg] = PoisonValue::get(Arg.getType());
    if (&Arg == Whole.Seed)
      Forward[&Arg] = PoisonValue::get(Arg.getType());
    else
      Forward[&Arg] = &*Next++;
  }
  Back[Whole.Tape] = C.Reverse->getArg(C.Reverse->arg_size() - 1);
  if (Whole.Seed)
    Back[Whole.Seed] = C.Reverse->getArg(0);

  cloneInto(*C.Augmented, F, Forward);
  Value *Result = Whole.Result;
  if (Result && Forward.count(Result))
    Result = Forward[Result];
  endWith(cast<BasicBlock>(Forward[Whole.P.ReturnBlock]), Result);

  cloneInto(*C.Reverse, F, Back);
  startAt(*C.Reverse, cast<BasicBlock>(Back[Cut]));
  F.eraseFromParent();
}

Function *takeHalf(Subject &Whole, BasicBlock *Cut) {
  Function &F = *Whole.P.F;
  bool Counts = Whole.Wanted == Product::TapeBytes;
  bool IsAugmented = Counts || Whole.Wanted == Product::Augmented;
  Type *Ret = F.getReturnType();
  if (Counts)
    Ret = Type::getInt64Ty(F.getContext());
  else if (IsAugmented)
    Ret = Whole.Result ? Whole.Result->getType()
                       : Type::getVoidTy(F.getContext());
  Function *Half = declare(Ret, F.getFunctionType()->params(), F, "");
  Half->setName((IsAugmented ? "kdiff.augmented." : "kdiff.reverse.") +
                Whole.PrimalName);
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip(F.args(), Half->args())) {
    New.setName(Old.getName());
    Map[&Old] = &New;
  }
  cloneInto(*Half, F, Map);
  if (IsAugmented) {
    Value *Result = Whole.Result;
    if (Counts)
      Result = ConstantInt::get(Ret, 0);
    else if (Result && Map.count(Result))
      Result = Map[Result];
    endWith(cast<BasicBlock>(Map[Whole.P.ReturnBlock]), Result);
  } else {
    startAt(*Half, cast<BasicBlock>(Map[Cut]));
  }
  F.eraseFromParent();
  return Half;
}

void adoptTangent(const Callee &C, Subject &Whole) {
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip(Whole.P.F->args(), C.Tangent->args()))
    Map[&Old] = &New;
  cloneInto(*C.Tangent, *Whole.P.F, Map);
  Whole.P.F->eraseFromParent();
}

} // namespace kdiff
