//===- PtxMemory.cpp - Memory and threads of inline PTX -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the loads, stores, atomics, barriers
// and warp operations of inline PTX do?
//
//===----------------------------------------------------------------------===//

#include "PtxAsm.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace kdiff::simt;

/// .v2 and .v4 accesses: element N at N times the element's size.
bool AsmLowering::emitMemory() {
  bool Load = Op == "ld" || Op == "ldu", Store = Op == "st";
  if ((!Load && !Store) || !Kind.Ty)
    return false;
  for (StringRef Unknown : {"param", "mbarrier", "b128"})
    if (has(Unknown))
      return false;
  SmallVector<StringRef, 4> Elements = ptxElements(operand(Load ? 0 : 1));
  Value *Address = readAddress(Load ? 1 : 0);
  if (Failed)
    return false;
  bool Polls = has("volatile") || has("acquire") || has("relaxed");
  if (Load && Polls)
    E.poll();
  uint64_t Bytes = Kind.Ty->getPrimitiveSizeInBits() / 8;
  Align Alignment(Bytes * PowerOf2Ceil(Elements.size()));
  AccessKind Checks = accessKind();
  Checks.LogAlign = Log2(Alignment);
  Checks.Read = Load;
  Checks.Write = Store;
  Checks.Atomic = Polls;
  auto *Whole = ArrayType::get(Kind.Ty, Elements.size());
  E.access(Address, Whole, Checks);
  for (auto [N, Element] : enumerate(Elements)) {
    Value *Place = B.CreateConstGEP1_64(B.getInt8Ty(), Address, N * Bytes);
    Align Here = commonAlignment(Alignment, N * Bytes);
    if (Store) {
      B.CreateAlignedStore(read(Element, Kind.Ty), Place, Here, Polls);
      continue;
    }
    Value *V = B.CreateAlignedLoad(Kind.Ty, Place, Here, Polls);
    if (Kind.Signed && Bytes < 8) // Fills wider registers.
      V = B.CreateSExt(V, B.getInt64Ty());
    write(Element, V);
  }
  if (Store)
    E.stored(Address, Whole);
  return true;
}

/// What the modifiers say.
AccessKind AsmLowering::accessKind() const {
  AccessKind K;
  K.BlockScope = has("cta");
  K.Acquires = has("acquire") || has("acq_rel");
  K.Releases = has("release") || has("acq_rel");
  return K;
}

/// atom gives the old value, red does not.
bool AsmLowering::emitAtomic() {
  bool Atom = Op == "atom", Red = Op == "red";
  if ((!Atom && !Red) || !Kind.Ty || has("async"))
    return false;
  unsigned First = Atom ? 1 : 0;
  Value *Address = readAddress(First);
  E.poll();
  bool IsFloat = Kind.isFloat();
  AccessKind Checks = accessKind();
  Checks.LogAlign = Log2_64(Kind.Ty->getPrimitiveSizeInBits() / 8);
  Checks.Read = Checks.Write = Checks.Atomic = 1;
  if (has("cas")) {
    E.access(Address, Kind.Ty, Checks);
    Value *Old = B.CreateAlignedLoad(Kind.Ty, Address, Align(1));
    Value *Equal = B.CreateICmpEQ(Old, read(First + 1));
    B.CreateAlignedStore(B.CreateSelect(Equal, read(First + 2), Old), Address,
                         Align(1));
    return write(0, Old);
  }
  auto Rmw = AtomicRMWInst::BAD_BINOP;
  for (StringRef Part : drop_begin(I->Name)) {
    using R = AtomicRMWInst;
    auto Named = StringSwitch<R::BinOp>(Part)
                     .Case("add", IsFloat ? R::FAdd : R::Add)
                     .Case("exch", R::Xchg)
                     .Case("min", IsFloat       ? R::FMin
                                  : Kind.Signed ? R::Min
                                                : R::UMin)
                     .Case("max", IsFloat       ? R::FMax
                                  : Kind.Signed ? R::Max
                                                : R::UMax)
                     .Case("inc", R::UIncWrap)
                     .Case("dec", R::UDecWrap)
                     .Case("and", R::And)
                     .Case("or", R::Or)
                     .Case("xor", R::Xor)
                     .Default(R::BAD_BINOP);
    if (Named != R::BAD_BINOP)
      Rmw = Named;
  }
  if (Rmw == AtomicRMWInst::BAD_BINOP)
    return false;
  // Vector forms (.v2.f32) are one atomic for each element.
  SmallVector<StringRef, 4> Values = ptxElements(operand(First + 1));
  SmallVector<StringRef, 4> Results;
  if (Atom)
    Results = ptxElements(operand(0));
  if (Failed || (Atom && Results.size() != Values.size()))
    return false;
  uint64_t Bytes = Kind.Ty->getPrimitiveSizeInBits() / 8;
  for (auto [N, Element] : enumerate(Values)) {
    Value *Place = B.CreateConstGEP1_64(B.getInt8Ty(), Address, N * Bytes);
    E.access(Place, Kind.Ty, Checks);
    Value *Old = B.CreateAlignedLoad(Kind.Ty, Place, Align(Bytes));
    Value *New = buildAtomicRMWValue(Rmw, B, Old, read(Element, Kind.Ty));
    B.CreateAlignedStore(New, Place, Align(Bytes));
    E.stored(Place, Kind.Ty);
    if (Atom)
      write(Results[N], Old);
  }
  return true;
}

