//===- Uniformity.cpp - What may differ between a warp's threads ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Uniformity.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Uniformity.h"
#include "rules/Rules.h"
#include "target/Sync.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace kdiff {

bool isBlockRegister(const CallBase &CB) {
  switch (CB.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return true;
  default:
    return false;
  }
}

bool readsRow(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *II = dyn_cast<IntrinsicInst>(&I);
    return II && (II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_y ||
                  II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_z);
  });
}

/// True if \p CB reads a part of the thread's index that is the same for the
/// lanes that are compared.
bool Uniformity::isShared(const CallBase &CB) const {
  switch (CB.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return Lanes == Among::Column;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return Lanes == Among::Row;
  default:
    return false;
  }
}

bool Uniformity::varies(const Instruction &I) const {
  // __syncthreads_or() and its kin tell all threads the same.
  auto *CB = dyn_cast<CallBase>(&I);
  if (CB && nvptx::isBarrierOfAll(*CB))
    return false;
  bool Operand =
      any_of(I.operands(), [&](const Use &U) { return Varying.contains(U); });
  if (Operand || isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  if (!CB || findRule(I) || isBlockRegister(*CB) || isShared(*CB))
    return false;
  // Other registers tell lanes apart; pure functions of numbers do not.
  return classify(*CB) != CallClass::Pure || CB->arg_empty();
}

Uniformity::Uniformity(const Function &F, Among Lanes,
                       ArrayRef<const Value *> Known)
    : Lanes(Lanes), Varying(Known.begin(), Known.end()) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const Instruction &I : instructions(F))
      if (!Varying.contains(&I) && varies(I))
        Changed |= Varying.insert(&I).second;
  }
}

} // namespace kdiff
