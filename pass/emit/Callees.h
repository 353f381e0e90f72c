//===- Callees.h - Derivatives of functions that stay calls ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which functions stand for the derivative of a
// call that stays a call (recursion), and which of them are still to be made?
//
// In reverse mode there are two. The augmented function does what the primal
// does and leaves what its reverse needs on the tape; the reverse function
// takes it off again, so that it needs no argument but the adjoint of the
// result. Both work on the caller's tape, which is a stack.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_CALLEES_H
#define KDIFF_EMIT_CALLEES_H

#include "shadow/Shadows.h"
#include <deque>

namespace llvm {
class CallInst;
}

namespace kdiff {

struct Callee {
  Request R; ///< Without a call: the function, mode and activities.
  /// Reverse mode: (value and shadows of each argument, tape) -> result.
  llvm::Function *Augmented = nullptr;
  /// Reverse mode: (adjoints of the result, packed, if that is a number, tape)
  /// -> adjointsType().
  llvm::Function *Reverse = nullptr;
  /// Forward mode: (value and shadows or tangents of each argument) ->
  /// {result, packed tangents}; void if the primal returns nothing.
  llvm::Function *Tangent = nullptr;
};

class Callees {
public:
  /// The derivative of what \p CB calls; declared on the first use.
  const Callee &of(llvm::CallBase &CB, const Activity &A, Mode M,
                   unsigned Width);

  /// The next one that has no bodies yet; null when all have.
  const Callee *nextPending();

  /// Takes every declared function out of the module again, after a failure.
  void erase();

private:
  std::deque<Callee> All; ///< Stable addresses.
  size_t Done = 0;
};

/// The arguments of the augmented or tangent function of \p C for the call
/// \p CB: each value, followed by its shadows (\p ShadowsOf a pointer or, in
/// forward mode, the tangents of a number).
llvm::SmallVector<llvm::Value *, 8>
calleeArguments(const Callee &C, llvm::CallBase &CB,
                llvm::function_ref<LaneValues(llvm::Value *)> ShadowsOf);

/// Gives \p C its augmented and reverse function: \p Whole, emitted for a
/// callee, cut before its block \p Cut (the first of the reverse sweep).
/// \p Whole is erased.
void cutInTwo(const Callee &C, Subject &Whole, llvm::BasicBlock *Cut);

/// Gives \p C the functions that the user has registered for its primal and
/// mode, wrapped to what Callee says. False if there are none.
bool adoptRule(const Callee &C);

/// The half of the emitted \p Whole, of split mode, that is wanted: the
/// augmented primal or the reverse sweep, which begins with \p Cut.
/// For TapeBytes it is the augmented primal, which returns an i64, yet to be
/// made to count (TapeBytes.h). \p Whole is erased.
llvm::Function *takeHalf(Subject &Whole, llvm::BasicBlock *Cut);

/// Gives \p C its tangent function: the emitted \p Whole, which is erased.
void adoptTangent(const Callee &C, Subject &Whole);

} // namespace kdiff
#endif // KDIFF_EMIT_CALLEES_H
