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

/// Whether the thread of \p New has met the atomic \p Cell.Record[I] with an
/// atomic of its own, since: so it knows that this one is over.
static bool hasSeen(const AccessCell &Cell, unsigned I, const AccessRecord &New,
                    uint32_t BlockThreads) {
  const AccessRecord &Old = Cell.Record[I];
  for (unsigned Later = I + 1; Later < AccessCell::Records; ++Later) {
    const AccessRecord &R = Cell.Record[Later];
    if (R.Thread == New.Thread && (R.Bytes & Old.Bytes) &&
        seeEachOther(R, Old, BlockThreads))
      return true;
  }
  return false;
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
  // Nothing new; an atomic meets what others did meanwhile, though.
  for (const AccessRecord &Old : Cell.Record)
    if (!New.Atomic && Old.Thread == New.Thread && Old.Time == New.Time &&
        Old.Bytes && standsFor(Old, New))
      return std::nullopt;
  std::optional<AccessRecord> Race;
  unsigned Superseded = 0; // Bit set of records.
  unsigned Used = 0;
  for (; Used < AccessCell::Records && Cell.Record[Used].Bytes; ++Used) {
    const AccessRecord &Old = Cell.Record[Used];
    bool Ordered = Old.Thread == New.Thread ||
                   T.isAfter(Old.Thread / BlockThreads,
                             Old.Thread % BlockThreads, Old.Time) ||
                   hasSeen(Cell, Used, New, BlockThreads);
    if (Ordered && standsFor(New, Old))
      Superseded |= 1u << Used;
    else if (!Ordered && (Old.Bytes & New.Bytes) && (Old.Write | New.Write) &&
             !seeEachOther(Old, New, BlockThreads))
      Race = Old;
  }
  if (!Superseded && Used == AccessCell::Records)
    Superseded = 1u << Lot % AccessCell::Records;
  unsigned To = 0;
  for (unsigned From = 0; From < Used; ++From)
    if (!(Superseded >> From & 1))
      Cell.Record[To++] = Cell.Record[From];
  Cell.Record[To++] = New;
  for (; To < Used; ++To)
    Cell.Record[To].Bytes = 0;
  return Race;
}
