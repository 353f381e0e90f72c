//===- Marks.cpp - What the caller's marks promise ------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Marks.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Marks.h"
#include "analysis/Memory.h"
#include "plan/Distance.h"
#include "plan/Once.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {

/// The accesses of one marked argument.
class Checker {
public:
  Checker(const Subject &S, const Activity &A, const Formal &Arg,
          FunctionAnalysisManager &FAM, SeedTests &Tests)
      : S(S), A(A), Arg(Arg), FAM(FAM), Tests(Tests) {}
  bool run();

private:
  /// What an instruction does to the memory.
  struct Effect : Access {
    bool Reads = false, Writes = false;
    bool Overwrites = false; ///< A store; an addition does not.
  };

  bool isOurs(const Value *Pointer) const;
  bool collect();
  bool collect(Instruction &I);
  bool collectCall(CallBase &CB);
  bool isTested(const Effect &First, const Effect &Second);
  bool checkSeed();
  bool checkFresh();
  std::string argument() const {
    return "argument '" + Arg.Primal->getName().str() + "', marked kd_" +
           toString(Arg.Activity).str() + ",";
  }
  /// Reports \p What of the argument; false, for the caller to return.
  bool refuse(const Instruction &I, const Twine &What) {
    reportMisuse(I, argument() + " " + What + ": mark it kd_dup");
    return false;
  }

  const Subject &S;
  const Activity &A;
  const Formal &Arg;
  FunctionAnalysisManager &FAM;
  SeedTests &Tests;
  SmallVector<Effect, 8> Effects;
};

} // namespace

bool Checker::isOurs(const Value *Pointer) const {
  return Pointer->getType()->isPointerTy() &&
         is_contained(underlyingObjects(Pointer), Arg.Primal);
}

bool Checker::collectCall(CallBase &CB) {
  auto *Memory = dyn_cast<MemIntrinsic>(&CB);
  if (classify(CB) == CallClass::Ignorable)
    return true;
  for (auto [K, Use] : enumerate(CB.args())) {
    if (!isOurs(Use))
      continue;
    if (!Memory)
      return refuse(CB, "is passed to a function");
    bool IsSource = K == 1;
    MemoryLocation At =
        IsSource ? MemoryLocation::getForSource(cast<MemTransferInst>(Memory))
                 : MemoryLocation::getForDest(Memory);
    Effects.push_back({{&CB, At}, IsSource, !IsSource, !IsSource});
  }
  return true;
}

bool Checker::collect(Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I))
    return collectCall(*CB);
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (isOurs(Load->getPointerOperand()))
      Effects.push_back({{&I, MemoryLocation::get(Load)}, true, false, false});
    return true;
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (isOurs(Store->getValueOperand()))
      return refuse(I, "is stored to memory");
    if (isOurs(Store->getPointerOperand()))
      Effects.push_back({{&I, MemoryLocation::get(Store)}, false, true, true});
    return true;
  }
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I);
      RMW && isOurs(RMW->getPointerOperand())) {
    bool Adds = RMW->getOperation() == AtomicRMWInst::FAdd ||
                RMW->getOperation() == AtomicRMWInst::FSub;
    Effects.push_back({{&I, MemoryLocation::get(RMW)},
                       !Adds || !RMW->use_empty(),
                       true,
                       false});
    return true;
  }
  bool Moves = isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst, PHINode,
                   SelectInst, FreezeInst, CmpInst>(I);
  for (const Value *Operand : I.operands())
    if (!Moves && isOurs(Operand))
      return refuse(I, "leads to memory in a way that is not followed");
  return true;
}

/// All effects on the memory, and that its addresses lead nowhere else.
bool Checker::collect() {
  for (Instruction &I : instructions(*S.P.F)) {
    if (!collect(I))
      return false;
  }
  for (const Effect &E : Effects)
    if (underlyingObjects(E.At.Ptr).size() != 1)
      return refuse(*E.I, "and other memory are accessed by one instruction");
  return true;
}

/// True if a test at run time tells whether store \p Second overwrites all of
/// what store \p First wrote, or nothing.
bool Checker::isTested(const Effect &First, const Effect &Second) {
  auto &LI = FAM.getResult<LoopAnalysis>(*S.P.F);
  BasicBlock *Here = First.I->getParent(), *There = Second.I->getParent();
  auto *Store = dyn_cast<StoreInst>(First.I);
  auto *Later = dyn_cast<StoreInst>(Second.I);
  if (!Store || !Later || LI.getLoopFor(Here) || LI.getLoopFor(There) ||
      !FAM.getResult<PostDominatorTreeAnalysis>(*S.P.F).dominates(There, Here))
    return false;
  std::optional<Distance> D =
      distanceBetween(Store->getPointerOperand(), Later->getPointerOperand(),
                      S.P.F->getDataLayout());
  if (!D || !First.At.Size.isPrecise() || !Second.At.Size.isPrecise() ||
      First.At.Size.getValue() > Second.At.Size.getValue() ||
      Second.At.Size.getValue() > uint64_t(std::abs(D->Factor)))
    return false;
  Tests[Store].insert(D->Unit);
  return true;
}

bool Checker::checkSeed() {
  Once Places(S, FAM);
  for (const Effect &E : Effects)
    if (E.Reads)
      return refuse(*E.I, "is read here");
  for (const Effect &First : Effects)
    for (const Effect &Second : Effects)
      if (Second.Overwrites &&
          ((!Places.isFreshAfter(First, Second) && !isTested(First, Second)) ||
           Places.isOrderedAcrossThreads(*First.I, *Second.I)))
        return refuse(*Second.I,
                      "may be overwritten here where it was written before");
  return true;
}

bool Checker::checkFresh() {
  Once Places(S, FAM);
  SmallVector<Access, 4> Additions;
  for (const Effect &E : Effects) {
    if (E.Writes)
      return refuse(*E.I, "is written here");
    if (!isa<LoadInst>(E.I))
      return refuse(*E.I, "is copied here");
    if (A.isActive(E.I))
      Additions.push_back(E);
  }
  if (Additions.empty()) {
    reportMisuse(*S.P.F, argument() + " gets no derivative: nothing would be "
                                      "stored to its shadow; mark it kd_const");
    return false;
  }
  for (const Access &First : Additions)
    for (const Access &Second : Additions)
      if (!Places.isFreshAfter(First, Second))
        return refuse(*Second.I, "may be read here where it was read before, "
                                 "so that its derivative is a sum");
  if (!Arg.PrivateShadow && !Places.isThreadsOwn(Additions))
    return refuse(*Additions.front().I,
                  "may be read here by several threads, so that its "
                  "derivative is a sum (no store beside it tells threads "
                  "apart by the same index)");
  return true;
}

bool Checker::run() {
  return collect() &&
         (Arg.Activity == ArgActivity::Fresh ? checkFresh() : checkSeed());
}

std::optional<SeedTests> checkMarks(const Subject &S, const Activity &A,
                                    FunctionAnalysisManager &FAM) {
  bool Kept = true;
  SeedTests Tests;
  for (const Formal &Arg : S.Formals)
    if (isSeed(Arg.Activity) || Arg.Activity == ArgActivity::Fresh)
      Kept &= Checker(S, A, Arg, FAM, Tests).run();
  if (!Kept)
    return std::nullopt;
  return Tests;
}

} // namespace kdiff
