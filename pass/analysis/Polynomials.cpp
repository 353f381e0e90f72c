//===- Polynomials.cpp - Integers as sums of products ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Polynomials.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Polynomials.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kdiff {

/// Longer sums, and what is nested deeper, are unknowns.
static constexpr unsigned MaxTerms = 32, MaxDepth = 24;

void Polynomial::add(const Factors &Of, int64_t Factor) {
  auto It = Terms.try_emplace(Of, 0).first;
  It->second = SignExtend64(uint64_t(It->second) + uint64_t(Factor), Bits);
  if (It->second == 0)
    Terms.erase(It);
}

Polynomial sum(Polynomial X, const Polynomial &Y, int64_t Times) {
  for (auto &[Of, Factor] : Y.Terms)
    X.add(Of, int64_t(uint64_t(Factor) * uint64_t(Times)));
  return X;
}

Polynomial product(const Polynomial &X, const Polynomial &Y) {
  Polynomial Result{X.Bits};
  for (auto &[OfX, FactorX] : X.Terms)
    for (auto &[OfY, FactorY] : Y.Terms) {
      Factors Of;
      std::merge(OfX.begin(), OfX.end(), OfY.begin(), OfY.end(),
                 std::back_inserter(Of));
      Result.add(Of, int64_t(uint64_t(FactorX) * uint64_t(FactorY)));
    }
  return Result;
}

/// What all ways lead to \p Phi with, but those where nothing is defined; \p
/// Phi itself where that is no one value.
static const Value *definedValue(const Value *Phi) {
  SmallVector<const Value *, 8> Work{Phi};
  SmallPtrSet<const Value *, 8> Seen;
  const Value *Only = nullptr;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (isa<UndefValue>(V) || !Seen.insert(V).second)
      continue;
    if (auto *Inner = dyn_cast<PHINode>(V)) {
      append_range(Work, Inner->incoming_values());
      continue;
    }
    if (Only && Only != V)
      return Phi;
    Only = V;
  }
  return Only ? Only : Phi;
}

static Polynomial constant(int64_t Factor, unsigned Bits) {
  Polynomial Result{Bits};
  Result.add({}, Factor);
  return Result;
}

const Value *Unknowns::lookThrough(const Value *V) const {
  return T == Trust::Exact ? V : definedValue(V);
}

Polynomial Unknowns::unknown(Unknown U, unsigned Bits) {
  auto [It, New] = Numbers.try_emplace(U, Dimensions + All.size());
  if (New)
    All.push_back(std::move(U));
  Polynomial Result{Bits};
  Result.add({It->second}, 1);
  return Result;
}

const Value *Unknowns::value(unsigned Number) const {
  return Number < Dimensions ? nullptr : All[Number - Dimensions].V;
}

Polynomial Unknowns::extension(const Polynomial &P, unsigned Opcode,
                               unsigned Bits) {
  bool IsConstant = all_of(P.Terms, [](auto &T) { return T.first.empty(); });
  if (T == Trust::Likely || (IsConstant && Opcode == Instruction::SExt)) {
    Polynomial Result{Bits};
    for (auto &[Of, Factor] : P.Terms)
      Result.add(Of, Factor);
    return Result;
  }
  return unknown({nullptr, Opcode, P}, Bits);
}

