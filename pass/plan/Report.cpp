//===- Report.cpp - How a plan is shown -----------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do people and tests see of a plan?
//
//===----------------------------------------------------------------------===//

#include "plan/Plan.h"
#include "support/Diagnostics.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace kdiff {

/// How often a record is kept.
static StringRef eachOf(const Plan &P, BasicBlock *Header) {
  if (!Header)
    return "and call";
  return P.loop(Header).Replayed.Length ? "and segment" : "and iteration";
}

void remarkTaped(const Plan &P) {
  for (auto &[Header, R] : P.Records) {
    StringRef Each = eachOf(P, Header);
    StringRef Kept = R.Local ? "kept in a local array: " : "taped: ";
    if (Header)
      remark("TapeRecord", Header->front(),
             "the tape's record of this loop: " + Twine(R.Bytes) +
                 " bytes a thread " +
                 (R.Shared ? "for " + Twine(R.Shared) + " iterations"
                           : Twine(Each)) +
                 (R.Local ? ", in a local array" : ""),
             {{"RecordBytes", R.Bytes}});
    for (const Field &F : R.Fields) {
      auto *I = dyn_cast<Instruction>(F.V);
      if (!I)
        continue;
      const Decision &D = P.Values.find(F.V)->second;
      std::string By = D.NeededBy ? D.NeededBy->getOpcodeName() : "control";
      remark("Taped", *I,
             Kept +
                 (F.Bit < 0 ? Twine(F.Size) + " bytes"
                            : Twine(F.Width) + " bits") +
                 " a thread " + Each + ", needed by " + By + "; " + D.Why,
             {{"Bytes", F.Size}, {"EachIteration", Header != nullptr}});
    }
  }
}

uint32_t Plan::layout(const Subject &S) const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << S.PrimalName << ' ' << S.Width;
  for (const Formal &Arg : S.Formals)
    OS << ' ' << toString(Arg.Activity);
  for (auto &[Header, R] : Records) {
    OS << " |" << R.Bytes << ' ' << R.Shared << ' '
       << loop(Header).Replayed.Length;
    for (const Field &F : R.Fields)
      OS << ' ' << F.Offset << ':' << F.Size << ':' << F.Bit;
  }
  return std::max(uint32_t(xxh3_64bits(Text)), 1u);
}

Source Plan::sourceOf(const Value *V) const {
  auto It = Values.find(const_cast<Value *>(V));
  return It == Values.end() ? Source::Free : It->second.From;
}

bool Plan::takesReciprocal(const Instruction &I) const {
  auto It = Values.find(const_cast<Instruction *>(&I));
  return It != Values.end() && It->second.ByReciprocal;
}

