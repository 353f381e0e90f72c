//===- Sums.cpp - Adjoint additions that wait -----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Sums.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Sums.h"
#include "emit/Adjoints.h"
#include "target/NVPTX.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

Sums::Point Sums::pointOf(const Addition &How) const {
  switch (How.At) {
  case AddAt::Group:
    return How.Leader;
  case AddAt::Loop:
    return How.Header;
  case AddAt::Grid:
    return grid();
  case AddAt::Here:
  case AddAt::Gathered:
  case AddAt::End:
    return nullptr;
  }
  llvm_unreachable("covered switch");
}

/// The adjoint of a scalar that the whole grid shares; sums are of float and
/// double.
static bool waits(const Formal &Arg) {
  Type *T = Arg.Primal->getType();
  return Arg.Activity == ArgActivity::Acc && !Arg.PrivateShadow &&
         (T->isFloatTy() || T->isDoubleTy());
}

Sums::Word Sums::wordOf(const LoadInst &Load, const Addition &How,
                        unsigned Lane) const {
  const LoadInst &Told =
      How.At == AddAt::End && How.Leader ? *cast<LoadInst>(How.Leader) : Load;
  return {Sh.of(const_cast<Value *>(Told.getPointerOperand()), Lane),
          How.Distance};
}

Sums::Sums(Subject &S, const Shadows &Sh, const Plan &P) : S(S), Sh(Sh), P(P) {
  for (auto &[I, How] : P.Adds.Of) {
    if (How.At == AddAt::Here || How.At == AddAt::Gathered)
      continue;
    auto *Load = cast<LoadInst>(I);
    Type *T = Load->getType();
    for (unsigned Lane = 0; Lane != S.Width; ++Lane) {
      auto [Shadow, Distance] = wordOf(*Load, How, Lane);
      if (!slot(pointOf(How), {Shadow, Distance}, T))
        Waiting[pointOf(How)].push_back(
            {Shadow, Distance, newSlot(T, "sum." + Shadow->getName()), How.Kind,
             Lane, How.Word, How.Step, Load->getAlign()});
    }
  }
  for (const Formal &Arg : S.Formals)
    if (waits(Arg)) {
      Type *T = Arg.Primal->getType();
      Point At = P.Adds.Persistent ? grid() : nullptr;
      for (auto [Lane, Shadow] : enumerate(Arg.Shadows))
        Waiting[At].push_back(
            {Shadow, 0, newSlot(T, "sum." + Shadow->getName()),
             P.Adds.OfScalars, unsigned(Lane), 0, std::nullopt, Align()});
    }
  prepareGathers();
}

void Sums::prepareGathers() {
  for (auto &[Leader, How] : P.Gathers) {
    Type *T = How.Product->getType();
    LLVMContext &C = T->getContext();
    for (unsigned Lane = 0; Lane != S.Width; ++Lane) {
      Noted Here{newSlot(T, "seed"), nullptr, nullptr};
      if (How.Header) {
        Here.Word = newSlot(PointerType::get(C, nvptx::Shared), "word");
        Here.Factor = newSlot(PointerType::get(C, nvptx::Shared), "factor");
      }
      Gathered[Leader].push_back(Here);
      if (How.Fill)
        HandedOn[How.Fill].push_back(
            {newSlot(T, "handed"), newSlot(Type::getInt1Ty(C), "was.handed")});
    }
  }
}

void Sums::noteSeeds(IRBuilderBase &B, const Instruction &Product,
                     ArrayRef<Value *> Adjoints) {
  for (auto &[Leader, How] : P.Gathers)
    if (How.Product == &Product)
      for (auto [Slots, Adjoint] :
           zip_equal(Gathered.find(Leader)->second, Adjoints))
        B.CreateStore(Adjoint, Slots.Seed);
}

AllocaInst *Sums::newSlot(Type *T, const Twine &Name) {
  IRBuilder<> Entry(&S.P.F->getEntryBlock(), S.P.F->getEntryBlock().begin());
  return Entry.CreateAlloca(T, nullptr, Name);
}

/// The variable of a word; null if it has none.
AllocaInst *Sums::slot(Point At, Word Where, Type *T) {
  for (const Sum &Known : Waiting[At])
    if (Known.Shadow == Where.first && Known.Distance == Where.second &&
        Known.Slot->getAllocatedType() == T)
      return Known.Slot;
  return nullptr;
}

static void addTo(IRBuilderBase &B, AllocaInst *Slot, Value *Adjoint) {
  Value *Old = B.CreateLoad(Slot->getAllocatedType(), Slot);
  B.CreateStore(B.CreateFAdd(Old, Adjoint), Slot);
}

