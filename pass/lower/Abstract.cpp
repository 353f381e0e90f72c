//===- Abstract.cpp - The abstract operations that emit writes --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the abstract operations look like as
// calls, and how are they told from other calls?
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "kdiff/TapeLayout.h"
#include "rules/Attach.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace kdiff;

static constexpr StringLiteral AccumulateName = "kd.accumulate";
static constexpr StringLiteral AccumulateAllName = "kd.accumulate.all";
static constexpr StringLiteral AccumulateChunkName = "kd.accumulate.chunk";
static constexpr StringLiteral GatheredName = "kd.accumulate.gathered";
static constexpr StringLiteral StencilAddName = "kd.stencil.add.";
static constexpr StringLiteral StencilEndName = "kd.stencil.end.";
static constexpr StringLiteral ShuffleBackName = "kd.shfl.back";
static constexpr StringLiteral BlockSumName = "kd.block.sum.";
static constexpr StringLiteral BlockSumBackName = "kd.block.sum.back";
static constexpr StringLiteral SharedZeroName = "kd.shared.zero";
static constexpr StringLiteral SharedWithinName = "kd.shared.within";
static constexpr StringLiteral SharedApartName = "kd.shared.apart";
static constexpr StringLiteral WarpMaxName = "kd.warp.max";
static constexpr StringLiteral DistanceName = "kd.checkpoint.distance";
static constexpr StringLiteral DoubtName = "kd.doubt";
static constexpr StringLiteral QuotientName = "kd.quotient";
static constexpr StringLiteral OpenName = "kd.tape.open";
static constexpr StringLiteral CloseName = "kd.tape.close";
static constexpr StringLiteral BeginName = "kd.tape.begin";
static constexpr StringLiteral SuspendName = "kd.tape.suspend";
static constexpr StringLiteral ResumeName = "kd.tape.resume";
static constexpr StringLiteral ExhaustedName = "kd.tape.exhausted";
static constexpr StringLiteral PushName = "kd.tape.push";
static constexpr StringLiteral PopName = "kd.tape.pop";
static constexpr StringLiteral FieldName = "kd.tape.field";
static constexpr StringLiteral ClaimName = "kd.tape.claim";
static constexpr StringLiteral SettleName = "kd.tape.settle";
static constexpr StringLiteral WatchName = "kd.tape.watch";

AbstractOp kdiff::abstractOp(const Function &F) {
  StringRef Name = F.getName();
  if (!Name.starts_with("kd."))
    return AbstractOp::None;
  if (Name.starts_with(AccumulateAllName))
    return AbstractOp::AccumulateAll;
  if (Name.starts_with(AccumulateChunkName))
    return AbstractOp::AccumulateChunk;
  if (Name.starts_with(GatheredName))
    return AbstractOp::AccumulateGathered;
  if (isAttach(F))
    return AbstractOp::Attach;
  if (Name.starts_with(AccumulateName))
    return AbstractOp::Accumulate;
  if (Name.starts_with(StencilAddName))
    return AbstractOp::StencilAdd;
  if (Name.starts_with(StencilEndName))
    return AbstractOp::StencilEnd;
  if (Name.starts_with(ShuffleBackName))
    return AbstractOp::ShuffleBack;
  if (Name.starts_with(QuotientName))
    return AbstractOp::Quotient;
  if (Name.starts_with(BlockSumBackName))
    return AbstractOp::BlockSumBack;
  if (Name.starts_with(BlockSumName))
    return AbstractOp::BlockSum;
  if (Name.starts_with(nvptx::RaiseName))
    return AbstractOp::Raise;
  if (Name.starts_with(nvptx::ClaimName))
    return AbstractOp::Claim;
  return StringSwitch<AbstractOp>(Name)
      .Case(nvptx::WideShuffleName, AbstractOp::WideShuffle)
      .Case(nvptx::TreeHoldsName, AbstractOp::TreeHolds)
      .Case(SharedZeroName, AbstractOp::SharedZero)
      .Case(SharedWithinName, AbstractOp::SharedWithin)
      .Case(SharedApartName, AbstractOp::SharedApart)
      .Case(WarpMaxName, AbstractOp::WarpMax)
      .Case(DistanceName, AbstractOp::CheckpointDistance)
      .Case(DoubtName, AbstractOp::Doubt)
      .Case(OpenName, AbstractOp::TapeOpen)
      .Case(CloseName, AbstractOp::TapeClose)
      .Case(BeginName, AbstractOp::TapeBegin)
      .Case(SuspendName, AbstractOp::TapeSuspend)
      .Case(ResumeName, AbstractOp::TapeResume)
      .Case(ExhaustedName, AbstractOp::TapeExhausted)
      .Case(PushName, AbstractOp::TapePush)
      .Case(PopName, AbstractOp::TapePop)
      .Case(FieldName, AbstractOp::TapeField)
      .Case(ClaimName, AbstractOp::TapeClaim)
      .Case(SettleName, AbstractOp::TapeSettle)
      .Case(WatchName, AbstractOp::TapeWatch)
      .Default(AbstractOp::None);
}

