//===- Forward.cpp - Primal and tangents in one sweep ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Forward.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Forward.h"
#include "emit/Bits.h"
#include "emit/Scale.h"
#include "plan/Flow.h"
#include "target/Sync.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace kdiff {

namespace {

class ForwardSweep {
public:
  ForwardSweep(Subject &S, const Activity &A, const Shadows &Sh, Callees &Calls)
      : S(S), A(A), Sh(Sh), Calls(Calls), B(S.P.F->getContext()),
        Ret(cast<ReturnInst>(S.P.ReturnBlock->getTerminator())),
        Tangents(S.Width) {}
  void run();

private:
  /// In this lane. Zero for what is not active.
  Value *tangent(Value *V, Type *As = nullptr);
  void set(Instruction &I, Value *Tangent) { Tangents[Lane][&I] = Tangent; }
  /// In all lanes.
  LaneValues tangents(Value *V);
  void setAll(Instruction &I, ArrayRef<Value *> All);
  void forEachLane(function_ref<void()> Do);
  Value *shadow(Value *Pointer) const { return Sh.of(Pointer, Lane); }

  /// These serve all lanes:
  void visit(Instruction &I);
  void visitCall(CallBase &CB);
  void visitRule(Instruction &I, const Rule &R);
  LaneValues tangentsOf(CallBase &CB, const OutRule &R, int Output);
  void visitOutRule(CallBase &CB);
  void visitRecursion(CallBase &CB);
  void finish();
  /// These serve one lane:
  Type *movedType(const Instruction &I, const Value *V, Type *T);
  void visitMove(Instruction &I);
  void visitAccess(Instruction &I);
  void visitMemoryIntrinsic(CallBase &CB);
  void visitShuffle(CallBase &CB);
  void whereShadowed(Value *Pointer, function_ref<void()> Emit);

  Subject &S;
  const Activity &A;
  const Shadows &Sh;
  Callees &Calls;
  SmallVector<std::pair<CallBase *, Value *>, 2> Replaced;
  IRBuilder<> B;
  ReturnInst *Ret; ///< Tests of shadows split its block.
  unsigned Lane = 0;
  SmallVector<DenseMap<Value *, Value *>, 1> Tangents; ///< By lane.
};

} // namespace

/// \p As is the tangent's type where \p V does not tell: an integer constant
/// among the bits of floating point.
Value *ForwardSweep::tangent(Value *V, Type *As) {
  if (!A.isActive(V)) {
    Type *T = As ? As : A.adjointType(V);
    return Constant::getNullValue(T ? T : V->getType());
  }
  Value *Tangent = Tangents[Lane].lookup(V);
  assert(Tangent && "a use before its definition");
  return Tangent;
}

void ForwardSweep::forEachLane(function_ref<void()> Do) {
  for (Lane = 0; Lane != S.Width; ++Lane)
    Do();
  Lane = 0;
}

LaneValues ForwardSweep::tangents(Value *V) {
  LaneValues All;
  forEachLane([&] { All.push_back(tangent(V)); });
  return All;
}

void ForwardSweep::setAll(Instruction &I, ArrayRef<Value *> All) {
  forEachLane([&] { set(I, All[Lane]); });
}

/// \p Emit where the shadow of \p Pointer is not null, tested at run time only
/// if it may be.
void ForwardSweep::whereShadowed(Value *Pointer, function_ref<void()> Emit) {
  if (!A.isMixedPointer(Pointer))
    return Emit();
  Instruction *Here = &*B.GetInsertPoint();
  Instruction *Then = SplitBlockAndInsertIfThen(
      B.CreateIsNotNull(shadow(Pointer)), Here->getIterator(), false);
  B.SetInsertPoint(Then);
  Emit();
  B.SetInsertPoint(Here);
}

