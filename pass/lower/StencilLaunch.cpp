//===- StencilLaunch.cpp - The launch of a stencil ------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is asked for of a stencil's neighbours, and
// which of them are in the launch?
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/Stencils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace kdiff;

StencilRead::StencilRead(CallInst &CI)
    : Call(&CI), Group(cast<ConstantInt>(CI.getArgOperand(0))->getZExtValue()),
      Shadow(CI.getArgOperand(1)), Addend(CI.getArgOperand(2)),
      Distance{CI.getArgOperand(3), CI.getArgOperand(4), CI.getArgOperand(5)} {}

bool StencilRead::isHere() const { return all_of(Distance, isZeroDistance); }

bool kdiff::isZeroDistance(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  return C && C->isNullValue();
}

static AbstractOp operationOf(const Instruction &I) {
  auto *CI = dyn_cast<CallInst>(&I);
  const Function *Callee = CI ? CI->getCalledFunction() : nullptr;
  return Callee ? abstractOp(*Callee) : AbstractOp::None;
}

bool kdiff::collectStencil(Stencil &G) {
  G.Reads.clear();
  for (Instruction &I : instructions(G.F)) {
    if (operationOf(I) == AbstractOp::StencilAdd)
      G.Reads.emplace_back(cast<CallInst>(I));
    if (operationOf(I) != AbstractOp::StencilEnd)
      continue;
    auto &CI = cast<CallInst>(I);
    unsigned Group = cast<ConstantInt>(CI.getArgOperand(0))->getZExtValue();
    G.Words[Group] = {&CI, CI.getArgOperand(1), CI.getArgOperand(2)->getType()};
  }
  return !G.Words.empty();
}

/// Indices and distances are below this.
static constexpr int64_t MaxIndex = int64_t(1) << 30;

/// Makes one value of each index that is shifted.
static void findIndices(Stencil &G) {
  BasicBlock &Entry = G.F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.SetCurrentDebugLocation(DebugLoc());
  auto Register = [&](Intrinsic::ID ID) { return B.CreateIntrinsic(ID, {}); };
  for (unsigned D = 0; D != Dimensions; ++D) {
    if (all_of(G.Reads, [&](const StencilRead &R) {
          return isZeroDistance(R.Distance[D]);
        }))
      continue;
    SmallVector<Instruction *, 4> Known;
    for (Instruction &I : instructions(G.F))
      if (launchIndex(&I) == D)
        Known.push_back(&I);
    const IndexRegisters &R = indexRegisters(D);
    Value *BlockSize = Register(R.Size);
    G.Index[D] = B.CreateAdd(B.CreateMul(Register(R.Block), BlockSize),
                             Register(R.Thread), "index");
    G.Size[D] = B.CreateMul(Register(R.Blocks), BlockSize, "size");
    for (Instruction *I : Known) {
      I->replaceAllUsesWith(G.Index[D]);
      I->eraseFromParent();
    }
  }
  collectStencil(G);
}

/// The divisions of indices whose results in neighbours follow from those of
/// the thread.
static void findDivisions(Stencil &G) {
  for (Instruction &I : G.F.getEntryBlock()) {
    unsigned Code = I.getOpcode();
    if (!Instruction::isIntDivRem(Code) || !isa<Argument>(I.getOperand(1)))
      continue;
    auto D = find(G.Index, I.getOperand(0));
    if (D == G.Index.end())
      continue;
    unsigned Dimension = D - G.Index.begin();
    auto Known = find_if(G.Divisions, [&](const IndexDivision &Of) {
      return Of.Dimension == Dimension && Of.Divisor == I.getOperand(1);
    });
    if (Known == G.Divisions.end()) {
      G.Divisions.push_back({Dimension, I.getOperand(1)});
      Known = std::prev(G.Divisions.end());
    }
    bool IsRest = Code == Instruction::SRem || Code == Instruction::URem;
    Instruction *&Place = IsRest ? Known->Rest : Known->Quotient;
    if (!Place)
      Place = &I;
  }
}

void kdiff::findLaunchIndices(Stencil &G) {
  findIndices(G);
  findDivisions(G);
}

void kdiff::testUsual(Stencil &G) {
  SmallSetVector<Value *, 8> Tests, Distances, Divisors;
  for (const StencilRead &R : G.Reads)
    Distances.insert_range(R.Distance);
  for (const IndexDivision &Of : G.Divisions)
    Divisors.insert(Of.Divisor);
  BasicBlock &Entry = G.F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (Instruction &I : Entry)
    if (Distances.contains(&I))
      B.SetInsertPoint(I.getNextNode());
  B.SetCurrentDebugLocation(DebugLoc());
  if (G.Index[0]) { // Along y and z there are no more than 2^26.
    const IndexRegisters &R = indexRegisters(0);
    auto Wide = [&](Intrinsic::ID ID) {
      return B.CreateZExt(B.CreateIntrinsic(ID, {}), B.getInt64Ty());
    };
    Tests.insert(B.CreateICmpULE(B.CreateMul(Wide(R.Blocks), Wide(R.Size)),
                                 B.getInt64(MaxIndex)));
  }
  for (Value *Far : Distances)
    Tests.insert(B.CreateICmpULE(B.CreateAdd(Far, B.getInt32(MaxIndex)),
                                 B.getInt32(2 * MaxIndex)));
  for (Value *By : Divisors)
    Tests.insert(B.CreateICmpSGT(By, B.getInt32(0)));
  G.IsUsual = B.CreateAnd(Tests.getArrayRef());
}

Value *kdiff::existsInLaunch(IRBuilderBase &B, const Stencil &G,
                             const Away &Distance, bool Backwards) {
  Value *All = G.IsUsual;
  for (unsigned D = 0; D != Dimensions; ++D) {
    Value *Far = Distance[D];
    if (isZeroDistance(Far))
      continue;
    if (Backwards)
      Far = B.CreateNSWNeg(Far);
    Value *There = B.CreateNSWAdd(G.Index[D], Far);
    auto *C = dyn_cast<ConstantInt>(Far);
    if (!C || C->isNegative())
      All = B.CreateLogicalAnd(All, B.CreateICmpSGE(There, B.getInt32(0)));
    if (!C || !C->isNegative())
      All = B.CreateLogicalAnd(All, B.CreateICmpSLT(There, G.Size[D]));
  }
  return All;
}
