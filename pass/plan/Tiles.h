//===- Tiles.h - What shared memory holds in the reverse sweep -*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: when the reverse sweep comes back to a load of
// shared memory, does the word hold the same value, or which stores have to be
// made again so that it does?
//
// A loop that fills a tile, waits, and reads it has overwritten all tiles but
// the last. The reverse of an iteration fills its tile again, from what the
// stored values were computed from, and then reads it as the primal did.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_TILES_H
#define KDIFF_PLAN_TILES_H

#include "plan/Needs.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <functional>
#include <memory>
#include <optional>

namespace llvm {
class DominatorTree;
class LoadInst;
class Loop;
class LoopInfo;
class StoreInst;
} // namespace llvm

namespace kdiff {

struct Plan;
/// A store that is made again.
struct FillStore {
  llvm::StoreInst *Store = nullptr;
  /// Conditions, and what they have to be, for it to be made; outermost first.
  llvm::SmallVector<std::pair<llvm::Value *, bool>, 1> Guards;
  /// The header of the loop, within L, that makes it; null: it is made once.
  llvm::BasicBlock *Header = nullptr;
  /// Behind the store: that loop goes on if this is GoesIf.
  llvm::Value *Goes = nullptr;
  bool GoesIf = true;
};

/// How a load of shared memory is repeated in the reverse sweep.
struct Tile {
  /// In the reverse of each iteration of L that came to the end of block End,
  /// the stores are made again before that block is reversed. Null: the word
  /// holds its value as it is.
  const llvm::Loop *L = nullptr;
  llvm::BasicBlock *End = nullptr;
  llvm::SmallVector<FillStore, 2> Stores;
  /// The stores put the very words of the forward sweep: no floating-point
  /// arithmetic is repeated for them.
  bool IsExact = true;
  /// All threads of the block wait for each other before the first store,
  /// behind the last one. Else a mirrored barrier of the loop does that.
  bool WaitBefore = false, WaitBehind = false;

  /// What the stores are computed from, and whether that must be exact.
  llvm::SmallVector<std::pair<llvm::Value *, bool>, 8> inputs() const;
};

/// Stores to shared memory that are made again before the reverse of a block,
/// so that the reverse of the iteration reads what the iteration read
/// (Tiles.h).
struct Refill {
  const llvm::Loop *L = nullptr;          ///< Whose tiles they fill.
  llvm::SmallVector<FillStore, 2> Stores; ///< In their order.
  /// All threads of the block wait for each other before and behind them.
  bool WaitBefore = false, WaitBehind = false;
};

/// The proof. All accesses to the array are known, and only barriers of the
/// whole block order threads. The primal is free of data races, so a store by
/// any thread that may touch a loaded word is a barrier apart from the load, or
/// of the loading thread. All threads pass the same barriers, so a store that
/// cannot be reached from the load comes before it.
///
/// If that is every store, the word is never overwritten. Else let all stores
/// that can be reached from the load be in a loop that all threads run together
/// (a barrier in each iteration shows that), and behind the load only by its
/// back edge. If they are made in every iteration, or under conditions that
/// never change, to addresses that never change, or are those of a loop that is
/// always the same, they touch the same words in every iteration. A loaded word
/// is one of these, which was stored in the load's own iteration, or is none of
/// them and never changes. So the right words are there once the iteration's
/// stores have been made again.
class Tiles {
public:
  /// \p Needs is what the reverse sweep reads; \p IsFree tells what it can
  /// compute exactly at any time, without the tape and tiles.
  Tiles(const Subject &S, const Activity &A, const Shadows &Sh,
        llvm::ArrayRef<Need> Needs, std::function<bool(llvm::Value *)> IsFree,
        llvm::FunctionAnalysisManager &FAM);

  /// Null where nothing is proven.
  const Tile *of(const llvm::LoadInst &Load);

private:
  struct Array {
    llvm::SmallVector<llvm::LoadInst *, 8> Loads;
    llvm::SmallVector<llvm::StoreInst *, 4> Stores;
  };

  void collect(llvm::GlobalVariable &G);
  bool isSettled(const llvm::LoadInst &Load, const Array &A) const;
  const llvm::Loop *fillingLoop(const llvm::LoadInst &Load,
                                const Array &A) const;
  bool isRunTogether(const llvm::Loop &L) const;
  llvm::SmallVector<llvm::StoreInst *, 2>
  fillOf(const llvm::LoadInst &Load, const llvm::Loop &L, const Array &A) const;
  llvm::BasicBlock *endOfUse(const llvm::LoadInst &Load, const llvm::Loop &L,
                             llvm::ArrayRef<llvm::StoreInst *> Fill) const;
  std::optional<FillStore> fill(llvm::StoreInst &Store, const llvm::Loop &L,
                                llvm::BasicBlock &End) const;
  const llvm::Value *counterOf(const FillStore &Fill) const;
  bool findLoop(FillStore &Fill, const llvm::Loop &L) const;
  bool findGuards(FillStore &Fill, const llvm::Loop &L,
                  llvm::BasicBlock &End) const;
  bool isComputable(const FillStore &Fill, const llvm::Loop &L,
                    bool &IsExact) const;
  bool isSameForever(const llvm::Value *V, const llvm::Loop &Outermost,
                     const llvm::Value *But = nullptr) const;
  bool isUsedBehind(const llvm::LoadInst &Load, const llvm::Instruction &Point,
                    const llvm::Loop &L) const;
  bool waitsBefore(const llvm::Loop &L, const Array &A) const;
  bool waitsBehind(const llvm::Loop &L, const llvm::BasicBlock &End,
                   const Array &A) const;
  bool mayReach(const llvm::Instruction &From,
                const llvm::Instruction &To) const;
  std::optional<Tile> find(const llvm::LoadInst &Load) const;

  const Subject &S;
  const Shadows &Sh;
  llvm::Function &F;
  std::function<bool(llvm::Value *)> IsFree;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  /// The arrays all of whose accesses are known.
  llvm::MapVector<const llvm::Value *, Array> Arrays;
  llvm::SmallVector<const llvm::Instruction *, 4> Barriers, OtherSync;
  llvm::SmallVector<const llvm::Instruction *, 4> Mirrored; ///< Of Barriers.
  /// Whose reverse reads a value.
  llvm::DenseMap<const llvm::Value *,
                 llvm::SmallVector<const llvm::Instruction *, 1>>
      Readers;
  llvm::DenseMap<const llvm::LoadInst *, std::unique_ptr<Tile>> Known;
};

/// Collects in \p P what fills the tiles that its plan reads again; \p TileOf
/// tells which tile a load reads. Reports it as remarks.
void fillTiles(Plan &P,
               llvm::function_ref<const Tile *(const llvm::Value *)> TileOf);

} // namespace kdiff
#endif // KDIFF_PLAN_TILES_H
