//===- Gather.h - Sums over threads as products of tiles -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does a thread compute the adjoint of a
// word of shared memory alone, instead of each thread that read it adding its
// part?
//
// A product of tiles, c += a[y][k] * b[k][x] over k, adds to the adjoint of a
// word of a, for each thread of a row, the thread's seed (the adjoint of c)
// times a word of b:
//
//   d a[y][k] = sum over x' of s(y, x') * b[k][x']
//
// That is a product of tiles itself. With the seeds in shared memory, which is
// done once where they do not change in a loop, thread (y, x) makes the sum for
// k = x: the thread's index along the row and k change places. No exchange is
// left, and no atomic.
//
// The proof, for words F(t) + k WordStep and factors G(t) + k FactorStep of
// thread t, k < Count, of a block of code or the iterations of a loop:
// - All threads of the block make the additions together (Together.h).
// - Each word has one use, in a product with its factor, and all products go
//   into one chain of additions, so that their adjoints are the same.
// - F does not depend on t's index along the row (or column); G grows by
//   FactorStride with it, and depends on nothing else that differs there.
// - The factors lie in a tile that the reverse sweep can read (Tiles.h), so no
//   thread stores to it until all have made their sums.
// - Nobody else adds to the array of the words. Of two threads with different
//   other indices F differs so far that their words do: known, or tested at run
//   time (MaxOther).
// Between two barriers nobody stores to the words that a row reads, unless the
// row is one thread: so nobody else touches their adjoints either.
//
// Where the word whose sum a thread makes is the one that it stored to the tile
// itself, in the same iteration, the sum goes on to what was stored, and the
// shadow of the tile is not used.
//
// The test at run time: all threads of the block are there, and it has no
// threadIdx.z. Else the additions are made as Additions say.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_GATHER_H
#define KDIFF_PLAN_GATHER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class LoadInst;
class StoreInst;
} // namespace llvm

namespace kdiff {

struct Plan;
class Shadows;
struct Subject;
struct Tile;

/// A group of additions (by their leader) that may be gathered.
struct Gather {
  /// The threads that share a word differ in threadIdx.y, or in threadIdx.x.
  bool AlongY = false;
  /// By k; all in one block. A single one: k counts iterations of a loop.
  llvm::SmallVector<const llvm::LoadInst *, 16> Words;
  llvm::BasicBlock *Header = nullptr; ///< Of that loop; null: none.
  unsigned Count = 0;                 ///< Of words.
  /// The factor of the first word, and the product: its adjoint is the seed.
  llvm::LoadInst *Factor = nullptr;
  const llvm::Instruction *Product = nullptr;
  int64_t WordStep = 0, FactorStep = 0, FactorStride = 0; ///< In bytes.
  /// The words of different rows (columns) differ in blocks of no more than
  /// that many.
  uint32_t MaxOther = 0;
  /// The factors of a word lie in a row, or those of several words for one
  /// thread do; rows begin a multiple of 16 bytes from that of their array.
  bool IsAligned = false;
  bool IsCommon = false; ///< All rows (columns) have the same factors.
  /// The store of the word that a thread makes the sum of; null: none is known.
  const llvm::StoreInst *Fill = nullptr;
};

/// Decides for the sums over lanes and rows in \p P, whose kinds are decided;
/// \p TileOf tells what lets the reverse sweep read a word of shared memory as
/// the primal did (null: nothing), all accesses to whose array are known then.
/// Reports each as a remark.
void gatherSums(Plan &P, const Subject &S, const Shadows &Sh,
                llvm::function_ref<const Tile *(const llvm::LoadInst &)> TileOf,
                llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_GATHER_H
