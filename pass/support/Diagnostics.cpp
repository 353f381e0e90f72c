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
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

/// Null where \p Loc stands for no line of the source.
static const DILocation *lineOf(const DebugLoc &Loc) {
  return Loc && Loc.getLine() ? Loc.get() : nullptr;
}

/// The line of a function that \p I, a call, is given. Null if there is none.
static const DILocation *namedFunction(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return nullptr;
  for (const Use &Argument : Call->args())
    if (auto *F = dyn_cast<Function>(Argument->stripPointerCasts()))
      if (DISubprogram *Named = F->getSubprogram())
        return DILocation::get(I.getContext(), Named->getLine(), 0, Named);
  return nullptr;
}

/// The line of \p I, else one near it: of a value that a phi merges, of the
/// instructions behind or in front of it. A request in code without debug
/// information (kdiff/gradient.h's) has its primal's. Null without any.
static const DILocation *locationOf(const Instruction &I) {
  if (const DILocation *Loc = lineOf(I.getDebugLoc()))
    return Loc;
  if (auto *Phi = dyn_cast<PHINode>(&I))
    for (const Value *V : Phi->incoming_values())
      if (auto *Merged = dyn_cast<Instruction>(V))
        if (const DILocation *Loc = lineOf(Merged->getDebugLoc()))
          return Loc;
  for (const Instruction *Next = &I; Next; Next = Next->getNextNode())
    if (const DILocation *Loc = lineOf(Next->getDebugLoc()))
      return Loc;
  for (const Instruction *Last = &I; Last; Last = Last->getPrevNode())
    if (const DILocation *Loc = lineOf(Last->getDebugLoc()))
      return Loc;
  return namedFunction(I);
}

/// \p Message and the calls that \p Loc was inlined through.
static std::string withChain(const Twine &Message, const DILocation *Loc) {
  std::string Text = Message.str();
  for (; Loc && Loc->getInlinedAt(); Loc = Loc->getInlinedAt())
    Text +=
        formatv(", inlined at {0}:{1}:{2}", Loc->getInlinedAt()->getFilename(),
                Loc->getInlinedAt()->getLine(),
                Loc->getInlinedAt()->getColumn())
            .str();
  return Text;
}

/// DiagnosticInfoUnsupported is LLVM's only error that clang prints at a line
/// of the source.
static void reportError(const Function &F, const DiagnosticLocation &Loc,
                        StringRef Message) {
  std::string Text = Message.str();
  if (!Loc.isValid() && !F.getParent()->getNamedMetadata("llvm.dbg.cu"))
    Text += " (compile with -gline-tables-only to see the source line)";
  F.getContext().diagnose(DiagnosticInfoUnsupported(F, Text, Loc, DS_Error));
}

static void reportError(const Function &At, const Twine &Message) {
  reportError(At, DiagnosticLocation(At.getSubprogram()), Message.str());
}

static void reportError(const Instruction &At, const Twine &Message) {
  const DILocation *Loc = locationOf(At);
  reportError(*At.getFunction(), DiagnosticLocation(DebugLoc(Loc)),
              withChain(Message, Loc));
}

void kdiff::reportMisuse(const Instruction &At, const Twine &Message) {
  reportError(At, Message);
}

void kdiff::reportMisuse(const Function &At, const Twine &Message) {
  reportError(At, Message);
}

void kdiff::reportUnsupported(const Instruction &At, const Twine &What,
                              const Twine &Remedy) {
  reportError(At, "cannot differentiate " + What + ": " + Remedy);
}

void kdiff::reportUnsupported(const Function &At, const Twine &What,
                              const Twine &Remedy) {
  reportError(At, "cannot differentiate " + What + ": " + Remedy);
}

void kdiff::remark(StringRef Name, const Instruction &At, const Twine &Message,
                   ArrayRef<RemarkFact> Facts) {
  OptimizationRemarkEmitter ORE(At.getFunction());
  ORE.emit([&] {
    const DILocation *Loc = locationOf(At);
    OptimizationRemarkAnalysis R(
        "kdiff", Name, DiagnosticLocation(DebugLoc(Loc)), At.getParent());
    R << withChain(Message, Loc) << ore::setExtraArgs();
    for (const RemarkFact &Fact : Facts)
      R << ore::NV(Fact.Key, Fact.Value);
    return R;
  });
}
