//===- WarpPacks.cpp - A lane computes for an iteration -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which of the numbers that all lanes compute
// alike, in each iteration of a batch, does each lane compute for one iteration
// only?
//
// That takes a tenth of the instructions for an exponential of a sum over the
// warp. What is needed in all lanes has to be told (an exchange for each
// iteration), and what was computed in all lanes to be chosen from, so the
// choice is one of least cost: all that can be packed is, then one after the
// other is not, or is again, as long as that is cheaper.
//
//===----------------------------------------------------------------------===//

#include "lower/Batch.h"
#include "rules/Rules.h"
#include "target/WarpSums.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;
using namespace kdiff;

/// In instructions: of an exponential or the like, of a quotient, and of
/// others; what cannot be told to other lanes.
static constexpr unsigned CallCost = 12, DivisionCost = 8, Never = 1u << 20;

namespace {

/// Where the copies of an instruction have an operand from.
struct Operand {
  enum { Same, Tuple, Sum, Choice } From = Same;
  Value *V = nullptr; ///< Same.
  unsigned Index = 0; ///< Of the others.
};

/// Copies of one instruction.
struct Tuple {
  ByIteration Copies;
  SmallVector<Operand, 3> Operands;
  bool IsPossible = false, IsPacked = false;
  /// Tuples that have these as an operand, iteration by iteration.
  SmallVector<unsigned, 4> Readers;
  bool HasOthers = false; ///< That read it.
  Value *Packed = nullptr;
};

class Packer {
public:
  explicit Packer(Batch &Of) : Of(Of), N(Of.Iterations) {}
  void run();

private:
  bool isUniform(const Value *V) const;
  bool isPossible(const ByIteration &Copies, unsigned Number) const;
  std::optional<Operand> operandOf(const ByIteration &Values);
  void findTuples();
  void findReaders();
  unsigned costOf(const Tuple &T) const;
  bool isTold(const Tuple &T) const;
  unsigned cost() const;
  void choose();
  Value *chosen(IRBuilderBase &B, ByIteration Values);
  Value *packed(IRBuilderBase &B, const Operand &From);
  void pack(Tuple &T);

  Batch &Of;
  unsigned N;
  SmallVector<Tuple, 32> Tuples;
  SmallVector<Tuple, 2> Sums; ///< Their readers.
  DenseMap<const Value *, unsigned> TupleOf, SumOf, NumberOf;
  SmallVector<ByIteration, 4> Choices;
  std::map<std::vector<Value *>, unsigned> ChoiceOf;
  /// By kind (Tuple, Choice) and index of the operand.
  DenseMap<std::pair<unsigned, unsigned>, Value *> Chosen;
};

} // namespace

/// How many words of 32 bits are told or chosen; Never for truth values.
static unsigned wordsOf(const Value &V) {
  unsigned Bits = V.getType()->getPrimitiveSizeInBits();
  return Bits < 32 ? Never : Bits / 32;
}

bool Packer::isUniform(const Value *V) const {
  if (isa<Constant>(V) || Of.Invariants.contains(V) || SumOf.contains(V))
    return true;
  auto Number = NumberOf.find(V);
  return Number != NumberOf.end() && Of.Uniform.contains(Number->second);
}

/// True if the copies of instruction \p Number may be one instruction. Integers
/// are indices: they differ by constants, and take no instructions.
bool Packer::isPossible(const ByIteration &Copies, unsigned Number) const {
  auto &First = *cast<Instruction>(Copies.front());
  Type *T = First.getType();
  auto *CB = dyn_cast<CallBase>(&First);
  if (Copies.size() != N || !Of.Uniform.contains(Number) ||
      Of.Carried.contains(Number) || isa<PHINode>(First) ||
      !(T->isFloatTy() || T->isDoubleTy() || T->isIntegerTy(1)))
    return false;
  if (CB ? !findRule(First) && classify(*CB) != CallClass::Pure
         : First.mayReadOrWriteMemory() || First.isTerminator())
    return false;
  return all_of(Copies, [&](const Value *Copy) {
    return cast<Instruction>(Copy)->isSameOperationAs(&First) &&
           (!CB ||
            cast<CallBase>(Copy)->getCalledOperand() == CB->getCalledOperand());
  });
}

