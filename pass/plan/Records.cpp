//===- Records.cpp - How taped values lie in memory -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Records.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Records.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kdiff {

bool canTape(const Value *V) {
  Type *T = V->getType();
  return T->isSingleValueType() && !isa<ScalableVectorType>(T);
}

unsigned scalarBits(const Value *V, const DataLayout &DL) {
  Type *T = V->getType();
  if (T->isIntegerTy())
    return std::max(1u, computeKnownBits(V, DL).countMaxActiveBits());
  return DL.getTypeSizeInBits(T->getScalarType()).getFixedValue();
}

void appendFields(Value *V, const DataLayout &DL,
                  SmallVectorImpl<Field> &Fields) {
  unsigned Bits = scalarBits(V, DL);
  unsigned Size = PowerOf2Ceil(divideCeil(Bits, 8u));
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  for (int K = 0, N = Vector ? Vector->getNumElements() : 1; K != N; ++K)
    Fields.push_back({V, Vector ? K : -1, 0, Size, Bits == 1 ? 0 : -1, Bits});
}

/// Places the fields: large ones first, single bits last, eight to a byte.
static void layOutRecord(Record &R) {
  llvm::stable_sort(R.Fields, [](const Field &L, const Field &X) {
    return std::pair(L.Size, L.Bit < 0) > std::pair(X.Size, X.Bit < 0);
  });
  unsigned Bits = 0;
  for (Field &F : R.Fields) {
    F.Offset = R.Bytes + Bits / 8;
    if (F.Bit >= 0)
      F.Bit = Bits++ % 8;
    else
      R.Bytes += F.Size;
  }
  R.Bytes = alignTo(R.Bytes + divideCeil(Bits, 8u), 8);
}

/// Lets several iterations of a loop share a word, if what each keeps is a few
/// bits. Instead of layOutRecord(). False if it is more.
static bool shareRecord(Record &R) {
  unsigned Bits = 0;
  for (const Field &F : R.Fields) {
    if (!F.V->getType()->getScalarType()->isIntegerTy())
      return false;
    Bits += F.Width;
  }
  if (Bits > MaxSharedBits)
    return false;
  R.Bits = PowerOf2Ceil(Bits);
  R.Bytes = 8;
  R.Shared = 64 / R.Bits;
  unsigned Next = 0;
  for (Field &F : R.Fields) {
    F.Bit = Next;
    Next += F.Width;
  }
  return true;
}

Strides stridesOf(const Loop *L, unsigned Bytes, ScalarEvolution &SE) {
  Strides Result;
  uint64_t Count = 1;
  for (; L; L = L->getParentLoop()) {
    unsigned Trips = SE.getSmallConstantMaxTripCount(L);
    Result.push_back({L->getHeader(), unsigned(Count)});
    Count *= Trips;
    if (!Trips || Count * Bytes > LocalBytes)
      return {};
  }
  Result.push_back({nullptr, unsigned(Count)});
  return Result;
}

/// Decides whether the records of loop \p Header fit into an array.
static void keepLocally(const Plan &P, BasicBlock *Header, Record &R,
                        const Subject &S, LoopInfo &LI, ScalarEvolution &SE) {
  if (!Header || S.isCut())
    return;
  Segment Replayed = P.loop(Header).Replayed;
  R.Local = Replayed.Snapshots;
  if (Replayed.Length)
    return;
  Strides Found = stridesOf(LI.getLoopFor(Header), R.Bytes, SE);
  if (Found.empty())
    return;
  R.Local = Found.pop_back_val().second;
  R.Around = Found;
}

/// Collects the taped values by loop, in program order.
void layOutRecords(Plan &P, const Subject &S, LoopInfo &LI,
                   ScalarEvolution &SE) {
  const DataLayout &DL = S.P.F->getDataLayout();
  auto Append = [&](Value *V, BasicBlock *Header) {
    auto It = P.Values.find(V);
    if (It != P.Values.end() &&
        (It->second.From == Source::Tape || It->second.From == Source::Replay))
      appendFields(V, DL, P.Records[Header].Fields);
  };
  for (Argument &Arg : S.P.F->args())
    Append(&Arg, nullptr);
  for (Instruction &I : instructions(*S.P.F)) {
    Loop *L = LI.getLoopFor(I.getParent());
    Append(&I, L ? L->getHeader() : nullptr);
  }
  for (auto &[Header, R] : P.Records) {
    if (!Header || P.loop(Header).Replayed.Length || !shareRecord(R))
      layOutRecord(R);
    if (!R.Shared)
      keepLocally(P, Header, R, S, LI, SE);
  }
}

} // namespace kdiff
