//===- Plan.h - Where the reverse sweep gets primal values from -*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: for every primal value that the reverse sweep
// needs, is it in scope, recomputed, reloaded or taped; what does each record
// of the tape hold; and how is each adjoint addition made?
//
// Only the plan decides; emit reads it.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_PLAN_H
#define KDIFF_PLAN_PLAN_H

#include "plan/Additions.h"
#include "plan/Flow.h"
#include "shadow/Shadows.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace kdiff {

enum class Source {
  Free,      ///< Constant, argument, alloca, loop counter: nothing to do.
  InScope,   ///< Computed once before the reverse sweep: kept in a register.
  Recompute, ///< Its instruction is repeated.
  Reload,    ///< Its load is repeated: nobody overwrites the memory.
  Tape       ///< Pushed by the forward sweep, popped by the reverse sweep.
};

struct Decision {
  Source From = Source::Free;
  bool Exact = false; ///< Some reader needs the forward sweep's very value.
  const llvm::Instruction *NeededBy = nullptr; ///< The first that asked.
  std::string Why;                             ///< Of Tape: why no cheaper.
};

/// One scalar of a record.
struct Field {
  llvm::Value *V = nullptr;
  int Element = -1; ///< Of a vector; -1 for scalars.
  unsigned Offset = 0, Size = 0;
};

/// What is pushed together: at the end of each iteration of a loop, or at the
/// end of the function.
struct Record {
  llvm::SmallVector<Field, 4> Fields;
  unsigned Bytes = 0; ///< A multiple of 8.
};

struct Plan {
  llvm::MapVector<llvm::Value *, Decision> Values;
  /// By loop header; null for the function's own record (split shape).
  llvm::MapVector<llvm::BasicBlock *, Record> Records;

  Additions Adds;
  /// Stores whose shadow is a seed, which is left as it is.
  llvm::SetVector<const llvm::Instruction *> Seeded;
  /// What the forward sweep leaves out.
  llvm::SmallVector<llvm::Instruction *, 8> Unwanted;
  bool NeedsTape = false; ///< Here, or in a function that is called.

  /// Tells the records of different functions and plans apart (split mode);
  /// never 0.
  uint32_t layout(const Subject &S) const;
  Source sourceOf(llvm::Value *V) const;
  void print(llvm::raw_ostream &OS) const;
};


/// Plans the reverse sweep of \p S. Reports what is taped as remarks.
Plan makePlan(const Subject &S, const Activity &A, const Shadows &Sh,
              const Flow &Fl, llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_PLAN_H
