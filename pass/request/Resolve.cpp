//===- Resolve.cpp - Which function a request names -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which constant function, and which markers,
// reach each request call?
//
//===----------------------------------------------------------------------===//

#include "request/Resolve.h"
#include "request/Cleaner.h"
#include "request/Spelling.h"
#include "target/NVPTX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

namespace {

class Resolver {
public:
  explicit Resolver(Module &M) : M(M) {}

  SmallVector<CallBase *, 4> run() {
    SmallVector<CallBase *, 4> Calls = requestCalls();
    while (any_of(Calls, [&](CallBase *CB) { return expose(*CB); }))
      Calls = requestCalls();
    return Calls;
  }

private:
  SmallVector<CallBase *, 4> requestCalls();
  void clean(Function &F);
  bool expose(CallBase &CB);
  bool exposeOrigin(Value &V, Function &Holder);
  bool inlineCallsThatSee(AllocaInst &Variable);
  bool mayBeMarker(Value &V, SmallPtrSetImpl<Value *> &Seen);
  bool inlineCall(CallBase &CB);
  bool inlineIntoCallers(Function &F);

  Module &M;
  Cleaner TheCleaner;
  SmallPtrSet<Function *, 8> Cleaned;
};

} // namespace

static SmallVector<CallBase *, 4> requestCallsIn(Function &F) {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      if (Function *Callee = calledFunction(*CB))
        if (meaningOf(*Callee) != CallMeaning::None)
          Calls.push_back(CB);
  return Calls;
}

/// In module order; the functions that hold them are clean.
SmallVector<CallBase *, 4> Resolver::requestCalls() {
  SmallPtrSet<Function *, 8> Holders;
  for (Function &F : M)
    if (meaningOf(F) != CallMeaning::None)
      for (User *U : F.users())
        if (auto *CB = dyn_cast<CallBase>(U))
          Holders.insert(CB->getFunction());
  SmallVector<CallBase *, 4> Calls;
  for (Function &F : M)
    if (Holders.contains(&F)) {
      clean(F);
      append_range(Calls, requestCallsIn(F));
    }
  return Calls;
}

/// Once for each function, until it changes.
void Resolver::clean(Function &F) {
  if (Cleaned.insert(&F).second)
    TheCleaner.clean(F);
}

/// Makes one step towards knowing the function and the markers of \p CB.
/// False if there is none to make; \p CB may be gone otherwise.
bool Resolver::expose(CallBase &CB) {
  if (CB.arg_empty())
    return false;
  Function &Holder = *CB.getFunction();
  if (exposeOrigin(*CB.getArgOperand(0), Holder))
    return true;
  if (nvptx::isKernel(Holder))
    return false;
  for (Value *Operand : drop_begin(CB.args())) {
    SmallPtrSet<Value *, 8> Seen;
    if (isa<Argument>(Operand) && mayBeMarker(*Operand, Seen))
      return inlineIntoCallers(Holder);
  }
  return false;
}

/// Makes one step towards knowing the constant that \p V is.
bool Resolver::exposeOrigin(Value &V, Function &Holder) {
  bool NeedsCallers = false;
  SetVector<Value *> Worklist;
  Worklist.insert(&V);
  for (unsigned I = 0; I != Worklist.size(); ++I) {
    Value *Origin = Worklist[I];
    if (isa<Argument>(Origin)) {
      NeedsCallers = true;
    } else if (auto *Call = dyn_cast<CallBase>(Origin)) {
      if (inlineCall(*Call))
        return true;
    } else if (auto *Variable = dyn_cast<AllocaInst>(Origin)) {
      if (inlineCallsThatSee(*Variable))
        return true;
    } else if (auto *Load = dyn_cast<LoadInst>(Origin)) {
      Worklist.insert(getUnderlyingObject(Load->getPointerOperand()));
    } else if (auto *Select = dyn_cast<SelectInst>(Origin)) {
      Worklist.insert(Select->getTrueValue());
      Worklist.insert(Select->getFalseValue());
    } else if (isa<PHINode, CastInst, FreezeInst, ExtractValueInst,
                   InsertValueInst>(Origin)) {
      auto *Move = cast<Instruction>(Origin);
      Worklist.insert(Move->op_begin(), Move->op_end());
    }
  }
  return NeedsCallers && inlineIntoCallers(Holder);
}

/// Inlines one call that gets the address of \p Variable: a constructor or a
/// member function of an object that carries the function.
bool Resolver::inlineCallsThatSee(AllocaInst &Variable) {
  SetVector<Value *> Addresses;
  Addresses.insert(&Variable);
  for (unsigned I = 0; I != Addresses.size(); ++I)
    for (User *U : Addresses[I]->users()) {
      if (isa<GetElementPtrInst, CastInst>(U))
        Addresses.insert(U);
      else if (auto *Call = dyn_cast<CallBase>(U))
        if (inlineCall(*Call))
          return true;
    }
  return false;
}

/// True if \p V is a marker, or a parameter that is one for some caller.
bool Resolver::mayBeMarker(Value &V, SmallPtrSetImpl<Value *> &Seen) {
  if (!Seen.insert(&V).second)
    return false;
  if (asMarker(V))
    return true;
  auto *Parameter = dyn_cast<Argument>(&V);
  if (!Parameter)
    return false;
  for (User *U : Parameter->getParent()->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledFunction() != Parameter->getParent())
      continue;
    clean(*Call->getFunction());
    if (mayBeMarker(*Call->getArgOperand(Parameter->getArgNo()), Seen))
      return true;
  }
  return false;
}

/// Inlining such a function would never end.
static bool isRecursive(Function &F) {
  SetVector<Function *> Reached;
  Reached.insert(&F);
  for (unsigned K = 0; K != Reached.size(); ++K)
    for (Instruction &I : instructions(Reached[K]))
      if (auto *CB = dyn_cast<CallBase>(&I))
        if (Function *Callee = CB->getCalledFunction()) {
          if (Callee == &F)
            return true;
          Reached.insert(Callee);
        }
  return false;
}

bool Resolver::inlineCall(CallBase &CB) {
  Function *Callee = CB.getCalledFunction();
  Function *Caller = CB.getFunction();
  if (!Callee || Callee->isDeclaration() || isRecursive(*Callee))
    return false;
  InlineFunctionInfo Info;
  if (!InlineFunction(CB, Info).isSuccess())
    return false;
  Cleaned.erase(Caller);
  clean(*Caller);
  return true;
}

/// False if nobody calls \p F by its name.
bool Resolver::inlineIntoCallers(Function &F) {
  SmallVector<WeakVH, 8> Calls; // Cleaning may erase a call.
  for (User *U : F.users())
    if (auto *CB = dyn_cast<CallBase>(U))
      if (CB->getCalledFunction() == &F)
        Calls.push_back(CB);
  bool Changed = false;
  for (WeakVH &Call : Calls)
    if (Call)
      Changed |= inlineCall(*cast<CallBase>(Call));
  F.removeDeadConstantUsers();
  if (Changed && F.use_empty()) {
    Cleaned.erase(&F);
    TheCleaner.forget(F);
    F.eraseFromParent();
  }
  return Changed;
}

SmallVector<CallBase *, 4> kdiff::resolveRequestCalls(Module &M) {
  if (none_of(M, [](const Function &F) {
        return meaningOf(F) != CallMeaning::None;
      }))
    return {};
  return Resolver(M).run();
}
