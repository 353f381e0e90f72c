//===- Once.h - Is a place touched more than once? -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: may two accesses, or one access at two times or
// of two threads, touch the same place of memory?
//
// Within a thread scalar evolution and alias analysis tell. Between threads the
// primal itself does: it is free of data races, so where it stores without an
// atomic, no other thread touches the place in the same barrier interval, and
// an access at the same function of the thread is as much its own (a *store
// witness*).
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_ONCE_H
#define KDIFF_PLAN_ONCE_H

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AAResults;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PostDominatorTree;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
class StoreInst;
class Value;
} // namespace llvm

namespace kdiff {

struct Subject;

/// An access of an instruction: which address, how many bytes.
struct Access {
  llvm::Instruction *I = nullptr;
  llvm::MemoryLocation At;
};

/// True if a thread may wait at \p I for what another has done. (Relaxed
/// atomics order nothing but themselves.)
bool ordersThreads(const llvm::Instruction &I);

class Once {
public:
  Once(const Subject &S, llvm::FunctionAnalysisManager &FAM);

  /// True if \p Second, when a thread comes to it behind \p First (or, where
  /// both are the same, again), touches no place that \p First touched.
  bool isFreshAfter(const Access &First, const Access &Second);
  /// The same if the thread comes to \p Second at any time.
  bool areApart(const Access &First, const Access &Second);

  /// True if another thread may come to \p Second when it knows, by a barrier
  /// or fence, that a thread is behind \p First.
  bool isOrderedAcrossThreads(const llvm::Instruction &First,
                              const llvm::Instruction &Second) const;

  /// True if no two threads touch the same place by any of \p Accesses (of one
  /// object), for a store witness that each thread comes to as often as to
  /// them. False, too, where no witness is found.
  bool isThreadsOwn(llvm::ArrayRef<Access> Accesses);

private:
  /// Base + Modulus * Index + Offset.
  struct Affine {
    const llvm::SCEV *Base = nullptr;
    const llvm::SCEV *Scaled = nullptr; ///< Modulus * Index.
    uint64_t Modulus = 0;
    int64_t Offset = 0;
  };
  std::optional<Affine> affine(const llvm::Value *Pointer);
  bool areApartInLoop(const llvm::Loop &L, const Access &X, const Access &Y);
  static bool areApartAt(const Affine &X, const Access &OfX, const Affine &Y,
                         const Access &OfY, bool IsOne);
  bool moves(const llvm::SCEV *Step, const llvm::Loop &L);
  bool neverRepeats(const llvm::SCEVAddRecExpr &Rec);
  bool isWitness(const llvm::StoreInst &Store, llvm::ArrayRef<Access> Accesses);

  const Subject &S;
  llvm::Function &F;
  llvm::AAResults &AA;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  /// Where the threads of a block wait for each other; where less is known
  /// about who waits for whom.
  llvm::SmallVector<const llvm::Instruction *, 4> Barriers, OtherSync;
};

} // namespace kdiff
#endif // KDIFF_PLAN_ONCE_H