/// \p Values as an operand of what is packed.
std::optional<Operand> Packer::operandOf(const ByIteration &Values) {
  if (!all_of(Values, [&](Value *V) { return isUniform(V); }))
    return std::nullopt;
  Operand Result;
  if (all_equal(Values)) {
    Result.V = Values.front();
    return Result;
  }
  if (auto It = SumOf.find(Values.front());
      It != SumOf.end() && Of.Sums[It->second].Words == Values) {
    Result.From = Operand::Sum;
    Result.Index = It->second;
    return Result;
  }
  if (auto It = TupleOf.find(Values.front());
      It != TupleOf.end() && Tuples[It->second].Copies == Values) {
    Result.From = Operand::Tuple;
    Result.Index = It->second;
    return Result;
  }
  auto [It, New] =
      ChoiceOf.try_emplace({Values.begin(), Values.end()}, Choices.size());
  if (New)
    Choices.push_back(Values);
  Result.From = Operand::Choice;
  Result.Index = It->second;
  return Result;
}

/// All copies, in the order of the loop; those that are possible know their
/// operands.
void Packer::findTuples() {
  for (auto &[Number, Copies] : Of.Copies)
    for (Value *Copy : Copies)
      NumberOf[Copy] = Number;
  for (auto [K, Sum] : enumerate(Of.Sums)) {
    Sums.emplace_back();
    Sums.back().Copies = Sum.Words;
    for (Value *Word : Sum.Words)
      SumOf[Word] = K;
  }
  for (auto &[Number, Copies] : Of.Copies) {
    if (Copies.size() != N)
      continue;
    for (Value *Copy : Copies)
      TupleOf[Copy] = Tuples.size();
    Tuples.emplace_back();
    Tuples.back().Copies = Copies;
    Tuples.back().IsPossible = isPossible(Copies, Number);
  }
  for (Tuple &T : Tuples) {
    if (!T.IsPossible)
      continue;
    for (unsigned K : seq(cast<Instruction>(T.Copies[0])->getNumOperands())) {
      ByIteration Values;
      for (Value *Copy : T.Copies)
        Values.push_back(cast<Instruction>(Copy)->getOperand(K));
      std::optional<Operand> From = operandOf(Values);
      if (!(T.IsPossible = From.has_value()))
        break;
      T.Operands.push_back(*From);
    }
    T.IsPacked = T.IsPossible;
  }
}

void Packer::findReaders() {
  auto CountUses = [](const Tuple &T) {
    unsigned Uses = 0;
    for (const Value *Copy : T.Copies)
      Uses += Copy->getNumUses();
    return Uses;
  };
  for (auto [K, T] : enumerate(Tuples)) {
    if (!T.IsPossible)
      continue;
    for (const Operand &From : T.Operands)
      if (From.From == Operand::Tuple)
        Tuples[From.Index].Readers.push_back(K);
      else if (From.From == Operand::Sum)
        Sums[From.Index].Readers.push_back(K);
  }
  for (Tuple &T : Tuples)
    T.HasOthers = CountUses(T) != N * T.Readers.size();
  for (Tuple &T : Sums)
    T.HasOthers = CountUses(T) != N * T.Readers.size();
}

/// Of one copy.
unsigned Packer::costOf(const Tuple &T) const {
  auto &I = *cast<Instruction>(T.Copies.front());
  if (isa<CallBase>(I))
    return CallCost;
  switch (I.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return DivisionCost;
  default:
    return 1;
  }
}

bool Packer::isTold(const Tuple &T) const {
  return T.HasOthers || any_of(T.Readers, [&](unsigned Reader) {
           return !Tuples[Reader].IsPacked;
         });
}

