//===- Unwanted.cpp - Primal work that nobody wants -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Unwanted.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Unwanted.h"
#include "analysis/Memory.h"
#include "plan/Plan.h"
#include "rules/Attach.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {

/// Marks what is needed, from the effects that are wanted back to what they
/// are computed from.
class Marker {
public:
  Marker(const Subject &S, const Plan *P, FunctionAnalysisManager &FAM)
      : S(S), P(P), AA(FAM.getResult<AAManager>(*S.P.F)) {}
  SmallVector<Instruction *, 8> run();

private:
  bool isUnwantedObject(const Value *Object) const;
  const Value *unwantedTarget(const Instruction &I) const;
  void sort(Instruction &I);
  void need(Value *V);
  void needMemory(const Instruction &Reader, bool IsInReverse = false);
  bool isFilledAgain(const Instruction &Write, const Instruction &Reader) const;
  void propagate();
  bool ordersSomething() const;

  const Subject &S;
  const Plan *P;
  AAResults &AA;
  DenseSet<const Instruction *> Needed;
  SmallVector<Instruction *, 32> Work;
  /// Effects that are not needed so far.
  SmallVector<Instruction *, 8> Writes, Barriers, Exchanges;
};

} // namespace

/// Memory that ends with the launch, or that the caller does not want.
bool Marker::isUnwantedObject(const Value *Object) const {
  if (auto *G = dyn_cast<GlobalVariable>(Object))
    return S.IsKernel && G->getAddressSpace() == nvptx::Shared;
  return any_of(S.Formals, [&](const Formal &Arg) {
    return Arg.Primal == Object && isUnwanted(Arg.Activity);
  });
}

/// Where \p I writes, if it does nothing but write memory that is not wanted.
const Value *Marker::unwantedTarget(const Instruction &I) const {
  const Value *To = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    To = Store->isVolatile() ? nullptr : Store->getPointerOperand();
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    To = RMW->isVolatile() ? nullptr : RMW->getPointerOperand();
  else if (auto *Memory = dyn_cast<MemIntrinsic>(&I))
    To = Memory->isVolatile() ? nullptr : Memory->getRawDest();
  bool Unwanted = To && all_of(underlyingObjects(To), [&](const Value *O) {
                    return isUnwantedObject(O);
                  });
  return Unwanted ? To : nullptr;
}

/// Puts \p I with the effects that may be dropped, or takes it as needed.
void Marker::sort(Instruction &I) {
  if (unwantedTarget(I)) {
    Writes.push_back(&I);
    return;
  }
  if (!P) {
    need(&I);
    return;
  }
  auto *CB = dyn_cast<CallBase>(&I);
  CallClass Class = CB ? classify(*CB) : CallClass::Unknown;
  if (Class == CallClass::Barrier && S.IsKernel && CB->getIntrinsicID())
    Barriers.push_back(&I);
  else if (Class == CallClass::Warp)
    Exchanges.push_back(&I);
  else if (I.isTerminator() ||
           (I.mayHaveSideEffects() && Class != CallClass::Rule &&
            Class != CallClass::Pure))
    need(&I);
}

void Marker::need(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (I && Needed.insert(I).second)
    Work.push_back(I);
}

/// True if the reverse sweep makes \p Write again before it comes to \p Reader.
bool Marker::isFilledAgain(const Instruction &Write,
                           const Instruction &Reader) const {
  return any_of(P->Refills, [&](auto &Entry) {
    auto IsWrite = [&](const FillStore &Fill) { return Fill.Store == &Write; };
    return any_of(Entry.second.Stores, IsWrite) &&
           Entry.second.L->contains(&Reader);
  });
}

