//===- Distance.cpp - How far apart are two addresses? --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Distance.h.
//
// Scalar evolution forgets that sums do not wrap around before it widens them,
// so the sums are taken apart here.
//
//===----------------------------------------------------------------------===//

#include "plan/Distance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace kdiff {

namespace {

/// A base address, plus values times factors, plus a constant.
class Sum {
public:
  explicit Sum(const DataLayout &DL) : DL(DL) {}
  /// False if \p Address is not of that form.
  bool addAddress(Value *Address, int64_t Factor);

  MapVector<Value *, int64_t> Terms;
  int64_t Constant = 0;

private:
  bool addIndex(Value *Index, int64_t Factor);

  const DataLayout &DL;
};

} // namespace

/// Products of a value of 32 bits and a factor below this fit into 64, and so
/// do sums of a few.
static constexpr int64_t LargestFactor = int64_t(1) << 28;

bool Sum::addIndex(Value *Index, int64_t Factor) {
  Value *L, *R;
  const APInt *C;
  if (std::abs(Factor) >= LargestFactor)
    return false;
  if (match(Index, m_APInt(C))) {
    if (C->getSignificantBits() > 32)
      return false;
    Constant += Factor * C->getSExtValue();
    return true;
  }
  if (match(Index, m_SExt(m_Value(L))) || match(Index, m_NNegZExt(m_Value(L))))
    return addIndex(L, Factor);
  if (match(Index, m_NSWAdd(m_Value(L), m_Value(R))))
    return addIndex(L, Factor) && addIndex(R, Factor);
  if (match(Index, m_NSWSub(m_Value(L), m_Value(R))))
    return addIndex(L, Factor) && addIndex(R, -Factor);
  if (match(Index, m_NSWMul(m_Value(L), m_APInt(C))) ||
      match(Index, m_NSWMul(m_APInt(C), m_Value(L))))
    return C->getSignificantBits() <= 32 &&
           addIndex(L, Factor * C->getSExtValue());
  if (match(Index, m_NSWShl(m_Value(L), m_APInt(C))))
    return C->ult(28) &&
           addIndex(L, Factor * (int64_t(1) << C->getZExtValue()));
  Terms[Index] += Factor;
  return true;
}

bool Sum::addAddress(Value *Address, int64_t Factor) {
  while (auto *Step = dyn_cast<GEPOperator>(Address)) {
    SmallMapVector<Value *, APInt, 4> Indices;
    unsigned Bits = DL.getIndexTypeSizeInBits(Step->getType());
    APInt Fixed(Bits, 0);
    if (Bits != 64 || !Step->collectOffset(DL, Bits, Indices, Fixed) ||
        Fixed.getSignificantBits() > 32)
      return false;
    Constant += Factor * Fixed.getSExtValue();
    for (auto &[Index, Scale] : Indices)
      if (Scale.getSignificantBits() > 28 ||
          !addIndex(Index, Factor * Scale.getSExtValue()))
        return false;
    Address = Step->getPointerOperand();
  }
  Terms[Address] += Factor;
  return true;
}

std::optional<Distance> distanceBetween(Value *From, Value *To,
                                        const DataLayout &DL) {
  Sum D(DL);
  if (!D.addAddress(To, 1) || !D.addAddress(From, -1) || D.Constant != 0)
    return std::nullopt;
  D.Terms.remove_if([](auto &Term) { return Term.second == 0; });
  if (D.Terms.size() != 1)
    return std::nullopt;
  auto [Unit, Factor] = D.Terms.front();
  if (!Unit->getType()->isIntegerTy() ||
      Unit->getType()->getIntegerBitWidth() > 32)
    return std::nullopt;
  return Distance{Unit, Factor};
}

} // namespace kdiff