/// Copies are complete at once, so there is nothing to wait for.
bool AsmLowering::emitAsyncCopy() {
  if (Op != "cp" || !has("async"))
    return false;
  for (StringRef Unknown : {"bulk", "mbarrier", "reduce"})
    if (has(Unknown))
      return false;
  if (has("commit_group") || has("wait_group") || has("wait_all"))
    return true;
  if (!has("ca") && !has("cg"))
    return false;
  Value *To = readAddress(0), *Source = readAddress(1);
  Value *Bytes = read(2, B.getInt64Ty());
  E.access(To, Bytes, {.LogAlign = 2, .Write = 1});
  if (I->Operands.size() < 4) {
    E.access(Source, Bytes, {.LogAlign = 2, .Read = 1});
    B.CreateMemCpy(To, MaybeAlign(4), Source, MaybeAlign(4), Bytes);
    return true;
  }
  // The fourth operand says how many bytes to copy, or whether none; the
  // rest becomes zeros.
  Value *Count = nullptr;
  if (Value *V = Registers.lookup(operand(3));
      V && V->getType()->isIntegerTy(1))
    Count = B.CreateSelect(V, B.getInt64(0), Bytes);
  else
    Count = E.bits(read(3, B.getInt32Ty()), B.getInt64Ty());
  E.access(Source, Count, {.LogAlign = 2, .Read = 1});
  B.CreateMemSet(To, B.getInt8(0), Bytes, MaybeAlign(4));
  B.CreateMemCpy(To, MaybeAlign(4), Source, MaybeAlign(4), Count);
  return true;
}

bool AsmLowering::emitThreads() {
  if (Op == "membar" || Op == "fence") {
    if (has("proxy") && has("tensormap"))
      return false;
    B.CreateFence(AtomicOrdering::SequentiallyConsistent,
                  SyncScope::SingleThread);
    E.fence(has("cta") ? SyncReach::Block : SyncReach::Device);
    return true;
  }
  if (Op == "nanosleep") {
    E.callRuntime("kdiff_simt_yield", B.getVoidTy(), {E.thread()});
    return true;
  }
  if (Op == "trap") {
    E.callRuntime("kdiff_simt_trap", B.getVoidTy(), {E.thread(), E.site()});
    return true;
  }
  if (Op == "exit") {
    E.callRuntime("kdiff_simt_exit", B.getVoidTy(), {E.thread()});
    return true;
  }
  if (Op == "prefetch" || Op == "prefetchu" || Op == "discard" ||
      Op == "applypriority" || Op == "griddepcontrol" || Op == "brkpt" ||
      Op == "pmevent" || Op == "setmaxnreg")
    return true;
  if (Op == "isspacep") {
    MemorySpace Space = has("shared")  ? MemorySpace::Shared
                        : has("local") ? MemorySpace::Local
                        : has("const") ? MemorySpace::Constant
                                       : MemorySpace::Global;
    return write(0, B.CreateIsNotNull(E.callRuntime(
                        "kdiff_simt_is_in", B.getInt32Ty(),
                        {E.thread(), read(1, B.getPtrTy()),
                         B.getInt32(static_cast<uint32_t>(Space))})));
  }
  return emitBarrier() || emitWarp();
}

