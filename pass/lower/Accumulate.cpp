//===- Accumulate.cpp - Adjoint additions -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions add to an adjoint in
// memory?
//
// Contended additions are relaxed atomics whose result nobody reads, so that
// ptxas makes reductions of them, which nobody waits for. Scopes, the thread's
// own memory, and whether a vector can be added at once depend on address
// spaces, which are known only after inlining.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
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

static Accumulation kindOf(const CallInst &CI) {
  return Accumulation(cast<ConstantInt>(CI.getArgOperand(2))->getZExtValue());
}

static Align alignmentOf(const CallInst &CI) {
  Type *Scalar = CI.getArgOperand(1)->getType()->getScalarType();
  return std::max(CI.getDataLayout().getABITypeAlign(Scalar),
                  CI.getParamAlign(0).valueOrOne());
}

/// Plain where the block extends in x alone, else \p CI as it is.
static void testBlockShape(CallInst &CI) {
  IRBuilder<> B(&CI);
  Value *Y = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_y, {});
  Value *Z = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_z, {});
  Value *IsRow = B.CreateICmpEQ(B.CreateMul(Y, Z), B.getInt32(1));
  Instruction *Own, *Others;
  SplitBlockAndInsertIfThenElse(IsRow, &CI, &Own, &Others);
  B.SetInsertPoint(Own);
  B.SetCurrentDebugLocation(CI.getDebugLoc());
  addPlain(B, CI.getArgOperand(0), CI.getArgOperand(1), alignmentOf(CI));
  CI.moveBefore(Others->getIterator());
}

/// Atomic additions to vectors wait until their address space is known.
static void expand(CallInst &CI) {
  if (kindOf(CI) == Accumulation::ExclusiveInX)
    testBlockShape(CI);
  IRBuilder<> B(&CI);
  Value *Shadow = CI.getArgOperand(0), *Addend = CI.getArgOperand(1);
  if (kindOf(CI) == Accumulation::Overwrite)
    // Adding +0.0 turns the neutral -0.0 of an unused value into +0.0.
    B.CreateAlignedStore(
        B.CreateFAdd(Addend, Constant::getNullValue(Addend->getType())), Shadow,
        alignmentOf(CI));
  else if (kindOf(CI) <= Accumulation::Exclusive)
    addPlain(B, Shadow, Addend, alignmentOf(CI));
  else if (!Addend->getType()->isVectorTy())
    addAtomic(B, Shadow, Addend, alignmentOf(CI));
  else
    return;
  CI.eraseFromParent();
}

void kdiff::lowerAccumulations(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (abstractOp(F) != AbstractOp::Accumulate)
      continue;
    for (User *U : make_early_inc_range(F.users()))
      expand(*cast<CallInst>(U));
    if (F.use_empty())
      F.eraseFromParent();
  }
}

//===--- Vectors ----------------------------------------------------------===//

/// The instruction that adds to neighbouring words of global memory at once, as
/// inline assembly; empty where \p F's target has none (PTX ISA 8.1, "red").
static StringRef vectorReduction(const Function &F, const VectorType &T) {
  unsigned Count = cast<FixedVectorType>(T).getNumElements();
  const Type *Scalar = T.getElementType();
  unsigned Processor = nvptx::processorOf(F), PTX = nvptx::ptxVersionOf(F);
  if (Scalar->isHalfTy() && Count == 2 && Processor >= 60 && PTX >= 62)
    return "red.relaxed.gpu.global.add.noftz.f16x2 [$0], $1;";
  if (Processor < 90 || PTX < 81)
    return "";
  if (Scalar->isBFloatTy() && Count == 2)
    return "red.relaxed.gpu.global.add.noftz.bf16x2 [$0], $1;";
  if (Scalar->isFloatTy() && Count == 2)
    return "red.relaxed.gpu.global.add.v2.f32 [$0], {$1, $2};";
  if (Scalar->isFloatTy() && Count == 4)
    return "red.relaxed.gpu.global.add.v4.f32 [$0], {$1, $2, $3, $4};";
  return "";
}

/// \p Pointer in the address space that it is known to lead to. (Address spaces
/// are inferred for instructions, not for the operands of abstract operations.)
static Value *inItsSpace(IRBuilderBase &B, Value *Pointer) {
  Value *Plain = Pointer->stripPointerCasts();
  if (Plain->getType()->getPointerAddressSpace() != nvptx::Generic)
    return Plain;
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  unsigned Space = Object->getType()->getPointerAddressSpace();
  auto *A = dyn_cast<Argument>(Object);
  if (A && !A->hasByValAttr() && nvptx::isKernel(*A->getParent()))
    Space = nvptx::Global;
  return Space == nvptx::Generic
             ? Pointer
             : B.CreateAddrSpaceCast(Pointer, B.getPtrTy(Space));
}

