//===- Reverse.h - The reverse sweep ---------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the emitters of the reverse sweep
// share, and which emitter serves which family of instructions?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_REVERSE_H
#define KDIFF_EMIT_REVERSE_H

#include "emit/Adjoints.h"
#include "emit/Callees.h"
#include "emit/PrimalValues.h"
#include "emit/Snapshots.h"
#include "emit/Sums.h"

namespace kdiff {

struct Rule;

/// The state of one reverse sweep under construction.
struct ReverseContext {
  Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Plan &P;
  const Flow &Fl;
  Callees &Calls;
  /// Calls that stay calls, and what takes their place in the forward sweep.
  llvm::SmallVector<std::pair<llvm::CallBase *, llvm::CallInst *>, 2> Replaced;
  Adjoints Adj;
  PrimalValues Values;
  Snapshots Few;
  /// Of products in loops and blocks that have a version without doubts: where
  /// it is kept whether this is the other one.
  llvm::DenseMap<const llvm::Instruction *, llvm::AllocaInst *> Doubts;
  Sums Later;
  llvm::IRBuilder<> B; ///< At the end of the reverse code so far.

  ReverseContext(Subject &S, const Activity &A, const Shadows &Sh,
                 const Plan &P, const Flow &Fl, Callees &Calls)
      : S(S), A(A), Sh(Sh), P(P), Fl(Fl), Calls(Calls), Adj(*S.P.F, A, S.Width),
        Values(S, P), Few(S, P), Later(S, Sh, P), B(S.P.F->getContext()) {}

  /// The primal value \p V, in the iteration that is being reversed.
  llvm::Value *primal(llvm::Value *V) { return Values.get(B, V); }
  /// The shadow address of \p Pointer, in Adj's lane.
  llvm::Value *shadow(llvm::Value *Pointer) {
    return primal(Sh.of(Pointer, Adj.lane()));
  }
};

/// The families. Each adds the reverse of \p I at C.B; C.B may be in another
/// block afterwards. \p I has work (Flow::hasWork).
/// In all lanes, or for all of them:
void reverseInstruction(llvm::Instruction &I, ReverseContext &C);
void reverseRule(llvm::Instruction &I, const Rule &R, ReverseContext &C);
void reverseAccess(llvm::Instruction &I, ReverseContext &C);
/// Tests at C.B whether products need guards.
void askFinite(const FiniteTest &Test, ReverseContext &C);
/// Fills the tiles again for the reverse of what ends with block \p End.
void fillTiles(llvm::BasicBlock *End, ReverseContext &C);
void reverseOutRule(llvm::CallBase &CB, ReverseContext &C);
void reverseCall(llvm::CallBase &CB, ReverseContext &C);
void reverseBarrier(llvm::CallBase &CB, ReverseContext &C);
void reverseClaim(llvm::CallBase &CB, ReverseContext &C);
/// In the lane of C.Adj:
void reverseMove(llvm::Instruction &I, ReverseContext &C);
void reverseMemoryIntrinsic(llvm::CallBase &CB, ReverseContext &C);
void reverseShuffle(llvm::CallBase &CB, ReverseContext &C);
void reverseBlockSum(llvm::CallBase &CB, ReverseContext &C);

/// Calls \p Emit with C.B where \p Shadow is not null. \p Pointer tells if that
/// must be tested at run time. \p Emit may use primal values that C has already
/// produced.
void whereShadowed(llvm::Value *Pointer, llvm::Value *Shadow, ReverseContext &C,
                   llvm::function_ref<void()> Emit);

/// The forward sweep watches for accesses between claims (Plan::Watched).
void watchClaims(ReverseContext &C);

/// Which threads wait for each other in the reverse sweep. A thread that
/// skipped it alone would leave the others waiting.
enum class Waiting { Nobody, Warp, Block };
Waiting waitingInReverse(const ReverseContext &C);

/// Whether all threads of a block come together to where the reverse sweep
/// starts.
bool meetBeforeReverse(const ReverseContext &C);

/// Zeroes the shadows in shared memory: at the start of the reverse sweep, or
/// at that of the function if threads do not meet in between.
void clearSharedShadows(ReverseContext &C);

/// Builds the reverse sweep of \p S behind its primal. Returns the first block
/// of the sweep, which the returning block of the primal branches to.
llvm::BasicBlock *emitReverse(Subject &S, const Activity &A, const Shadows &Sh,
                              const Plan &P, const Flow &Fl, Callees &Calls);

} // namespace kdiff
#endif // KDIFF_EMIT_REVERSE_H
