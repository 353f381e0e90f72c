//===- PtxParser.h - The text of inline PTX --------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions does an inline PTX string
// hold?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_PTXPARSER_H
#define KDIFF_SIMT_PTXPARSER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace kdiff::simt {

/// Views into the text that was parsed.
struct PtxInstruction {
  llvm::StringRef Guard; ///< Predicate register; empty: none.
  bool GuardNegated = false;
  llvm::SmallVector<llvm::StringRef, 6> Name; ///< mad, lo, cc, u32
  llvm::SmallVector<llvm::StringRef, 5> Operands;
};

/// Comments become blanks, and LLVM's escape $$ a single $.
std::string cleanPtx(llvm::StringRef Text);

/// Splits clean text, with operands as $0, $1, … Declarations of registers
/// are left out, as each name stands for itself. Nothing where there are
/// labels, or directives other than .reg.
std::optional<std::vector<PtxInstruction>> parsePtx(llvm::StringRef Text);

/// The elements of "{a,b}", or of "p|q"; of "a" just that.
llvm::SmallVector<llvm::StringRef, 4> ptxElements(llvm::StringRef Operand);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_PTXPARSER_H