static bool addAsVector(IRBuilderBase &B, CallInst &CI, Value *Address) {
  Value *Addend = CI.getArgOperand(1);
  auto &T = *cast<FixedVectorType>(Addend->getType());
  StringRef Code = vectorReduction(*CI.getFunction(), T);
  if (Code.empty() ||
      Address->getType()->getPointerAddressSpace() != nvptx::Global ||
      alignmentOf(CI).value() < CI.getDataLayout().getTypeStoreSize(&T))
    return false;
  SmallVector<Value *, 5> Args{Address};
  std::string Constraints = "l";
  if (T.getElementType()->isFloatTy()) {
    for (unsigned K = 0; K != T.getNumElements(); ++K) {
      Args.push_back(B.CreateExtractElement(Addend, K));
      Constraints += ",f";
    }
  } else {
    Args.push_back(B.CreateBitCast(Addend, B.getInt32Ty()));
    Constraints += ",r";
  }
  SmallVector<Type *, 5> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  auto *FT = FunctionType::get(B.getVoidTy(), Types, false);
  B.CreateCall(InlineAsm::get(FT, Code, Constraints + ",~{memory}",
                              /*hasSideEffects=*/true),
               Args);
  return true;
}

/// LLVM makes compare-and-swap loops of vector atomics: at once where there is
/// an instruction, else by element.
static void expandVector(CallInst &CI) {
  IRBuilder<> B(&CI);
  Value *Shadow = inItsSpace(B, CI.getArgOperand(0));
  Value *Addend = CI.getArgOperand(1);
  if (!addAsVector(B, CI, Shadow) && !addAsLine(B, Shadow, Addend)) {
    auto *T = cast<FixedVectorType>(Addend->getType());
    uint64_t Size = CI.getDataLayout().getTypeStoreSize(T->getElementType());
    for (unsigned K = 0; K != T->getNumElements(); ++K)
      addAtomic(B,
                B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Shadow, K * Size),
                B.CreateExtractElement(Addend, K),
                commonAlignment(alignmentOf(CI), K * Size));
  }
  Function *Operation = CI.getCalledFunction();
  CI.eraseFromParent();
  if (Operation->use_empty())
    Operation->eraseFromParent();
}

/// The primal's addition to two half-precision numbers, which has come as
/// assembly of one instruction, where \p F's target has it (PTX ISA, "atom").
static void addPair(AtomicRMWInst &RMW) {
  const Function &F = *RMW.getFunction();
  auto &T = *cast<FixedVectorType>(RMW.getType());
  bool IsHalf = T.getElementType()->isHalfTy();
  if (RMW.getOperation() != AtomicRMWInst::FAdd || T.getNumElements() != 2 ||
      (!IsHalf && !T.getElementType()->isBFloatTy()) ||
      nvptx::processorOf(F) < (IsHalf ? 60 : 90) ||
      nvptx::ptxVersionOf(F) < (IsHalf ? 62 : 78))
    return;
  LLVMContext &C = RMW.getContext();
  Value *Pointer = RMW.getPointerOperand();
  StringRef Scope =
      RMW.getSyncScopeID() == SyncScope::System ? "sys"
      : RMW.getSyncScopeID() == C.getOrInsertSyncScopeID(nvptx::BlockScope)
          ? "cta"
          : "gpu";
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  StringRef Where = Space == nvptx::Global   ? ".global"
                    : Space == nvptx::Shared ? ".shared"
                                             : "";
  std::string Code = ("atom.relaxed." + Scope + Where + ".add.noftz." +
                      (IsHalf ? "f16x2" : "bf16x2") + " $0, [$1], $2;")
                         .str();
  IRBuilder<> B(&RMW);
  Type *I32 = B.getInt32Ty();
  auto *FT = FunctionType::get(I32, {Pointer->getType(), I32}, false);
  Value *Old = B.CreateCall(
      InlineAsm::get(FT, Code, "=r,l,r,~{memory}", /*hasSideEffects=*/true),
      {Pointer, B.CreateBitCast(RMW.getValOperand(), I32)});
  RMW.replaceAllUsesWith(B.CreateBitCast(Old, &T));
  RMW.eraseFromParent();
}

