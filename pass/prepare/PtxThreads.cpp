//===- PtxThreads.cpp - Warp operations and atomics of PTX ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which IR are the statements of inline assembly
// by which threads exchange values?
//
// With their results, that is; barriers, fences and copies, which have none,
// are Assembly.cpp's. Forms: PTX ISA, 9.7.9 (shfl.sync, vote.sync, match.sync,
// redux.sync) and 9.7.13 (barrier.red, atom, red, elect.sync).
//
//===----------------------------------------------------------------------===//

#include "prepare/PtxReader.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace kdiff;
using namespace kdiff::ptx;

bool Reader::isSynchronising(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"shfl", "vote", "match", "redux", "elect", "activemask"}, true)
      .Cases({"bar", "barrier", "atom", "red"}, true)
      .Default(false);
}

bool Reader::synchronise(StringRef Name, const Statement &S) {
  if (Name == "shfl")
    return shuffle(S);
  if (Name == "vote")
    return vote(S);
  if (Name == "match")
    return match(S);
  if (Name == "redux")
    return reduce(S);
  if (Name == "elect")
    return elect(S);
  if (Name == "bar" || Name == "barrier")
    return reduceAtBarrier(S);
  if (Name == "atom" || Name == "red")
    return addAtomically(Name, S);
  return Name == "activemask" && Words.size() == 1 && Words[0] == "b32" &&
         write(S.Operands[0],
               B.CreateIntrinsic(Intrinsic::nvvm_activemask, {}));
}

/// "p" or "!p".
Value *Reader::predicate(StringRef Operand) {
  bool IsNegated = Operand.consume_front("!");
  Value *P = find(Operand.trim());
  if (!P || !P->getType()->isIntegerTy(1))
    return nullptr;
  return IsNegated ? B.CreateNot(P) : P;
}

/// The two of \p Pair to "d|p".
bool Reader::writeBoth(StringRef To, Value *Pair) {
  auto [First, Second] = To.split('|');
  return write(First.trim(), B.CreateExtractValue(Pair, 0)) &&
         (Second.empty() ||
          write(Second.trim(), B.CreateExtractValue(Pair, 1)));
}

/// shfl.sync.mode.b32 d|p, a, b, c, mask.
bool Reader::shuffle(const Statement &S) {
  if (Words.size() != 3 || Words[0] != "sync" || Words[2] != "b32" ||
      S.Operands.size() != 5)
    return false;
  using K = nvptx::ShuffleKind;
  auto Kind = StringSwitch<std::optional<K>>(Words[1])
                  .Case("up", K::Up)
                  .Case("down", K::Down)
                  .Case("bfly", K::Butterfly)
                  .Case("idx", K::Index)
                  .Default(std::nullopt);
  Type *I32 = B.getInt32Ty();
  Value *V = read(S.Operands[1], I32), *Lane = read(S.Operands[2], I32);
  Value *Clamp = read(S.Operands[3], I32), *Mask = read(S.Operands[4], I32);
  if (!Kind || !V || !Lane || !Clamp || !Mask)
    return false;
  auto [To, Flag] = StringRef(S.Operands[0]).split('|');
  return write(To.trim(),
               nvptx::createShuffle32(B, *Kind, Mask, V, Lane, Clamp)) &&
         (Flag.empty() || write(Flag.trim(), nvptx::createIsWithinBounds(
                                                 B, *Kind, Lane, Clamp)));
}

/// vote.sync.mode.type d, {!}a, mask.
bool Reader::vote(const Statement &S) {
  if (Words.size() != 3 || Words[0] != "sync" || S.Operands.size() != 3)
    return false;
  auto ID = StringSwitch<Intrinsic::ID>(Words[1])
                .Case("all", Intrinsic::nvvm_vote_all_sync)
                .Case("any", Intrinsic::nvvm_vote_any_sync)
                .Case("uni", Intrinsic::nvvm_vote_uni_sync)
                .Case("ballot", Intrinsic::nvvm_vote_ballot_sync)
                .Default(Intrinsic::not_intrinsic);
  Value *P = predicate(S.Operands[1]);
  Value *Mask = read(S.Operands[2], B.getInt32Ty());
  return ID != Intrinsic::not_intrinsic && P && Mask &&
         write(S.Operands[0], B.CreateIntrinsic(ID, {Mask, P}));
}

/// match.any.sync.type d, a, mask and match.all.sync.type d|p, a, mask.
bool Reader::match(const Statement &S) {
  if (Words.size() != 3 || Words[1] != "sync" || Kinds.size() != 1 ||
      S.Operands.size() != 3)
    return false;
  Type *T = Kinds[0].Ty;
  if (!T->isIntegerTy(32) && !T->isIntegerTy(64))
    return false;
  bool IsAll = Words[0] == "all", IsWide = T->isIntegerTy(64);
  Value *V = read(S.Operands[1], T),
        *Mask = read(S.Operands[2], B.getInt32Ty());
  if ((!IsAll && Words[0] != "any") || !V || !Mask)
    return false;
  if (!IsAll)
    return write(S.Operands[0],
                 B.CreateIntrinsic(IsWide ? Intrinsic::nvvm_match_any_sync_i64
                                          : Intrinsic::nvvm_match_any_sync_i32,
                                   {Mask, V}));
  return writeBoth(S.Operands[0],
                   B.CreateIntrinsic(IsWide
                                         ? Intrinsic::nvvm_match_all_sync_i64p
                                         : Intrinsic::nvvm_match_all_sync_i32p,
                                     {Mask, V}));
}

