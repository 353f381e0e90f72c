//===- Races.cpp - Accesses that nothing orders ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does an access race with an earlier one?
//
//===----------------------------------------------------------------------===//

#include "check/Races.h"

using namespace kdiff::simt;

static bool seeEachOther(const AccessRecord &A, const AccessRecord &B,
                         uint32_t BlockThreads) {
  return A.Atomic && B.Atomic &&
         ((!A.BlockScope && !B.BlockScope) ||
          A.Thread / BlockThreads == B.Thread / BlockThreads);
}

/// Whether whatever races with \p Old, which comes before \p New, races with
/// \p New as well.
static bool standsFor(const AccessRecord &New, const AccessRecord &Old) {
  return !(Old.Bytes & ~New.Bytes) && New.Write >= Old.Write &&
         New.Atomic <= Old.Atomic &&
         (!New.Atomic || New.BlockScope >= Old.BlockScope);
}

std::optional<AccessRecord>
kdiff::simt::recordAccess(AccessCell &Cell, uint32_t Generation,
                          const AccessRecord &New, const ThreadOrder &T,
                          uint32_t BlockThreads, uint32_t Lot) {
  if (Cell.Generation != Generation) {
    Cell.Generation = Generation;
    for (AccessRecord &R : Cell.Record)
      R.Bytes = 0;
    Cell.Record[0] = New;
    return std::nullopt;
  }
  std::optional<AccessRecord> Race;
  AccessRecord *Place = nullptr;
  for (AccessRecord &Old : Cell.Record) {
    if (!Old.Bytes) {
      Place = Place ? Place : &Old;
      continue;
    }
    bool Same = Old.Thread == New.Thread;
    if (Same && Old.Time == New.Time && standsFor(Old, New))
      return Race; // All that could be said was said then.
    bool Ordered = Same || T.isAfter(Old.Thread / BlockThreads,
                                     Old.Thread % BlockThreads, Old.Time);
    if (Ordered && standsFor(New, Old)) {
      Old.Bytes = 0;
      Place = Place ? Place : &Old;
    } else if (!Ordered && (Old.Bytes & New.Bytes) && (Old.Write | New.Write) &&
               !seeEachOther(Old, New, BlockThreads)) {
      Race = Old;
    }
  }
  *(Place ? Place : &Cell.Record[Lot % AccessCell::Records]) = New;
  return Race;
}