/// Needs the writes whose result \p Reader may see, in the reverse sweep if
/// that is told.
void Marker::needMemory(const Instruction &Reader, bool IsInReverse) {
  for (Instruction *Write : Writes) {
    if (Needed.contains(Write) || Write == &Reader ||
        (IsInReverse && isFilledAgain(*Write, Reader)))
      continue;
    // Memory that the caller says is never read.
    const Formal *Arg = S.formalOf(unwantedTarget(*Write));
    if (Arg && isSeed(Arg->Activity))
      continue;
    std::optional<MemoryLocation> From = MemoryLocation::getOrNone(&Reader);
    if (auto *Copy = dyn_cast<MemTransferInst>(&Reader))
      From = MemoryLocation::getForSource(Copy);
    // An address in a loop stands for many: whole objects are compared.
    if (From)
      From->Size = LocationSize::beforeOrAfterPointer();
    if (isModSet(AA.getModRefInfo(Write, From)))
      need(Write);
  }
}

/// True if \p I may read memory that the primal writes: of calls, the known
/// ones that have no addresses do not, whatever their attributes say.
static bool readsMemory(const Instruction &I) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return !RMW->use_empty();
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*CB);
    bool HasAddress = any_of(CB->args(), [](const Use &Arg) {
      return Arg->getType()->isPointerTy();
    });
    if (Class == CallClass::Ignorable || Class == CallClass::OutPointer)
      return false;
    if (!HasAddress &&
        (Class == CallClass::Rule || Class == CallClass::Pure ||
         Class == CallClass::Warp || Class == CallClass::Barrier))
      return false;
  }
  return I.mayReadFromMemory();
}

/// A value with a derivative, of which the forward sweep has the value alone.
static bool isAttachment(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  return Callee && isAttach(*Callee);
}

void Marker::propagate() {
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    if (isAttachment(*I)) {
      need(I->getOperand(0));
      continue;
    }
    for (Value *Operand : I->operands())
      need(Operand);
    if (readsMemory(*I))
      needMemory(*I);
  }
}

/// True if a write is left that another thread could see.
bool Marker::ordersSomething() const {
  return any_of(instructions(*S.P.F), [&](const Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    CallClass Class = CB ? classify(*CB) : CallClass::Unknown;
    if (!Needed.contains(&I) || !I.mayWriteToMemory() ||
        Class == CallClass::Rule || Class == CallClass::Pure ||
        Class == CallClass::Warp || Class == CallClass::Ignorable)
      return false;
    const Value *To = accessedPointer(I);
    if (auto *Memory = dyn_cast<MemIntrinsic>(&I))
      To = Memory->getRawDest();
    return !To || !all_of(underlyingObjects(To), [](const Value *Object) {
      return isa<AllocaInst>(Object);
    });
  });
}

SmallVector<Instruction *, 8> Marker::run() {
  for (Instruction &I : instructions(*S.P.F))
    sort(I);
  if (P) {
    for (auto &[Header, L] : P->Loops)
      for (Value *End : L.Ends)
        need(End);
    for (auto &[V, D] : P->Values) {
      if (D.From == Source::InScope || D.From == Source::Tape ||
          D.From == Source::Replay)
        need(V);
      else if (D.From == Source::Reload)
        needMemory(*cast<Instruction>(V), true);
    }
  }
  propagate();
  if (ordersSomething())
    for (Instruction *Barrier : Barriers)
      need(Barrier);
  propagate();
  SmallVector<Instruction *, 8> Unwanted;
  for (Instruction &I : instructions(*S.P.F)) {
    bool MayGo = is_contained(Writes, &I) || is_contained(Barriers, &I) ||
                 is_contained(Exchanges, &I);
    if (MayGo && !Needed.contains(&I))
      Unwanted.push_back(&I);
  }
  return Unwanted;
}

SmallVector<Instruction *, 8> findUnwanted(const Subject &S, const Plan *P,
                                           FunctionAnalysisManager &FAM) {
  if (S.S == Shape::Callee)
    return {};
  return Marker(S, P, FAM).run();
}

void eraseUnwanted(ArrayRef<Instruction *> Unwanted) {
  for (Instruction *I : Unwanted) {
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
}

} // namespace kdiff
