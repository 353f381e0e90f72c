//===- Embed.h - The module within itself -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a device image get to carry the IR
// that it was made of, for the SIMT executor?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_EMBED_H
#define KDIFF_LOWER_EMBED_H

#include "llvm/IR/PassManager.h"

namespace kdiff {

/// kdiff-embed: if an NVPTX module has a variable whose name contains
/// __kd_embed_ir (kdiff/simt.h), takes it away and adds the module's bitcode
/// as a device variable (kdiff/EmbeddedIR.h). Runs last, so that what the
/// executor gets is what the code generator gets.
class EmbedPass : public llvm::PassInfoMixin<EmbedPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace kdiff
#endif // KDIFF_LOWER_EMBED_H