void Plan::print(raw_ostream &OS) const {
  static constexpr StringLiteral Names[] = {
      "free", "in scope", "recompute", "reload", "tape", "replay", "kept"};
  for (auto &[V, D] : Values) {
    OS << "  " << Names[unsigned(D.From)] << ":" << *V;
    if (D.From == Source::Tape)
      OS << "  ; " << D.Why;
    if (D.ByReciprocal)
      OS << "  ; by the reciprocal";
    OS << "\n";
  }
  Adds.print(OS);
  for (auto &[Leader, G] : Gathers) {
    OS << "  gathered along " << (G.AlongY ? "y" : "x") << ": " << G.Count
       << " words from ";
    G.Words.front()->printAsOperand(OS, false);
    OS << " by " << G.WordStep << ", times ";
    G.Factor->printAsOperand(OS, false);
    OS << " by " << G.FactorStep << ", a thread " << G.FactorStride
       << (G.IsAligned ? ", aligned" : "") << (G.IsCommon ? ", common" : "")
       << "; seed of ";
    G.Product->printAsOperand(OS, false);
    if (G.Header) {
      OS << "; by loop ";
      G.Header->printAsOperand(OS, false);
    }
    OS << "; apart in blocks of up to " << G.MaxOther;
    if (G.Fill)
      OS << "; handed to" << *G.Fill;
    OS << "\n";
  }
  for (const Instruction *I : Seeded)
    OS << "  seed kept:" << *I << "\n";
  for (auto &[Store, Units] : Overwritten)
    for (const Value *Unit : Units) {
      OS << "  overwritten if zero: ";
      Unit->printAsOperand(OS, false);
      OS << ":" << *Store << "\n";
    }
  for (const Instruction *I : Unwanted)
    OS << "  left out:" << *I << "\n";
  for (auto &[Header, L] : Loops)
    for (const Value *V : L.Invariants) {
      OS << "  once for loop ";
      Header->printAsOperand(OS, false);
      OS << ":" << *V << "\n";
    }
  for (auto &[Header, L] : Loops) {
    if (!L.JoinsLate && !L.SharedOut && !L.Replayed.Length && !L.Chunk &&
        !L.Together)
      continue;
    OS << "  loop ";
    Header->printAsOperand(OS, false);
    if (L.JoinsLate)
      OS << ", lanes join late";
    if (L.SharedOut)
      OS << ", iterations are shared out";
    if (L.Chunk)
      OS << ", sums of " << L.Chunk << " iterations at once";
    if (L.Together)
      OS << ", warp sums of " << L.Together << " iterations together";
    if (L.Replayed.Length)
      OS << ", checkpoint every " << L.Replayed.Length << " iterations"
         << (L.Replayed.Unrolled ? ", unrolled" : "")
         << (L.Replayed.Guarded ? ", guarded" : "");
    if (L.Replayed.Snapshots)
      OS << ", " << L.Replayed.Snapshots << " snapshots, trip count "
         << (L.Replayed.Last ? "known" : "unknown")
         << (L.Replayed.UnrolledForth ? ", unrolled forth" : "");
    for (const Value *End : L.Ends) {
      OS << (End == L.Ends.front() ? ", no guards if finite: " : ", ");
      End->printAsOperand(OS, false);
    }
    OS << "\n";
  }
  for (auto &[B, Test] : Tests) {
    OS << "  reverse of ";
    B->printAsOperand(OS, false);
    OS << ", no guards if finite: ";
    ListSeparator Comma;
    for (const Value *V : Test.Tested) {
      OS << Comma;
      V->printAsOperand(OS, false);
    }
    OS << "\n";
  }
  for (auto &[End, Filled] : Refills) {
    OS << "  before the reverse of ";
    End->printAsOperand(OS, false);
    OS << (Filled.WaitBefore ? ", waits, then" : "") << " fills again"
       << (Filled.WaitBehind ? ", then waits" : "") << ":\n";
    for (const FillStore &Fill : Filled.Stores) {
      OS << "  " << *Fill.Store;
      for (auto &[Condition, Wanted] : Fill.Guards) {
        OS << (Wanted ? ", if " : ", unless ");
        Condition->printAsOperand(OS, false);
      }
      if (Fill.Header) {
        OS << ", in the loop ";
        Fill.Header->printAsOperand(OS, false);
      }
      OS << "\n";
    }
  }
  for (const AccessBetween &Access : Watched)
    OS << "  watches" << *Access.I << "\n";
  for (auto &[Header, R] : Records) {
    OS << "  record of ";
    if (Header)
      Header->printAsOperand(OS, false);
    else
      OS << "the function";
    OS << ": " << R.Bytes << " bytes";
    if (R.Shared)
      OS << " for " << R.Shared << " iterations";
    if (R.Local)
      OS << ", " << R.Local << " in a local array";
    OS << "\n";
    for (const Field &F : R.Fields) {
      OS << "    +" << F.Offset << " " << F.Size << " ";
      F.V->printAsOperand(OS, false);
      if (F.Element >= 0)
        OS << "[" << F.Element << "]";
      if (F.Bit >= 0)
        OS << " bit " << F.Bit;
      OS << "\n";
    }
  }
}

void remarkWatched(const Plan &P) {
  for (const AccessBetween &Access : P.Watched)
    remark("Watched", *Access.I,
           "each launch tests whether this is a word of an atomic maximum or "
           "minimum; __restrict__ would tell");
}

} // namespace kdiff
