//===- PointerSpaces.cpp - Which memory a pointer leads to ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which accesses through generic pointers are
// accesses of global, shared or constant memory?
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

using namespace llvm;

namespace {

bool isGenericPointer(const Value &V) {
  return V.getType()->isPointerTy() &&
         V.getType()->getPointerAddressSpace() == kdiff::nvptx::Generic;
}

/// True if the function only reads the struct that the host passed by value.
bool isOnlyRead(const Argument &Arg) {
  SmallVector<const Value *, 8> Work{&Arg};
  while (!Work.empty()) {
    for (const User *U : Work.pop_back_val()->users()) {
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(U))
        Work.push_back(U);
      else if (!isa<LoadInst>(U))
        return false;
    }
  }
  return true;
}

/// The pointers that a kernel got from the host. They lead to global memory:
/// NVPTX's own argument lowering takes it so (NVPTXLowerArgs.cpp).
SmallVector<Value *, 8> pointersFromHost(Function &F) {
  SmallVector<Value *, 8> Result;
  for (Argument &Arg : F.args())
    if (isGenericPointer(Arg) && !Arg.hasByValAttr())
      Result.push_back(&Arg);
  for (Instruction &I : instructions(F)) {
    auto *LI = dyn_cast<LoadInst>(&I);
    if (!LI || !isGenericPointer(*LI))
      continue;
    const Value *Base = LI->getPointerOperand()->stripInBoundsOffsets();
    if (auto *Arg = dyn_cast<Argument>(Base);
        Arg && Arg->hasByValAttr() && isOnlyRead(*Arg))
      Result.push_back(LI);
  }
  return Result;
}

/// A generic pointer that is a cast of a global one: what the inference of
/// address spaces starts from.
Instruction *castThroughGlobal(Value *Pointer, Function &F) {
  BasicBlock::iterator At = F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (auto *I = dyn_cast<Instruction>(Pointer))
    At = std::next(I->getIterator());
  IRBuilder<> B(At->getParent(), At);
  Value *Global = B.CreateAddrSpaceCast(
      Pointer, PointerType::get(F.getContext(), kdiff::nvptx::Global),
      Pointer->getName() + ".global");
  auto *Back =
      cast<Instruction>(B.CreateAddrSpaceCast(Global, Pointer->getType()));
  Pointer->replaceUsesWithIf(Back,
                             [&](Use &U) { return U.getUser() != Global; });
  return Back;
}

} // namespace

void kdiff::inferPointerSpaces(Function &F, bool IsKernel) {
  SmallVector<std::pair<Value *, WeakVH>, 8> Casts;
  if (IsKernel)
    for (Value *Pointer : pointersFromHost(F))
      Casts.emplace_back(Pointer, castThroughGlobal(Pointer, F));

  // With analyses of its own: NVPTX's would also move allocas to the local
  // space, which keeps SROA from them and tells nothing new, and the result
  // would depend on whether the tool has registered the target.
  FunctionAnalysisManager Plain;
  Plain.registerPass([] { return PassInstrumentationAnalysis(); });
  Plain.registerPass([] { return AssumptionAnalysis(); });
  Plain.registerPass([] { return DominatorTreeAnalysis(); });
  Plain.registerPass([] { return TargetIRAnalysis(); });
  InferAddressSpacesPass(nvptx::Generic).run(F, Plain);

  // Uses that want a generic pointer go back to the one they had.
  for (auto &[Pointer, Handle] : Casts) {
    auto *Back = cast_or_null<Instruction>(Handle);
    if (!Back)
      continue;
    auto *Global = cast<Instruction>(Back->getOperand(0));
    Back->replaceAllUsesWith(Pointer);
    Back->eraseFromParent();
    if (Global->use_empty())
      Global->eraseFromParent();
  }
}