/// The loop around a compare-and-swap that the addition \p RMW was.
static void addInLoop(AtomicRMWInst &RMW) {
  Value *Pointer = RMW.getPointerOperand();
  Type *T = RMW.getType();
  BasicBlock *Before = RMW.getParent();
  BasicBlock *After = SplitBlock(Before, &RMW);
  BasicBlock *Loop =
      BasicBlock::Create(RMW.getContext(), "swap", Before->getParent(), After);
  Before->getTerminator()->setSuccessor(0, Loop);
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(RMW.getDebugLoc());
  Type *Bits = B.getIntNTy(T->getScalarSizeInBits());
  Value *First = B.CreateAlignedLoad(Bits, Pointer, RMW.getAlign());
  B.SetInsertPoint(Loop);
  PHINode *Seen = B.CreatePHI(Bits, 2);
  Value *Number = B.CreateBitCast(Seen, T), *V = RMW.getValOperand();
  Value *Sum = RMW.getOperation() == AtomicRMWInst::FSub
                   ? B.CreateFSub(Number, V)
                   : B.CreateFAdd(Number, V);
  Value *Swap =
      B.CreateAtomicCmpXchg(Pointer, Seen, B.CreateBitCast(Sum, Bits),
                            RMW.getAlign(), AtomicOrdering::Monotonic,
                            AtomicOrdering::Monotonic, RMW.getSyncScopeID());
  Value *Old = B.CreateExtractValue(Swap, 0);
  B.CreateCondBr(B.CreateICmpEQ(Old, Seen), After, Loop);
  Seen->addIncoming(First, Before);
  Seen->addIncoming(Old, Loop);
  RMW.replaceAllUsesWith(Number);
  RMW.eraseFromParent();
}

//===--- What the address space says --------------------------------------===//

namespace {
enum class OwnMemory { Always, Maybe, Never };
} // namespace

/// Kernel arguments come from the host, globals are nobody's own.
static bool isOfOthers(const Value *Object) {
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
  return all_of(Objects, isOfOthers) ? OwnMemory::Never : OwnMemory::Maybe;
}

bool kdiff::isNeverOwn(const Value *Pointer) {
  return ownMemory(Pointer) == OwnMemory::Never;
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

//===--- Reductions -------------------------------------------------------===//

static bool isFence(const Instruction &I) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return isStrongerThanMonotonic(RMW->getOrdering());
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return isStrongerThanMonotonic(Swap->getMergedOrdering());
  auto *CB = dyn_cast<CallBase>(&I);
  return isa<FenceInst>(I) || (CB && nvptx::isFence(*CB));
}

/// True if \p F, or what it calls, has a fence.
static bool mayFence(const Function &F) {
  SmallVector<const Function *, 8> Work{&F};
  SmallPtrSet<const Function *, 8> Seen{&F};
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val())) {
      if (isFence(I))
        return true;
      auto *CB = dyn_cast<CallBase>(&I);
      const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
      if (Callee && !Callee->isDeclaration() && Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  return false;
}

/// An atomic together with a fence behind it orders what follows (PTX ISA,
/// "Acquire patterns"), even if nobody reads its result, so that ptxas takes it
/// for no reduction. KDiff's additions order nothing: they are written as
/// reductions then.
static void makeReduction(AtomicRMWInst &RMW) {
  Type *T = RMW.getType();
  LLVMContext &C = RMW.getContext();
  bool IsDouble = T->isDoubleTy();
  if (RMW.getOperation() != AtomicRMWInst::FAdd || !RMW.use_empty() ||
      RMW.getOrdering() != AtomicOrdering::Monotonic ||
      RMW.getSyncScopeID() != C.getOrInsertSyncScopeID(nvptx::DeviceScope) ||
      RMW.getPointerAddressSpace() != nvptx::Global ||
      !(T->isFloatTy() ||
        (IsDouble && nvptx::processorOf(*RMW.getFunction()) >= 60)))
    return;
  IRBuilder<> B(&RMW);
  auto *FT = FunctionType::get(B.getVoidTy(),
                               {RMW.getPointerOperand()->getType(), T}, false);
  B.CreateCall(InlineAsm::get(FT,
                              IsDouble ? "red.global.add.f64 [$0], $1;"
                                       : "red.global.add.f32 [$0], $1;",
                              IsDouble ? "l,d,~{memory}" : "l,f,~{memory}",
                              /*hasSideEffects=*/true),
               {RMW.getPointerOperand(), RMW.getValOperand()});
  RMW.eraseFromParent();
}

void kdiff::finishAccumulations(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *CI = dyn_cast<CallInst>(&I))
      if (const Function *Callee = CI->getCalledFunction();
          Callee && abstractOp(*Callee) == AbstractOp::Accumulate)
        expandVector(*CI);
  SmallVector<AtomicRMWInst *, 16> Marked, Pairs, Loops;
  for (Instruction &I : instructions(F))
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
      if (RMW->hasMetadata(Mark))
        Marked.push_back(RMW);
      else if (RMW->getType()->isVectorTy())
        Pairs.push_back(RMW);
      else if (nvptx::isMarkedAsLoop(*RMW))
        Loops.push_back(RMW);
    }
  for (AtomicRMWInst *RMW : Marked)
    finish(*RMW);
  for (AtomicRMWInst *RMW : Pairs)
    addPair(*RMW);
  for (AtomicRMWInst *RMW : Loops)
    addInLoop(*RMW);
  if (mayFence(F))
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
        makeReduction(*RMW);
}