/// Declares and calls operation \p Name. All of them return, and touch what
/// their pointers lead to and, for the tape, what the program cannot see.
static CallInst *create(IRBuilderBase &B, const Twine &Name, Type *Result,
                        ArrayRef<Value *> Args, MemoryEffects Effects) {
  Module *M = B.GetInsertBlock()->getModule();
  SmallVector<Type *, 4> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  FunctionCallee Callee = M->getOrInsertFunction(
      Name.str(), FunctionType::get(Result, Types, /*isVarArg=*/false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(Effects);
  return B.CreateCall(Callee, Args);
}

static void mangle(Type *T, raw_ostream &OS) {
  if (auto *V = dyn_cast<FixedVectorType>(T)) {
    OS << 'v' << V->getNumElements();
    T = V->getElementType();
  }
  assert(
      (T->isHalfTy() || T->isBFloatTy() || T->isFloatTy() || T->isDoubleTy()) &&
      "adjoints are half, bfloat, float or double");
  OS << (T->isBFloatTy() ? "bf" : "f") << T->getPrimitiveSizeInBits();
}

CallInst *kdiff::createAccumulate(IRBuilderBase &B, Value *Shadow, Value *Value,
                                  Accumulation Kind, MaybeAlign Alignment) {
  std::string Name;
  raw_string_ostream OS(Name);
  OS << AccumulateName << '.';
  mangle(Value->getType(), OS);
  OS << ".p" << Shadow->getType()->getPointerAddressSpace();
  CallInst *CI = create(B, Name, B.getVoidTy(),
                        {Shadow, Value, B.getInt32(unsigned(Kind))},
                        MemoryEffects::argMemOnly());
  if (Alignment && Value->getType()->isVectorTy())
    CI->addParamAttr(0,
                     Attribute::getWithAlignment(CI->getContext(), *Alignment));
  return CI;
}

/// Calls the operation \p Name of \p Args, which begin with a kind.
static Function *createForMany(IRBuilderBase &B, StringRef Name, Type *T,
                               ArrayRef<Value *> Args) {
  std::string Mangled;
  raw_string_ostream OS(Mangled);
  OS << Name << '.';
  mangle(T, OS);
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      Mangled, FunctionType::get(B.getVoidTy(), {B.getInt32Ty()},
                                 /*isVarArg=*/true));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  B.CreateCall(Callee, Args);
  return F;
}

void kdiff::createAccumulateAll(IRBuilderBase &B, ArrayRef<WordSum> Words,
                                Accumulation Kind) {
  SmallVector<Value *, 16> Args{B.getInt32(unsigned(Kind))};
  for (const WordSum &Word : Words)
    Args.append({Word.Shadow, Word.Value});
  createForMany(B, AccumulateAllName, Words.front().Value->getType(), Args)
      ->setConvergent();
}

void kdiff::createAccumulateChunk(IRBuilderBase &B, ArrayRef<WordSum> Words,
                                  Accumulation Kind) {
  SmallVector<Value *, 16> Args{B.getInt32(unsigned(Kind))};
  for (const WordSum &Word : Words)
    Args.append({Word.Shadow, Word.Value,
                 ConstantInt::getSigned(B.getInt64Ty(), Word.Step)});
  createForMany(B, AccumulateChunkName, Words.front().Value->getType(), Args);
}

void kdiff::markLoop(Instruction &Backedge, StringRef Attribute,
                     std::optional<unsigned> Number) {
  LLVMContext &C = Backedge.getContext();
  SmallVector<Metadata *, 2> Choice{MDString::get(C, Attribute)};
  if (Number)
    Choice.push_back(ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(C), *Number)));
  Backedge.setMetadata(LLVMContext::MD_loop,
                       makePostTransformationMetadata(
                           C, Backedge.getMetadata(LLVMContext::MD_loop),
                           {"llvm.loop.unroll."}, {MDNode::get(C, Choice)}));
}