/// Adds \p Terms to \p Sums (null: empty), lane by lane.
static void addTerms(IRBuilderBase &B, LaneValues &Sums,
                     ArrayRef<Value *> Terms) {
  for (auto [Sum, Term] : zip_equal(Sums, Terms))
    Sum = Sum ? B.CreateFAdd(Sum, Term) : Term;
}

void ForwardSweep::visitRule(Instruction &I, const Rule &R) {
  if (!A.isActive(&I))
    return;
  unsigned Count =
      isa<CallBase>(I) ? cast<CallBase>(I).arg_size() : I.getNumOperands();
  SmallVector<Value *, 4> Args(I.op_begin(), I.op_begin() + Count);
  LaneValues Sums(S.Width, nullptr);
  for (unsigned K = 0; K != Count; ++K)
    if (isDifferentiable(R, K) && A.isActive(I.getOperand(K)))
      addTerms(
          B, Sums,
          scale(B, I, R, K, tangents(I.getOperand(K)), Args, &I, I.getType()));
  setAll(I, Sums);
}

/// The type of the tangent of the operand \p V of \p I, which moves it into a
/// result with a tangent of type \p T; null for indices and masks.
Type *ForwardSweep::movedType(const Instruction &I, const Value *V, Type *T) {
  Type *Scalar = T->getScalarType();
  if (A.adjointType(V))
    return A.adjointType(V);
  if (isa<FreezeInst>(I))
    return T;
  if (isa<InsertElementInst>(I))
    return V == I.getOperand(0) ? T : V == I.getOperand(1) ? Scalar : nullptr;
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  return isa<ShuffleVectorInst>(I) && Vector
             ? FixedVectorType::get(Scalar, Vector->getNumElements())
             : nullptr;
}

void ForwardSweep::visitMove(Instruction &I) {
  if (!A.isActive(&I))
    return;
  Type *T = A.adjointType(&I);
  switch (I.getOpcode()) {
  case Instruction::PHI: {
    auto &Phi = cast<PHINode>(I);
    PHINode *Twin = PHINode::Create(T, Phi.getNumIncomingValues(),
                                    "t." + Phi.getName(), Phi.getIterator());
    Twin->setDebugLoc(Phi.getDebugLoc());
    return set(I, Twin);
  }
  case Instruction::Select:
    return set(I, B.CreateSelect(I.getOperand(0), tangent(I.getOperand(1), T),
                                 tangent(I.getOperand(2), T)));
  case Instruction::Or: // Disjoint elements: the sum has each once.
    return set(I, B.CreateFAdd(tangent(I.getOperand(0), T),
                               tangent(I.getOperand(1), T)));
  case Instruction::Freeze:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue: {
    Instruction *Twin = I.clone();
    for (Use &Operand : Twin->operands())
      if (Type *Moved = movedType(I, Operand, T))
        Operand.set(tangent(Operand, Moved));
    // Cloned from integers that carry bits, the result is floating point.
    Twin->mutateType(T);
    B.Insert(Twin);
    return set(I, Twin);
  }
  default:
    return set(I, moveBitsOn(B, I, tangent(I.getOperand(0)), T));
  }
}

