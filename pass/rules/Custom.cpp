//===- Custom.cpp - Derivatives that the user gives -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Custom.h.
//
//===----------------------------------------------------------------------===//

#include "rules/Custom.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kdiff::custom {

static constexpr StringLiteral Inactive = "kdiff-inactive";
static constexpr StringLiteral Replaced = "kdiff-replaced-by";
static constexpr StringLiteral Original = "kdiff-original";
static constexpr StringLiteral AugmentedBy = "kdiff-augmented";
static constexpr StringLiteral ReverseBy = "kdiff-reverse";
static constexpr StringLiteral SavedBytes = "kdiff-saved-bytes";
static constexpr StringLiteral TangentBy = "kdiff-tangent";
static constexpr StringLiteral ShadowNode = "kdiff.shadow";

void setInactive(Function &F) { F.addFnAttr(Inactive); }

void setReplacement(Function &F, Function &By) {
  F.addFnAttr(Replaced, By.getName());
}

void setReverse(Function &F, const ReverseRule &R) {
  F.addFnAttr(AugmentedBy, R.Augmented->getName());
  F.addFnAttr(ReverseBy, R.Reverse->getName());
  F.addFnAttr(SavedBytes, std::to_string(R.SavedBytes));
}

void setTangent(Function &F, Function &Tangent) {
  F.addFnAttr(TangentBy, Tangent.getName());
}

void setShadow(GlobalVariable &V, GlobalVariable &Shadow) {
  V.setMetadata(ShadowNode,
                MDNode::get(V.getContext(), ValueAsMetadata::get(&Shadow)));
}

bool isInactive(const Function &F) { return F.hasFnAttribute(Inactive); }

bool isReplaced(const Function &F) { return F.hasFnAttribute(Replaced); }

/// The function that \p Attribute of \p F names.
static Function *named(const Function &F, StringRef Attribute) {
  if (!F.hasFnAttribute(Attribute))
    return nullptr;
  return const_cast<Module *>(F.getParent())
      ->getFunction(F.getFnAttribute(Attribute).getValueAsString());
}

Function *replacement(const Function &F) { return named(F, Replaced); }

Function *replacement(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  return F && !meansOriginal(CB) ? replacement(*F) : nullptr;
}

bool meansOriginal(const CallBase &CB) { return CB.hasFnAttr(Original); }

void keepOriginal(CallBase &CB) {
  CB.addFnAttr(Attribute::get(CB.getContext(), Original));
}

ReverseRule reverseRule(const Function &F) {
  ReverseRule R{named(F, AugmentedBy), named(F, ReverseBy), 0};
  if (R.Reverse)
    F.getFnAttribute(SavedBytes)
        .getValueAsString()
        .getAsInteger(10, R.SavedBytes);
  return R;
}

Function *tangentRule(const Function &F) { return named(F, TangentBy); }

bool hasRule(const Function &F) {
  return F.hasFnAttribute(ReverseBy) || F.hasFnAttribute(TangentBy);
}

GlobalVariable *shadow(const GlobalVariable &V) {
  MDNode *Node = V.getMetadata(ShadowNode);
  if (!Node)
    return nullptr;
  auto *MD = cast<ValueAsMetadata>(Node->getOperand(0).get());
  return dyn_cast<GlobalVariable>(MD->getValue());
}

} // namespace kdiff::custom
