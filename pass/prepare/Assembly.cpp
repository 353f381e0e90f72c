//===- Assembly.cpp - Inline PTX that IR can say ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which inline assembly synchronises threads or
// copies asynchronously, and what is it in IR?
//
// An asynchronous copy (PTX ISA, "cp.async") may be done at any time between
// its issue and the wait for it. Here it is done at its issue: the waits have
// nothing left to wait for, and the reverse sweep takes the adjoint of the
// copy where it was issued, behind the mirrored barriers of those who read it.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "target/NVPTX.h"
#include "target/PtxText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// The value of an operand: $k, or a number. Null for a register.
Value *valueOf(StringRef Operand, const CallInst &CI) {
  Operand.consume_front("[");
  Operand.consume_back("]");
  Operand = Operand.trim();
  unsigned Index;
  if (Operand.consume_front("$")) {
    Operand.consume_front("{");
    Operand.consume_back("}");
    bool Output = !CI.getType()->isVoidTy();
    if (Operand.getAsInteger(10, Index) || Output || Index >= CI.arg_size())
      return nullptr;
    return CI.getArgOperand(Index);
  }
  uint32_t Number;
  if (Operand.getAsInteger(0, Number))
    return nullptr;
  return ConstantInt::get(Type::getInt32Ty(CI.getContext()), Number);
}

std::optional<uint64_t> constantOf(Value *V) {
  auto *C = dyn_cast_or_null<ConstantInt>(V);
  return C ? std::optional<uint64_t>(C->getZExtValue()) : std::nullopt;
}

/// The pointer whose address \p V is; null if that is not known. Addresses in
/// shared memory have 32 bits that count.
Value *pointerOf(IRBuilderBase &B, Value *V) {
  if (!V || V->getType()->isPointerTy())
    return V;
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return Cast->getPointerOperand();
  auto *Op = dyn_cast<Operator>(V);
  if (!Op)
    return nullptr;
  switch (Op->getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
    return pointerOf(B, Op->getOperand(0));
  case Instruction::Add:
    for (unsigned K : {0u, 1u})
      if (Value *Base = pointerOf(B, Op->getOperand(K)))
        return B.CreatePtrAdd(
            Base, B.CreateSExt(Op->getOperand(1 - K), B.getInt64Ty()));
    return nullptr;
  default:
    return nullptr;
  }
}

/// A barrier: its number, and how many threads where that is said.
bool emitBarrier(IRBuilderBase &B, StringRef Opcode, ArrayRef<Value *> Args) {
  if (Opcode == "bar.warp.sync" && Args.size() == 1) {
    B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, Args);
    return true;
  }
  bool Aligned = Opcode.consume_back(".aligned");
  if (Opcode.consume_front("bar."))
    Aligned = true; // PTX ISA: bar.sync is barrier.sync.aligned.
  else if (!Opcode.consume_front("barrier."))
    return false;
  Opcode.consume_front("cta.");
  if (Opcode != "sync" || Args.empty() || Args.size() > 2)
    return false;
  static constexpr Intrinsic::ID IDs[2][2] = {
      {Intrinsic::nvvm_barrier_cta_sync_all,
       Intrinsic::nvvm_barrier_cta_sync_count},
      {Intrinsic::nvvm_barrier_cta_sync_aligned_all,
       Intrinsic::nvvm_barrier_cta_sync_aligned_count}};
  B.CreateIntrinsic(IDs[Aligned][Args.size() - 1], Args);
  return true;
}

bool emitFence(IRBuilderBase &B, StringRef Opcode) {
  auto Membar = StringSwitch<Intrinsic::ID>(Opcode)
                    .Case("membar.cta", Intrinsic::nvvm_membar_cta)
                    .Case("membar.gl", Intrinsic::nvvm_membar_gl)
                    .Case("membar.sys", Intrinsic::nvvm_membar_sys)
                    .Default(Intrinsic::not_intrinsic);
  if (Membar != Intrinsic::not_intrinsic) {
    B.CreateIntrinsic(Membar, {});
    return true;
  }
  if (!Opcode.consume_front("fence."))
    return false;
  AtomicOrdering Ordering = Opcode.consume_front("sc.")
                                ? AtomicOrdering::SequentiallyConsistent
                                : AtomicOrdering::AcquireRelease;
  Opcode.consume_front("acq_rel.");
  auto Scope = StringSwitch<std::optional<StringRef>>(Opcode)
                   .Case("cta", nvptx::BlockScope)
                   .Case("gpu", nvptx::DeviceScope)
                   .Case("sys", "")
                   .Default(std::nullopt);
  if (!Scope)
    return false;
  B.CreateFence(Ordering, Scope->empty()
                              ? SyncScope::System
                              : B.getContext().getOrInsertSyncScopeID(*Scope));
  return true;
}

