//===- ReplaceRequest.cpp - The request becomes the gradient ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a request's call turn into its
// gradient, and what of the request disappears?
//
//===----------------------------------------------------------------------===//

#include "lower/Steps.h"
#include "support/Diagnostics.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace kdiff;

//===--- Types ------------------------------------------------------------===//

/// \p V as an argument of type \p To: C's variadic calls promote floats to
/// double and small integers to int; pointers may differ in address space.
static Value *toParameter(IRBuilderBase &B, Value *V, Type *To) {
  Type *From = V->getType();
  if (From == To)
    return V;
  if (From->isPointerTy() && To->isPointerTy())
    return B.CreateAddrSpaceCast(V, To);
  if (From->isFloatingPointTy() && To->isFloatingPointTy())
    return B.CreateFPCast(V, To);
  assert(From->isIntegerTy() && To->isIntegerTy() &&
         "the request stage has checked the argument's type");
  return B.CreateZExtOrTrunc(V, To);
}

/// The scalars and vectors that \p V consists of, in order.
static void flatten(IRBuilderBase &B, Value *V, SmallVectorImpl<Value *> &Out) {
  Type *T = V->getType();
  if (!T->isAggregateType()) {
    Out.push_back(V);
    return;
  }
  unsigned Count =
      T->isStructTy() ? T->getStructNumElements() : T->getArrayNumElements();
  for (unsigned I = 0; I != Count; ++I)
    flatten(B, B.CreateExtractValue(V, I), Out);
}

/// Builds a \p T of the values at the front of \p Leaves, and takes them
/// away. Null if they do not fit. An adjoint may be widened, never narrowed.
static Value *unflatten(IRBuilderBase &B, Type *T, ArrayRef<Value *> &Leaves) {
  if (T->isAggregateType()) {
    unsigned Count =
        T->isStructTy() ? T->getStructNumElements() : T->getArrayNumElements();
    Value *Whole = PoisonValue::get(T);
    for (unsigned I = 0; I != Count; ++I) {
      Value *Part = unflatten(B,
                              T->isStructTy() ? T->getStructElementType(I)
                                              : T->getArrayElementType(),
                              Leaves);
      if (!Part)
        return nullptr;
      Whole = B.CreateInsertValue(Whole, Part, I);
    }
    return Whole;
  }
  if (Leaves.empty())
    return nullptr;
  Value *Leaf = Leaves.front();
  Leaves = Leaves.drop_front();
  if (Leaf->getType() == T)
    return Leaf;
  if (Leaf->getType()->isFloatingPointTy() && T->isFloatingPointTy() &&
      Leaf->getType()->getPrimitiveSizeInBits() < T->getPrimitiveSizeInBits())
    return B.CreateFPExt(Leaf, T);
  return nullptr;
}

/// Gives the users of \p Old, or the memory it returns to, the adjoints or
/// tangents that \p New returns. False if they do not fit.
static bool replaceResult(IRBuilderBase &B, CallBase &Old, Value *New) {
  bool InMemory = Old.hasStructRetAttr();
  Type *Wanted = InMemory ? Old.getParamStructRetType(0) : Old.getType();
  if (Wanted->isVoidTy())
    return true;
  SmallVector<Value *, 4> Leaves;
  if (!New->getType()->isVoidTy())
    flatten(B, New, Leaves);
  ArrayRef<Value *> Rest(Leaves);
  Value *Result = unflatten(B, Wanted, Rest);
  if (!Result || !Rest.empty())
    return false;
  if (InMemory)
    B.CreateStore(Result, Old.getArgOperand(0));
  else
    Old.replaceAllUsesWith(Result);
  return true;
}

//===--- The call ---------------------------------------------------------===//