void Sums::add(IRBuilderBase &B, LoadInst &Load, unsigned Lane, Value *Shadow,
               Value *Adjoint, PrimalValues &Values) {
  const Addition &How = P.Adds.Of.find(&Load)->second;
  if (How.Kind == Accumulation::Stencil)
    return addToStencil(B, How, Lane, Shadow, Adjoint);
  if (How.At == AddAt::Gathered) {
    if (How.Leader == &Load)
      addGathered(B, Load, Lane, Shadow, Values);
    return;
  }
  if (How.At == AddAt::Here) {
    createAccumulate(B, Shadow, Adjoint, How.Kind, Load.getAlign());
    return;
  }
  addTo(B, slot(pointOf(How), wordOf(Load, How, Lane), Load.getType()),
        Adjoint);
  if (How.At != AddAt::Group || How.Leader != &Load)
    return;
  if (How.Kind == Accumulation::Contended)
    makeGroup(B, Load, Lane, Values);
  else if (Lane + 1 == S.Width)
    make(B, &Load, [&](Value *V) { return Values.get(B, V); });
}

void Sums::addScalar(IRBuilderBase &B, const Formal &Arg, unsigned Lane,
                     Value *Adjoint) {
  if (!waits(Arg)) {
    createAccumulate(B, Arg.Shadows[Lane], Adjoint,
                     Arg.PrivateShadow ? Accumulation::Private
                                       : Accumulation::Contended);
    return;
  }
  addTo(B,
        slot(P.Adds.Persistent ? grid() : nullptr, {Arg.Shadows[Lane], 0},
             Arg.Primal->getType()),
        Adjoint);
}

/// The sum in \p Slot, which is neutral afterwards.
static Value *take(IRBuilderBase &B, AllocaInst *Slot) {
  Type *T = Slot->getAllocatedType();
  Value *Total = B.CreateLoad(T, Slot);
  B.CreateStore(neutralAdjoint(T), Slot);
  return Total;
}

/// Adds to neighbouring words of a lane as to a vector.
void Sums::makeGroup(IRBuilderBase &B, LoadInst &Leader, unsigned Lane,
                     PrimalValues &Values) {
  SmallVector<Sum, 4> Words;
  copy_if(Waiting.find(&Leader)->second, std::back_inserter(Words),
          [&](auto &Each) { return Each.Lane == Lane; });
  const Sum *First = find_if(Words, [](auto &Each) { return Each.Word == 0; });
  Value *Address = Values.get(B, First->Shadow);
  Type *T = First->Slot->getAllocatedType();
  Value *Whole = take(B, First->Slot);
  if (Words.size() > 1) {
    Value *Vector = PoisonValue::get(FixedVectorType::get(T, Words.size()));
    for (const Sum &Each : Words)
      Vector = B.CreateInsertElement(
          Vector, &Each == First ? Whole : take(B, Each.Slot), Each.Word);
    Whole = Vector;
  }
  createAccumulate(B, Address, Whole, Accumulation::Contended,
                   First->Alignment);
}

/// Adds the sums that wait for \p At, those of one kind and type together.
void Sums::make(IRBuilderBase &B, Point At,
                function_ref<Value *(Value *)> Address) {
  auto It = Waiting.find(At);
  if (It == Waiting.end())
    return;
  using Key = std::tuple<unsigned, Type *, unsigned>;
  MapVector<Key, SmallVector<WordSum, 8>> Together;
  for (const Sum &Each : It->second) {
    Type *T = Each.Slot->getAllocatedType();
    Value *Total = B.CreateLoad(T, Each.Slot);
    B.CreateStore(neutralAdjoint(T), Each.Slot);
    Value *Where = Address(Each.Shadow);
    if (Each.Distance != 0)
      Where = B.CreatePtrAdd(
          Where, ConstantInt::getSigned(B.getInt64Ty(), Each.Distance));
    Together[{unsigned(Each.Kind), T, unsigned(Each.Step.has_value())}]
        .push_back({Where, Total, Each.Step.value_or(0)});
  }
  for (auto &[Which, Words] : Together) {
    auto Kind = Accumulation(std::get<0>(Which));
    if (std::get<2>(Which))
      createAccumulateChunk(B, Words, Kind);
    else
      createAccumulateAll(B, Words, Kind);
  }
}

/// What all iterations of a loop add is gathered when it is left.
void Sums::addGathered(IRBuilderBase &B, const LoadInst &Leader, unsigned Lane,
                       Value *Shadow, PrimalValues &Values) {
  const Gather &How = P.Gathers.find(&Leader)->second;
  Value *Factor = Values.get(B, How.Factor->getPointerOperand());
  if (How.Header) {
    const Noted &Slots = Gathered.find(&Leader)->second[Lane];
    B.CreateStore(Shadow, Slots.Word);
    B.CreateStore(Factor, Slots.Factor);
    return;
  }
  Value *First =
      Sh.of(const_cast<Value *>(How.Words.front()->getPointerOperand()), Lane);
  makeGathered(B, &Leader, Lane, Values.get(B, First), Factor);
}

