//===- Subject.cpp - A prepared primal with room for its shadows ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Subject.h.
//
//===----------------------------------------------------------------------===//

#include "shadow/Subject.h"
#include "analysis/Barriers.h"
#include "analysis/Carved.h"
#include "analysis/Memory.h"
#include "shadow/Caller.h"
#include "target/NVPTX.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kdiff {

SmallVector<ArgActivity, 8> Subject::activities() const {
  SmallVector<ArgActivity, 8> Kinds(P.F->arg_size(), ArgActivity::Const);
  for (const Formal &Arg : Formals)
    Kinds[Arg.Primal->getArgNo()] = Arg.Activity;
  return Kinds;
}

const Formal *Subject::formalOf(const Value *Pointer) const {
  auto Objects = underlyingObjects(Pointer);
  if (Objects.size() != 1)
    return nullptr;
  const auto *Found = find_if(
      Formals, [&](const Formal &Arg) { return Arg.Primal == Objects[0]; });
  return Found == Formals.end() ? nullptr : Found;
}

Type *adjointsType(const Function &Primal, const Request &R) {
  SmallVector<Type *, 4> Adjoints;
  for (auto [Formal, Arg] : zip(Primal.args(), R.Args))
    if (Arg.Activity == ArgActivity::Out)
      Adjoints.push_back(lanesType(Formal.getType(), R.Width));
  if (Adjoints.empty())
    return Type::getVoidTy(Primal.getContext());
  if (Adjoints.size() == 1)
    return Adjoints.front();
  return StructType::get(Primal.getContext(), Adjoints);
}

static Type *returnType(const Function &Primal, const Request &R, Shape S) {
  if (R.M == Mode::Reverse)
    return adjointsType(Primal, R);
  Type *Result = Primal.getReturnType();
  if (Result->isVoidTy())
    return Result;
  Type *Tangents = lanesType(Result, R.Width);
  return S == Shape::Request ? Tangents : StructType::get(Result, Tangents);
}

/// True if the last parameter is the tape's pool.
static bool takesPool(const Request &R, Shape S) {
  return S == Shape::Split || (S == Shape::Request && R.Tape);
}

static FunctionType *gradientType(const Function &Primal, const Request &R,
                                  Shape S) {
  SmallVector<Type *, 8> Params;
  for (auto [Formal, Arg] : zip(Primal.args(), R.Args)) {
    Params.push_back(Formal.getType());
    if (!hasShadow(Arg.Activity))
      continue;
    bool ByPointer =
        Arg.Activity == ArgActivity::Acc || Formal.getType()->isPointerTy();
    bool IsPointer = Formal.getType()->isPointerTy();
    Params.append(R.Width, ByPointer && !IsPointer
                               ? PointerType::get(Primal.getContext(), 0)
                               : Formal.getType());
  }
  if (S == Shape::Callee && R.M == Mode::Reverse) {
    if (Primal.getReturnType()->isFloatingPointTy())
      Params.push_back(lanesType(Primal.getReturnType(), R.Width));
    Params.push_back(PointerType::get(Primal.getContext(), 0));
  }
  if (takesPool(R, S))
    Params.push_back(PointerType::get(Primal.getContext(), 0));
  return FunctionType::get(returnType(Primal, R, S), Params, false);
}

/// True if the caller passes the address of a local variable.
static bool isLocalMemory(const Value *Pointer) {
  return Pointer->getType()->isPointerTy() &&
         all_of(underlyingObjects(Pointer),
                [](const Value *O) { return isa<AllocaInst>(O); });
}

/// Puts \p New in the place of the parameter \p Old also where control flow
/// depends on it directly.
static void replaceInShape(Prepared &P, const Argument &Old, Value &New) {
  for (auto &[Block, J] : P.Joins)
    if (J.Selector == &Old)
      J.Selector = &New;
  for (auto &[Header, Shape] : P.Loops)
    for (auto &[Exit, Backedges] : Shape.BackedgesAtExit)
      if (Backedges == &Old)
        Backedges = &New;
}

