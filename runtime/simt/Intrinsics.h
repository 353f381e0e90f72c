//===- Intrinsics.h - llvm.nvvm.* on the host ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does each NVVM intrinsic become?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_INTRINSICS_H
#define KDIFF_SIMT_INTRINSICS_H

#include "FloatOps.h"
#include "llvm/IR/Instructions.h"

namespace kdiff::simt {

class IntrinsicLowering {
public:
  explicit IntrinsicLowering(Emitter &E) : E(E), B(E.B), Floats(E) {}

  /// Emits the meaning of \p Call in front of it. False where there is none
  /// on the host. \p Result: its value, left alone where it returns void.
  bool lower(llvm::CallInst &Call, llvm::Value *&Result);

private:
  Emitter &E;
  llvm::IRBuilder<> &B;
  FloatOps Floats;
  llvm::CallInst *Call = nullptr;
  llvm::Type *Type = nullptr; ///< Of the result.

  llvm::Value *arg(unsigned I) const { return Call->getArgOperand(I); }
  /// {value, predicate} where the call returns a pair.
  llvm::Value *withPredicate(llvm::Value *V);

  // Each is given the name behind "llvm.nvvm." or its own prefix, and says by
  // a value, or by true, that it knew the name.
  bool lowerEffect(llvm::StringRef Name);
  bool lowerAsyncCopy(llvm::StringRef Name);
  llvm::Value *lowerBarrier(llvm::StringRef Name);
  llvm::Value *lowerWarp(llvm::StringRef Name);
  llvm::Value *lowerRedux(llvm::StringRef Name);
  llvm::Value *lowerAtomic(llvm::StringRef Name);
  llvm::Value *lowerMemory(llvm::StringRef Name);
  llvm::Value *lowerInteger(llvm::StringRef Name);
  llvm::Value *lowerFloat(llvm::StringRef Name);
  llvm::Value *lowerConversion(llvm::StringRef Op, FloatMode Mode);
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_INTRINSICS_H
