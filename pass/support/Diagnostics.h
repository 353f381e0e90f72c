//===- Diagnostics.h - Misuse, unsupported, remarks ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does KDiff tell the user that a call is
// wrong, that a construct cannot be differentiated yet, or what was decided?
//
// All go through LLVMContext::diagnose, so that clang prints them as its own
// errors (with file, line, column and exit status 1). The inlined-at chain
// of the location is appended, innermost first:
//   ", inlined at FILE:LINE:COL".
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SUPPORT_DIAGNOSTICS_H
#define KDIFF_SUPPORT_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace kdiff {

/// The user's request is wrong. \p Message names the argument and the remedy.
void reportMisuse(const llvm::Instruction &At, const llvm::Twine &Message);
/// The same where no single instruction is to blame.
void reportMisuse(const llvm::Function &At, const llvm::Twine &Message);

/// KDiff cannot differentiate \p At. \p What names the construct, \p Remedy
/// says what to do instead.
void reportUnsupported(const llvm::Instruction &At, const llvm::Twine &What,
                       const llvm::Twine &Remedy);
/// The same for a whole function (no single instruction is to blame).
void reportUnsupported(const llvm::Function &At, const llvm::Twine &What,
                       const llvm::Twine &Remedy);

/// What a tool reads from a remark without looking at its text.
struct RemarkFact {
  llvm::StringRef Key;
  uint64_t Value;
};

/// An optimisation remark of pass "kdiff" with the given \p Name
/// ("Taped", "Atomic", ...), shown by -Rpass-analysis=kdiff. \p Facts are not
/// part of the text: -fsave-optimization-record writes them, and handlers of
/// diagnostics find them among the remark's arguments.
void remark(llvm::StringRef Name, const llvm::Instruction &At,
            const llvm::Twine &Message, llvm::ArrayRef<RemarkFact> Facts = {});

} // namespace kdiff
#endif // KDIFF_SUPPORT_DIAGNOSTICS_H
