//===- Hooks.h - What instrumented code calls ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which functions does instrumented code call?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CHECK_HOOKS_H
#define KDIFF_SIMT_CHECK_HOOKS_H

#include "Runtime.h"

namespace kdiff::simt {

/// kdiff_simt_access and its kin, and the functions that LLVM's
/// MemorySanitizer calls in kernels.
void addCheckSymbols(SymbolList &Symbols);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CHECK_HOOKS_H
