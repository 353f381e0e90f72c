//===- Canonical.h - Checking and printing the form -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is a prepared function in canonical form, and
// how do people and tests see it?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_CANONICAL_H
#define KDIFF_PREPARE_CANONICAL_H

#include "prepare/Prepare.h"
#include "llvm/IR/PassManager.h"

namespace kdiff {

/// True if \p P has every property that Prepare.h promises. The first that it
/// lacks is written to \p OS, if there is one.
bool verifyCanonical(const Prepared &P, llvm::raw_ostream *OS);

/// Prepares each kernel of \p M, and each function with the attribute "kdiff",
/// prints its canonical form and IR, and erases the clone again. Writes
/// "not canonical: ..." where verifyCanonical fails.
void printPrepared(llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                   llvm::raw_ostream &OS);

} // namespace kdiff
#endif // KDIFF_PREPARE_CANONICAL_H
