//===- ReverseTiles.cpp - Tiles that are filled again ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does the reverse sweep put into shared
// memory what the primal had there?
//
//===----------------------------------------------------------------------===//

#include "emit/Reverse.h"
#include "target/Sync.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static BasicBlock *makeBlock(const Twine &Name, ReverseContext &C) {
  return BasicBlock::Create(C.B.getContext(), Name, C.S.P.F);
}

/// The store with the operands of the iteration that is reversed; yet to be put
/// somewhere.
static Instruction *again(StoreInst &Store, ReverseContext &C) {
  C.B.SetCurrentDebugLocation(Store.getDebugLoc());
  Instruction *Again = Store.clone();
  for (Use &Operand : Again->operands())
    Operand.set(C.primal(Operand.get()));
  Again->setDebugLoc(Store.getDebugLoc());
  return Again;
}

static bool isMadeOnce(const FillStore &Fill) {
  return !Fill.Header && Fill.Guards.empty();
}

static bool areTogether(const FillStore &X, const FillStore &Y) {
  return X.Header == Y.Header && X.Guards == Y.Guards;
}

/// Runs the loop of \p Fills from its first iteration to its last.
static void fillInLoop(ArrayRef<FillStore> Fills, ReverseContext &C) {
  AllocaInst *Slot = C.Values.counter(Fills.front().Header);
  Type *T = Slot->getAllocatedType();
  C.B.CreateStore(ConstantInt::get(T, 0), Slot);
  BasicBlock *Body = makeBlock("fill", C);
  BasicBlock *After = makeBlock("filled", C);
  C.B.CreateBr(Body);
  C.B.SetInsertPoint(Body);
  C.Values.apart([&] {
    for (const FillStore &Fill : Fills)
      C.B.Insert(again(*Fill.Store, C));
    Value *Goes = C.primal(Fills.front().Goes);
    Value *Next =
        C.B.CreateNUWAdd(C.B.CreateLoad(T, Slot), ConstantInt::get(T, 1));
    C.B.CreateStore(Next, Slot);
    bool If = Fills.front().GoesIf;
    C.B.CreateCondBr(Goes, If ? Body : After, If ? After : Body);
  });
  C.B.SetInsertPoint(After);
}

/// Makes stores that have the same guards and loop.
static void fillWhere(ArrayRef<FillStore> Fills, ReverseContext &C) {
  BasicBlock *After = makeBlock("fill.over", C);
  C.Values.apart([&] {
    for (auto &[Condition, Wanted] : Fills.front().Guards) {
      BasicBlock *Then = makeBlock("fill.if", C);
      Value *Holds = C.primal(Condition);
      C.B.CreateCondBr(Holds, Wanted ? Then : After, Wanted ? After : Then);
      C.B.SetInsertPoint(Then);
    }
    if (Fills.front().Header)
      return fillInLoop(Fills, C);
    for (const FillStore &Fill : Fills)
      C.B.Insert(again(*Fill.Store, C));
  });
  C.B.CreateBr(After);
  C.B.SetInsertPoint(After);
}

void fillTiles(BasicBlock *End, ReverseContext &C) {
  auto It = C.P.Refills.find(End);
  if (It == C.P.Refills.end())
    return;
  const Refill &Filled = It->second;
  // Loads from global memory come first: they take the longest.
  SmallVector<Instruction *, 4> Stores;
  for (const FillStore &Fill : Filled.Stores)
    Stores.push_back(isMadeOnce(Fill) ? again(*Fill.Store, C) : nullptr);
  if (Filled.WaitBefore)
    nvptx::createBlockBarrier(C.B);
  for (unsigned K = 0, N = Stores.size(); K != N;) {
    ArrayRef<FillStore> Rest = ArrayRef(Filled.Stores).drop_front(K);
    if (Stores[K]) {
      C.B.Insert(Stores[K++]);
      continue;
    }
    ArrayRef<FillStore> Together = Rest.take_while(
        [&](const FillStore &Fill) { return areTogether(Fill, Rest.front()); });
    fillWhere(Together, C);
    K += Together.size();
  }
  if (Filled.WaitBehind)
    nvptx::createBlockBarrier(C.B);
}

} // namespace kdiff
