//===- PtxText.h - The text of inline assembly ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: of which statements does the text of a piece of
// inline assembly (PTX) consist?
//
// Grammar: PTX ISA, chapter 4 ("Syntax"). Operands of the assembly are $0, $1,
// and so on, as LLVM writes them.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TARGET_PTXTEXT_H
#define KDIFF_TARGET_PTXTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kdiff::ptx {

struct Statement {
  enum Kind {
    Open,    ///< "{": registers declared from here on end with the scope.
    Close,   ///< "}"
    Declare, ///< ".reg .b32 a, b;": Operands are the names.
    Label,   ///< "L:": Opcode is the label.
    Execute, ///< An instruction.
    Other    ///< Another directive, or no PTX: Opcode is its text.
  } K;
  std::string Guard; ///< "p" or "!p" of "@p"; empty: always.
  std::string Opcode;
  llvm::SmallVector<std::string, 5> Operands; ///< "a", "{a,b}", "[a+4]"
};

/// The statements of \p Text (of an llvm::InlineAsm), in order. Total: what is
/// no PTX is Other.
llvm::SmallVector<Statement, 8> parse(llvm::StringRef Text);

/// The elements of "{a,b}"; of "a" just that.
llvm::SmallVector<llvm::StringRef, 4> elements(llvm::StringRef Operand);

} // namespace kdiff::ptx
#endif // KDIFF_TARGET_PTXTEXT_H
