//===- Meeting.h - All lanes at hand come to a loop ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the lanes that pass a loop by come to it
// all the same, to help those that do not?
//
// The ways from what is before the loop to what is behind it, past the loop or
// into it, all lead through one block, and part again behind the loop:
//
//   before ---> passing by ---> behind      before -> start -> loop -> end
//      |                          ^                                     |
//      +------> loop -------------+                        behind <-----+
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_MEETING_H
#define KDIFF_LOWER_MEETING_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Loop;
class PHINode;
class Type;
} // namespace llvm

namespace kdiff {

class Meeting {
public:
  /// Leads all lanes in front of \p L, in simplified form with one exit and
  /// without a value that is used behind it. Until repair(), values that only
  /// those have that come to the loop themselves are used by all.
  Meeting(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

  /// Where lanes meet, which branches to the loop; where they part.
  llvm::BasicBlock *start() const { return Start; }
  llvm::BasicBlock *end() const { return End; }

  /// At the start: \p Own for lanes that come to the loop themselves (it is
  /// defined where they come from), \p Others for the others.
  llvm::PHINode *choose(llvm::Value *Own, llvm::Value *Others);

  /// Gives values that not all lanes have a name at the start: of lanes without
  /// it, it is poison. \p L's function has changed since; its analyses do not
  /// count.
  void repair();

private:
  using Edge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;

  llvm::SmallVector<Edge, 4> waysPast(llvm::Loop &L,
                                      llvm::FunctionAnalysisManager &FAM) const;
  void leadHere(llvm::BasicBlock *From, llvm::BasicBlock *To);
  void part();
  llvm::BasicBlock *create(const llvm::Twine &Name) const;

  llvm::Function &F;
  llvm::BasicBlock *Start, *End;
  /// Who leads to the start, and where their lanes go behind the end. First
  /// those that come to the loop themselves.
  llvm::SmallVector<Edge, 4> Ways;
};

} // namespace kdiff
#endif // KDIFF_LOWER_MEETING_H