void ForwardSweep::visitAccess(Instruction &I) {
  auto *Pointer = const_cast<Value *>(accessedPointer(I));
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!A.isActive(&I))
      return;
    Type *T = A.adjointType(Load);
    if (!A.isMixedPointer(Pointer))
      return set(I, B.CreateAlignedLoad(T, shadow(Pointer), Load->getAlign()));
    Instruction *Here = &*B.GetInsertPoint();
    BasicBlock *Before = Here->getParent();
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateIsNotNull(shadow(Pointer)), Here->getIterator(), false);
    B.SetInsertPoint(Then);
    Value *Loaded = B.CreateAlignedLoad(T, shadow(Pointer), Load->getAlign());
    B.SetInsertPoint(Here->getParent(), Here->getParent()->begin());
    PHINode *Phi = B.CreatePHI(T, 2);
    Phi->addIncoming(Constant::getNullValue(T), Before);
    Phi->addIncoming(Loaded, Then->getParent());
    B.SetInsertPoint(Here);
    return set(I, Phi);
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Value *Stored = Store->getValueOperand();
    if (!A.isActiveStore(Stored, Pointer))
      return;
    Value *Tangent = tangent(Stored);
    return whereShadowed(Pointer, [&] {
      B.CreateAlignedStore(Tangent, shadow(Pointer), Store->getAlign());
    });
  }
  if (isa<AtomicCmpXchgInst>(I))
    return; // Of integers: any other is refused.
  auto &RMW = cast<AtomicRMWInst>(I);
  if (!A.isActivePointer(Pointer) || !A.isActive(RMW.getValOperand()))
    return;
  Value *Tangent = tangent(RMW.getValOperand());
  whereShadowed(Pointer, [&] {
    B.CreateAtomicRMW(RMW.getOperation(), shadow(Pointer), Tangent,
                      RMW.getAlign(), AtomicOrdering::Monotonic,
                      RMW.getSyncScopeID());
  });
}

void ForwardSweep::visitMemoryIntrinsic(CallBase &CB) {
  auto &Mem = cast<MemIntrinsic>(CB);
  Value *To = Mem.getRawDest();
  if (!A.isActivePointer(To))
    return;
  auto *Copy = dyn_cast<MemTransferInst>(&CB);
  whereShadowed(To, [&] {
    if (!Copy || !A.isActivePointer(Copy->getRawSource())) {
      B.CreateMemSet(shadow(To), B.getInt8(0), Mem.getLength(),
                     Mem.getDestAlign());
      return;
    }
    auto *Twin = cast<MemTransferInst>(Copy->clone());
    Twin->setDest(shadow(To));
    Twin->setSource(shadow(Copy->getRawSource()));
    B.Insert(Twin);
  });
}

/// Of output \p Output of \p CB, numbered as OutRule says.
LaneValues ForwardSweep::tangentsOf(CallBase &CB, const OutRule &R,
                                    int Output) {
  SmallVector<Value *, 4> Args(CB.args());
  LaneValues Sums(S.Width, nullptr);
  for (unsigned K : inputs(R)) {
    Value *Input = CB.getArgOperand(K);
    if (!isDifferentiable(R, Output, K) || !A.isActive(Input))
      continue;
    Value *Partial = emitPartial(B, R, Output, K, Args, &CB, Input->getType());
    LaneValues Terms;
    for (Value *Tangent : tangents(Input))
      Terms.push_back(multiply(B, Tangent, Partial, false));
    addTerms(B, Sums, Terms);
  }
  Type *T = CB.getArgOperand(inputs(R).front())->getType();
  return Sums.front() ? Sums : LaneValues(S.Width, Constant::getNullValue(T));
}

void ForwardSweep::visitOutRule(CallBase &CB) {
  const OutRule &R = *findOutRule(CB);
  for (unsigned Out : outPointers(R)) {
    Value *Pointer = CB.getArgOperand(Out);
    if (!A.isActivePointer(Pointer))
      continue;
    LaneValues All = tangentsOf(CB, R, Out);
    forEachLane([&] {
      whereShadowed(Pointer,
                    [&] { B.CreateStore(All[Lane], shadow(Pointer)); });
    });
  }
  if (A.isActive(&CB))
    setAll(CB, tangentsOf(CB, R, -1));
}

/// The tangents make the same moves as their values, as bits.
void ForwardSweep::visitShuffle(CallBase &CB) {
  if (!A.isActive(&CB))
    return;
  nvptx::Shuffle S = *nvptx::shuffleOf(CB);
  Value *Tangent = tangent(CB.getArgOperand(S.Value));
  Type *T = Tangent->getType();
  Value *Bits = B.CreateBitCast(Tangent, CB.getType());
  auto *Twin = cast<CallBase>(CB.clone());
  Twin->setArgOperand(S.Value, Bits);
  B.Insert(Twin);
  set(CB, B.CreateBitCast(Twin, T));
}