/// Copies \p Bytes, of which \p Given (null: all) come from \p From; the rest
/// becomes zero. False if there is no such copy.
bool emitCopy(IRBuilderBase &B, Value *To, Value *From,
              std::optional<uint64_t> Bytes, Value *Given) {
  if (!Bytes || (*Bytes != 4 && *Bytes != 8 && *Bytes != 16))
    return false;
  Value *Target = pointerOf(B, To), *Source = pointerOf(B, From);
  if (!Target || !Source)
    return false;
  Align A(*Bytes);
  if (!Given || constantOf(Given) == Bytes) {
    B.CreateMemCpy(Target, A, Source, A, *Bytes);
    return true;
  }
  B.CreateMemSet(Target, B.getInt8(0), *Bytes, A);
  B.CreateMemCpy(Target, A, Source, A,
                 B.CreateZExtOrTrunc(Given, B.getInt64Ty()));
  return true;
}

/// cp.async.{ca,cg}.shared.global [to], [from], bytes {, bytes of from}.
bool emitAsyncCopy(IRBuilderBase &B, StringRef Opcode, ArrayRef<Value *> Args) {
  bool Waits = StringSwitch<bool>(Opcode)
                   .Cases({"cp.async.commit_group", "cp.async.wait_group",
                           "cp.async.wait_all"},
                          true)
                   .Default(false);
  if (Waits)
    return true;
  bool Copies = Opcode.starts_with("cp.async.ca.shared") ||
                Opcode.starts_with("cp.async.cg.shared");
  if (!Copies || Args.size() < 3 || Args.size() > 4)
    return false;
  return emitCopy(B, Args[0], Args[1], constantOf(Args[2]),
                  Args.size() == 4 ? Args[3] : nullptr);
}

/// The IR of the inline assembly \p CI, before it. False if some of it has
/// none here; what was emitted then is of no effect and without uses.
bool emitStatement(IRBuilderBase &B, const ptx::Statement &S, CallInst &CI) {
  SmallVector<Value *, 4> Args;
  for (StringRef Operand : S.Operands) {
    Args.push_back(valueOf(Operand, CI));
    if (!Args.back())
      return false;
  }
  return S.K == ptx::Statement::Execute && S.Guard.empty() &&
         (emitBarrier(B, S.Opcode, Args) || emitFence(B, S.Opcode) ||
          emitAsyncCopy(B, S.Opcode, Args));
}

/// One statement: what several do together is not taken apart.
bool rewriteAssembly(CallInst &CI) {
  auto *Asm = cast<InlineAsm>(CI.getCalledOperand());
  auto Statements = ptx::parse(Asm->getAsmString());
  erase_if(Statements, [](const ptx::Statement &S) {
    return S.K == ptx::Statement::Open || S.K == ptx::Statement::Close;
  });
  // asm volatile("" ::: "memory") orders the compiler, which nothing here
  // needs.
  if (Statements.empty() && CI.getType()->isVoidTy() && CI.arg_empty())
    return true;
  IRBuilder<> B(&CI);
  return Statements.size() == 1 && emitStatement(B, Statements.front(), CI);
}

bool rewriteIntrinsic(CallInst &CI) {
  IRBuilder<> B(&CI);
  auto Copy = [&](unsigned Bytes, bool Partly) {
    return emitCopy(B, CI.getArgOperand(0), CI.getArgOperand(1), Bytes,
                    Partly ? CI.getArgOperand(2) : nullptr);
  };
  switch (CI.getIntrinsicID()) {
  case Intrinsic::nvvm_cp_async_commit_group:
  case Intrinsic::nvvm_cp_async_wait_group:
  case Intrinsic::nvvm_cp_async_wait_all:
    return true;
  case Intrinsic::nvvm_cp_async_ca_shared_global_4:
    return Copy(4, false);
  case Intrinsic::nvvm_cp_async_ca_shared_global_8:
    return Copy(8, false);
  case Intrinsic::nvvm_cp_async_ca_shared_global_16:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16:
    return Copy(16, false);
  case Intrinsic::nvvm_cp_async_ca_shared_global_4_s:
    return Copy(4, true);
  case Intrinsic::nvvm_cp_async_ca_shared_global_8_s:
    return Copy(8, true);
  case Intrinsic::nvvm_cp_async_ca_shared_global_16_s:
  case Intrinsic::nvvm_cp_async_cg_shared_global_16_s:
    return Copy(16, true);
  default:
    return false;
  }
}

} // namespace

bool kdiff::rewriteAssembly(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *CI = dyn_cast<CallInst>(&I);
    if (!CI ||
        !(CI->isInlineAsm() ? ::rewriteAssembly(*CI) : rewriteIntrinsic(*CI)))
      continue;
    SmallVector<WeakTrackingVH, 4> Operands(CI->arg_begin(), CI->arg_end());
    CI->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
    Changed = true;
  }
  return Changed;
}
