//===- Carved.cpp - Arrays of several types in one block of memory --------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Carved.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Carved.h"
#include "analysis/Memory.h"
#include "target/NVPTX.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

/// Offsets are made of no more operations than this.
static constexpr unsigned MaxDepth = 8;

/// The same for the block, wherever it is computed again.
static bool isFixed(const Value *V, unsigned Depth = MaxDepth) {
  if (isa<Constant>(V))
    return true;
  if (auto *Arg = dyn_cast<Argument>(V))
    return Arg->hasAttribute(UniformAttribute);
  if (auto *II = dyn_cast<IntrinsicInst>(V))
    switch (II->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    case Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size:
      return true;
    default:
      return false;
    }
  auto *I = dyn_cast<Instruction>(V);
  return I && Depth && isa<BinaryOperator, CastInst>(I) &&
         all_of(I->operands(), [&](const Use &Operand) {
           return isFixed(Operand, Depth - 1);
         });
}

Value *beginningOf(const Value *Pointer) {
  SmallVector<const GEPOperator *, 4> Way;
  const Value *V = Pointer;
  while (true) {
    if (auto *GEP = dyn_cast<GEPOperator>(V)) {
      Way.push_back(GEP);
      V = GEP->getPointerOperand();
      continue;
    }
    unsigned Opcode = Operator::getOpcode(V);
    if (Opcode != Instruction::AddrSpaceCast && Opcode != Instruction::BitCast)
      break;
    V = cast<Operator>(V)->getOperand(0);
  }
  auto *Block = dyn_cast<GlobalVariable>(V);
  if (!Block || Block->getAddressSpace() != nvptx::Shared)
    return nullptr;
  for (const GEPOperator *GEP : reverse(Way)) {
    if (!all_of(GEP->indices(),
                [](const Use &Index) { return isFixed(Index); }))
      break;
    V = GEP;
  }
  return const_cast<Value *>(V);
}

bool beginApart(const Value *P, const Value *Q) {
  const Value *BeginP = beginningOf(P), *BeginQ = beginningOf(Q);
  return BeginP && BeginQ && BeginP != BeginQ;
}

} // namespace kdiff
