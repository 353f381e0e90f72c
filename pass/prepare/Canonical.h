//===- Canonical.h - Checking and printing the form -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is a prepared function in canonical form?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_CANONICAL_H
#define KDIFF_PREPARE_CANONICAL_H

#include "prepare/Prepare.h"

namespace kdiff {

/// True if \p P has every property that Prepare.h promises. The first that it
/// lacks is written to \p OS, if not null, as "not canonical: ...".
bool verifyCanonical(const Prepared &P, llvm::raw_ostream *OS);

} // namespace kdiff
#endif // KDIFF_PREPARE_CANONICAL_H
