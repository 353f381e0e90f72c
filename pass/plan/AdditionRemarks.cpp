//===- AdditionRemarks.cpp - How additions are shown ----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do people and tests see of how adjoint
// additions are made?
//
//===----------------------------------------------------------------------===//

#include "plan/Additions.h"
#include "support/Diagnostics.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff {

static void report(const Instruction &Read, const Addition &How,
                   bool BlockMeets) {
  StringRef Where;
  if (How.At == AddAt::Loop)
    Where = ", once behind the loop";
  else if (How.At == AddAt::End)
    Where = ", once at the end";
  else if (How.At == AddAt::Grid)
    Where = ", once for all blocks that a block does the work of";
  else if (How.At == AddAt::Group && How.Kind == Accumulation::Contended)
    Where = ", with neighbouring words at once";
  switch (How.Kind) {
  case Accumulation::Exclusive:
    return remark("Exclusive", Read,
                  "added without an atomic: no other thread touches the word "
                  "between two barriers, since this one stores to it");
  case Accumulation::ExclusiveInX:
    return remark("Exclusive", Read,
                  "added without an atomic in blocks that extend in x alone, "
                  "where no other thread reads the word");
  case Accumulation::BlockUniform:
    return remark("BlockSum", Read,
                  "summed over the block" +
                      Twine(How.At == AddAt::End ? " at the end" : "") +
                      ", then one atomic addition" +
                      (How.At == AddAt::Grid ? Where : "") +
                      ": all its threads read the same word");
  case Accumulation::Columns:
    return remark(
        "ColumnSum", Read,
        "summed over the warps of the block, then one atomic addition" +
            Twine(Where) +
            ": the word does not depend on the block, and warps may "
            "share it");
  case Accumulation::WarpUniform:
    return remark("WarpSum", Read,
                  "summed over the warp, then one atomic addition" +
                      Twine(Where) + ": its lanes read the same word" +
                      (How.At == AddAt::End
                           ? BlockMeets ? "; the whole block may not"
                                        : "; not all threads of the block "
                                          "may come to the end together"
                           : ""));
  case Accumulation::RowUniform:
  case Accumulation::Rows:
    return remark(
        "RowSum", Read,
        "summed over a row of the block, as far as it is in one warp, "
        "then one atomic addition" +
            Twine(Where) + ": its threads read the same word" +
            (How.Kind == Accumulation::Rows ? ", as is proven" : ""));
  case Accumulation::AcrossRows:
    return remark(
        "AcrossRows", Read,
        "summed over the rows of the block that are in one warp, then "
        "one atomic addition" +
            Twine(Where) +
            ": threads with the same threadIdx.x read the same word");
  case Accumulation::BlockRows:
    return remark("BlockRows", Read,
                  "summed over all rows of the block, then one atomic "
                  "addition: threads with the same threadIdx.x read the same "
                  "word, and all threads of the block come here together");
  case Accumulation::Neighbours:
    return remark("NeighbourSum", Read,
                  "summed over neighbouring lanes, then one atomic addition, "
                  "once at the end: they likely read the same word");
  case Accumulation::Stencil:
    return remark("Stencil", Read,
                  How.Leader == &Read
                      ? "gathered: added with what other threads read the word "
                        "for, which the thread computes as well; one atomic "
                        "addition"
                      : "gathered: likely the word of another thread, or the "
                        "thread's own, which adds it with all else; else an "
                        "atomic addition");
  case Accumulation::Overwrite:
    return remark("Fresh", Read,
                  "stored to the shadow: nobody else adds to the word");
  case Accumulation::Contended:
    return remark("Atomic", Read,
                  "atomic addition" + Twine(Where) +
                      ": other threads may read the word");
  case Accumulation::Private:
    return remark("Private", Read,
                  "added without an atomic: the memory is the thread's own");
  }
}

void Additions::report(bool BlockMeets) const {
  for (auto &[I, How] : Of)
    ::kdiff::report(*I, How, BlockMeets);
}

/// Of the threads whose own word it is, as a distance in the launch.
static void print(const ThreadsAway &Away, raw_ostream &OS) {
  StringRef Between = " (";
  for (auto &Multiples : Away) {
    OS << Between;
    Between = ", ";
    if (Multiples.empty())
      OS << '0';
    StringRef Plus;
    for (const Multiple &Each : Multiples) {
      OS << Plus << Each.Factor;
      Plus = " + ";
      for (const Value *V : Each.Of) {
        OS << " * ";
        V->printAsOperand(OS, false);
      }
    }
  }
  OS << ')';
}

void Additions::print(raw_ostream &OS) const {
  static constexpr StringLiteral Kinds[] = {
      "private",      "exclusive", "exclusive-in-x", "block-uniform",
      "warp-uniform", "contended", "overwriting",    "row-uniform",
      "across-rows",  "column",    "block-rows",     "neighbours'",
      "row",          "stencil"};
  if (Persistent)
    OS << "  persistent: sums are kept over many blocks\n";
  for (auto &[I, How] : Of) {
    OS << "  " << Kinds[unsigned(How.Kind)] << " addition";
    if (How.At == AddAt::Loop) {
      OS << " behind loop ";
      How.Header->printAsOperand(OS, false);
    } else if (How.At == AddAt::End) {
      OS << " at the end";
    } else if (How.At == AddAt::Grid) {
      OS << " behind all blocks";
    } else if ((How.At == AddAt::Group || How.At == AddAt::Gathered) &&
               How.Leader != I) {
      OS << " with ";
      How.Leader->printAsOperand(OS, false);
    }
    if (How.Kind == Accumulation::Stencil) {
      OS << " for";
      ::kdiff::print(How.Owner, OS);
      OS << " as of ";
      How.Leader->printAsOperand(OS, false);
    }
    OS << ":" << *I << "\n";
  }
}

} // namespace kdiff
