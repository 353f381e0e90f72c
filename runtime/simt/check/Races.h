//===- Races.h - Accesses that nothing orders ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does an access race with an earlier one?
//
// Two accesses race if they are by different threads, touch a common byte, at
// least one writes, nothing orders them (Clock.h), and they are not both
// atomics that see each other as such. Who has met an atomic of another thread
// with one of his own comes after it, at that address.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CHECK_RACES_H
#define KDIFF_SIMT_CHECK_RACES_H

#include "check/Clock.h"
#include "check/Shadow.h"
#include <optional>

namespace kdiff::simt {

/// Remembers \p New, by thread \p T, in \p Cell, and returns an earlier access
/// that it races with. A cell has room for a few accesses: those that no later
/// access can race with alone make room first, then one by lot (\p Lot).
/// \p BlockThreads: threads of a block.
std::optional<AccessRecord> recordAccess(AccessCell &Cell, uint32_t Generation,
                                         const AccessRecord &New,
                                         const ThreadOrder &T,
                                         uint32_t BlockThreads, uint32_t Lot);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CHECK_RACES_H
