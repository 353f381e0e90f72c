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
#include "llvm/IR/InlineAsm.h"
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
    else if (D.From == Source::Replay || D.From == Source::Kept)
      Slots[V] = makeSlot(V->getType(), "again." + V->getName());
  for (auto &[Header, L] : P.Loops)
    for (Value *V : L.Invariants)
      Invariants[{Header, V}] = makeSlot(V->getType(), "once." + V->getName());
  for (auto &[Header, L] : P.Loops)
    if (unsigned Length = L.Replayed.Length)
      for (Value *V : segmentOf(Header))
        Segments[V] = makeSlot(ArrayType::get(V->getType(), Length),
                               "segment." + V->getName());
  for (auto &[Header, R] : P.Records) {
    if (R.Shared) {
      Words[Header] = makeSlot(Type::getInt64Ty(S.P.F->getContext()), "word");
      IRBuilder<> B(&*S.P.F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      B.CreateStore(B.getInt64(0), Words[Header]);
    }
    if (R.Local) {
      Locals[&R] = makeSlot(ArrayType::get(Type::getInt8Ty(S.P.F->getContext()),
                                           uint64_t(R.Bytes) * R.Local),
                            "records");
      Locals[&R]->setAlignment(Align(16));
    }
  }
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

void PrimalValues::forget(IRBuilderBase &B) const {
  for (auto &[V, Slot] : Slots)
    B.CreateStore(PoisonValue::get(Slot->getAllocatedType()), Slot);
}

Value *PrimalValues::get(IRBuilderBase &B, Value *V) {
  if (auto *Header = LoopOfCounter.lookup(V))
    return B.CreateLoad(V->getType(), Counters.lookup(Header));
  if (isa<Constant, InlineAsm, Argument, AllocaInst>(V) && !Slots.contains(V))
    return V;
  if (AllocaInst *Slot = Slots.lookup(V))
    return B.CreateLoad(V->getType(), Slot);
  Value *&Known = Repeated[{V, false}];
  if (Known)
    return Known;
  if (AllocaInst *Slot = invariant(V))
    return Known = B.CreateLoad(V->getType(), Slot);
  if (AllocaInst *Slot = Sides.lookup({Here, {V, false}}))
    return Known = B.CreateLoad(V->getType(), Slot);
  [[maybe_unused]] Source From = P.sourceOf(V);
  assert((From == Source::Recompute || From == Source::Reload) &&
         "the plan did not see this need");
  if (auto *Phi = dyn_cast<PHINode>(V))
    return repeatJoin(B, *Phi);
  Value *Again = repeat(B, *cast<Instruction>(V));
  return Repeated[{V, false}] = Again;
}

Value *PrimalValues::reciprocal(IRBuilderBase &B, Instruction &I) {
  Recomputed What(I.getOperand(1), true);
  if (Value *Known = Repeated.lookup(What))
    return Known;
  if (AllocaInst *Slot = Sides.lookup({Here, What}))
    return Repeated[What] = B.CreateLoad(I.getType(), Slot);
  Value *Divisor = get(B, I.getOperand(1));
  return Repeated[What] =
             B.CreateFDiv(ConstantFP::get(I.getType(), 1), Divisor);
}

Value *PrimalValues::repeat(IRBuilderBase &B, Instruction &I) {
  if (P.takesReciprocal(I) && !RunsAgain) {
    Value *Numerator = get(B, I.getOperand(0));
    Value *Divisor = get(B, I.getOperand(1));
    CallInst *Again = createQuotient(B, Numerator, Divisor, reciprocal(B, I));
    FastMathFlags Flags;
    Flags.setAllowContract(I.hasAllowContract());
    Again->setFastMathFlags(Flags);
    return Again;
  }
  Instruction *Again = I.clone();
  for (Use &Operand : Again->operands())
    if (!isa<BasicBlock>(Operand))
      Operand.set(get(B, Operand.get()));
  return B.Insert(Again, I.getName());
}

/// The slot of \p V in a loop around the code that is built; null if none has
/// it.
AllocaInst *PrimalValues::invariant(Value *V) const {
  for (BasicBlock *Header = P.Nest.lookup(Here); Header;
       Header = P.Nest.lookup(S.P.Loops.find(Header)->second.Preheader))
    if (AllocaInst *Slot = Invariants.lookup({Header, V}))
      return Slot;
  return nullptr;
}

void PrimalValues::enterLoop(IRBuilderBase &B, BasicBlock *Header) {
  for (Value *V : P.loop(Header).Invariants)
    B.CreateStore(get(B, V), Invariants.lookup({Header, V}));
}

/// Keeps what was computed again of the side that ends with \p Last, for the
/// reverse of that side: what Repeated holds from number \p First on. Nothing
/// of it is there before \p Fork branches to the sides.
void PrimalValues::keepSide(IRBuilderBase &B, BasicBlock *Fork,
                            BasicBlock *Last, size_t First) {
  if (!Here || Last->getSingleSuccessor() != Here)
    return;
  for (auto &[What, Again] : drop_begin(Repeated, First)) {
    if (!Again)
      continue;
    AllocaInst *&Slot = Sides[{Last, What}];
    Type *T = What.getPointer()->getType();
    if (!Slot)
      Slot = makeSlot(T, "side." + What.getPointer()->getName());
    IRBuilder<>(Fork).CreateStore(PoisonValue::get(T), Slot);
    B.CreateStore(Again, Slot);
  }
}

/// Runs the side of the branch again that led to the join of \p Asked, for all
/// of its phis that are to be had that way.
Value *PrimalValues::repeatJoin(IRBuilderBase &B, PHINode &Asked) {
  const Join &J = S.P.Joins.find(Asked.getParent())->second;
  auto Block = [&](const Twine &Name) {
    return BasicBlock::Create(Asked.getContext(), Name, S.P.F);
  };
  Value *Selector = get(B, J.Selector);
  BasicBlock *Fork = B.GetInsertBlock();
  SmallVector<std::pair<PHINode *, PHINode *>, 4> Phis;
  for (PHINode &Phi : Asked.getParent()->phis())
    if (P.sourceOf(&Phi) == Source::Recompute)
      Phis.push_back({&Phi, PHINode::Create(Phi.getType(), 2, Phi.getName())});
  BasicBlock *Together = Block("again.join");
  SmallVector<BasicBlock *, 2> Sides;
  auto Before = Repeated;
  for (BasicBlock *Pred : J.Preds) {
    Sides.push_back(Block("again.side"));
    B.SetInsertPoint(Sides.back());
    Repeated = Before;
    SmallVector<Value *, 4> Values;
    for (auto &[Phi, Again] : Phis)
      Values.push_back(get(B, Phi->getIncomingValueForBlock(Pred)));
    for (auto [Entry, V] : zip(Phis, Values))
      Entry.second->addIncoming(V, B.GetInsertBlock());
    keepSide(B, Fork, Pred, Before.size());
    B.CreateBr(Together);
  }
  B.SetInsertPoint(Fork);
  B.CreateCondBr(Selector, Sides[1], Sides[0]);
  B.SetInsertPoint(Together);
  Repeated = Before;
  for (auto &[Phi, Again] : Phis)
    Repeated[{Phi, false}] = B.Insert(Again);
  return Repeated.lookup({&Asked, false});
}

/// The state of the replayed loop, and what is kept beside it.
SmallVector<Value *, 8> PrimalValues::segmentOf(BasicBlock *Header) const {
  SmallSetVector<Value *, 8> Result;
  for (const Field &F : P.Records.find(Header)->second.Fields)
    Result.insert(F.V);
  for (Instruction *I : P.loop(Header).Replayed.Kept)
    Result.insert(I);
  return Result.takeVector();
}

/// Where \p V of iteration \p At of the segment is kept.
Value *PrimalValues::kept(IRBuilderBase &B, Value *V, Value *At) {
  AllocaInst *Segment = Segments.lookup(V);
  return B.CreateInBoundsGEP(Segment->getAllocatedType(), Segment,
                             {ConstantInt::get(At->getType(), 0), At});
}

void PrimalValues::repeatKept(IRBuilderBase &B, BasicBlock *Header) {
  RunsAgain = true;
  for (Instruction *I : P.loop(Header).Replayed.Kept) {
    Value *Again = repeat(B, *I);
    B.CreateStore(Again, Slots.lookup(I));
  }
  RunsAgain = false;
}

void PrimalValues::writeSegment(IRBuilderBase &B, BasicBlock *Header,
                                Value *At) {
  for (Value *V : segmentOf(Header))
    B.CreateStore(B.CreateLoad(V->getType(), Slots.lookup(V)), kept(B, V, At));
}

void PrimalValues::readSegment(IRBuilderBase &B, BasicBlock *Header,
                               Value *At) {
  for (Value *V : segmentOf(Header))
    B.CreateStore(B.CreateLoad(V->getType(), kept(B, V, At)), Slots.lookup(V));
}

void PrimalValues::advance(IRBuilderBase &B, BasicBlock *Header,
                           BasicBlock *Latch) {
  RunsAgain = true;
  SmallVector<std::pair<Value *, AllocaInst *>, 4> Next;
  for (const Field &F : P.Records.find(Header)->second.Fields)
    Next.push_back({get(B, cast<PHINode>(F.V)->getIncomingValueForBlock(Latch)),
                    Slots.lookup(F.V)});
  for (auto &[V, Slot] : Next)
    B.CreateStore(V, Slot);
  RunsAgain = false;
}

/// Which record of an array is that of the iteration that runs.
Value *PrimalValues::localIndex(IRBuilderBase &B, const Record &R,
                                bool IsForward) {
  Value *Index = B.getInt64(0);
  for (auto &[Header, Stride] : R.Around) {
    Value *Count = S.P.Loops.find(Header)->second.Counter;
    if (!IsForward)
      Count = B.CreateLoad(Count->getType(), Counters.lookup(Header));
    Value *Wide = B.CreateZExtOrTrunc(Count, B.getInt64Ty());
    Index = B.CreateAdd(Index, B.CreateMul(Wide, B.getInt64(Stride)));
  }
  return Index;
}

/// Calls \p Do(address, field) for each field of \p R: of record \p At of an
/// array, if given. Longer records than the tape takes are pushed by chunks.
template <typename DoFn>
void PrimalValues::forEachField(IRBuilderBase &B, const Record &R, Value *At,
                                bool IsForward, DoFn Do) {
  if (R.Local) {
    Value *Rec = B.CreateInBoundsGEP(ArrayType::get(B.getInt8Ty(), R.Bytes),
                                     Locals.lookup(&R),
                                     At ? At : localIndex(B, R, IsForward));
    for (const Field &F : R.Fields)
      Do(B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Rec, F.Offset), F);
    return;
  }
  for (unsigned N = divideCeil(R.Bytes, ChunkBytes), K = 0; K != N; ++K) {
    unsigned Start = (IsForward ? K : N - 1 - K) * ChunkBytes;
    unsigned Bytes = std::min(ChunkBytes, R.Bytes - Start);
    Value *Rec = IsForward ? createTapePush(B, State, Bytes)
                           : createTapePop(B, State, Bytes);
    for (const Field &F : R.Fields)
      if (F.Offset / ChunkBytes == Start / ChunkBytes)
        Do(createTapeField(B, State, Rec, F.Offset - Start, F.Size), F);
  }
}

