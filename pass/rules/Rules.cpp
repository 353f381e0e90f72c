//===- Rules.cpp - Questions to the table ---------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which row belongs to an instruction, and what
// does it say?
//
//===----------------------------------------------------------------------===//
#include "rules/Rules.h"
#include "rules/Attach.h"
#include "rules/Custom.h"
#include "rules/Ptx.h"
#include "rules/Spelling.h"
#include "rules/Table.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Operator.h"
#include <vector>

using namespace llvm;

namespace kdiff {
namespace {

constexpr unsigned NumQualities = 3;

/// The table by every kind of name. Built once, never changed.
struct Index {
  DenseMap<unsigned, unsigned> Opcodes, Ids;
  StringMap<unsigned> Device, Nvvm, Ptx, OutDevice;
  std::vector<Rule> Rules; ///< NumQualities a row.
  std::vector<OutRule> OutRules;

  Index() {
    for (const Row &R : rows()) {
      unsigned I = &R - rows().begin();
      if (R.Opcode)
        Opcodes[R.Opcode] = I;
      for (Intrinsic::ID Id : R.Ids)
        if (Id)
          Ids[Id] = I;
      insert(Device, R.Device, I);
      insert(Nvvm, R.Nvvm, I);
      insert(Ptx, R.Ptx, I);
      for (unsigned Q = 0; Q != NumQualities; ++Q)
        Rules.push_back({&R, Quality(Q)});
    }
    for (const OutRow &R : outRows()) {
      insert(OutDevice, R.Device, &R - outRows().begin());
      for (unsigned Q = 0; Q != NumQualities; ++Q)
        OutRules.push_back({&R, Quality(Q)});
    }
  }

  static void insert(StringMap<unsigned> &Map, StringRef Stems, unsigned I) {
    SmallVector<StringRef, 4> Parts;
    Stems.split(Parts, ' ', -1, false);
    for (StringRef Stem : Parts) {
      [[maybe_unused]] bool New = Map.try_emplace(Stem, I).second;
      assert(New && "two rows for one name");
    }
  }
};

const Index &index() {
  static const Index I;
  return I;
}

const Rule *ruleAt(unsigned Row, Quality Q) {
  return &index().Rules[Row * NumQualities + unsigned(Q)];
}

const Rule *lookUp(const StringMap<unsigned> &Map,
                   const std::optional<Spelling> &S) {
  if (!S)
    return nullptr;
  auto It = Map.find(S->Stem);
  return It == Map.end() ? nullptr : ruleAt(It->second, S->Q);
}

const OutRule *lookUpOut(const Function &F) {
  std::optional<Spelling> S = spellDevice(F);
  if (!S)
    return nullptr;
  auto It = index().OutDevice.find(S->Stem);
  return It == index().OutDevice.end()
             ? nullptr
             : &index().OutRules[It->second * NumQualities + unsigned(S->Q)];
}

const Rule *ruleOf(const Function &F, bool Approx) {
  if (!F.getReturnType()->isFPOrFPVectorTy())
    return nullptr;
  if (F.isIntrinsic()) {
    auto It = index().Ids.find(F.getIntrinsicID());
    if (It != index().Ids.end())
      return ruleAt(It->second, Approx ? Quality::Approx : Quality::Accurate);
    return lookUp(index().Nvvm, spellNvvm(F.getName()));
  }
  return lookUp(index().Device, spellDevice(F));
}

const Expr &partial(const Rule &R, unsigned K) {
  assert(K < MaxOperands && "no such operand");
  return R.R->Partials[K];
}

const Expr &partial(const OutRule &R, int Output, unsigned K) {
  static const Expr Zero;
  for (const OutRow::Out &O : R.R->Outs)
    if (O.Output == Output)
      for (auto [I, Input] : enumerate(R.R->Inputs))
        if (Input == K)
          return O.Partials[I];
  return Zero;
}

} // namespace

/// The function that \p CB calls, unless the user says what it is.
static const Function *tabulated(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  return F && !custom::hasRule(*F) && !custom::isInactive(*F) ? F : nullptr;
}

const Rule *rulePtx(const Spelling &S) { return lookUp(index().Ptx, S); }

const Rule *findRule(const Instruction &I) {
  if (!I.getType()->isFPOrFPVectorTy())
    return nullptr;
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    if (isPrimalOnly(*CB))
      return nullptr;
    const Function *F = tabulated(*CB);
    if (!F)
      return ptx::ruleOfAsm(*CB);
    auto *Op = dyn_cast<FPMathOperator>(CB);
    return ruleOf(*F, Op && Op->hasApproxFunc());
  }
  auto It = index().Opcodes.find(I.getOpcode());
  return It == index().Opcodes.end() ? nullptr
                                     : ruleAt(It->second, Quality::Accurate);
}

