//===- Records.cpp - How taped values lie in memory -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Records.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Records.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kdiff {

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

void layOutRecord(Record &R) {
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

bool shareRecord(Record &R) {
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

} // namespace kdiff