Value *kdiff::createAccumulateGathered(IRBuilderBase &B, const Gathering &How) {
  auto Bytes = [&](int64_t N) {
    return ConstantInt::getSigned(B.getInt64Ty(), N);
  };
  auto InShared = [&](Value *Pointer) {
    return B.CreateAddrSpaceCast(Pointer, B.getPtrTy(nvptx::Shared));
  };
  std::string Name;
  raw_string_ostream OS(Name);
  OS << GatheredName << '.';
  Type *T = How.Seed->getType();
  mangle(T, OS);
  CallInst *CI = create(B, Name, StructType::get(T, B.getInt1Ty()),
                        {B.getInt32(unsigned(How.Kind)), B.getInt1(How.AlongY),
                         B.getInt1(How.IsAligned), B.getInt1(How.IsCommon),
                         B.getInt1(How.IsHanded), B.getInt32(How.Count),
                         B.getInt32(How.MaxOther), Bytes(How.WordStep),
                         Bytes(How.FactorStep), Bytes(How.FactorStride),
                         InShared(How.Word), InShared(How.Factor), How.Seed},
                        MemoryEffects::unknown());
  CI->getCalledFunction()->setConvergent();
  return CI;
}

Gathering kdiff::gatheringOf(const CallInst &CI) {
  auto Number = [&](unsigned K) {
    return cast<ConstantInt>(CI.getArgOperand(K))->getSExtValue();
  };
  auto Is = [&](unsigned K) { return Number(K) != 0; };
  return {Accumulation(Number(0)),
          Is(1),
          Is(2),
          Is(3),
          Is(4),
          unsigned(Number(5)),
          unsigned(Number(6)),
          Number(7),
          Number(8),
          Number(9),
          CI.getArgOperand(10),
          CI.getArgOperand(11),
          CI.getArgOperand(12)};
}

/// \p Prefix with the types of a word.
static std::string nameFor(StringRef Prefix, Type *T, Value *Word) {
  std::string Name;
  raw_string_ostream OS(Name);
  OS << Prefix;
  mangle(T, OS);
  OS << ".p" << Word->getType()->getPointerAddressSpace();
  return Name;
}

void kdiff::createStencilAdd(IRBuilderBase &B, unsigned Group, Value *Shadow,
                             Value *Value, ArrayRef<llvm::Value *> Away) {
  SmallVector<llvm::Value *, 6> Args{B.getInt32(Group), Shadow, Value};
  Args.append(Away.begin(), Away.end());
  create(B, nameFor(StencilAddName, Value->getType(), Shadow), B.getVoidTy(),
         Args, MemoryEffects::inaccessibleOrArgMemOnly());
}

void kdiff::createStencilEnd(IRBuilderBase &B, unsigned Group, Value *Own,
                             Type *T) {
  create(B, nameFor(StencilEndName, T, Own), B.getVoidTy(),
         {B.getInt32(Group), Own, Constant::getNullValue(T)},
         MemoryEffects::inaccessibleOrArgMemOnly());
}

Type *kdiff::tapeStateType(LLVMContext &C) {
  Type *I32 = Type::getInt32Ty(C);
  Type *Pointer = PointerType::get(C, 1);
  return StructType::get(C, {Pointer, I32, I32, Pointer});
}

static CallInst *createTape(IRBuilderBase &B, StringRef Name, Type *Result,
                            ArrayRef<Value *> Args) {
  return create(B, Name, Result, Args,
                MemoryEffects::inaccessibleOrArgMemOnly());
}

void kdiff::createTapeOpen(IRBuilderBase &B, Value *State, Value *Pool) {
  if (!Pool)
    Pool = ConstantPointerNull::get(B.getPtrTy());
  createTape(B, OpenName, B.getVoidTy(), {State, Pool});
}

void kdiff::createTapeClose(IRBuilderBase &B, Value *State) {
  createTape(B, CloseName, B.getVoidTy(), State);
}

void kdiff::createTapeBegin(IRBuilderBase &B, Value *State, Value *Pool) {
  createTape(B, BeginName, B.getVoidTy(), {State, Pool});
}

void kdiff::createTapeSuspend(IRBuilderBase &B, Value *State, unsigned Layout) {
  createTape(B, SuspendName, B.getVoidTy(), {State, B.getInt32(Layout)});
}

void kdiff::createTapeResume(IRBuilderBase &B, Value *State, Value *Pool,
                             unsigned Layout) {
  createTape(B, ResumeName, B.getVoidTy(), {State, Pool, B.getInt32(Layout)});
}

Value *kdiff::createTapeExhausted(IRBuilderBase &B, Value *State) {
  return createTape(B, ExhaustedName, B.getInt1Ty(), State);
}

Value *kdiff::createTapePush(IRBuilderBase &B, Value *State, unsigned Bytes) {
  assert(Bytes && Bytes <= TapeMaxRecordBytes && "no record of this size");
  return createTape(B, PushName, B.getPtrTy(1), {State, B.getInt32(Bytes)});
}

Value *kdiff::createTapePop(IRBuilderBase &B, Value *State, unsigned Bytes) {
  assert(Bytes && Bytes <= TapeMaxRecordBytes && "no record of this size");
  return createTape(B, PopName, B.getPtrTy(1), {State, B.getInt32(Bytes)});
}

