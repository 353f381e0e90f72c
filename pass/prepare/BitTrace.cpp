//===- BitTrace.cpp - Where the bits of a value come from -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see BitTrace.h.
//
//===----------------------------------------------------------------------===//

#include "prepare/BitTrace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace kdiff;

static constexpr unsigned MaxWidth = 128;

bool kdiff::isRun(ArrayRef<Bit> Bits) {
  for (auto [K, B] : enumerate(Bits))
    if (B.Source != Bits[0].Source || !B.Source || B.IsFlipped ||
        B.Position != Bits[0].Position + K)
      return false;
  return true;
}

/// 0: no type whose bits are numbered.
static unsigned widthOf(const Type *T) {
  if (!T->isIntOrIntVectorTy() && !T->isFPOrFPVectorTy())
    return 0;
  if (isa<ScalableVectorType>(T))
    return 0;
  unsigned Width = T->getPrimitiveSizeInBits().getFixedValue();
  return Width <= MaxWidth ? Width : 0;
}

static BitList ownBits(Value *V, unsigned Width) {
  BitList Bits;
  for (unsigned K = 0; K != Width; ++K)
    Bits.push_back({V, K, false});
  return Bits;
}

const BitList &BitTracer::of(Value *V) {
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  BitList Bits = trace(V);
  return Known[V] = std::move(Bits);
}

BitList BitTracer::trace(Value *V) {
  unsigned Width = widthOf(V->getType());
  if (Width == 0)
    return {};
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    BitList Bits;
    for (unsigned K = 0; K != Width; ++K)
      Bits.push_back({nullptr, 0, C->getValue()[K]});
    return Bits;
  }
  if (auto *C = dyn_cast<ConstantFP>(V)) {
    APInt Value = C->getValueAPF().bitcastToAPInt();
    BitList Bits;
    for (unsigned K = 0; K != Width; ++K)
      Bits.push_back({nullptr, 0, Value[K % Value.getBitWidth()]});
    return Bits;
  }
  auto *I = dyn_cast<Instruction>(V);
  BitList Bits = I ? throughOperator(*I, Width) : BitList();
  return Bits.empty() ? ownBits(V, Width) : Bits;
}

/// Empty: \p I does more than to move bits.
BitList BitTracer::throughOperator(Instruction &I, unsigned Width) {
  bool IsScalar = !I.getType()->isVectorTy();
  switch (I.getOpcode()) {
  case Instruction::BitCast:
    return of(I.getOperand(0));
  case Instruction::ZExt:
  case Instruction::SExt: {
    if (!IsScalar)
      return {};
    BitList Bits = of(I.getOperand(0));
    if (!Bits.empty())
      Bits.resize(Width, isa<ZExtInst>(I) ? Bit() : Bits.back());
    return Bits;
  }
  case Instruction::Trunc: {
    BitList Bits = IsScalar ? of(I.getOperand(0)) : BitList();
    Bits.truncate(std::min<size_t>(Bits.size(), Width));
    return Bits;
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return IsScalar ? throughShift(I, Width) : BitList();
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return throughLogic(I, Width);
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
    return throughElement(I);
  case Instruction::FNeg:
    return throughSign(
        I, [](Bit B) { return Bit{B.Source, B.Position, !B.IsFlipped}; });
  case Instruction::Call:
    if (cast<CallInst>(I).getIntrinsicID() == Intrinsic::fabs)
      return throughSign(I, [](Bit) { return Bit(); });
    return {};
  default:
    return {};
  }
}

BitList BitTracer::throughSign(Instruction &I, function_ref<Bit(Bit)> Change) {
  BitList Bits = of(I.getOperand(0));
  unsigned Size = I.getType()->getScalarSizeInBits();
  for (unsigned K = Size; K <= Bits.size(); K += Size)
    Bits[K - 1] = Change(Bits[K - 1]);
  return Bits;
}

BitList BitTracer::throughShift(Instruction &I, unsigned Width) {
  auto *Amount = dyn_cast<ConstantInt>(I.getOperand(1));
  if (!Amount || Amount->getValue().uge(Width))
    return {};
  unsigned Distance = Amount->getZExtValue();
  const BitList Bits = of(I.getOperand(0));
  if (Bits.empty())
    return {};
  BitList Moved;
  for (unsigned K = 0; K != Width; ++K) {
    if (I.getOpcode() == Instruction::Shl)
      Moved.push_back(K < Distance ? Bit() : Bits[K - Distance]);
    else if (K + Distance < Width)
      Moved.push_back(Bits[K + Distance]);
    else
      Moved.push_back(I.getOpcode() == Instruction::LShr ? Bit() : Bits.back());
  }
  return Moved;
}

BitList BitTracer::throughLogic(Instruction &I, unsigned Width) {
  const BitList L = of(I.getOperand(0)), R = of(I.getOperand(1));
  if (L.empty() || R.empty())
    return {};
  auto Combine = [&](Bit A, Bit B, unsigned K) {
    if (!A.Source)
      std::swap(A, B);
    // Only B may be a constant now, or both are.
    bool IsOne = B.isOne();
    switch (I.getOpcode()) {
    case Instruction::And:
      if (!B.Source)
        return IsOne ? A : Bit();
      return A == B ? A : Bit{&I, K, false};
    case Instruction::Or:
      if (!B.Source)
        return IsOne ? Bit{nullptr, 0, true} : A;
      return A == B ? A : Bit{&I, K, false};
    default:
      if (!B.Source)
        return Bit{A.Source, A.Position, A.IsFlipped != IsOne};
      return A == B ? Bit() : Bit{&I, K, false};
    }
  };
  BitList Bits;
  for (unsigned K = 0; K != Width; ++K)
    Bits.push_back(Combine(L[K], R[K], K));
  return Bits;
}

BitList BitTracer::throughElement(Instruction &I) {
  auto *Vector = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
  bool Extracts = isa<ExtractElementInst>(I);
  auto *Index = dyn_cast<ConstantInt>(I.getOperand(Extracts ? 1 : 2));
  if (!Vector || !Index || Index->getValue().uge(Vector->getNumElements()))
    return {};
  unsigned Size = Vector->getScalarSizeInBits();
  unsigned Begin = Index->getZExtValue() * Size;
  BitList Whole = of(I.getOperand(0));
  if (Whole.empty())
    return {};
  if (Extracts)
    return BitList(ArrayRef(Whole).slice(Begin, Size));
  const BitList Element = of(I.getOperand(1));
  if (Element.empty())
    return {};
  llvm::copy(Element, Whole.begin() + Begin);
  return Whole;
}