unsigned Packer::cost() const {
  unsigned Cost = 0;
  DenseSet<std::pair<unsigned, unsigned>> Choosing;
  auto Choose = [&](const Operand &From, const ByIteration &Values) {
    if (Choosing.insert({From.From, From.Index}).second)
      Cost += (N - 1) * wordsOf(*Values.front());
  };
  for (const Tuple &Sum : Sums)
    if (isTold(Sum))
      Cost += N * wordsOf(*Sum.Copies.front());
  for (const Tuple &T : Tuples) {
    if (!T.IsPossible)
      continue;
    Cost += T.IsPacked ? costOf(T) : N * costOf(T);
    if (!T.IsPacked)
      continue;
    if (isTold(T))
      Cost += N * wordsOf(*T.Copies.front());
    for (const Operand &From : T.Operands)
      if (From.From == Operand::Choice)
        Choose(From, Choices[From.Index]);
      else if (From.From == Operand::Tuple && !Tuples[From.Index].IsPacked)
        Choose(From, Tuples[From.Index].Copies);
  }
  return Cost;
}

/// From all that is possible to what is cheapest, one tuple at a time.
void Packer::choose() {
  unsigned Least = cost();
  bool Changed = true;
  while (std::exchange(Changed, false))
    for (Tuple &T : reverse(Tuples)) {
      if (!T.IsPossible)
        continue;
      T.IsPacked = !T.IsPacked;
      unsigned Cost = cost();
      if (Cost < Least) {
        Least = Cost;
        Changed = true;
      } else {
        T.IsPacked = !T.IsPacked;
      }
    }
}

/// In each lane that of \p Values which is its iteration's.
Value *Packer::chosen(IRBuilderBase &B, ByIteration Values) {
  for (unsigned Bit = 0; Values.size() != 1; ++Bit) {
    Value *IsUpper = Of.isUpper(B, Bit);
    unsigned Half = Values.size() / 2;
    for (unsigned K = 0; K != Half; ++K)
      Values[K] = B.CreateSelect(IsUpper, Values[K + Half], Values[K]);
    Values.truncate(Half);
  }
  return Values.front();
}

Value *Packer::packed(IRBuilderBase &B, const Operand &From) {
  if (From.From == Operand::Same)
    return From.V;
  if (From.From == Operand::Sum)
    return Of.Sums[From.Index].Packed;
  bool IsChoice = From.From == Operand::Choice;
  if (!IsChoice && Tuples[From.Index].IsPacked)
    return Tuples[From.Index].Packed;
  Value *&Result = Chosen[{From.From, From.Index}];
  if (!Result)
    Result =
        chosen(B, IsChoice ? Choices[From.Index] : Tuples[From.Index].Copies);
  return Result;
}

void Packer::pack(Tuple &T) {
  auto &First = *cast<Instruction>(T.Copies.front());
  IRBuilder<> B(Of.Body->getTerminator());
  B.SetCurrentDebugLocation(First.getDebugLoc());
  Instruction *I = First.clone();
  for (auto [K, From] : enumerate(T.Operands))
    I->setOperand(K, packed(B, From));
  T.Packed = B.Insert(I);
}

void Packer::run() {
  findTuples();
  findReaders();
  choose();
  for (Tuple &T : Tuples)
    if (T.IsPacked)
      pack(T);
  IRBuilder<> B(Of.Body->getTerminator());
  for (Tuple &T : Tuples) {
    if (!T.IsPacked || !isTold(T))
      continue;
    B.SetCurrentDebugLocation(cast<Instruction>(T.Packed)->getDebugLoc());
    for (auto [K, Copy] : enumerate(T.Copies))
      Copy->replaceAllUsesWith(
          nvptx::createBroadcast(B, T.Packed, Of.laneOf(K)));
  }
  for (Tuple &T : reverse(Tuples))
    if (T.IsPacked)
      for (Value *Copy : T.Copies)
        cast<Instruction>(Copy)->eraseFromParent();
}

void kdiff::packUniform(Batch &Of) { Packer(Of).run(); }
