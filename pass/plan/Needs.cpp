//===- Needs.cpp - Which primal values the reverse sweep reads ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Needs.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Needs.h"
#include "rules/Rules.h"
#include "target/Sync.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {

class Collector {
public:
  Collector(const Subject &S, const Activity &A, const Shadows &Sh,
            const Flow &Fl)
      : S(S), A(A), Sh(Sh), Fl(Fl) {}

  SmallVector<Need, 32> run() {
    for (BasicBlock &B : *S.P.F) {
      if (!Fl.isReversed(&B))
        continue;
      for (Instruction &I : B)
        if (Flow::hasWork(I, A))
          ofInstruction(I);
      ofControl(B);
    }
    // The sweep begins by zeroing the shadows in shared memory.
    for (const SharedShadow &Shadow : Sh.shared()) {
      add(Shadow.Address, true, *S.P.ReturnBlock->getTerminator());
      add(Shadow.Bytes, true, *S.P.ReturnBlock->getTerminator());
    }
    return std::move(Needs);
  }

private:
  void add(Value *V, bool Exact, const Instruction &By) {
    if (V && !isa<Constant>(V))
      Needs.push_back({V, Exact, &By});
  }
  void addShadowOf(Value *Pointer, const Instruction &By) {
    if (A.isActivePointer(Pointer))
      for (Value *Shadow : Sh.inLanes(Pointer))
        add(Shadow, true, By);
  }
  void ofRule(Instruction &I, const Rule &R);
  void ofOutRule(CallBase &CB);
  void ofCall(CallBase &CB);
  void ofInstruction(Instruction &I);
  void ofControl(BasicBlock &B);

  const Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  SmallVector<Need, 32> Needs;
};

} // namespace

void Collector::ofRule(Instruction &I, const Rule &R) {
  unsigned Count =
      isa<CallBase>(I) ? cast<CallBase>(I).arg_size() : I.getNumOperands();
  NeedMask Mask =
      needsOf(R, I, [&](const Value *V) { return A.isActive(V); });
  for (unsigned K = 0; K != Count; ++K)
    if (Mask & (1u << K))
      add(I.getOperand(K), false, I);
  if (Mask & ResultBit)
    add(&I, false, I);
}

void Collector::ofOutRule(CallBase &CB) {
  const OutRule &R = *findOutRule(CB);
  NeedMask Mask =
      needsOf(R, CB, [&](const Value *V) { return A.isActive(V); });
  for (unsigned K = 0; K != CB.arg_size(); ++K)
    if (Mask & (1u << K))
      add(CB.getArgOperand(K), false, CB);
  if (Mask & ResultBit)
    add(&CB, false, CB);
  for (unsigned Out : outPointers(R))
    addShadowOf(CB.getArgOperand(Out), CB);
}

void Collector::ofCall(CallBase &CB) {
  switch (classify(CB)) {
  case CallClass::OutPointer:
    return ofOutRule(CB);
  case CallClass::Memory:
    addShadowOf(CB.getArgOperand(0), CB);
    if (isa<MemTransferInst>(CB))
      addShadowOf(CB.getArgOperand(1), CB);
    return add(CB.getArgOperand(2), true, CB);
  case CallClass::Barrier:
    for (unsigned K : mirroredOperands(CB))
      add(CB.getArgOperand(K), true, CB);
    return;
  case CallClass::Claim: {
    nvptx::Claim C = *nvptx::claimOf(CB);
    add(&CB, true, CB);
    add(C.Number, true, CB);
    return addShadowOf(C.Word, CB);
  }
  case CallClass::Warp: {
    if (auto Sum = nvptx::blockSumOf(CB))
      return add(Sum->Reader, true, CB);
    nvptx::Shuffle Sh = *nvptx::shuffleOf(CB);
    for (unsigned K : {Sh.Mask, Sh.Lane, Sh.Clamp})
      add(CB.getArgOperand(K), true, CB);
    return;
  }
  default:
    for (Value *Arg : CB.args())
      if (Arg->getType()->isPointerTy())
        addShadowOf(Arg, CB);
  }
}

void Collector::ofInstruction(Instruction &I) {
  if (const Rule *R = findRule(I))
    return ofRule(I, *R);
  if (auto *CB = dyn_cast<CallBase>(&I))
    return ofCall(*CB);
  if (auto *Pointer = const_cast<Value *>(accessedPointer(I)))
    return addShadowOf(Pointer, I);
  if (auto *Sel = dyn_cast<SelectInst>(&I))
    return add(Sel->getCondition(), true, I);
  if (isa<ExtractElementInst>(I))
    return add(I.getOperand(1), true, I);
  if (isa<InsertElementInst>(I))
    return add(I.getOperand(2), true, I);
}

void Collector::ofControl(BasicBlock &B) {
  const Step &Next = Fl.steps().find(&B)->second;
  if (Next.How == Leave::Join)
    add(S.P.Joins.find(&B)->second.Selector, true, *B.getTerminator());
  if (Next.How == Leave::Exit)
    for (BasicBlock *Header : Next.Loops)
      add(S.P.Loops.find(Header)->second.BackedgesAtExit.lookup(&B), true,
          *B.getTerminator());
}

SmallVector<unsigned, 2> mirroredOperands(const CallBase &CB) {
  unsigned Count = CB.arg_size();
  if (nvptx::mirrorOf(CB) == nvptx::Mirror::Barrier)
    --Count;
  SmallVector<unsigned, 2> Operands;
  for (unsigned K = 0; K != Count; ++K)
    Operands.push_back(K);
  return Operands;
}

SmallVector<Need, 32> collectNeeds(const Subject &S, const Activity &A,
                                   const Shadows &Sh, const Flow &Fl) {
  return Collector(S, A, Sh, Fl).run();
}

} // namespace kdiff
