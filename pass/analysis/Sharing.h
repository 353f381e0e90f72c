//===- Sharing.h - Whose is a word of shared memory ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which loads read a word of shared memory that no
// other thread touches between the barrier in front of it and the one behind?
//
// The primal is free of data races, and the reverse sweep passes the same
// barriers. So there are three proofs.
//
//  - The store witness: the thread itself stores to the same address beside the
//    load. Any access by another thread would be a race.
//  - The injective index: threads that differ in threadIdx.x read different
//    words here, and every other load that may happen between the same two
//    barriers has a store witness. (A store by another thread would be a race.)
//  - Only the thread with one threadIdx.x comes there, and every other load that
//    may happen between the same two barriers has a store witness.
// The latter two hold for blocks that extend in x alone, which is tested at run
// time.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_SHARING_H
#define KDIFF_ANALYSIS_SHARING_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <set>

namespace llvm {
class DataLayout;
class Function;
class GlobalVariable;
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace kdiff {

/// __syncthreads() and its forms with a reduction: all threads of the block
/// must pass the same one together (CUDA programming guide, "Synchronization
/// Functions"), which is not so for the barriers of PTX in general.
bool isBlockBarrier(const llvm::Instruction &I);

/// By how many bytes \p Pointer grows with threadIdx.x, as a sum of multiples
/// of it and of what \p IsUniform says does not depend on it, to a \p Root;
/// nothing where it is no such sum. Integers may wrap around.
std::optional<int64_t>
strideInX(const llvm::Value *Pointer, const llvm::DataLayout &DL,
          llvm::function_ref<bool(const llvm::Value *)> IsUniform,
          const llvm::Value *&Root);

enum class Owner {
  Unknown,
  Thread,  ///< No other thread touches the word.
  ThreadX, ///< The same in blocks whose threads differ in threadIdx.x alone.
};

class Sharing {
public:
  /// \p IsUniform tells what is the same for all threads of a block.
  Sharing(const llvm::Function &F,
          llvm::function_ref<bool(const llvm::Value *)> IsUniform);

  Owner ownerOf(const llvm::LoadInst &Load) const;

private:
  /// The barriers (null: the entry) from which an instruction can be reached
  /// without passing another.
  using Since = std::set<const llvm::Instruction *>;
  struct Read {
    const llvm::LoadInst *Load;
    const llvm::GlobalVariable *Array;
    Since Barriers;
    bool Witnessed, Injective, Alone;
  };

  bool mayShare(const Read &Mine) const;
  const Read *find(const llvm::LoadInst &Load) const;

  llvm::SmallVector<Read, 8> Reads;
  bool Opaque = false; ///< Something may access shared memory unseen.
};

} // namespace kdiff
#endif // KDIFF_ANALYSIS_SHARING_H