std::optional<Polynomial> Unknowns::ofInstruction(const Instruction &I,
                                                  unsigned Bits) {
  auto Operand = [&](unsigned K) { return of(I.getOperand(K)); };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return sum(Operand(0), Operand(1));
  case Instruction::Sub:
    return sum(Operand(0), Operand(1), -1);
  case Instruction::Mul: {
    Polynomial X = Operand(0), Y = Operand(1);
    if (X.Terms.size() * Y.Terms.size() > MaxTerms)
      return std::nullopt;
    return product(X, Y);
  }
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(I).isDisjoint())
      return std::nullopt;
    return sum(Operand(0), Operand(1));
  case Instruction::Shl:
    if (auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
        By && By->getValue().ult(Bits))
      return product(
          Operand(0),
          constant(int64_t(uint64_t(1) << By->getZExtValue()), Bits));
    return std::nullopt;
  case Instruction::SExt:
  case Instruction::ZExt:
    return extension(Operand(0), I.getOpcode(), Bits);
  case Instruction::Freeze:
    if (T == Trust::Likely)
      return Operand(0);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Polynomial Unknowns::of(const Value *V) {
  V = lookThrough(V);
  unsigned Bits = V->getType()->getIntegerBitWidth();
  assert(Bits <= 64 && "no index is wider");
  if (auto *C = dyn_cast<ConstantInt>(V))
    return constant(C->getSExtValue(), Bits);
  if (std::optional<unsigned> Dimension = launchIndex(V)) {
    Polynomial Result{Bits};
    Result.add({index(*Dimension)}, 1);
    return Result;
  }
  if (auto *I = dyn_cast<Instruction>(V); I && Depth < MaxDepth) {
    ++Depth;
    std::optional<Polynomial> Known = ofInstruction(*I, Bits);
    --Depth;
    if (Known && Known->Terms.size() <= MaxTerms)
      return *Known;
  }
  return unknown({V}, Bits);
}

Polynomial Unknowns::ofAddress(const Value *Address, const DataLayout &DL,
                               const Value *&Root) {
  Root = lookThrough(Address);
  Polynomial Result;
  while (auto *GEP = dyn_cast<GEPOperator>(Root)) {
    unsigned Bits = DL.getIndexTypeSizeInBits(GEP->getType());
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(Bits, 0);
    if (!GEP->collectOffset(DL, Bits, Variable, Constant))
      break;
    Result.add({}, Constant.getSExtValue());
    for (auto &[Index, Scale] : Variable) {
      Polynomial Of = of(Index);
      if (Of.Bits < Bits) // As getelementptr does.
        Of = extension(Of, Instruction::SExt, Bits);
      Result = sum(std::move(Result), Of, Scale.getSExtValue());
    }
    Root = lookThrough(GEP->getPointerOperand());
  }
  return Result;
}

bool isSameForThreads(const Value *V,
                      const std::array<bool, Dimensions> &Differs) {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *Part = Work.pop_back_val();
    if (isa<Constant, Argument>(Part) || !Seen.insert(Part).second)
      continue;
    auto *I = dyn_cast<Instruction>(Part);
    if (!I)
      return false;
    if (auto *CB = dyn_cast<CallBase>(I)) {
      if (!isSameRegister(*CB, Differs))
        return false;
      continue;
    }
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(
            I))
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

std::optional<Polynomial> Unknowns::shifted(const Polynomial &P,
                                            const Shift &By, bool Splits) {
  std::array<bool, Dimensions> Differs;
  for (unsigned D = 0; D != Dimensions; ++D)
    Differs[D] = !By[D].Terms.empty();
  auto OfUnknown = [&](unsigned Number) -> std::optional<Polynomial> {
    Polynomial Here{P.Bits};
    Here.add({Number}, 1);
    if (Number < Dimensions)
      return sum(Here, By[Number]);
    Unknown U = All[Number - Dimensions]; // A copy: there may be more soon.
    if (!U.Extension) {
      if (!isSameForThreads(U.V, Differs))
        return std::nullopt;
      return Here;
    }
    if (Splits && U.Of.Terms.size() == 1) {
      auto &[Of, Factor] = *U.Of.Terms.begin();
      if (Of.size() == 1 && Of.front() < Dimensions && Factor == 1)
        return sum(Here, extension(By[Of.front()], Instruction::SExt, P.Bits));
    }
    std::optional<Polynomial> There = shifted(U.Of, By, Splits);
    if (!There)
      return std::nullopt;
    return extension(*There, U.Extension, P.Bits);
  };
  Polynomial Result{P.Bits};
  for (auto &[Of, Factor] : P.Terms) {
    Polynomial Term = constant(Factor, P.Bits);
    for (unsigned Number : Of) {
      std::optional<Polynomial> There = OfUnknown(Number);
      if (!There)
        return std::nullopt;
      Term = product(Term, *There);
    }
    Result = sum(Result, Term);
  }
  return Result;
}

} // namespace kdiff