static SmallVector<Value *, 16> gradientArguments(IRBuilderBase &B,
                                                  const Emitted &E) {
  SmallVector<Value *, 16> Args;
  auto Add = [&](Value *V) {
    Args.push_back(toParameter(
        B, V, E.Gradient->getFunctionType()->getParamType(Args.size())));
  };
  for (const ArgRequest &A : E.R.Args) {
    Add(A.Primal);
    for (Value *Shadow : A.Shadows)
      Add(Shadow);
  }
  if (E.R.Wanted != Product::Gradient || E.R.Tape)
    Add(E.R.Tape ? E.R.Tape : ConstantPointerNull::get(B.getPtrTy()));
  assert(Args.size() == E.Gradient->arg_size() && "as Lower.h says");
  return Args;
}

/// A call of a function with debug information needs a location.
static DebugLoc locationOf(const CallBase &Call) {
  if (Call.getDebugLoc())
    return Call.getDebugLoc();
  if (DISubprogram *SP = Call.getFunction()->getSubprogram())
    return DILocation::get(Call.getContext(), 0, 0, SP);
  return {};
}

static CallInst *callGradient(IRBuilderBase &B, const Emitted &E) {
  CallInst *Call = B.CreateCall(E.Gradient, gradientArguments(B, E));
  Call->setCallingConv(E.Gradient->getCallingConv());
  Call->setDebugLoc(locationOf(*E.R.Call));
  AttributeList Formal = E.Gradient->getAttributes();
  for (unsigned I = 0, N = E.Gradient->arg_size(); I != N; ++I)
    if (Formal.hasParamAttr(I, Attribute::ByVal))
      Call->addParamAttrs(
          I, AttrBuilder(Call->getContext(), Formal.getParamAttrs(I)));
  return Call;
}

//===--- What disappears --------------------------------------------------===//

/// Erases \p Call, the instructions that only made its operands, and the
/// declarations that only it used: its function and the markers.
static void eraseRequest(CallBase &Call) {
  SmallSetVector<GlobalValue *, 8> Names;
  SmallVector<WeakTrackingVH, 16> Operands;
  for (Value *V : Call.operands()) {
    Operands.push_back(V);
    Value *Base = V;
    if (auto *L = dyn_cast<LoadInst>(V))
      Base = L->getPointerOperand();
    if (auto *GV = dyn_cast<GlobalValue>(Base->stripPointerCasts()))
      Names.insert(GV);
  }
  Call.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
  for (GlobalValue *GV : Names) {
    GV->removeDeadConstantUsers();
    if (GV->use_empty() && GV->isDeclaration())
      GV->eraseFromParent();
  }
}

/// Replaces one request. Its gradient is a call then, which is returned; null
/// if the result does not fit.
static CallInst *replace(const Emitted &E) {
  IRBuilder<> B(E.R.Call);
  CallInst *New = callGradient(B, E);
  if (!replaceResult(B, *E.R.Call, New)) {
    reportMisuse(*E.R.Call,
                 "the result of the call does not fit the derivative of '" +
                     E.R.Primal->getName() +
                     "': it returns the adjoints of the kd_out arguments, in "
                     "order (kd_fwddiff: the tangent of the result), of the "
                     "same floating-point types");
    New->eraseFromParent();
    E.R.Call->replaceAllUsesWith(PoisonValue::get(E.R.Call->getType()));
    eraseRequest(*E.R.Call);
    return nullptr;
  }
  eraseRequest(*E.R.Call);
  return New;
}

bool kdiff::replaceRequests(ArrayRef<Emitted> Gradients,
                            SetVector<Function *> &Touched,
                            FunctionAnalysisManager &FAM) {
  bool Ok = true;
  SmallSetVector<Function *, 8> Functions;
  for (const Emitted &E : Gradients) {
    Functions.insert(E.Gradient);
    CallInst *Call = replace(E);
    Ok &= Call != nullptr;
    if (!Call)
      continue;
    InlineFunctionInfo Info;
    [[maybe_unused]] InlineResult Result = InlineFunction(*Call, Info);
    assert(Result.isSuccess() && "a gradient can be inlined");
  }
  for (Function *F : Functions) {
    if (!F->use_empty() || !F->hasLocalLinkage())
      continue;
    Touched.remove(F);
    FAM.clear(*F, F->getName());
    F->eraseFromParent();
  }
  return Ok;
}