/// The type of a field in memory: integers as whole bytes.
static Type *memoryType(const Field &F) {
  Type *T = F.V->getType()->getScalarType();
  return T->isIntegerTy() ? Type::getIntNTy(T->getContext(), F.Size * 8) : T;
}

/// Records are aligned to words of 8 bytes.
static Align alignmentOf(const Field &F) { return Align(std::min(F.Size, 8u)); }

void PrimalValues::push(IRBuilderBase &B, BasicBlock *Header) {
  if (auto It = P.Records.find(Header); It != P.Records.end())
    write(B, It->second, nullptr, /*IsForward=*/true);
}

void PrimalValues::keepState(IRBuilderBase &B, BasicBlock *Header, Value *At,
                             bool IsForward) {
  write(B, P.Records.find(Header)->second, At, IsForward);
}

void PrimalValues::write(IRBuilderBase &B, const Record &R, Value *At,
                         bool IsForward) {
  Value *Byte = nullptr; // The bits so far: it is stored anew with each.
  forEachField(B, R, At, true, [&](Value *Where, const Field &F) {
    Value *V = IsForward && Segments.contains(F.V)
                   ? F.V
                   : B.CreateLoad(F.V->getType(), Slots.lookup(F.V));
    if (F.Element >= 0)
      V = B.CreateExtractElement(V, F.Element);
    if (V->getType()->isIntegerTy())
      V = B.CreateZExtOrTrunc(V, memoryType(F));
    if (F.Bit > 0)
      V = B.CreateOr(Byte, B.CreateShl(V, F.Bit));
    Byte = V;
    B.CreateAlignedStore(V, Where, alignmentOf(F));
  });
}

