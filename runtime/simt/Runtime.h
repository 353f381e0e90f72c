//===- Runtime.h - What lowered code calls ---------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which functions of the host can lowered code
// call, and by which names?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_RUNTIME_H
#define KDIFF_SIMT_RUNTIME_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace kdiff::simt {

/// Rounding modes in PTX' names.
enum class Rounding { Nearest, Zero, Down, Up };

llvm::StringRef name(Rounding R);

/// The runtime's arithmetic that LLVM IR has no instruction for: \p Op in
/// {add, mul, div, fma, sqrt, cvt} with directed rounding, from and to the
/// types f16, bf16, f32, f64, s64, u64 where listed in HostMath.cpp.
std::string arithmeticName(llvm::StringRef Op, Rounding R, llvm::StringRef To,
                           llvm::StringRef From = {});

using SymbolList = std::vector<std::pair<std::string, void *>>;

/// Names starting with "kdiff_simt_".
void addRuntimeSymbols(SymbolList &Symbols);
/// Those of arithmeticName, and the conversions that LLVM calls for half.
void addArithmeticSymbols(SymbolList &Symbols);

/// What printf prints for \p Format and the argument buffer that vprintf
/// gets: each argument at its natural alignment. \p Count: the arguments.
std::string formatPrintf(const char *Format, const char *Arguments, int &Count);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_RUNTIME_H
