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
#include "Sites.h"
#include "check/Access.h"
#include "check/Clock.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace kdiff::simt {

/// Emits in front of one instruction at a time.
class Emitter {
public:
  Emitter(llvm::Module &M, bool Checked)
      : B(M.getContext()), M(M), Checked(Checked) {}

  /// \p I gives the place in code and in the source.
  void startAt(llvm::Instruction &I);

  llvm::IRBuilder<> B;
  llvm::Module &M;
  SiteTable Sites;

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
  /// \p Aligned: all lanes of a warp have to come to the same one.
  llvm::Value *barrier(BarrierOp Op, llvm::Value *Id, llvm::Value *Count,
                       llvm::Value *Predicate, bool Aligned);
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

  // Instrument.cpp. Without checks these emit nothing.

  /// In front of the checked accesses of a function: makes its local variables
  /// known, but for those that only accesses within their bounds can reach.
  void enterLocals(llvm::Function &F);
  /// In front of an access to \p Bytes (an i64).
  void access(llvm::Value *Pointer, llvm::Value *Bytes, AccessKind Kind);
  void access(llvm::Value *Pointer, llvm::Type *Ty, AccessKind Kind);
  /// Behind a store.
  void stored(llvm::Value *Pointer, llvm::Type *Ty);
  void fence(SyncReach Reach);

private:
  bool Checked;
  llvm::SmallPtrSet<const llvm::AllocaInst *, 16> SafeLocals;
  llvm::Instruction *Place = nullptr;
  llvm::Value *PlaceSite = nullptr;
  uint64_t ActiveMasks = 0; ///< How many instructions have asked for one.
  llvm::DenseMap<llvm::Function *, llvm::Instruction *> Threads;
  llvm::DenseMap<llvm::Function *, llvm::Instruction *> Blocks;

  llvm::Value *invariantField(llvm::IRBuilder<> &At, llvm::Value *Base,
                              size_t Offset, llvm::Type *Type);
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_EMITTER_H
