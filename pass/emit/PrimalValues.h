//===- PrimalValues.h - Primal values at hand in the reverse ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does emitted code of the reverse sweep
// read a primal value, as the plan decided?
//
// A value in scope or on the tape has a slot (an alloca that SROA removes):
// the forward sweep stores it at its definition, a record's pop restores it.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_PRIMALVALUES_H
#define KDIFF_EMIT_PRIMALVALUES_H

#include "plan/Plan.h"
#include "llvm/IR/IRBuilder.h"

namespace kdiff {

class PrimalValues {
public:
  /// Creates the slots and the forward sweep's stores into them.
  PrimalValues(Subject &S, const Plan &P);

  /// The value of \p V in the iteration that is being reversed. \p B builds
  /// code of the reverse of one primal block, in order.
  llvm::Value *get(llvm::IRBuilderBase &B, llvm::Value *V);
  /// Forgets what was recomputed for the last block.
  void enterBlock() { Repeated.clear(); }

  /// The alloca that holds the reverse sweep's copy of a loop's counter.
  llvm::AllocaInst *counter(llvm::BasicBlock *Header) const;

  /// Pushes (at \p B, in the forward sweep) or pops (in the reverse sweep)
  /// the record of the loop \p Header, or of the function where it is null.
  /// Nothing where the plan has no such record.
  void push(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);
  void pop(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);
  /// The tape's state, or null if the plan needs no tape.
  llvm::Value *tapeState() const { return State; }

private:
  llvm::AllocaInst *makeSlot(llvm::Type *T, const llvm::Twine &Name);
  void keep(llvm::Value *V);

  Subject &S;
  const Plan &P;
  llvm::Value *State = nullptr;
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> Slots;
  llvm::DenseMap<llvm::BasicBlock *, llvm::AllocaInst *> Counters;
  llvm::DenseMap<const llvm::Value *, llvm::BasicBlock *> LoopOfCounter;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Repeated;
};

} // namespace kdiff
#endif // KDIFF_EMIT_PRIMALVALUES_H
