//===- Emitter.cpp - Code in place of device code -------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does lowering reach the running thread,
// the runtime's functions and the special registers?
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <cstddef>
#include <optional>

using namespace llvm;
using namespace kdiff::simt;

void Emitter::startAt(Instruction &I) {
  Place = &I;
  PlaceSite = nullptr;
  B.SetInsertPoint(&I);
  B.setFastMathFlags(FastMathFlags());
}

Value *Emitter::invariantField(IRBuilder<> &At, Value *Base, size_t Offset,
                               Type *Ty) {
  auto *Load = At.CreateLoad(
      Ty, At.CreateConstInBoundsGEP1_64(At.getInt8Ty(), Base, Offset));
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(M.getContext(), {}));
  Load->setNoSanitizeMetadata();
  return Load;
}

Instruction *Emitter::thread() {
  Function *F = B.GetInsertBlock()->getParent();
  Instruction *&T = Threads[F];
  if (!T) {
    IRBuilder<> Entry(&*F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    T = Entry.CreateLoad(
        B.getPtrTy(), M.getOrInsertGlobal("kdiff_simt_current", B.getPtrTy()),
        "simt.thread");
    T->setNoSanitizeMetadata();
  }
  return T;
}

Value *Emitter::threadField(size_t Offset, Type *Ty) {
  return invariantField(B, thread(), Offset, Ty);
}

Instruction *Emitter::block() {
  Instruction *T = thread();
  Instruction *&Block = Blocks[T->getFunction()];
  if (!Block) {
    IRBuilder<> Entry(T->getNextNode());
    Block = cast<Instruction>(
        invariantField(Entry, T, offsetof(Thread, Block), B.getPtrTy()));
  }
  return Block;
}

Value *Emitter::blockField(size_t Offset, Type *Ty) {
  return invariantField(B, block(), Offset, Ty);
}

Value *Emitter::site() {
  if (PlaceSite)
    return PlaceSite;
  PlaceSite = B.getInt32(Sites.number(*Place));
  return PlaceSite;
}

CallInst *Emitter::callRuntime(StringRef Name, Type *Result,
                               ArrayRef<Value *> Args) {
  SmallVector<Type *, 8> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false));
  cast<Function>(Callee.getCallee())->setDoesNotThrow();
  return B.CreateCall(Callee, Args);
}

Value *Emitter::barrier(BarrierOp Op, Value *Id, Value *Count, Value *Predicate,
                        bool Aligned) {
  return callRuntime(
      "kdiff_simt_barrier", B.getInt32Ty(),
      {thread(), Id, Count ? Count : B.getInt32(0),
       B.getInt32(static_cast<uint32_t>(Op)),
       Predicate ? B.CreateZExt(Predicate, B.getInt32Ty()) : B.getInt32(0),
       B.getInt32(Aligned), site()});
}

Value *Emitter::warp(WarpOp Op, Value *Mask, Value *V, Type *Result,
                     Value *Offset, Value *Clamp) {
  Value *Zero = B.getInt32(0);
  // Lanes are active together at one instruction, of which a line, or a copy
  // of a function, may have several.
  if (Op == WarpOp::ActiveMask)
    V = B.getInt64(ActiveMasks++);
  Value *R = callRuntime("kdiff_simt_warp", B.getInt64Ty(),
                         {thread(), B.getInt32(static_cast<uint32_t>(Op)), Mask,
                          bits(V, B.getInt64Ty()), Offset ? Offset : Zero,
                          Clamp ? Clamp : Zero, site()});
  return Result->isIntegerTy(1) ? B.CreateIsNotNull(R) : bits(R, Result);
}

Value *Emitter::warpPredicate() {
  Value *Field = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), thread(),
                                              offsetof(Thread, Predicate));
  LoadInst *Load = B.CreateLoad(B.getInt32Ty(), Field);
  Load->setNoSanitizeMetadata();
  return B.CreateIsNotNull(Load);
}

void Emitter::poll() {
  callRuntime("kdiff_simt_poll", B.getVoidTy(), {thread()});
}

Value *Emitter::bits(Value *V, Type *To) {
  if (V->getType() == To)
    return V;
  const DataLayout &DL = M.getDataLayout();
  auto integer = [&](Type *Ty) {
    return B.getIntNTy(DL.getTypeSizeInBits(Ty).getFixedValue());
  };
  Type *From = V->getType();
  Value *Bits = From->isPtrOrPtrVectorTy() ? B.CreatePtrToInt(V, integer(From))
                                           : B.CreateBitCast(V, integer(From));
  Bits = B.CreateZExtOrTrunc(Bits, integer(To));
  return To->isPointerTy() ? B.CreateIntToPtr(Bits, To)
                           : B.CreateBitCast(Bits, To);
}

