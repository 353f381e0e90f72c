//===- StencilCopies.cpp - What another thread adds
//------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a thread compute what another one adds?
//
// By a copy of the gradient without its effects, for the index of the other. It
// is simplified to what is asked for. What the other thread was promised, of
// integers that do not wrap around, say, holds in the copy.
//
//===----------------------------------------------------------------------===//

#include "emit/Adjoints.h"
#include "lower/Abstract.h"
#include "lower/Stencils.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

namespace {

class Copier {
public:
  Copier(const Stencil &G, const Away &Distance)
      : G(G), Distance(Distance), FirstIndex(G.F.arg_size()),
        FirstDivision(FirstIndex + Dimensions),
        FirstWord(FirstDivision + 2 * G.Divisions.size()) {}
  Function *make();

private:
  Value *copied(Value *V) {
    return isa<Constant>(V) ? V : static_cast<Value *>(Map.lookup(V));
  }
  void create();
  void setIndex();
  void addReads(ArrayRef<AllocaInst *> Sums);
  void dropEffects();
  void returnSums(ArrayRef<AllocaInst *> Sums);
  void divide(unsigned No);

  const Stencil &G;
  const Away &Distance;
  unsigned FirstIndex, FirstDivision, FirstWord; ///< Parameters.
  Function *Copy = nullptr;
  ValueToValueMapTy Map;
  SmallVector<ReturnInst *, 2> Returns;
};

} // namespace

