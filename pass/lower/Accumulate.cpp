//===- Accumulate.cpp - Adjoint additions -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions add to an adjoint in
// memory?
//
// Contended additions are relaxed atomics whose result nobody reads, so that
// ptxas makes reductions of them. Vectors are added by element: LLVM makes
// compare-and-swap loops of vector atomics. Scopes and the thread's own
// memory depend on address spaces, which are known only after inlining.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace kdiff;

/// Marks the atomics between lowerAccumulations and finishAccumulations.
static constexpr StringLiteral Mark = "kdiff.adjoint";

static void addPlain(IRBuilderBase &B, Value *Shadow, Value *Addend, Align A) {
  Value *Old = B.CreateAlignedLoad(Addend->getType(), Shadow, A, "adjoint");
  B.CreateAlignedStore(B.CreateFAdd(Old, Addend), Shadow, A);
}

static void addAtomic(IRBuilderBase &B, Value *Shadow, Value *Addend, Align A) {
  LLVMContext &C = B.getContext();
  AtomicRMWInst *RMW = B.CreateAtomicRMW(
      AtomicRMWInst::FAdd, Shadow, Addend, A, AtomicOrdering::Monotonic,
      C.getOrInsertSyncScopeID(nvptx::DeviceScope));
  RMW->setMetadata(Mark, MDNode::get(C, {}));
}

static void expand(CallInst &CI) {
  IRBuilder<> B(&CI);
  const DataLayout &DL = CI.getDataLayout();
  Value *Shadow = CI.getArgOperand(0), *Addend = CI.getArgOperand(1);
  Type *Ty = Addend->getType();
  Align A =
      CI.getParamAlign(0).value_or(DL.getABITypeAlign(Ty->getScalarType()));
  auto Kind =
      Accumulation(cast<ConstantInt>(CI.getArgOperand(2))->getZExtValue());
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  if (Kind == Accumulation::Overwrite) {
    // Adding +0.0 turns the neutral -0.0 of an unused value into +0.0.
    B.CreateAlignedStore(B.CreateFAdd(Addend, Constant::getNullValue(Ty)),
                         Shadow, A);
  } else if (Kind == Accumulation::Private || Kind == Accumulation::Exclusive) {
    addPlain(B, Shadow, Addend, A);
  } else if (!Vector) {
    addAtomic(B, Shadow, Addend, A);
  } else {
    uint64_t Size = DL.getTypeStoreSize(Vector->getElementType());
    for (unsigned I = 0, E = Vector->getNumElements(); I != E; ++I)
      addAtomic(
          B, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Shadow, I * Size),
          B.CreateExtractElement(Addend, I), commonAlignment(A, I * Size));
  }
  CI.eraseFromParent();
}

void kdiff::lowerAccumulations(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (abstractOp(F) != AbstractOp::Accumulate)
      continue;
    for (User *U : make_early_inc_range(F.users()))
      expand(*cast<CallInst>(U));
    F.eraseFromParent();
  }
}

//===--- What the address space says --------------------------------------===//

namespace {
enum class OwnMemory { Always, Maybe, Never };
} // namespace

/// Kernel arguments come from the host, globals are nobody's own.
static bool isNeverOwn(const Value *Object) {
  if (isa<GlobalValue>(Object) || isa<ConstantPointerNull>(Object))
    return true;
  if (auto *A = dyn_cast<Argument>(Object))
    return nvptx::isKernel(*A->getParent()) && !A->hasByValAttr();
  if (auto *L = dyn_cast<LoadInst>(Object))
    if (auto *A =
            dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand(), 0)))
      return nvptx::isKernel(*A->getParent()) && A->hasByValAttr();
  unsigned Space = Object->getType()->getPointerAddressSpace();
  return Space != nvptx::Generic && Space != nvptx::Local;
}

static OwnMemory ownMemory(const Value *Pointer) {
  switch (Pointer->getType()->getPointerAddressSpace()) {
  case nvptx::Local:
    return OwnMemory::Always;
  case nvptx::Generic:
    break;
  default:
    return OwnMemory::Never;
  }
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  auto IsOwn = [](const Value *O) { return isa<AllocaInst>(O); };
  if (all_of(Objects, IsOwn))
    return OwnMemory::Always;
  return all_of(Objects, isNeverOwn) ? OwnMemory::Never : OwnMemory::Maybe;
}

/// PTX leaves atomics on the thread's own memory undefined.
static void makePlain(AtomicRMWInst &RMW) {
  IRBuilder<> B(&RMW);
  addPlain(B, RMW.getPointerOperand(), RMW.getValOperand(), RMW.getAlign());
  RMW.eraseFromParent();
}

static void testAtRunTime(AtomicRMWInst &RMW) {
  IRBuilder<> B(&RMW);
  Value *Pointer = RMW.getPointerOperand();
  Value *IsOwn = B.CreateIntrinsic(Intrinsic::nvvm_isspacep_local, {Pointer});
  Instruction *Own, *Others;
  SplitBlockAndInsertIfThenElse(IsOwn, &RMW, &Own, &Others);
  B.SetInsertPoint(Own);
  B.SetCurrentDebugLocation(RMW.getDebugLoc());
  addPlain(B, Pointer, RMW.getValOperand(), RMW.getAlign());
  RMW.moveBefore(Others->getIterator());
}

static void finish(AtomicRMWInst &RMW) {
  RMW.setMetadata(Mark, nullptr);
  Value *Pointer = RMW.getPointerOperand();
  if (Pointer->getType()->getPointerAddressSpace() == nvptx::Shared)
    RMW.setSyncScopeID(
        RMW.getContext().getOrInsertSyncScopeID(nvptx::BlockScope));
  switch (ownMemory(Pointer)) {
  case OwnMemory::Always:
    return makePlain(RMW);
  case OwnMemory::Maybe:
    return testAtRunTime(RMW);
  case OwnMemory::Never:
    return;
  }
}

void kdiff::finishAccumulations(Function &F) {
  SmallVector<AtomicRMWInst *, 16> Marked;
  for (Instruction &I : instructions(F))
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I); RMW && RMW->hasMetadata(Mark))
      Marked.push_back(RMW);
  for (AtomicRMWInst *RMW : Marked)
    finish(*RMW);
}