void PrimalValues::pop(IRBuilderBase &B, BasicBlock *Header) {
  if (auto It = P.Records.find(Header); It != P.Records.end())
    read(B, It->second, nullptr, Slots);
}

void PrimalValues::restoreState(IRBuilderBase &B, BasicBlock *Header,
                                Value *At) {
  read(B, P.Records.find(Header)->second, At, Slots);
}

void PrimalValues::fetchState(IRBuilderBase &B, BasicBlock *Header, Value *At) {
  const Record &R = P.Records.find(Header)->second;
  for (const Field &F : R.Fields)
    if (AllocaInst *&Slot = Fetched[F.V]; !Slot)
      Slot = makeSlot(F.V->getType(), "fetched." + F.V->getName());
  read(B, R, At, Fetched);
}

void PrimalValues::takeFetched(IRBuilderBase &B, BasicBlock *Header) {
  for (const Field &F : P.Records.find(Header)->second.Fields)
    B.CreateStore(B.CreateLoad(F.V->getType(), Fetched.lookup(F.V)),
                  Slots.lookup(F.V));
}

void PrimalValues::read(IRBuilderBase &B, const Record &R, Value *At,
                        const SlotMap &Into) {
  forEachField(B, R, At, false, [&](Value *Where, const Field &F) {
    Value *V = B.CreateAlignedLoad(memoryType(F), Where, alignmentOf(F));
    Type *Scalar = F.V->getType()->getScalarType();
    if (F.Bit >= 0)
      V = B.CreateAnd(B.CreateLShr(V, F.Bit), 1);
    if (Scalar->isIntegerTy())
      V = B.CreateZExtOrTrunc(V, Scalar);
    AllocaInst *Slot = Into.lookup(F.V);
    if (F.Element >= 0)
      V = B.CreateInsertElement(B.CreateLoad(F.V->getType(), Slot), V,
                                F.Element);
    B.CreateStore(V, Slot);
  });
}

