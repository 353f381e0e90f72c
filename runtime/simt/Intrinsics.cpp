//===- Intrinsics.cpp - llvm.nvvm.* on the host ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the NVVM intrinsics for threads,
// barriers, warps and memory become?
//
//===----------------------------------------------------------------------===//

#include "Intrinsics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace kdiff::simt;

bool IntrinsicLowering::lower(CallInst &C, Value *&Result) {
  Call = &C;
  Type = C.getType();
  StringRef Name = C.getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.");
  if (lowerEffect(Name) || lowerAsyncCopy(Name))
    return true;
  Value *R = nullptr;
  if (Name.consume_front("read.ptx.sreg."))
    R = E.specialRegister(Name, Type);
  else if (Name == "is_explicit_cluster")
    R = B.getFalse();
  else if (Name.consume_front("barrier.cta."))
    R = lowerBarrier(Name);
  else if (Name.consume_front("atomic."))
    R = lowerAtomic(Name);
  else {
    for (auto Lower :
         {&IntrinsicLowering::lowerWarp, &IntrinsicLowering::lowerMemory,
          &IntrinsicLowering::lowerInteger, &IntrinsicLowering::lowerFloat})
      if ((R = (this->*Lower)(Name)))
        break;
  }
  Result = R;
  return R;
}

Value *IntrinsicLowering::withPredicate(Value *V) {
  auto *Pair = dyn_cast<StructType>(Type);
  if (!Pair)
    return V;
  Value *R = B.CreateInsertValue(PoisonValue::get(Pair), V, 0);
  return B.CreateInsertValue(R, E.warpPredicate(), 1);
}

bool IntrinsicLowering::lowerEffect(StringRef Name) {
  if (Name.starts_with("membar.") ||
      (Name.starts_with("fence.") && !Name.contains("proxy.tensormap"))) {
    // All threads run on one thread of the host: just the compiler matters.
    B.CreateFence(AtomicOrdering::SequentiallyConsistent,
                  SyncScope::SingleThread);
    bool OfBlock = Name.ends_with(".cta") || Name.contains(".cta.");
    E.fence(OfBlock ? SyncReach::Block : SyncReach::Device);
    return true;
  }
  if (Name.starts_with("prefetch") || Name.starts_with("applypriority.") ||
      Name.starts_with("discard.") || Name.starts_with("griddepcontrol.") ||
      Name.starts_with("setmaxnreg.") || Name == "pm.event.mask")
    return true; // Hints.
  if (Name == "nanosleep") {
    E.callRuntime("kdiff_simt_yield", B.getVoidTy(), {E.thread()});
    return true;
  }
  if (Name == "exit") {
    E.callRuntime("kdiff_simt_exit", B.getVoidTy(), {E.thread()});
    return true;
  }
  return false;
}

bool IntrinsicLowering::lowerAsyncCopy(StringRef Name) {
  if (!Name.consume_front("cp.async."))
    return false;
  // Copies are complete at once, so there is nothing to wait for.
  if (Name == "commit.group" || Name.starts_with("wait."))
    return true;
  bool Sized = Name.consume_back(".s");
  unsigned Bytes;
  if (!Name.consume_front("ca.shared.global.") &&
      !Name.consume_front("cg.shared.global."))
    return false;
  if (Name.getAsInteger(10, Bytes))
    return false;
  E.access(arg(0), B.getInt64(Bytes), {.LogAlign = Log2_32(Bytes), .Write = 1});
  E.access(arg(1),
           Sized ? B.CreateZExt(arg(2), B.getInt64Ty()) : B.getInt64(Bytes),
           {.LogAlign = Log2_32(Bytes), .Read = 1});
  if (Sized) { // The rest is filled with zeros.
    B.CreateMemSet(arg(0), B.getInt8(0), Bytes, MaybeAlign(4));
    B.CreateMemCpy(arg(0), MaybeAlign(4), arg(1), MaybeAlign(4), arg(2));
  } else {
    B.CreateMemCpy(arg(0), MaybeAlign(4), arg(1), MaybeAlign(4), Bytes);
  }
  return true;
}

Value *IntrinsicLowering::lowerBarrier(StringRef Name) {
  SmallVector<StringRef, 4> Parts;
  Name.split(Parts, '.');
  bool Counted = Parts.back() == "count";
  BarrierOp Op = BarrierOp::Sync;
  if (Parts[0] == "red")
    Op = StringSwitch<BarrierOp>(Parts[1])
             .Case("and", BarrierOp::And)
             .Case("or", BarrierOp::Or)
             .Default(BarrierOp::Popc);
  else if (Parts[0] == "arrive")
    Op = BarrierOp::Arrive;
  Value *Predicate = Parts[0] == "red" ? arg(Call->arg_size() - 1) : nullptr;
  Value *R = E.barrier(Op, arg(0), Counted ? arg(1) : nullptr, Predicate,
                       is_contained(Parts, "aligned"));
  return Type->isIntegerTy(1) ? B.CreateIsNotNull(R) : R;
}