void Sums::makeGathered(IRBuilderBase &B, const Instruction *Leader,
                        unsigned Lane, Value *Word, Value *Factor) {
  const Gather &How = P.Gathers.find(Leader)->second;
  AllocaInst *Seed = Gathered.find(Leader)->second[Lane].Seed;
  Value *Made = createAccumulateGathered(
      B, {P.Adds.Of.find(Leader)->second.Kind, How.AlongY, How.IsAligned,
          How.IsCommon, How.Fill != nullptr, How.Count, How.MaxOther,
          How.WordStep, How.FactorStep, How.FactorStride, Word, Factor,
          B.CreateLoad(Seed->getAllocatedType(), Seed)});
  if (!How.Fill)
    return;
  auto [Handed, WasMade] = HandedOn.find(How.Fill)->second[Lane];
  B.CreateStore(B.CreateExtractValue(Made, 0), Handed);
  B.CreateStore(B.CreateExtractValue(Made, 1), WasMade);
}

std::optional<Sums::Handed>
Sums::takeHanded(IRBuilderBase &B, const StoreInst &Store, unsigned Lane) {
  auto It = HandedOn.find(&Store);
  if (It == HandedOn.end())
    return std::nullopt;
  auto [Sum, WasMade] = It->second[Lane];
  Value *Made = B.CreateLoad(B.getInt1Ty(), WasMade);
  B.CreateStore(B.getFalse(), WasMade);
  return Handed{take(B, Sum), Made};
}

void Sums::leaveLoop(IRBuilderBase &B, BasicBlock *Header,
                     PrimalValues &Values) {
  for (auto &[Leader, How] : P.Gathers)
    if (How.Header == Header)
      for (auto [Lane, Slots] : enumerate(Gathered.find(Leader)->second)) {
        auto Read = [&](AllocaInst *Slot) {
          return B.CreateLoad(Slot->getAllocatedType(), Slot);
        };
        makeGathered(B, Leader, Lane, Read(Slots.Word), Read(Slots.Factor));
      }
  make(B, Header, [&](Value *V) { return Values.get(B, V); });
}

/// The distance \p Away in the launch, at the function's entry: one of each.
static SmallVector<Value *, Dimensions> distance(const ThreadsAway &Away,
                                                 Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  SmallVector<Value *, Dimensions> Result;
  for (auto &Multiples : Away) {
    Value *Sum = B.getInt32(0);
    for (const Multiple &Each : Multiples) {
      Value *Product = ConstantInt::getSigned(B.getInt32Ty(), Each.Factor);
      for (Value *V : Each.Of)
        Product = B.CreateMul(Product, B.CreateSExtOrTrunc(V, B.getInt32Ty()));
      Sum = B.CreateAdd(Sum, Product);
    }
    Result.push_back(Sum);
  }
  return Result;
}

void Sums::addToStencil(IRBuilderBase &B, const Addition &How, unsigned Lane,
                        Value *Shadow, Value *Adjoint) {
  unsigned Group =
      Stencils.try_emplace({cast<LoadInst>(How.Leader), Lane}, Stencils.size())
          .first->second;
  createStencilAdd(B, Group, Shadow, Adjoint, distance(How.Owner, *S.P.F));
}

/// Every thread computes \p V again from what it has, whatever path it took.
Value *Sums::atEnd(IRBuilderBase &B, Value *V, PrimalValues &Values) {
  if (isa<Constant>(V))
    return V;
  if (isa<Argument>(V) || P.Adds.EndLeaves.contains(V))
    return Values.get(B, V);
  // Threads that did not come to V may find other values, and do not use them.
  Instruction *Again = cast<Instruction>(V)->clone();
  Again->dropPoisonGeneratingFlags();
  for (Use &Operand : Again->operands())
    Operand.set(atEnd(B, Operand.get(), Values));
  return B.Insert(Again, V->getName());
}

void Sums::finish(IRBuilderBase &B, PrimalValues &Values) {
  Values.enterBlock(nullptr);
  make(B, nullptr, [&](Value *V) { return atEnd(B, V, Values); });
  for (auto &[Own, Group] : Stencils) {
    Value *Shadow =
        Sh.of(const_cast<Value *>(Own.first->getPointerOperand()), Own.second);
    createStencilEnd(B, Group, atEnd(B, Shadow, Values), Own.first->getType());
  }
}

void Sums::finishGrid(IRBuilderBase &B, PrimalValues &Values) {
  Values.enterBlock(nullptr);
  make(B, grid(), [&](Value *V) { return atEnd(B, V, Values); });
}

void Sums::clear(IRBuilderBase &B, Point At) {
  auto It = Waiting.find(At);
  if (It == Waiting.end())
    return;
  for (const Sum &Each : It->second)
    B.CreateStore(neutralAdjoint(Each.Slot->getAllocatedType()), Each.Slot);
}

void Sums::clear(IRBuilderBase &B) {
  for (auto &[Store, Slots] : HandedOn)
    for (auto [Sum, WasMade] : Slots) {
      B.CreateStore(neutralAdjoint(Sum->getAllocatedType()), Sum);
      B.CreateStore(B.getFalse(), WasMade);
    }
  for (Point At : make_first_range(Waiting))
    if (At != grid())
      clear(B, At);
}

void Sums::clearGrid(IRBuilderBase &B) { clear(B, grid()); }

} // namespace kdiff
