//===- LaunchIndex.cpp - A thread's place in the launch -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see LaunchIndex.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/LaunchIndex.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace kdiff {

static constexpr IndexRegisters Of[Dimensions] = {
    {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
     Intrinsic::nvvm_read_ptx_sreg_ntid_x,
     Intrinsic::nvvm_read_ptx_sreg_nctaid_x},
    {Intrinsic::nvvm_read_ptx_sreg_tid_y, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
     Intrinsic::nvvm_read_ptx_sreg_ntid_y,
     Intrinsic::nvvm_read_ptx_sreg_nctaid_y},
    {Intrinsic::nvvm_read_ptx_sreg_tid_z, Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
     Intrinsic::nvvm_read_ptx_sreg_ntid_z,
     Intrinsic::nvvm_read_ptx_sreg_nctaid_z}};

const IndexRegisters &indexRegisters(unsigned Dimension) {
  return Of[Dimension];
}

static Intrinsic::ID registerOf(const Value *V) {
  auto *II = dyn_cast<IntrinsicInst>(V);
  return II ? II->getIntrinsicID() : Intrinsic::not_intrinsic;
}

/// Where a block begins in the launch.
static bool isStart(const Value *V, const IndexRegisters &R) {
  const Value *X, *Y;
  return match(V, m_Mul(m_Value(X), m_Value(Y))) &&
         ((registerOf(X) == R.Block && registerOf(Y) == R.Size) ||
          (registerOf(X) == R.Size && registerOf(Y) == R.Block));
}

static bool isIndex(const Value *V, const IndexRegisters &R) {
  const Value *X, *Y;
  return match(V, m_Add(m_Value(X), m_Value(Y))) &&
         ((isStart(X, R) && registerOf(Y) == R.Thread) ||
          (isStart(Y, R) && registerOf(X) == R.Thread));
}

std::optional<unsigned> launchIndex(const Value *V) {
  for (unsigned D = 0; D != Dimensions; ++D)
    if (isIndex(V, Of[D]))
      return D;
  return std::nullopt;
}

bool isOtherThreadRegister(const CallBase &CB) {
  const Function *Callee = CB.getCalledFunction();
  if (!Callee || !Callee->getName().starts_with("llvm.nvvm.read.ptx.sreg."))
    return false;
  return none_of(Of, [&](const IndexRegisters &R) {
    return is_contained({R.Thread, R.Block, R.Size, R.Blocks},
                        Callee->getIntrinsicID());
  });
}

bool isSameRegister(const CallBase &CB,
                    const std::array<bool, Dimensions> &Differs) {
  Intrinsic::ID ID = CB.getIntrinsicID();
  for (unsigned D = 0; D != Dimensions; ++D) {
    const IndexRegisters &R = Of[D];
    if (ID == R.Size || ID == R.Blocks)
      return true;
    if (ID == R.Thread || ID == R.Block)
      return !Differs[D];
  }
  return false;
}

bool usesPartsOfIndex(const Function &F, unsigned Dimension) {
  const IndexRegisters &R = Of[Dimension];
  auto Sums = [&](const User *U) { return isIndex(U, R); };
  for (const Instruction &I : instructions(F)) {
    if (registerOf(&I) == R.Thread && !all_of(I.users(), Sums))
      return true;
    if (registerOf(&I) == R.Block && !all_of(I.users(), [&](const User *U) {
          return isStart(U, R) && all_of(U->users(), Sums);
        }))
      return true;
  }
  return false;
}

} // namespace kdiff
