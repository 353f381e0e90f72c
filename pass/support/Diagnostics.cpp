//===- Diagnostics.cpp - Misuse, unsupported, remarks -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a message of KDiff reach the user?
//
//===----------------------------------------------------------------------===//

#include "support/Diagnostics.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

/// DiagnosticInfoUnsupported is LLVM's only error that clang prints at a line
/// of the source; it keeps a reference to its message, which \p Message must
/// outlive here.
static void reportError(const Function &F, const DiagnosticLocation &Loc,
                        const DILocation *Inlined, const Twine &Message) {
  SmallString<256> Text;
  raw_svector_ostream OS(Text);
  OS << Message;
  if (!Loc.isValid())
    OS << " (compile with -gline-tables-only to see the source line)";
  for (; Inlined; Inlined = Inlined->getInlinedAt())
    OS << ", inlined at " << Inlined->getFilename() << ':' << Inlined->getLine()
       << ':' << Inlined->getColumn();
  F.getContext().diagnose(
      DiagnosticInfoUnsupported(F, OS.str(), Loc, DS_Error));
}

static void reportError(const Instruction &At, const Twine &Message) {
  const DebugLoc &Loc = At.getDebugLoc();
  reportError(*At.getFunction(), DiagnosticLocation(Loc),
              Loc ? Loc->getInlinedAt() : nullptr, Message);
}

void kdiff::reportMisuse(const Instruction &At, const Twine &Message) {
  reportError(At, Message);
}

void kdiff::reportUnsupported(const Instruction &At, const Twine &What,
                              const Twine &Remedy) {
  reportError(At, "cannot differentiate " + What + ": " + Remedy);
}

void kdiff::reportUnsupported(const Function &At, const Twine &What,
                              const Twine &Remedy) {
  reportError(At, DiagnosticLocation(At.getSubprogram()), nullptr,
              "cannot differentiate " + What + ": " + Remedy);
}

void kdiff::remark(StringRef Name, const Instruction &At,
                   const Twine &Message) {
  const Function &F = *At.getFunction();
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemarkAnalysis("kdiff", Name, &At) << Message.str();
  });
}
