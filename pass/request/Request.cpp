//===- Request.cpp - What the user asked to differentiate -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which requests does a module hold?
//
//===----------------------------------------------------------------------===//

#include "request/Request.h"
#include "request/Match.h"
#include "request/PointerUse.h"
#include "request/Registrations.h"
#include "request/Resolve.h"
#include "request/Spelling.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace kdiff;

StringRef kdiff::toString(ArgActivity Activity) {
  switch (Activity) {
  case ArgActivity::Const:
    return "const";
  case ArgActivity::Dup:
    return "dup";
  case ArgActivity::DupNoNeed:
    return "dupnoneed";
  case ArgActivity::Seed:
    return "seed";
  case ArgActivity::SeedNoNeed:
    return "seednoneed";
  case ArgActivity::Fresh:
    return "fresh";
  case ArgActivity::Out:
    return "out";
  case ArgActivity::Acc:
    return "acc";
  }
  llvm_unreachable("unknown activity");
}

void Request::print(raw_ostream &OS) const {
  OS << (M == Mode::Forward             ? "forward"
         : Wanted == Product::Gradient  ? "reverse"
         : Wanted == Product::Augmented ? "augmented primal"
         : Wanted == Product::Reverse   ? "reverse sweep"
                                        : "bytes of tape")
     << " of " << Primal->getName() << " in " << Call->getFunction()->getName();
  if (Width != 1)
    OS << ", width " << Width;
  OS << '\n';
  if (Facts)
    OS << "  facts: @" << Facts->getName() << '\n';
  for (auto [A, R] : zip(Primal->args(), Args)) {
    OS << "  " << A.getArgNo() + 1;
    if (A.hasName())
      OS << " '" << A.getName() << '\'';
    OS << ' ' << toString(R.Activity) << ": ";
    R.Primal->printAsOperand(OS);
    for (const Value *Shadow : R.Shadows) {
      OS << ", shadow ";
      Shadow->printAsOperand(OS);
    }
    OS << '\n';
  }
}

/// The first operand's function; null, and reported, if there is none.
static Function *namedFunction(CallBase &Call) {
  std::string Name = calledFunction(Call)->getName().str();
  if (Call.arg_empty()) {
    reportMisuse(Call, "a request needs the function to differentiate as its "
                       "first argument");
    return nullptr;
  }
  Value *Operand = Call.getArgOperand(0)->stripPointerCastsAndAliases();
  if (auto *F = dyn_cast<Function>(Operand))
    return F;
  if (asMarker(*Call.getArgOperand(0)) || isa<Constant>(Operand) ||
      !Operand->getType()->isPointerTy())
    reportMisuse(Call, "the first argument of a request must be the function "
                       "to differentiate, and is not a function");
  else if (isa<Argument>(Operand))
    reportMisuse(Call, "the function to differentiate is not known here: it is "
                       "a parameter of " +
                           sourceName(*Call.getFunction()) +
                           ", which is not called directly; make it a template "
                           "argument");
  else
    reportMisuse(Call, "the function to differentiate is not known here: it "
                       "is chosen at run time; differentiate each function in "
                       "a request of its own");
  return nullptr;
}

/// A function that holds a request cannot be differentiated itself. False if
/// \p Primal, or a function it calls, does; reported.
static bool checkNotNested(Function &Primal) {
  SetVector<Function *> Reached;
  Reached.insert(&Primal);
  for (unsigned I = 0; I != Reached.size(); ++I)
    for (Instruction &Inst : instructions(Reached[I])) {
      auto *Call = dyn_cast<CallBase>(&Inst);
      Function *Callee = Call ? calledFunction(*Call) : nullptr;
      if (!Callee)
        continue;
      if (meaningOf(*Callee) != CallMeaning::None) {
        reportUnsupported(*Call,
                          "a request within " + sourceName(Primal) +
                              ", which is differentiated itself",
                          "higher derivatives are not supported yet; write "
                          "the inner derivative out");
        return false;
      }
      if (!Callee->isDeclaration())
        Reached.insert(Callee);
    }
  return true;
}

/// Requests are calls, no functions with an address. False if there is another
/// use of \p Meant; reported.
static bool checkCallsOnly(Function &Meant) {
  SetVector<const Use *> Uses;
  auto AddUses = [&](const Value &V) {
    for (const Use &U : V.uses())
      Uses.insert(&U);
  };
  AddUses(Meant);
  for (unsigned I = 0; I != Uses.size(); ++I) {
    const User *User = Uses[I]->getUser();
    auto *Call = dyn_cast<CallBase>(User);
    if (Call && Call->isCallee(Uses[I]))
      continue;
    std::string Message = sourceName(Meant) + " is not a function at run "
                                              "time: it can be called by its "
                                              "name only";
    if (auto *At = dyn_cast<Instruction>(User))
      return reportMisuse(*At, Message), false;
    if (isa<GlobalVariable>(User))
      return reportMisuse(Meant, Message), false;
    AddUses(*User);
  }
  return true;
}

/// Custom rules change what a derivative is; they must not be overlooked.
/// False if \p M has any; reported at \p Call.
static bool checkNoRegistrations(Module &M, CallBase &Call) {
  for (GlobalVariable &Variable : M.globals())
    if (isUnsupportedRegistration(Variable.getName())) {
      reportUnsupported(Call,
                        "with the registration '" + Variable.getName() + "'",
                        "custom derivatives are not supported yet; remove it, "
                        "or differentiate in another file");
      return false;
    }
  return true;
}

/// The request that \p Call makes; nothing, and reported, if it does not fit.
static std::optional<Request> readRequest(CallBase &Call,
                                          PointerUse &Pointers) {
  CallMeaning Meaning = meaningOf(*calledFunction(Call));
  if (Meaning == CallMeaning::Unsupported) {
    reportUnsupported(Call,
                      "with a request of this kind, " +
                          sourceName(*calledFunction(Call)),
                      "it is not supported yet; use __kd_autodiff or "
                      "__kd_fwddiff");
    return std::nullopt;
  }
  Function *Primal = namedFunction(Call);
  if (!Primal)
    return std::nullopt;
  std::optional<Request> R = matchRequest(Call, *Primal, Meaning, Pointers);
  if (!R || !checkNotNested(*Primal))
    return std::nullopt;
  return R;
}

std::optional<SmallVector<Request, 4>> kdiff::collectRequests(Module &M) {
  SmallVector<Request, 4> Requests;
  bool Failed = false;
  for (Function &F : M)
    if (meaningOf(F) != CallMeaning::None)
      Failed |= !checkCallsOnly(F);
  SmallVector<CallBase *, 4> Calls = resolveRequestCalls(M);
  if (!Calls.empty())
    Failed |= !readRegistrations(M, *Calls.front());
  PointerUse Pointers(M);
  for (CallBase *Call : Calls) {
    if (Requests.empty())
      Failed |= !checkNoRegistrations(M, *Call);
    if (std::optional<Request> R = readRequest(*Call, Pointers))
      Requests.push_back(std::move(*R));
    else
      Failed = true;
  }
  if (Failed)
    return std::nullopt;
  return Requests;
}

void kdiff::discardRequests(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      Function *Callee = Call ? calledFunction(*Call) : nullptr;
      if (!Callee || meaningOf(*Callee) == CallMeaning::None)
        continue;
      Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
      Call->eraseFromParent();
    }
}