void Copier::create() {
  LLVMContext &C = G.F.getContext();
  SmallVector<Type *, 16> Params(G.F.getFunctionType()->params()), Sums;
  Params.append(Dimensions + 2 * G.Divisions.size(), Type::getInt32Ty(C));
  for (auto &[Group, Own] : G.Words) {
    Params.push_back(Own.Address->getType());
    Sums.push_back(Own.T);
  }
  Copy = Function::Create(
      FunctionType::get(StructType::get(C, Sums), Params, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, "gather", G.F.getParent());
  for (Argument &A : G.F.args())
    Map[&A] = Copy->getArg(A.getArgNo());
  CloneFunctionInto(Copy, &G.F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  stripDebugInfo(*Copy);
}

void Copier::setIndex() {
  for (unsigned D = 0; D != Dimensions; ++D)
    if (G.Index[D])
      copied(G.Index[D])->replaceAllUsesWith(Copy->getArg(FirstIndex + D));
}

namespace {
/// By how much an index differs from that of the thread that gathers.
enum class Ahead { Same, One, OneLess, Divisor, DivisorLess, Other };
} // namespace

static Ahead aheadOf(Value *Distance, Value *Divisor) {
  Unknowns Names(Unknowns::Trust::Exact);
  Polynomial Far = Names.of(Distance), By = Names.of(Divisor), One{32};
  One.add({}, 1);
  auto IsZero = [](const Polynomial &P) { return P.Terms.empty(); };
  return IsZero(Far)                 ? Ahead::Same
         : IsZero(sum(Far, One))     ? Ahead::One
         : IsZero(sum(Far, One, -1)) ? Ahead::OneLess
         : IsZero(sum(Far, By))      ? Ahead::Divisor
         : IsZero(sum(Far, By, -1))  ? Ahead::DivisorLess
                                     : Ahead::Other;
}

/// Division \p No for the copy's index, from what it is for that of the thread
/// that gathers. Both indices are below 2^30, and the divisor is positive.
void Copier::divide(unsigned No) {
  const IndexDivision &Of = G.Divisions[No];
  Value *Far = Distance[Of.Dimension];
  Ahead By = aheadOf(Far, Of.Divisor);
  if (By == Ahead::Other)
    return;
  IRBuilder<> B(&*Copy->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Divisor = copied(Of.Divisor);
  Value *Quotient = Copy->getArg(FirstDivision + 2 * No);
  Value *Rest = Copy->getArg(FirstDivision + 2 * No + 1);
  if (!Of.Rest) {
    Value *There = Copy->getArg(FirstIndex + Of.Dimension);
    if (!isa<Constant>(Far))
      B.SetInsertPoint(cast<Instruction>(copied(Far))->getNextNode());
    Rest = B.CreateSub(B.CreateAdd(There, copied(Far)),
                       B.CreateMul(Quotient, Divisor));
  }
  Value *Zero = B.getInt32(0), *Step = B.getInt32(1);
  Value *Largest = B.CreateNSWSub(Divisor, Step);
  if (Of.Quotient)
    B.CreateAssumption(B.CreateICmpSGE(Quotient, Zero));
  B.CreateAssumption(B.CreateICmpSGE(Rest, Zero));
  B.CreateAssumption(B.CreateICmpSLT(Rest, Divisor));
  if (By == Ahead::One) {
    // Primals compare with the largest remainder.
    Value *Wraps = B.CreateICmpSGE(Rest, Largest);
    Quotient = B.CreateNSWAdd(Quotient, B.CreateZExt(Wraps, Step->getType()));
    Rest = B.CreateSelect(Wraps, Zero, B.CreateNSWAdd(Rest, Step));
  } else if (By == Ahead::OneLess) {
    Value *Wraps = B.CreateICmpSLT(Rest, Step);
    Quotient = B.CreateNSWSub(Quotient, B.CreateZExt(Wraps, Step->getType()));
    Rest = B.CreateSelect(Wraps, Largest, B.CreateNSWSub(Rest, Step));
  } else if (By == Ahead::Divisor) {
    Quotient = B.CreateNSWAdd(Quotient, Step);
  } else if (By == Ahead::DivisorLess) {
    Quotient = B.CreateNSWSub(Quotient, Step);
  }
  for (auto [Old, New] :
       {std::pair(Of.Quotient, Quotient), std::pair(Of.Rest, Rest)})
    if (Old)
      copied(Old)->replaceAllUsesWith(New);
}

void Copier::addReads(ArrayRef<AllocaInst *> Sums) {
  for (const StencilRead &R : G.Reads) {
    if (R.Distance != Distance)
      continue;
    unsigned No = G.Words.find(R.Group) - G.Words.begin();
    auto *Call = cast<CallInst>(copied(R.Call));
    IRBuilder<> B(Call);
    Value *Addend = Call->getArgOperand(2);
    if (!R.IsProven)
      Addend = B.CreateSelect(
          B.CreateICmpEQ(Call->getArgOperand(1), Copy->getArg(FirstWord + No)),
          Addend, neutralAdjoint(R.Addend->getType()));
    addToSum(B, Sums[No], Addend);
  }
}

static bool isEffect(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return !isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()));
  auto *CI = dyn_cast<CallInst>(&I);
  const Function *Callee = CI ? CI->getCalledFunction() : nullptr;
  return Callee &&
         ((abstractOp(*Callee) != AbstractOp::None &&
           !CI->doesNotAccessMemory()) ||
          (Callee->isIntrinsic() && Callee->getReturnType()->isVoidTy()));
}

void Copier::dropEffects() {
  for (Instruction &I : make_early_inc_range(instructions(*Copy)))
    if (isEffect(I))
      I.eraseFromParent();
}

void Copier::returnSums(ArrayRef<AllocaInst *> Sums) {
  for (ReturnInst *Return : Returns) {
    IRBuilder<> B(Return);
    Value *All = PoisonValue::get(Copy->getReturnType());
    for (auto [No, Sum] : enumerate(Sums))
      All = B.CreateInsertValue(All, B.CreateLoad(Sum->getAllocatedType(), Sum),
                                No);
    B.CreateRet(All);
    Return->eraseFromParent();
  }
}

Function *Copier::make() {
  create();
  setIndex();
  IRBuilder<> B(&Copy->getEntryBlock(), Copy->getEntryBlock().begin());
  SmallVector<AllocaInst *, 4> Sums;
  for (auto &[Group, Own] : G.Words) {
    Sums.push_back(B.CreateAlloca(Own.T));
    B.CreateStore(neutralAdjoint(Own.T), Sums.back());
  }
  addReads(Sums);
  returnSums(Sums);
  dropEffects();
  for (unsigned No = 0; No != G.Divisions.size(); ++No)
    divide(No);
  return Copy;
}

Function *kdiff::copyForStencil(const Stencil &G, const Away &Distance,
                                FunctionAnalysisManager &FAM) {
  Function *Copy = Copier(G, Distance).make();
  auto Run = [&](auto &&Pass) { FAM.invalidate(*Copy, Pass.run(*Copy, FAM)); };
  Run(SROAPass(SROAOptions::ModifyCFG));
  for (unsigned Round = 0; Round != 2; ++Round) {
    Run(InstCombinePass());
    Run(ADCEPass());
    Run(SimplifyCFGPass());
  }
  return Copy;
}