static void moveArguments(Prepared &P, Function &To, const Request &R,
                          SmallVectorImpl<Formal> &Formals) {
  Function &From = *P.F;
  auto Next = To.arg_begin();
  AttributeList OldAttrs = From.getAttributes();
  for (auto [Old, Arg] : zip(From.args(), R.Args)) {
    Formal New{&*Next++, {}, Arg.Activity, false, false};
    New.Uniform = R.Call && isKernelParameter(Arg.Primal) &&
                  all_of(Arg.Shadows, isKernelParameter);
    New.Primal->takeName(&Old);
    To.addParamAttrs(
        New.Primal->getArgNo(),
        AttrBuilder(To.getContext(), OldAttrs.getParamAttrs(Old.getArgNo())));
    if (New.Uniform)
      New.Primal->addAttr(Attribute::get(To.getContext(), UniformAttribute));
    Old.replaceAllUsesWith(New.Primal);
    replaceInShape(P, Old, *New.Primal);
    if (hasShadow(Arg.Activity)) {
      for (unsigned K = 0; K != R.Width; ++K) {
        New.Shadows.push_back(&*Next++);
        New.Shadows.back()->setName("d." + New.Primal->getName());
      }
      New.PrivateShadow =
          !Arg.Shadows.empty() && all_of(Arg.Shadows, isLocalMemory);
    }
    Formals.push_back(New);
  }
}

Subject makeSubject(Prepared P, const Request &R, Shape Kind) {
  Function &Old = *P.F;
  Function *New = Function::Create(
      gradientType(Old, R, Kind), GlobalValue::InternalLinkage,
      (R.M == Mode::Reverse ? "kdiff.grad." : "kdiff.tangent.") +
          R.Primal->getName(),
      Old.getParent());
  AttrBuilder Attrs(Old.getContext(), Old.getAttributes().getFnAttrs());
  // What holds of the primal need not hold of its derivative.
  Attrs.removeAttribute(Attribute::Memory);
  Attrs.removeAttribute(Attribute::NoSync);
  Attrs.addAttribute(Attribute::Convergent);
  New->addFnAttrs(Attrs);
  New->setSubprogram(Old.getSubprogram());
  Old.setSubprogram(nullptr);

  Subject S;
  S.Width = R.Width;
  S.M = R.M;
  S.S = Kind;
  S.PrimalName = R.Primal->getName().str();
  S.Wanted = R.Wanted;
  S.IsKernel = nvptx::isKernel(*R.Primal);
  moveArguments(P, *New, R, S.Formals);
  S.SameBarriers = passSameBarriers(Old);
  S.BlockMeets = Kind == Shape::Request && R.Call &&
                 isMadeByWholeBlock(*R.Call) && S.SameBarriers;
  S.OwnsLaunch = S.BlockMeets && isAllOfKernel(*R.Call) &&
                 all_of(S.Formals, [](const Formal &F) { return F.Uniform; });
  if (Kind == Shape::Callee && R.M == Mode::Reverse) {
    S.Tape = New->getArg(New->arg_size() - 1);
    if (Old.getReturnType()->isFloatingPointTy())
      S.Seed = New->getArg(New->arg_size() - 2);
  }
  if (takesPool(R, Kind)) {
    S.Tape = New->getArg(New->arg_size() - 1);
    S.Tape->setName("pool");
  }
  New->splice(New->begin(), &Old);
  auto *Ret = cast<ReturnInst>(P.ReturnBlock->getTerminator());
  S.Result = Ret->getReturnValue();
  Type *RetTy = New->getReturnType();
  ReturnInst *NewRet = ReturnInst::Create(
      New->getContext(), RetTy->isVoidTy() ? nullptr : PoisonValue::get(RetTy),
      Ret->getIterator());
  NewRet->setDebugLoc(Ret->getDebugLoc());
  Ret->eraseFromParent();
  Old.eraseFromParent();
  P.F = New;
  S.P = std::move(P);
  return S;
}

} // namespace kdiff
