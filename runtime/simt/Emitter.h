//===- Emitter.h - Code in place of device code ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does lowering reach the running thread,
// the runtime's functions and the special registers?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_EMITTER_H
#define KDIFF_SIMT_EMITTER_H

#include "Context.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace kdiff::simt {

/// Emits in front of one instruction at a time.
class Emitter {
public:
  explicit Emitter(llvm::Module &M) : B(M.getContext()), M(M) {}

  /// \p I gives the place in code and in the source.
  void startAt(llvm::Instruction &I);

  llvm::IRBuilder<> B;
  llvm::Module &M;
  std::vector<std::string> Sites;

  /// The running Thread and its BlockContext, loaded at the function's entry.
  llvm::Instruction *thread();
  llvm::Instruction *block();
  /// A field of Thread or of its BlockContext that does not change while the
  /// thread runs.
  llvm::Value *threadField(size_t Offset, llvm::Type *Type);
  llvm::Value *blockField(size_t Offset, llvm::Type *Type);
  /// The number of the current instruction's place in the source.
  llvm::Value *site();
  llvm::CallInst *callRuntime(llvm::StringRef Name, llvm::Type *Result,
                              llvm::ArrayRef<llvm::Value *> Args);

  /// i32 result; \p Count null: all threads.
  llvm::Value *barrier(BarrierOp Op, llvm::Value *Id, llvm::Value *Count,
                       llvm::Value *Predicate);
  /// \p Value: at most 64 bits of any type. Result: of type \p Result.
  llvm::Value *warp(WarpOp Op, llvm::Value *Mask, llvm::Value *Value,
                    llvm::Type *Result, llvm::Value *Offset = nullptr,
                    llvm::Value *Clamp = nullptr);
  /// Second result (i1) of the last warp operation.
  llvm::Value *warpPredicate();
  /// A special register by its PTX name without '%', or null if unknown.
  llvm::Value *specialRegister(llvm::StringRef Name, llvm::Type *Type);
  /// Lets others run after some polls of memory.
  void poll();
  /// Same bits; narrower integers are extended by zeros, wider ones cut.
  llvm::Value *bits(llvm::Value *V, llvm::Type *To);

private:
  llvm::Instruction *Place = nullptr;
  llvm::Value *PlaceSite = nullptr;
  llvm::DenseMap<llvm::Function *, llvm::Instruction *> Threads;
  llvm::DenseMap<llvm::Function *, llvm::Instruction *> Blocks;

  llvm::Value *invariantField(llvm::IRBuilder<> &At, llvm::Value *Base,
                              size_t Offset, llvm::Type *Type);
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_EMITTER_H