/// The offset in BlockContext of a register with components, or nothing.
static std::optional<size_t> blockRegister(StringRef Name) {
  // A launch without clusters has one block in each.
  return StringSwitch<std::optional<size_t>>(Name)
      .Cases({"ctaid", "clusterid"}, offsetof(BlockContext, Ctaid))
      .Case("ntid", offsetof(BlockContext, Ntid))
      .Cases({"nctaid", "nclusterid"}, offsetof(BlockContext, Nctaid))
      .Default(std::nullopt);
}

Value *Emitter::specialRegister(StringRef PtxName, Type *Ty) {
  // The intrinsics have points where PTX has underscores.
  std::string Dotted = PtxName.str();
  std::replace(Dotted.begin(), Dotted.end(), '_', '.');
  StringRef Name = Dotted;
  auto thread32 = [&](size_t Offset) {
    return B.CreateZExtOrTrunc(threadField(Offset, B.getInt32Ty()), Ty);
  };
  auto block32 = [&](size_t Offset) {
    return B.CreateZExtOrTrunc(blockField(Offset, B.getInt32Ty()), Ty);
  };
  auto [Base, Axis] = Name.rsplit('.');
  size_t Component =
      Axis.size() == 1 ? StringRef("xyzw").find(Axis[0]) : StringRef::npos;
  if (Component != StringRef::npos) {
    bool Fourth = Component == 3;
    if (Base == "tid")
      return Fourth ? ConstantInt::get(Ty, 0)
                    : thread32(offsetof(Thread, Tid) + 4 * Component);
    if (auto Offset = blockRegister(Base))
      return Fourth ? ConstantInt::get(Ty, Base.starts_with("n"))
                    : block32(*Offset + 4 * Component);
    if (Base == "cluster.ctaid" || Base == "cluster.nctaid")
      return ConstantInt::get(Ty, Base == "cluster.nctaid");
    return nullptr;
  }
  if (Name == "laneid")
    return thread32(offsetof(Thread, Lane));
  if (Name == "warpid")
    return thread32(offsetof(Thread, Warp));
  if (Name == "dynamic.smem.size")
    return block32(offsetof(BlockContext, DynamicBytes));
  if (Name == "total.smem.size" || Name == "aggr.smem.size")
    return block32(offsetof(BlockContext, SharedBytes));
  if (Name == "reserved.smem.offset.1" || Name == "reserved.smem.offset.begin")
    return bits(B.CreateConstGEP1_64(
                    B.getInt8Ty(),
                    blockField(offsetof(BlockContext, Shared), B.getPtrTy()),
                    -static_cast<int64_t>(ReservedShared)),
                Ty);
  if (Name.consume_front("lanemask.")) {
    Value *Eq = B.CreateShl(B.getInt32(1), thread32(offsetof(Thread, Lane)));
    Value *Lt = B.CreateSub(Eq, B.getInt32(1));
    Value *Le = B.CreateOr(Eq, Lt);
    return StringSwitch<Value *>(Name)
        .Case("eq", Eq)
        .Case("lt", Lt)
        .Case("le", Le)
        .Case("gt", B.CreateNot(Le))
        .Case("ge", B.CreateNot(Lt))
        .Default(nullptr);
  }
  if (Name == "clock" || Name == "clock64")
    return B.CreateTrunc(callRuntime("kdiff_simt_clock", B.getInt64Ty(), {}),
                         Ty);
  if (Name.consume_front("globaltimer")) {
    Value *Now = callRuntime("kdiff_simt_globaltimer", B.getInt64Ty(), {});
    if (Name == ".hi")
      Now = B.CreateLShr(Now, 32);
    return B.CreateTrunc(Now, Ty);
  }
  if (Name == "nwarpid") {
    Value *Threads = B.getInt32(1);
    for (size_t Axis = 0; Axis < 3; ++Axis)
      Threads = B.CreateMul(
          Threads,
          blockField(offsetof(BlockContext, Ntid) + 4 * Axis, B.getInt32Ty()));
    return B.CreateLShr(B.CreateAdd(Threads, B.getInt32(WarpSize - 1)), 5);
  }
  // A device of one multiprocessor, no clusters, no performance counters.
  int Constant = StringSwitch<int>(Name)
                     .Cases({"warpsize", "WARP.SZ"}, WarpSize)
                     .Cases({"nsmid", "cluster.nctarank"}, 1)
                     .Cases({"smid", "gridid", "cluster.ctarank",
                             "is.explicit.cluster", "pm0", "pm1", "pm2", "pm3"},
                            0)
                     .StartsWith("envreg", 0)
                     .Default(-1);
  return Constant < 0 ? nullptr : ConstantInt::get(Ty, Constant);
}