bool AsmLowering::emitBarrier() {
  Type *I32 = B.getInt32Ty();
  if (Op == "bar" && has("warp")) {
    E.warp(WarpOp::Sync, read(0, I32), B.getInt32(0), I32);
    return true;
  }
  if ((Op != "bar" && Op != "barrier") || has("cluster"))
    return false;
  unsigned Count = I->Operands.size();
  auto optional = [&](unsigned N) {
    return N < Count ? read(N, I32) : nullptr;
  };
  bool Aligned = Op == "bar" || has("aligned");
  if (has("sync") || has("arrive")) {
    E.barrier(has("sync") ? BarrierOp::Sync : BarrierOp::Arrive, read(0, I32),
              optional(1), nullptr, Aligned);
    return true;
  }
  if (!has("red"))
    return false;
  // d, id{, count}, predicate
  BarrierOp Kind = has("and")  ? BarrierOp::And
                   : has("or") ? BarrierOp::Or
                               : BarrierOp::Popc;
  Value *R = E.barrier(Kind, read(1, I32), Count == 4 ? read(2, I32) : nullptr,
                       readFlag(Count - 1), Aligned);
  return write(0, Kind == BarrierOp::Popc ? R : B.CreateIsNotNull(R));
}

bool AsmLowering::emitWarp() {
  Type *I32 = B.getInt32Ty(), *I1 = B.getInt1Ty();
  if (Op == "activemask")
    return write(0,
                 E.warp(WarpOp::ActiveMask, B.getInt32(0), B.getInt32(0), I32));
  if (!has("sync"))
    return false;
  // d|p: result and predicate.
  auto writeBoth = [&](Value *V) {
    SmallVector<StringRef, 4> To = ptxElements(operand(0));
    return write(To[0], V) &&
           (To.size() < 2 || write(To[1], E.warpPredicate()));
  };
  if (Op == "shfl") {
    WarpOp Which = has("up")     ? WarpOp::ShuffleUp
                   : has("down") ? WarpOp::ShuffleDown
                   : has("bfly") ? WarpOp::ShuffleBfly
                                 : WarpOp::ShuffleIdx;
    return writeBoth(E.warp(Which, read(4, I32), read(1, I32), I32,
                            read(2, I32), read(3, I32)));
  }
  if (Op == "vote") {
    WarpOp Which = has("any")   ? WarpOp::Any
                   : has("all") ? WarpOp::All
                   : has("uni") ? WarpOp::Uniform
                                : WarpOp::Ballot;
    return write(0, E.warp(Which, read(2, I32), readFlag(1),
                           Which == WarpOp::Ballot ? I32 : I1));
  }
  if (Op == "match")
    return writeBoth(E.warp(has("all") ? WarpOp::MatchAll : WarpOp::MatchAny,
                            read(2, I32), read(1, Kind.Ty), I32));
  if (Op == "elect")
    return writeBoth(E.warp(WarpOp::Elect, read(1, I32), B.getInt32(0), I32));
  if (Op != "redux" || !Kind.Ty || Kind.isFloat())
    return false;
  bool S = Kind.Signed;
  WarpOp Which = has("add")   ? WarpOp::Add
                 : has("min") ? (S ? WarpOp::SMin : WarpOp::UMin)
                 : has("max") ? (S ? WarpOp::SMax : WarpOp::UMax)
                 : has("and") ? WarpOp::And
                 : has("or")  ? WarpOp::Or
                              : WarpOp::Xor;
  return write(0, E.warp(Which, read(2, I32), read(1, I32), I32));
}
