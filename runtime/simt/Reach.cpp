//===- Reach.cpp - What a kernel can get to -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which functions and variables does a kernel
// use, directly or through others?
//
//===----------------------------------------------------------------------===//

#include "Reach.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

SetVector<GlobalValue *> kdiff::simt::reachableFrom(GlobalValue &Root) {
  SetVector<GlobalValue *> Reached;
  SmallPtrSet<const Constant *, 16> Seen;
  Reached.insert(&Root);
  SmallVector<Constant *, 16> Expressions;
  auto visit = [&](Value *V) {
    if (auto *G = dyn_cast<GlobalValue>(V))
      Reached.insert(G);
    else if (auto *C = dyn_cast<Constant>(V))
      if (C->getNumOperands() && Seen.insert(C).second)
        Expressions.push_back(C);
  };
  for (unsigned I = 0; I < Reached.size(); ++I) {
    GlobalValue *G = Reached[I];
    for (Use &U : G->operands()) // Initialisers and aliases.
      visit(U);
    if (auto *F = dyn_cast<Function>(G))
      for (Instruction &Inst : instructions(F))
        for (Use &U : Inst.operands())
          visit(U);
    while (!Expressions.empty())
      for (Use &U : Expressions.pop_back_val()->operands())
        visit(U);
  }
  return Reached;
}