StringRef name(const Rule &R) { return R.R->Name; }

bool isDifferentiable(const Rule &R, unsigned K) {
  return K < MaxOperands && partial(R, K).Size != 0;
}

NeedMask needs(const Rule &R, unsigned K) { return needs(partial(R, K)); }

NeedMask needsOf(const Rule &R, const Instruction &I,
                 function_ref<bool(const Value *)> IsActive) {
  auto *CB = dyn_cast<CallBase>(&I);
  NeedMask Mask = 0;
  for (unsigned K = 0, N = CB ? CB->arg_size() : I.getNumOperands(); K != N;
       ++K)
    if (isDifferentiable(R, K) && IsActive(I.getOperand(K)))
      Mask |= needs(R, K);
  return Mask;
}

bool isBounded(const Rule &R, unsigned K) { return R.R->Bounded >> K & 1; }

bool isUnit(const Rule &R, unsigned K, bool &Negative) {
  const Expr &E = partial(R, K);
  if (E.Size != 1 || E.Nodes[0].O != Op::Literal)
    return false;
  Negative = E.Nodes[0].Value == -1;
  return Negative || E.Nodes[0].Value == 1;
}

Value *emitPartial(IRBuilderBase &B, const Rule &R, unsigned K,
                   ArrayRef<Value *> Args, Value *Result, Type *Ty,
                   FastMathFlags FMF, Value *Reciprocal) {
  return emitExpr(B, partial(R, K), R.Q, Args, Result, Ty, FMF, Reciprocal);
}

const OutRule *findOutRule(const CallBase &CB) {
  const Function *F = tabulated(CB);
  return F ? lookUpOut(*F) : nullptr;
}

StringRef name(const OutRule &R) { return R.R->Name; }
ArrayRef<unsigned> outPointers(const OutRule &R) { return R.R->Pointers; }
ArrayRef<unsigned> inputs(const OutRule &R) { return R.R->Inputs; }

bool isDifferentiable(const OutRule &R, int Output, unsigned K) {
  return partial(R, Output, K).Size != 0;
}

NeedMask needs(const OutRule &R, int Output, unsigned K) {
  return needs(partial(R, Output, K));
}

NeedMask needsOf(const OutRule &R, const CallBase &CB,
                 function_ref<bool(const Value *)> IsActive) {
  NeedMask Mask = 0;
  for (unsigned K : inputs(R)) {
    if (!IsActive(CB.getArgOperand(K)))
      continue;
    Mask |= needs(R, -1, K);
    for (unsigned Out : outPointers(R))
      Mask |= needs(R, Out, K);
  }
  return Mask;
}

Value *emitPartial(IRBuilderBase &B, const OutRule &R, int Output, unsigned K,
                   ArrayRef<Value *> Args, Value *Result, Type *Ty) {
  return emitExpr(B, partial(R, Output, K), R.Q, Args, Result, Ty,
                  FastMathFlags());
}

bool hasRule(const Function &F) {
  return ruleOf(F, false) || lookUpOut(F) || isClassifiedByName(F);
}

} // namespace kdiff