Value *PrimalValues::placeInWord(IRBuilderBase &B, const Record &R,
                                 Value *Count) {
  Value *InWord = B.CreateAnd(Count, R.Shared - 1);
  return B.CreateMul(B.CreateZExtOrTrunc(InWord, B.getInt64Ty()),
                     B.getInt64(R.Bits));
}

void PrimalValues::addToWord(IRBuilderBase &B, BasicBlock *Header,
                             Value *Count) {
  const Record &R = P.Records.find(Header)->second;
  AllocaInst *Word = Words.lookup(Header);
  Value *Bits = B.getInt64(0);
  for (const Field &F : R.Fields) {
    Value *V = B.CreateLoad(F.V->getType(), Slots.lookup(F.V));
    if (F.Element >= 0)
      V = B.CreateExtractElement(V, F.Element);
    V = B.CreateZExtOrTrunc(V, B.getInt64Ty());
    Bits = B.CreateOr(Bits, B.CreateShl(V, F.Bit));
  }
  Value *Old = B.CreateLoad(B.getInt64Ty(), Word);
  B.CreateStore(B.CreateOr(Old, B.CreateShl(Bits, placeInWord(B, R, Count))),
                Word);
}

void PrimalValues::pushWord(IRBuilderBase &B, BasicBlock *Header) {
  AllocaInst *Word = Words.lookup(Header);
  Value *Rec = createTapePush(B, State, 8);
  B.CreateStore(B.CreateLoad(B.getInt64Ty(), Word),
                createTapeField(B, State, Rec, 0, 8));
  B.CreateStore(B.getInt64(0), Word);
}

void PrimalValues::popWord(IRBuilderBase &B, BasicBlock *Header) {
  Value *Rec = createTapePop(B, State, 8);
  B.CreateStore(
      B.CreateLoad(B.getInt64Ty(), createTapeField(B, State, Rec, 0, 8)),
      Words.lookup(Header));
}

void PrimalValues::readWord(IRBuilderBase &B, BasicBlock *Header) {
  const Record &R = P.Records.find(Header)->second;
  AllocaInst *Counter = Counters.lookup(Header);
  Value *Count = B.CreateLoad(Counter->getAllocatedType(), Counter);
  Value *Bits = B.CreateLShr(B.CreateLoad(B.getInt64Ty(), Words.lookup(Header)),
                             placeInWord(B, R, Count));
  for (const Field &F : R.Fields) {
    Value *V = B.CreateAnd(B.CreateLShr(Bits, F.Bit),
                           maskTrailingOnes<uint64_t>(F.Width));
    V = B.CreateZExtOrTrunc(V, F.V->getType()->getScalarType());
    AllocaInst *Slot = Slots.lookup(F.V);
    if (F.Element >= 0)
      V = B.CreateInsertElement(B.CreateLoad(F.V->getType(), Slot), V,
                                F.Element);
    B.CreateStore(V, Slot);
  }
}

Value *PrimalValues::fillsWord(IRBuilderBase &B, BasicBlock *Header,
                               Value *Count) {
  unsigned Last = P.Records.find(Header)->second.Shared - 1;
  return B.CreateICmpEQ(B.CreateAnd(Count, Last),
                        ConstantInt::get(Count->getType(), Last));
}

} // namespace kdiff
