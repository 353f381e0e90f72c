//===- Sums.h - Adjoint additions that wait --------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where are adjoints kept whose addition to memory
// the plan puts off, and how are they added when the time comes?
//
// Each word has an alloca of the gradient (SROA makes it a register), which is
// neutral until something is added. Loads of one address share it.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_SUMS_H
#define KDIFF_EMIT_SUMS_H

#include "emit/PrimalValues.h"

namespace kdiff {

class Sums {
public:
  /// Creates the variables for what \p P puts off.
  Sums(Subject &S, const Shadows &Sh, const Plan &P);

  /// Reverses the active \p Load, whose adjoint in lane \p Lane is \p Adjoint:
  /// adds it at \p Shadow, or keeps it for later. Lanes come in order.
  void add(llvm::IRBuilderBase &B, llvm::LoadInst &Load, unsigned Lane,
           llvm::Value *Shadow, llvm::Value *Adjoint, PrimalValues &Values);
  /// Notes the adjoints of \p Product (of each lane), where they are the seeds
  /// of sums that are gathered (plan/Gather.h).
  void noteSeeds(llvm::IRBuilderBase &B, const llvm::Instruction &Product,
                 llvm::ArrayRef<llvm::Value *> Adjoints);
  /// What a lane's sum that was handed to a store is, and whether one was; both
  /// are forgotten.
  struct Handed {
    llvm::Value *Sum, *WasMade;
  };
  /// Of the gradient's lane \p Lane; nothing where none is handed to \p Store.
  std::optional<Handed> takeHanded(llvm::IRBuilderBase &B,
                                   const llvm::StoreInst &Store, unsigned Lane);
  /// Adds the adjoint of a kd_acc argument, or keeps it for the end.
  void addScalar(llvm::IRBuilderBase &B, const Formal &Arg, unsigned Lane,
                 llvm::Value *Adjoint);

  /// Makes the additions that wait for the reverse sweep to leave the loop
  /// \p Header at its top.
  void leaveLoop(llvm::IRBuilderBase &B, llvm::BasicBlock *Header,
                 PrimalValues &Values);
  /// Makes those that wait for the end.
  void finish(llvm::IRBuilderBase &B, PrimalValues &Values);
  /// Makes those that wait for the end of all blocks.
  void finishGrid(llvm::IRBuilderBase &B, PrimalValues &Values);
  /// Makes all sums but those over all blocks neutral, at \p B, which every
  /// thread passes before the sweep.
  void clear(llvm::IRBuilderBase &B);
  /// Makes the sums over all blocks neutral.
  void clearGrid(llvm::IRBuilderBase &B);

private:
  struct Sum {
    llvm::Value *Shadow; ///< A value of the forward sweep.
    int64_t Distance;    ///< Of the word from there, in bytes.
    llvm::AllocaInst *Slot;
    Accumulation Kind;
    unsigned Lane;
    unsigned Word;               ///< Its place among neighbours of its lane.
    std::optional<int64_t> Step; ///< Addition::Step.
    llvm::Align Alignment;
  };
  /// By what they wait for: a group's leader, a loop's header, null: the end,
  /// grid().
  using Point = const llvm::Value *;

  Point pointOf(const Addition &How) const;
  /// What sums over all blocks wait for; no other sum waits for the function's
  /// last block.
  Point grid() const { return S.P.ReturnBlock; }
  /// A shadow of the forward sweep, and a distance from it.
  using Word = std::pair<llvm::Value *, int64_t>;
  Word wordOf(const llvm::LoadInst &Load, const Addition &How,
              unsigned Lane) const;
  llvm::AllocaInst *slot(Point At, Word Where, llvm::Type *T);
  llvm::AllocaInst *newSlot(llvm::Type *T, const llvm::Twine &Name);
  void clear(llvm::IRBuilderBase &B, Point At);
  void make(llvm::IRBuilderBase &B, Point At,
            llvm::function_ref<llvm::Value *(llvm::Value *)> Address);
  void makeGroup(llvm::IRBuilderBase &B, llvm::LoadInst &Leader, unsigned Lane,
                 PrimalValues &Values);
  void prepareGathers();
  void addGathered(llvm::IRBuilderBase &B, const llvm::LoadInst &Leader,
                   unsigned Lane, llvm::Value *Shadow, PrimalValues &Values);
  void makeGathered(llvm::IRBuilderBase &B, const llvm::Instruction *Leader,
                    unsigned Lane, llvm::Value *Word, llvm::Value *Factor);
  llvm::Value *atEnd(llvm::IRBuilderBase &B, llvm::Value *V,
                     PrimalValues &Values);
  void addToStencil(llvm::IRBuilderBase &B, const Addition &How, unsigned Lane,
                    llvm::Value *Shadow, llvm::Value *Adjoint);

  Subject &S;
  const Shadows &Sh;
  const Plan &P;
  llvm::MapVector<Point, llvm::SmallVector<Sum, 4>> Waiting;
  /// Where the seed of a lane is noted, and, in loops, the addresses of the
  /// word and the factor of the iteration that was reversed last.
  struct Noted {
    llvm::AllocaInst *Seed, *Word, *Factor;
  };
  /// By leader.
  llvm::MapVector<const llvm::Instruction *, llvm::SmallVector<Noted, 1>>
      Gathered;
  /// By store: where what is handed to it is kept in each lane.
  llvm::MapVector<
      const llvm::Instruction *,
      llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::AllocaInst *>, 1>>
      HandedOn;
  /// The numbers of groups that are gathered, by leader and lane.
  llvm::MapVector<std::pair<const llvm::LoadInst *, unsigned>, unsigned>
      Stencils;
};

} // namespace kdiff
#endif // KDIFF_EMIT_SUMS_H