/// The tangent function does what the primal does as well.
void ForwardSweep::visitRecursion(CallBase &CB) {
  const Callee &Target = Calls.of(CB, A, Mode::Forward, S.Width);
  SmallVector<Value *, 8> Args = calleeArguments(Target, CB, [&](Value *V) {
    return V->getType()->isPointerTy() ? Sh.inLanes(V) : tangents(V);
  });
  Value *Both = B.CreateCall(Target.Tangent, Args);
  bool Returns = !CB.getType()->isVoidTy();
  Replaced.push_back({&CB, Returns ? B.CreateExtractValue(Both, 0) : nullptr});
  if (A.isActive(&CB))
    setAll(CB, unpackLanes(B, B.CreateExtractValue(Both, 1), S.Width));
}

void ForwardSweep::visitCall(CallBase &CB) {
  switch (classify(CB)) {
  case CallClass::Memory:
    return forEachLane([&] { visitMemoryIntrinsic(CB); });
  case CallClass::Warp:
    return forEachLane([&] { visitShuffle(CB); });
  case CallClass::OutPointer:
    return visitOutRule(CB);
  case CallClass::Defined:
    if (Flow::hasWork(CB, A))
      visitRecursion(CB);
    return;
  default:
    return;
  }
}

void ForwardSweep::visit(Instruction &I) {
  if (isa<PHINode>(I))
    return forEachLane([&] { visitMove(I); });
  if (I.isTerminator())
    return;
  B.SetInsertPoint(I.getNextNode());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  if (const Rule *R = findRule(I))
    return visitRule(I, *R);
  if (auto *CB = dyn_cast<CallBase>(&I))
    return visitCall(*CB);
  forEachLane([&] { accessedPointer(I) ? visitAccess(I) : visitMove(I); });
}

void ForwardSweep::run() {
  for (const Formal &Arg : S.Formals)
    if (!Arg.Shadows.empty() && !Arg.Primal->getType()->isPointerTy())
      forEachLane([&] { Tangents[Lane][Arg.Primal] = Arg.Shadows[Lane]; });
  // A snapshot in an order in which definitions come before their uses.
  SmallVector<Instruction *, 64> Primal;
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(S.P.F))
    for (Instruction &I : *Block)
      Primal.push_back(&I);
  for (Instruction *I : Primal)
    visit(*I);
  for (Instruction *I : Primal) {
    auto *Phi = dyn_cast<PHINode>(I);
    if (!Phi || !A.isActive(Phi))
      continue;
    forEachLane([&] {
      for (auto [V, Block] : zip(Phi->incoming_values(), Phi->blocks()))
        cast<PHINode>(Tangents[Lane].lookup(Phi))
            ->addIncoming(tangent(V, A.adjointType(Phi)), Block);
    });
  }
  finish();
}

/// Returns the tangents, and calls the tangent functions instead of what they
/// are the tangents of.
void ForwardSweep::finish() {
  if (S.Result && Ret->getReturnValue()) {
    B.SetInsertPoint(Ret);
    Value *Returned = packLanes(B, tangents(S.Result));
    if (S.S == Shape::Callee) {
      Value *Both = PoisonValue::get(S.P.F->getReturnType());
      Both = B.CreateInsertValue(Both, S.Result, 0);
      Returned = B.CreateInsertValue(Both, Returned, 1);
    }
    Ret->setOperand(0, Returned);
  }
  for (auto &[Call, Result] : Replaced) {
    if (Result)
      Call->replaceAllUsesWith(Result);
    Call->eraseFromParent();
  }
}

void emitForward(Subject &S, const Activity &A, const Shadows &Sh,
                 Callees &Calls) {
  ForwardSweep(S, A, Sh, Calls).run();
}

} // namespace kdiff