Value *IntrinsicLowering::lowerWarp(StringRef Name) {
  if (Name == "bar.warp.sync")
    return E.warp(WarpOp::Sync, arg(0), B.getInt32(0), B.getInt32Ty());
  if (Name == "activemask")
    return E.warp(WarpOp::ActiveMask, B.getInt32(0), B.getInt32(0), Type);
  if (Name == "elect.sync")
    return withPredicate(
        E.warp(WarpOp::Elect, arg(0), B.getInt32(0), B.getInt32Ty()));
  if (Name.consume_front("shfl.sync.")) {
    WarpOp Op = StringSwitch<WarpOp>(Name.split('.').first)
                    .Case("idx", WarpOp::ShuffleIdx)
                    .Case("up", WarpOp::ShuffleUp)
                    .Case("down", WarpOp::ShuffleDown)
                    .Default(WarpOp::ShuffleBfly);
    return withPredicate(
        E.warp(Op, arg(0), arg(1), arg(1)->getType(), arg(2), arg(3)));
  }
  if (Name.starts_with("vote.") && Name.ends_with(".sync")) {
    WarpOp Op = StringSwitch<WarpOp>(Name.drop_front(5).drop_back(5))
                    .Case("any", WarpOp::Any)
                    .Case("all", WarpOp::All)
                    .Case("uni", WarpOp::Uniform)
                    .Default(WarpOp::Ballot);
    return E.warp(Op, arg(0), arg(1), Type);
  }
  if (Name.starts_with("match.any.sync."))
    return E.warp(WarpOp::MatchAny, arg(0), arg(1), Type);
  if (Name.starts_with("match.all.sync."))
    return withPredicate(
        E.warp(WarpOp::MatchAll, arg(0), arg(1), B.getInt32Ty()));
  if (Name.consume_front("redux.sync."))
    return lowerRedux(Name);
  return nullptr;
}

Value *IntrinsicLowering::lowerRedux(StringRef Name) {
  WarpOp Op = StringSwitch<WarpOp>(Name)
                  .Case("add", WarpOp::Add)
                  .Case("umin", WarpOp::UMin)
                  .Case("umax", WarpOp::UMax)
                  .Case("min", WarpOp::SMin)
                  .Case("max", WarpOp::SMax)
                  .Case("and", WarpOp::And)
                  .Case("or", WarpOp::Or)
                  .Case("xor", WarpOp::Xor)
                  .Cases({"fmin", "fmin.abs"}, WarpOp::FMin)
                  .Cases({"fmax", "fmax.abs"}, WarpOp::FMax)
                  .Cases({"fmin.NaN", "fmin.abs.NaN"}, WarpOp::FMinNaN)
                  .Cases({"fmax.NaN", "fmax.abs.NaN"}, WarpOp::FMaxNaN)
                  .Default(WarpOp::Sync);
  if (Op == WarpOp::Sync)
    return nullptr;
  Value *V = arg(0);
  if (Name.contains(".abs"))
    V = B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  return E.warp(Op, arg(1), V, Type);
}

Value *IntrinsicLowering::lowerAtomic(StringRef Name) {
  StringRef Op = Name.split('.').first;
  E.poll();
  AccessKind Checks;
  Checks.LogAlign = Log2_64(Type->getPrimitiveSizeInBits() / 8);
  Checks.Read = Checks.Write = Checks.Atomic = 1;
  Checks.BlockScope = Name.contains(".cta");
  E.access(arg(0), Type, Checks);
  if (Op == "cas") {
    // Nobody runs between the two.
    Value *Old = B.CreateLoad(Type, arg(0));
    Value *Equal = B.CreateICmpEQ(Old, arg(1));
    B.CreateStore(B.CreateSelect(Equal, arg(2), Old), arg(0));
    return Old;
  }
  bool IsFloat = arg(1)->getType()->isFloatingPointTy();
  auto Kind =
      StringSwitch<AtomicRMWInst::BinOp>(Op)
          .Case("add", IsFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
          .Case("exch", AtomicRMWInst::Xchg)
          .Case("max", AtomicRMWInst::Max)
          .Case("min", AtomicRMWInst::Min)
          .Case("and", AtomicRMWInst::And)
          .Case("or", AtomicRMWInst::Or)
          .Case("xor", AtomicRMWInst::Xor)
          .Case("inc", AtomicRMWInst::UIncWrap)
          .Case("dec", AtomicRMWInst::UDecWrap)
          .Default(AtomicRMWInst::BAD_BINOP);
  if (Kind == AtomicRMWInst::BAD_BINOP)
    return nullptr;
  Value *Old = B.CreateLoad(Type, arg(0));
  B.CreateStore(buildAtomicRMWValue(Kind, B, Old, arg(1)), arg(0));
  E.stored(arg(0), Type);
  return Old;
}

Value *IntrinsicLowering::lowerMemory(StringRef Name) {
  if (Name.consume_front("isspacep.")) {
    MemorySpace Space =
        StringSwitch<MemorySpace>(Name)
            .Cases({"shared", "shared.cluster"}, MemorySpace::Shared)
            .Case("local", MemorySpace::Local)
            .Case("const", MemorySpace::Constant)
            .Default(MemorySpace::Global);
    return B.CreateIsNotNull(E.callRuntime(
        "kdiff_simt_is_in", B.getInt32Ty(),
        {E.thread(), arg(0), B.getInt32(static_cast<uint32_t>(Space))}));
  }
  if (Name.starts_with("ldu.global.")) {
    AccessKind Checks;
    Checks.LogAlign = Log2(cast<ConstantInt>(arg(1))->getAlignValue());
    Checks.Read = 1;
    E.access(arg(0), Type, Checks);
    return B.CreateAlignedLoad(Type, arg(0),
                               cast<ConstantInt>(arg(1))->getMaybeAlignValue());
  }
  if (Name.starts_with("internal.addrspace.wrap"))
    return B.CreatePointerBitCastOrAddrSpaceCast(arg(0), Type);
  if (Name.starts_with("move."))
    return arg(0);
  return nullptr;
}
