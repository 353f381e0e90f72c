//===- Attach.cpp - A value with a derivative given for it ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Attach.h.
//
//===----------------------------------------------------------------------===//

#include "rules/Attach.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kdiff {

static constexpr StringLiteral AttachPrefix = "kd.attach.";
static constexpr StringLiteral PrimalOnly = "kdiff-primal-only";

static void mangle(Type *T, raw_ostream &OS) {
  if (auto *V = dyn_cast<FixedVectorType>(T))
    OS << 'v' << V->getNumElements();
  T = T->getScalarType();
  OS << (T->isBFloatTy() ? "bf" : "f") << T->getPrimitiveSizeInBits();
}

Value *createAttach(IRBuilderBase &B, Value *Value, llvm::Value *Operand,
                    llvm::Value *Slope) {
  Type *T = Value->getType(), *From = Operand->getType();
  assert(T == Slope->getType() && T->isVectorTy() == From->isVectorTy() &&
         "a factor of the value's type");
  std::string Name;
  raw_string_ostream OS(Name);
  OS << AttachPrefix;
  mangle(T, OS);
  OS << '.';
  mangle(From, OS);
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(T, {T, From, T}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  F->setWillReturn();
  return B.CreateCall(Callee, {Value, Operand, Slope});
}

bool isAttach(const Function &F) {
  return F.getName().starts_with(AttachPrefix);
}

void markPrimalOnly(CallBase &CB) {
  CB.addFnAttr(Attribute::get(CB.getContext(), PrimalOnly));
}

bool isPrimalOnly(const CallBase &CB) { return CB.hasFnAttr(PrimalOnly); }

} // namespace kdiff
