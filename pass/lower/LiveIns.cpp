//===- LiveIns.cpp - What one lane tells another about a loop -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see LiveIns.h.
//
//===----------------------------------------------------------------------===//

#include "lower/LiveIns.h"
#include "analysis/Uniformity.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace kdiff;

/// Instructions in a row that are computed again.
static constexpr unsigned MaxDepth = 4;

static unsigned wordsOf(const Value &V, const DataLayout &DL) {
  return divideCeil(DL.getTypeSizeInBits(V.getType()).getFixedValue(), 32);
}

/// True if every lane of a kernel has the same, without an instruction or by
/// reading a register.
static bool isSame(const Value *V) {
  if (isa<Constant>(V))
    return true;
  if (auto *Arg = dyn_cast<Argument>(V))
    return nvptx::isKernel(*Arg->getParent());
  auto *CB = dyn_cast<CallBase>(V);
  return CB && isBlockRegister(*CB);
}

/// True if to compute \p I again is no more work than an exchange of a word.
static bool isCheap(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FDiv:
  case Instruction::FRem:
    return false;
  default:
    return isa<CastInst, GetElementPtrInst, BinaryOperator, CmpInst,
               SelectInst>(I) ||
           I.getOpcode() == Instruction::FNeg;
  }
}

LiveIns::LiveIns(Loop &L, const PHINode *Counter) {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (&I == Counter)
        continue;
      for (Use &U : I.operands())
        if (isa<Instruction>(U) ? !L.contains(cast<Instruction>(U))
                                : isa<Argument>(U) && !isSame(U))
          Uses[U].push_back(&U);
    }
  for (auto &[V, Its] : Uses)
    if (!isSame(V))
      Exchanged.insert(V);
  while (any_of(Exchanged, [&](Value *V) { return replaceBySources(V); }))
    ;
}

/// The values, of those that \p V is computed from at little cost, that are the
/// fewest words beside those that are exchanged already; or \p V itself.
SmallSetVector<Value *, 4> LiveIns::sourcesOf(Value *V, unsigned Depth) const {
  SmallSetVector<Value *, 4> Itself, Sources;
  auto *I = dyn_cast<Instruction>(V);
  if (isSame(V) || (Depth != MaxDepth && Exchanged.contains(V)))
    return Itself;
  Itself.insert(V);
  if (!I || !isCheap(*I) || Depth == 0)
    return Itself;
  for (Value *Operand : I->operands())
    Sources.insert_range(sourcesOf(Operand, Depth - 1));
  const DataLayout &DL = I->getDataLayout();
  unsigned Words = 0;
  for (Value *Source : Sources)
    Words += wordsOf(*Source, DL);
  return Words < wordsOf(*V, DL) ? Sources : Itself;
}

/// Takes what \p V is computed from in its place if that is fewer words.
bool LiveIns::replaceBySources(Value *V) {
  SmallSetVector<Value *, 4> Sources = sourcesOf(V, MaxDepth);
  if (Sources.contains(V))
    return false;
  Exchanged.remove(V);
  Exchanged.insert_range(Sources);
  return true;
}

Value *kdiff::createFromLane(IRBuilderBase &B, Value *Mask, Value *V,
                             Value *Owner) {
  Type *T = V->getType(), *Word = B.getInt32Ty();
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  unsigned Bits = DL.getTypeSizeInBits(T).getFixedValue();
  Type *Whole = B.getIntNTy(Bits);
  Value *In = T->isPtrOrPtrVectorTy() ? B.CreatePtrToInt(V, DL.getIntPtrType(T))
                                      : B.CreateBitCast(V, Whole);
  In = B.CreateBitCast(In, Whole);
  Value *Out = nullptr;
  for (unsigned At = 0; At < Bits; At += 32) {
    Value *Part = B.CreateZExtOrTrunc(At ? B.CreateLShr(In, At) : In, Word);
    Value *Got = B.CreateZExtOrTrunc(
        nvptx::createShuffle32(B, nvptx::ShuffleKind::Index, Mask, Part, Owner,
                               B.getInt32(31)),
        Whole);
    Out = At ? B.CreateOr(Out, B.CreateShl(Got, At)) : Got;
  }
  if (!T->isPtrOrPtrVectorTy())
    return B.CreateBitCast(Out, T);
  return B.CreateIntToPtr(B.CreateBitCast(Out, DL.getIntPtrType(T)), T);
}

/// The owner's \p V, from what was exchanged.
Value *LiveIns::rebuild(IRBuilderBase &B, Value *V) {
  if (isa<Constant, Argument>(V) && isSame(V))
    return V;
  if (Value *Got = Theirs.lookup(V))
    return Got;
  Instruction *Again = cast<Instruction>(V)->clone();
  for (Use &U : Again->operands())
    if (!isa<CallBase>(Again))
      U.set(rebuild(B, U));
  return Theirs[V] = B.Insert(Again, V->getName());
}

void LiveIns::exchange(IRBuilderBase &B, Value *Mask, Value *Owner) {
  for (Value *V : Exchanged)
    Theirs[V] = createFromLane(B, Mask, V, Owner);
  for (auto &[V, Its] : Uses) {
    Value *Got = rebuild(B, V);
    for (Use *U : Its)
      U->set(Got);
  }
}
