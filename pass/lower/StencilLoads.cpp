//===- StencilLoads.cpp - What several sides read is read once ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a word that several sides of branches
// read, of which none leads to another, read once?
//
// The conditions of the branches are computed in front of the first. Where one
// of them holds, some side reads the word: it is valid.
//
//===----------------------------------------------------------------------===//

#include "lower/Stencils.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

using namespace llvm;
using namespace kdiff;

/// So many sides make it worth the conditions.
static constexpr unsigned FewestSides = 3;

namespace {

/// A load on a side of a branch.
struct SideLoad {
  LoadInst *Load;
  BranchInst *Branch;
};

class LoadHoister {
public:
  LoadHoister(Function &F, FunctionAnalysisManager &FAM)
      : F(F), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)) {}
  bool run();

private:
  using Address = std::tuple<const Value *, Polynomial, Type *>;

  bool canCompute(const Value *V, const Instruction &At) const;
  Value *compute(IRBuilderBase &B, Value *V);
  SmallVector<SideLoad, 8> withFirst(ArrayRef<SideLoad> Loads) const;
  void hoist(ArrayRef<SideLoad> Loads);

  Function &F;
  DominatorTree &DT;
  PostDominatorTree &PDT;
};

} // namespace

/// True if \p V is known at \p At, or can be found there by integer arithmetic.
bool LoadHoister::canCompute(const Value *V, const Instruction &At) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || DT.dominates(I, &At))
    return true;
  return isa<BinaryOperator, CastInst, CmpInst, GetElementPtrInst>(I) &&
         isSafeToSpeculativelyExecute(I) &&
         all_of(I->operands(), [&](const Value *Operand) {
           return !Operand->getType()->isFloatingPointTy() &&
                  canCompute(Operand, At);
         });
}

/// \p V at \p B. A condition is computed in any case: what was promised of it
/// holds there.
Value *LoadHoister::compute(IRBuilderBase &B, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || DT.dominates(I, &*B.GetInsertPoint()))
    return V;
  Instruction *Again = I->clone();
  for (Use &Operand : Again->operands())
    Operand.set(compute(B, Operand.get()));
  return B.Insert(Again);
}

/// Of \p Loads of one word, those on sides that the function comes by whenever
/// it comes to the branch of the first.
SmallVector<SideLoad, 8>
LoadHoister::withFirst(ArrayRef<SideLoad> Loads) const {
  SmallVector<SideLoad, 8> Result;
  const BranchInst &First = *Loads.front().Branch;
  for (const SideLoad &Each : Loads)
    if (DT.dominates(First.getParent(), Each.Branch->getParent()) &&
        PDT.dominates(Each.Branch->getParent(), First.getParent()) &&
        canCompute(Each.Branch->getCondition(), First) &&
        canCompute(Each.Load->getPointerOperand(), First))
      Result.push_back(Each);
  return Result;
}

void LoadHoister::hoist(ArrayRef<SideLoad> Loads) {
  LoadInst *First = Loads.front().Load;
  BranchInst *Before = Loads.front().Branch;
  IRBuilder<> B(Before);
  Value *Any = B.getFalse();
  for (const SideLoad &Each : Loads) {
    Value *Condition = compute(B, Each.Branch->getCondition());
    if (Each.Branch->getSuccessor(0) != Each.Load->getParent())
      Condition = B.CreateNot(Condition);
    Any = B.CreateOr(Any, Condition);
  }
  Value *Address = compute(B, First->getPointerOperand());
  dropPromises(Address);
  Instruction *Then =
      SplitBlockAndInsertIfThen(Any, Before, /*Unreachable=*/false);
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(First->getDebugLoc());
  LoadInst *Once =
      B.CreateAlignedLoad(First->getType(), Address, First->getAlign());
  Once->copyMetadata(*First, {LLVMContext::MD_tbaa});
  B.SetInsertPoint(Before->getParent(), Before->getParent()->begin());
  PHINode *Known = B.CreatePHI(First->getType(), 2);
  for (BasicBlock *Pred : predecessors(Before->getParent()))
    Known->addIncoming(Pred == Then->getParent()
                           ? cast<Value>(Once)
                           : PoisonValue::get(First->getType()),
                       Pred);
  for (const SideLoad &Each : Loads) {
    Each.Load->replaceAllUsesWith(Known);
    Each.Load->eraseFromParent();
  }
}

/// Hoists the loads of one word; false if there is none to hoist.
bool LoadHoister::run() {
  Unknowns Names(Unknowns::Trust::Exact);
  std::map<Address, SmallVector<SideLoad, 8>> ByAddress;
  SmallVector<Address, 16> InOrder;
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F)) {
    BasicBlock *Fork = Block->getSinglePredecessor();
    auto *Branch = Fork ? dyn_cast<BranchInst>(Fork->getTerminator()) : nullptr;
    if (!Branch || !Branch->isConditional())
      continue;
    for (Instruction &I : *Block)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple()) {
        const Value *Root = nullptr;
        Polynomial At =
            Names.ofAddress(Load->getPointerOperand(), F.getDataLayout(), Root);
        Address Word = {Root, At, Load->getType()};
        if (ByAddress[Word].empty())
          InOrder.push_back(Word);
        ByAddress[Word].push_back({Load, Branch});
      }
  }
  for (const Address &Word : InOrder) {
    SmallVector<SideLoad, 8> Loads = withFirst(ByAddress[Word]);
    if (Loads.size() < FewestSides ||
        Loads.front().Load != ByAddress[Word].front().Load)
      continue;
    hoist(Loads);
    return true;
  }
  return false;
}

void kdiff::hoistLoads(Function &F, FunctionAnalysisManager &FAM) {
  while (LoadHoister(F, FAM).run())
    FAM.invalidate(F, PreservedAnalyses::none());
}