/// redux.sync.op.type d, a, mask, of integers.
bool Reader::reduce(const Statement &S) {
  if (Words.size() != 3 || Words[0] != "sync" || S.Operands.size() != 3)
    return false;
  auto ID = StringSwitch<Intrinsic::ID>((Words[1] + "." + Words[2]).str())
                .Cases({"add.u32", "add.s32"}, Intrinsic::nvvm_redux_sync_add)
                .Case("min.s32", Intrinsic::nvvm_redux_sync_min)
                .Case("max.s32", Intrinsic::nvvm_redux_sync_max)
                .Case("min.u32", Intrinsic::nvvm_redux_sync_umin)
                .Case("max.u32", Intrinsic::nvvm_redux_sync_umax)
                .Case("and.b32", Intrinsic::nvvm_redux_sync_and)
                .Case("or.b32", Intrinsic::nvvm_redux_sync_or)
                .Case("xor.b32", Intrinsic::nvvm_redux_sync_xor)
                .Default(Intrinsic::not_intrinsic);
  Value *V = read(S.Operands[1], B.getInt32Ty());
  Value *Mask = read(S.Operands[2], B.getInt32Ty());
  return ID != Intrinsic::not_intrinsic && V && Mask &&
         write(S.Operands[0], B.CreateIntrinsic(ID, {V, Mask}));
}

/// elect.sync d|p, mask.
bool Reader::elect(const Statement &S) {
  if (Words.size() != 1 || Words[0] != "sync" || S.Operands.size() != 2)
    return false;
  Value *Mask = read(S.Operands[1], B.getInt32Ty());
  return Mask &&
         writeBoth(S.Operands[0],
                   B.CreateIntrinsic(Intrinsic::nvvm_elect_sync, {Mask}));
}

/// barrier{.cta}.red.op{.aligned}.type d, a{, b}, {!}c; bar is aligned.
bool Reader::reduceAtBarrier(const Statement &S) {
  SmallVector<StringRef, 6> Rest(Words);
  llvm::erase(Rest, "cta");
  bool IsAligned =
      StringRef(S.Opcode).starts_with("bar.") || is_contained(Rest, "aligned");
  llvm::erase(Rest, "aligned");
  bool IsCounted = S.Operands.size() == 4;
  if (Rest.size() != 3 || Rest[0] != "red" ||
      (!IsCounted && S.Operands.size() != 3))
    return false;
  static constexpr Intrinsic::ID IDs[3][2][2] = {
      {{Intrinsic::nvvm_barrier_cta_red_and_all,
        Intrinsic::nvvm_barrier_cta_red_and_count},
       {Intrinsic::nvvm_barrier_cta_red_and_aligned_all,
        Intrinsic::nvvm_barrier_cta_red_and_aligned_count}},
      {{Intrinsic::nvvm_barrier_cta_red_or_all,
        Intrinsic::nvvm_barrier_cta_red_or_count},
       {Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
        Intrinsic::nvvm_barrier_cta_red_or_aligned_count}},
      {{Intrinsic::nvvm_barrier_cta_red_popc_all,
        Intrinsic::nvvm_barrier_cta_red_popc_count},
       {Intrinsic::nvvm_barrier_cta_red_popc_aligned_all,
        Intrinsic::nvvm_barrier_cta_red_popc_aligned_count}}};
  int Op = StringSwitch<int>((Rest[1] + "." + Rest[2]).str())
               .Case("and.pred", 0)
               .Case("or.pred", 1)
               .Case("popc.u32", 2)
               .Default(-1);
  SmallVector<Value *, 3> Args;
  for (unsigned K = 1; K + 1 < S.Operands.size(); ++K)
    Args.push_back(read(S.Operands[K], B.getInt32Ty()));
  Args.push_back(predicate(S.Operands.back()));
  return Op >= 0 && !is_contained(Args, nullptr) &&
         write(S.Operands[0],
               B.CreateIntrinsic(IDs[Op][IsAligned][IsCounted], Args));
}

/// atom.add d, [a], b and red.add [a], b of floating point, relaxed.
bool Reader::addAtomically(StringRef Name, const Statement &S) {
  unsigned Space = nvptx::Generic, Adds = 0;
  StringRef Scope = nvptx::DeviceScope; // PTX ISA: where none is named.
  for (StringRef W : Words) {
    if (W == "add")
      ++Adds;
    else if (W == "global")
      Space = nvptx::Global;
    else if (W == "shared" || W == "shared::cta")
      Space = nvptx::Shared;
    else if (W == "cta")
      Scope = nvptx::BlockScope;
    else if (W == "sys")
      Scope = "";
    else if (W != "relaxed" && W != "gpu" && W != "noftz" && !kindOf(C, W).Ty)
      return false;
  }
  bool IsAtom = Name == "atom";
  if (Adds != 1 || Kinds.size() != 1 || !Kinds[0].Ty->isFPOrFPVectorTy() ||
      S.Operands.size() != (IsAtom ? 3 : 2))
    return false;
  Type *T = Kinds[0].Ty;
  Value *Pointer = address(S.Operands[IsAtom ? 1 : 0], Space);
  Value *V = read(S.Operands.back(), T);
  if (!Pointer || !V)
    return false;
  Value *Old = B.CreateAtomicRMW(
      AtomicRMWInst::FAdd, Pointer, V,
      Align(CI.getDataLayout().getTypeStoreSize(T)), AtomicOrdering::Monotonic,
      Scope.empty() ? SyncScope::System : C.getOrInsertSyncScopeID(Scope));
  return !IsAtom || write(S.Operands[0], Old);
}
