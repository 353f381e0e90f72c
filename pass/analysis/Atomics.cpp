//===- Atomics.cpp - Which atomic operations have a derivative ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Atomics.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Atomics.h"
#include "target/Sync.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static Refusal refuseOperation(const Instruction &I) {
  constexpr StringLiteral Remedy =
      "use atomicAdd, or a reduction without atomics";
  if (isa<AtomicCmpXchgInst>(I))
    return {"an atomic compare-and-swap on differentiated memory", Remedy};
  switch (cast<AtomicRMWInst>(I).getOperation()) {
  case AtomicRMWInst::Xchg:
    return {"an atomic exchange on differentiated memory, which comes in an "
            "order that nobody knows",
            "load and store the word where one thread alone touches it; else "
            "use atomicAdd, or a reduction without atomics"};
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return {
        "an atomic maximum or minimum of differentiated values, whose "
        "winner nobody knows",
        "take it in shared memory, at one address for the whole block and "
        "with __syncthreads() behind it, or in global memory and split mode "
        "(kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and "
        "__kd_reverse), without its old value"};
  default:
    return {"an atomic operation on a differentiated value that is no "
            "addition of floating-point numbers",
            Remedy};
  }
}

std::optional<Refusal> refuseAtomic(const Instruction &I, const Activity &A) {
  if (nvptx::isClaimed(I)) // The claim has the derivative.
    return std::nullopt;
  const Value *Pointer = I.getOperand(0);
  bool Puts = any_of(I.operands(), [&](const Use &U) {
    return A.isVaried(U) || A.isDerivedFromBits(U);
  });
  uint64_t Size = I.getDataLayout().getTypeStoreSize(accessedType(I));
  bool IsFloat = A.canBeVaried(&I) || A.places().typeAt(Pointer, Size);
  if (!Puts && !(A.isActivePointer(Pointer) && IsFloat))
    return std::nullopt;
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  bool Adds = RMW && (RMW->getOperation() == AtomicRMWInst::FAdd ||
                      RMW->getOperation() == AtomicRMWInst::FSub);
  if (!Adds)
    return refuseOperation(I);
  if (!A.isActivePointer(Pointer))
    return Refusal{"an atomic addition to memory without a shadow",
                   "mark the memory kd_dup and give it a shadow"};
  if (A.isActive(&I))
    return Refusal{"the old value of an atomic addition",
                   "read the value before or after, without atomics"};
  return std::nullopt;
}

} // namespace kdiff
