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
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/IR/IRBuilder.h"

namespace kdiff {

class PrimalValues {
public:
  /// Creates the slots and the forward sweep's stores into them.
  PrimalValues(Subject &S, const Plan &P);

  /// The value of \p V in the iteration that is being reversed. \p B builds
  /// code of the reverse of one primal block, in order.
  llvm::Value *get(llvm::IRBuilderBase &B, llvm::Value *V);
  /// 1 / the divisor of the quotient \p I, for which the plan takes it.
  llvm::Value *reciprocal(llvm::IRBuilderBase &B, llvm::Instruction &I);
  /// Forgets what was recomputed for the last block. From now on code is for
  /// the reverse of \p Primal (null: for no block).
  void enterBlock(llvm::BasicBlock *Primal) {
    Repeated.clear();
    Here = Primal;
  }

  /// Where the reverse sweep enters the loop \p Header: computes what is the
  /// same in all of its iterations.
  void enterLoop(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);

  /// Calls \p Fn, which builds code that may not be run, or several times: what
  /// it computes is forgotten behind it.
  void apart(llvm::function_ref<void()> Fn) {
    auto Before = Repeated;
    Fn();
    Repeated = std::move(Before);
  }

  /// The alloca that holds the reverse sweep's copy of a loop's counter.
  llvm::AllocaInst *counter(llvm::BasicBlock *Header) const;

  /// Pushes (at \p B, in the forward sweep) or pops (in the reverse sweep)
  /// the record of the loop \p Header, or of the function where it is null.
  /// Nothing where the plan has no such record.
  void push(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);
  void pop(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);

  /// For a replayed loop, at iteration \p At of the segment. The state of an
  /// iteration is what its header phis hold.
  /// Computes what is kept of the iteration beside its state.
  void repeatKept(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);
  /// Keeps the state of the iteration; makes it the primal values again.
  void writeSegment(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                    llvm::Value *At);
  void readSegment(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                   llvm::Value *At);
  /// From the state of an iteration to that of the next one.
  void advance(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
               llvm::BasicBlock *Latch);

  /// For a replayed loop with snapshots: keeps the state of the iteration that
  /// runs in snapshot \p At; makes that the state.
  void keepState(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                 llvm::Value *At, bool IsForward);
  void restoreState(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                    llvm::Value *At);
  /// The same in two steps, of which the first may come long before: memory
  /// takes its time.
  void fetchState(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                  llvm::Value *At);
  void takeFetched(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);

  /// For a loop whose iterations share records. In the forward sweep: adds what
  /// iteration \p Count keeps to the word; pushes the word. In the reverse
  /// sweep: pops the word; takes from it what the iteration kept.
  void addToWord(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                 llvm::Value *Count);
  void pushWord(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);
  void popWord(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);
  void readWord(llvm::IRBuilderBase &B, llvm::BasicBlock *Header);
  /// True if iteration \p Count is the last that its word has room for.
  llvm::Value *fillsWord(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                         llvm::Value *Count);

  /// Where the work of another block begins: what is kept of this one is not
  /// carried over.
  void forget(llvm::IRBuilderBase &B) const;

  /// The tape's state, or null if the plan needs no tape.
  llvm::Value *tapeState() const { return State; }

private:
  /// A primal value, or (true) its reciprocal.
  using Recomputed = llvm::PointerIntPair<llvm::Value *, 1, bool>;

  llvm::AllocaInst *makeSlot(llvm::Type *T, const llvm::Twine &Name);
  void keep(llvm::Value *V);
  llvm::Value *placeInWord(llvm::IRBuilderBase &B, const Record &R,
                           llvm::Value *Count);
  llvm::Value *localIndex(llvm::IRBuilderBase &B, const Record &R,
                          bool IsForward);
  void write(llvm::IRBuilderBase &B, const Record &R, llvm::Value *At,
             bool IsForward);
  using SlotMap = llvm::MapVector<llvm::Value *, llvm::AllocaInst *>;
  void read(llvm::IRBuilderBase &B, const Record &R, llvm::Value *At,
            const SlotMap &Into);
  llvm::AllocaInst *invariant(llvm::Value *V) const;
  void keepSide(llvm::IRBuilderBase &B, llvm::BasicBlock *Fork,
                llvm::BasicBlock *Last, size_t First);
  llvm::Value *repeatJoin(llvm::IRBuilderBase &B, llvm::PHINode &Asked);
  template <typename DoFn>
  void forEachField(llvm::IRBuilderBase &B, const Record &R, llvm::Value *At,
                    bool IsForward, DoFn Do);
  llvm::Value *repeat(llvm::IRBuilderBase &B, llvm::Instruction &I);
  llvm::SmallVector<llvm::Value *, 8> segmentOf(llvm::BasicBlock *Header) const;
  llvm::Value *kept(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Value *At);

  Subject &S;
  const Plan &P;
  llvm::Value *State = nullptr;
  SlotMap Slots;
  /// Of replayed phis: what was fetched of the state that is taken next.
  SlotMap Fetched;
  /// The words that iterations share.
  llvm::DenseMap<llvm::BasicBlock *, llvm::AllocaInst *> Words;
  /// The arrays of local records.
  llvm::DenseMap<const Record *, llvm::AllocaInst *> Locals;
  /// Of a replayed phi, or what is kept beside it: what it was in each
  /// iteration of the segment.
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> Segments;
  llvm::DenseMap<llvm::BasicBlock *, llvm::AllocaInst *> Counters;
  llvm::DenseMap<const llvm::Value *, llvm::BasicBlock *> LoopOfCounter;
  llvm::MapVector<Recomputed, llvm::Value *> Repeated;
  /// By the last block of a side of a branch: what the reverse of the join, the
  /// only one that leads to that of the side, computed of it to run it again.
  llvm::DenseMap<std::pair<llvm::BasicBlock *, Recomputed>, llvm::AllocaInst *>
      Sides;
  llvm::BasicBlock *Here = nullptr;
  /// The loop is run again, as it ran: quotients are divided.
  bool RunsAgain = false;
  /// By loop header: what is the same in all iterations.
  llvm::DenseMap<std::pair<llvm::BasicBlock *, llvm::Value *>,
                 llvm::AllocaInst *>
      Invariants;
};

} // namespace kdiff
#endif // KDIFF_EMIT_PRIMALVALUES_H
