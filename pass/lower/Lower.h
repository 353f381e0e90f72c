//===- Lower.h - From emitted derivatives to NVPTX IR ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the abstract operations become NVPTX
// IR, the request become a call of the gradient, and the module complete?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_LOWER_H
#define KDIFF_LOWER_LOWER_H

#include "request/Request.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace kdiff {

/// What emit made of one request. \p Gradient takes, for each argument of the
/// primal in order: the primal value (unless it is not needed: never left
/// out), then, where it has them, the shadow of each lane (pointer, or tangent
/// of a by-value scalar in forward mode; for Acc the pointer to add to).
/// Shadows follow the value directly. It returns, in reverse mode, the adjoints
/// of the Out arguments (void for none, the value itself for one, else a
/// literal struct in argument order); in forward mode the tangent of the
/// primal's result (void if the primal returns nothing). Of more lanes than
/// one, each adjoint or tangent is an array. In split mode, or if the request
/// gives one, it takes the tape's pool last; the augmented primal returns what
/// the primal returns.
struct Emitted {
  Request R;
  llvm::Function *Gradient = nullptr;
};

/// Derivatives of functions that stay calls, which no request names, have
/// names that begin with this.
constexpr llvm::StringLiteral DerivativePrefix = "kdiff.";

struct LowerOptions {
  /// libdevice.10.bc; empty: KDIFF_LIBDEVICE, CUDA_PATH, CUDA_HOME,
  /// /usr/local/cuda, in this order.
  std::string Libdevice;
};

/// Expands every kd.* operation, replaces each request's call, links the tape
/// runtime and the libdevice functions that are declared and missing, erases
/// markers nobody reads any more, simplifies the gradients (SROA, early CSE,
/// instcombine, simplifycfg, DCE, inlining into the requesting function).
/// False if something could not be completed; that was reported.
bool lower(llvm::Module &M, llvm::ArrayRef<Emitted> Gradients,
           const LowerOptions &Options, llvm::ModuleAnalysisManager &MAM);

/// kdiff-lower: lowers the abstract operations of a module without requests.
class LowerPass : public llvm::PassInfoMixin<LowerPass> {
public:
  explicit LowerPass(LowerOptions O = {}) : Options(std::move(O)) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  LowerOptions Options;
};

} // namespace kdiff
#endif // KDIFF_LOWER_LOWER_H