Value *kdiff::createTapeField(IRBuilderBase &B, Value *State, Value *Record,
                              unsigned Offset, unsigned Size) {
  assert(isPowerOf2_32(Size) &&
         Offset % std::min(Size, unsigned(TapeRecordGranule)) == 0 &&
         "a field lies at a multiple of its size, or of words");
  return createTape(B, FieldName, B.getPtrTy(1),
                    {State, Record, B.getInt32(Offset), B.getInt32(Size)});
}

/// The generic address of \p Pointer as a number: one declaration serves all.
static Value *addressOf(IRBuilderBase &B, Value *Pointer) {
  return B.CreatePtrToInt(
      B.CreatePointerBitCastOrAddrSpaceCast(Pointer, B.getPtrTy()),
      B.getInt64Ty());
}

Value *kdiff::createTapeClaim(IRBuilderBase &B, Value *State, Value *Word,
                              unsigned Order, Value *Code, Value *Raises) {
  return createTape(
      B, ClaimName, B.getInt64Ty(),
      {State, addressOf(B, Word), B.getInt32(Order), Code, Raises});
}

Value *kdiff::createTapeSettle(IRBuilderBase &B, Value *State, Value *Claim,
                               Value *Code) {
  return createTape(B, SettleName, B.getInt1Ty(), {State, Claim, Code});
}

void kdiff::createTapeWatch(IRBuilderBase &B, Value *State, Value *Address,
                            unsigned Bytes) {
  createTape(B, WatchName, B.getVoidTy(),
             {State, addressOf(B, Address), B.getInt32(Bytes)});
}

Value *kdiff::createShuffleBack(IRBuilderBase &B, unsigned Kind, Value *Mask,
                                Value *Adjoint, Value *Lane, Value *Clamp) {
  std::string Name;
  raw_string_ostream OS(Name);
  OS << ShuffleBackName << '.';
  mangle(Adjoint->getType(), OS);
  CallInst *CI = create(B, Name, Adjoint->getType(),
                        {B.getInt32(Kind), Mask, Adjoint, Lane, Clamp},
                        MemoryEffects::inaccessibleMemOnly());
  CI->getCalledFunction()->setConvergent();
  return CI;
}

Value *kdiff::createBlockSumBack(IRBuilderBase &B, Value *Adjoint,
                                 Value *Reader) {
  std::string Name;
  raw_string_ostream OS(Name);
  OS << BlockSumBackName << '.';
  mangle(Adjoint->getType(), OS);
  CallInst *CI = create(B, Name, Adjoint->getType(), {Adjoint, Reader},
                        MemoryEffects::inaccessibleMemOnly());
  CI->getCalledFunction()->setConvergent();
  return CI;
}

Value *kdiff::createWarpMax(IRBuilderBase &B, Value *Number) {
  CallInst *CI = create(B, WarpMaxName, B.getInt32Ty(), Number,
                        MemoryEffects::inaccessibleMemOnly());
  CI->getCalledFunction()->setConvergent();
  return CI;
}

Value *kdiff::createCheckpointDistance(IRBuilderBase &B, Value *Segments,
                                       Value *Free) {
  return create(B, DistanceName, B.getInt32Ty(), {Segments, Free},
                MemoryEffects::none());
}

Value *kdiff::createDoubt(IRBuilderBase &B, Value *Doubt) {
  return create(B, DoubtName, B.getInt1Ty(), Doubt, MemoryEffects::none());
}

CallInst *kdiff::createQuotient(IRBuilderBase &B, Value *Numerator,
                                Value *Divisor, Value *Reciprocal) {
  std::string Name;
  raw_string_ostream OS(Name);
  OS << QuotientName << '.';
  mangle(Numerator->getType(), OS);
  CallInst *CI =
      create(B, Name, Numerator->getType(), {Numerator, Divisor, Reciprocal},
             MemoryEffects::none());
  CI->getCalledFunction()->setSpeculatable();
  return CI;
}

void kdiff::createSharedZero(IRBuilderBase &B, Value *Address, Value *Bytes) {
  create(B, SharedZeroName, B.getVoidTy(), {Address, Bytes},
         MemoryEffects::argMemOnly());
}

void kdiff::createSharedWithin(IRBuilderBase &B, Value *End, Value *Limit) {
  create(B, SharedWithinName, B.getVoidTy(), {End, Limit},
         MemoryEffects::inaccessibleMemOnly());
}

void kdiff::createSharedApart(IRBuilderBase &B, Value *End, Value *Limit) {
  create(B, SharedApartName, B.getVoidTy(), {End, Limit},
         MemoryEffects::inaccessibleMemOnly());
}
