//===- PrimalValues.cpp - Primal values at hand in the reverse ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see PrimalValues.h.
//
//===----------------------------------------------------------------------===//

#include "emit/PrimalValues.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// A record may be longer than one push can take.
static constexpr unsigned ChunkBytes = 1024;

AllocaInst *PrimalValues::makeSlot(Type *T, const Twine &Name) {
  IRBuilder<> B(&S.P.F->getEntryBlock(), S.P.F->getEntryBlock().begin());
  return B.CreateAlloca(T, nullptr, Name);
}

PrimalValues::PrimalValues(Subject &S, const Plan &P) : S(S), P(P) {
  for (auto &[Header, Shape] : S.P.Loops) {
    Counters[Header] =
        makeSlot(Shape.Counter->getType(), "rev." + Shape.Counter->getName());
    LoopOfCounter[Shape.Counter] = Header;
  }
  for (auto &[V, D] : P.Values)
    if (D.From == Source::InScope || D.From == Source::Tape)
      keep(V);
  if (S.S == Shape::Callee)
    State = S.Tape;
  else if (P.NeedsTape)
    State = makeSlot(tapeStateType(S.P.F->getContext()), "tape");
}

AllocaInst *PrimalValues::counter(BasicBlock *Header) const {
  return Counters.lookup(Header);
}

/// The forward sweep's copy of \p V, right behind its definition.
void PrimalValues::keep(Value *V) {
  AllocaInst *Slot = makeSlot(V->getType(), "kept." + V->getName());
  Slots[V] = Slot;
  if (auto *I = dyn_cast<Instruction>(V)) {
    IRBuilder<> B(I->getParent(), *I->getInsertionPointAfterDef());
    B.CreateStore(V, Slot);
    return;
  }
  IRBuilder<> B(&*S.P.F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(V, Slot);
}

Value *PrimalValues::get(IRBuilderBase &B, Value *V) {
  if (auto *Header = LoopOfCounter.lookup(V))
    return B.CreateLoad(V->getType(), Counters.lookup(Header));
  if (isa<Constant, Argument, AllocaInst>(V) && !Slots.contains(V))
    return V;
  if (AllocaInst *Slot = Slots.lookup(V))
    return B.CreateLoad(V->getType(), Slot);
  Value *&Known = Repeated[V];
  if (Known)
    return Known;
  [[maybe_unused]] Source From = P.sourceOf(V);
  assert((From == Source::Recompute || From == Source::Reload) &&
         "the plan did not see this need");
  Instruction *Again = cast<Instruction>(V)->clone();
  for (Use &Operand : Again->operands())
    if (!isa<BasicBlock>(Operand))
      Operand.set(get(B, Operand.get()));
  B.Insert(Again, V->getName());
  return Repeated[V] = Again;
}

/// Calls \p Do(record, field, offset in the record's chunk) for each field of
/// \p R, a chunk at a time, with records from \p Open(bytes).
template <typename OpenFn, typename DoFn>
static void forEachField(const Record &R, bool Backwards, OpenFn Open,
                         DoFn Do) {
  SmallVector<SmallVector<const Field *, 8>, 2> Chunks;
  for (const Field &F : R.Fields) {
    unsigned Chunk = F.Offset / ChunkBytes;
    Chunks.resize(std::max<size_t>(Chunks.size(), Chunk + 1));
    Chunks[Chunk].push_back(&F);
  }
  for (unsigned N = Chunks.size(), K = 0; K != N; ++K) {
    unsigned Chunk = Backwards ? N - 1 - K : K;
    unsigned Bytes = std::min(ChunkBytes, R.Bytes - Chunk * ChunkBytes);
    Value *Rec = Open(Bytes);
    for (const Field *F : Chunks[Chunk])
      Do(Rec, *F, F->Offset - Chunk * ChunkBytes);
  }
}

/// The type of a field in memory: integers as whole bytes.
static Type *memoryType(const Field &F) {
  Type *T = F.V->getType()->getScalarType();
  return T->isIntegerTy() ? Type::getIntNTy(T->getContext(), F.Size * 8) : T;
}

void PrimalValues::push(IRBuilderBase &B, BasicBlock *Header) {
  auto It = P.Records.find(Header);
  if (It == P.Records.end())
    return;
  forEachField(
      It->second, false,
      [&](unsigned Bytes) { return createTapePush(B, State, Bytes); },
      [&](Value *Rec, const Field &F, unsigned Offset) {
        Value *V = B.CreateLoad(F.V->getType(), Slots.lookup(F.V));
        if (F.Element >= 0)
          V = B.CreateExtractElement(V, F.Element);
        if (V->getType()->isIntegerTy())
          V = B.CreateZExt(V, memoryType(F));
        B.CreateStore(V, createTapeField(B, State, Rec, Offset, F.Size));
      });
}

void PrimalValues::pop(IRBuilderBase &B, BasicBlock *Header) {
  auto It = P.Records.find(Header);
  if (It == P.Records.end())
    return;
  forEachField(
      It->second, true,
      [&](unsigned Bytes) { return createTapePop(B, State, Bytes); },
      [&](Value *Rec, const Field &F, unsigned Offset) {
        Value *V = B.CreateLoad(memoryType(F),
                                createTapeField(B, State, Rec, Offset, F.Size));
        Type *Scalar = F.V->getType()->getScalarType();
        if (Scalar->isIntegerTy())
          V = B.CreateTrunc(V, Scalar);
        AllocaInst *Slot = Slots.lookup(F.V);
        if (F.Element >= 0)
          V = B.CreateInsertElement(B.CreateLoad(F.V->getType(), Slot), V,
                                    F.Element);
        B.CreateStore(V, Slot);
      });
}

} // namespace kdiff
