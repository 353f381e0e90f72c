//===- Registrations.cpp - What the user says about functions -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Registrations.h.
//
//===----------------------------------------------------------------------===//

#include "request/Registrations.h"
#include "kdiff/TapeLayout.h"
#include "request/Replacement.h"
#include "request/Spelling.h"
#include "rules/Custom.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <algorithm>

using namespace llvm;
using namespace kdiff;

namespace {

enum class Registration { None, Inactive, Replace, Reverse, Forward, Shadow };

/// A registration's array, read.
struct Entry {
  const GlobalVariable &Array;
  const Instruction &Asking;
  SmallVector<Constant *, 4> Values;

  Function *function(unsigned K) const {
    return K < Values.size() ? dyn_cast<Function>(Values[K]) : nullptr;
  }
};

} // namespace

static Registration registrationOf(StringRef Name) {
  if (Name.contains("__kd_inactive") || Name.contains("__enzyme_inactivefn"))
    return Registration::Inactive;
  if (Name.contains("__kd_replace"))
    return Registration::Replace;
  if (Name.contains("__kd_reverse_rule"))
    return Registration::Reverse;
  if (Name.contains("__kd_forward_rule"))
    return Registration::Forward;
  if (Name.contains("__kd_shadow"))
    return Registration::Shadow;
  return Registration::None;
}

static bool misuse(const Entry &E, const Twine &Message) {
  reportMisuse(E.Asking,
               "the registration '" + E.Array.getName() + "': " + Message);
  return false;
}

static Constant *stripped(Constant *C) {
  return cast<Constant>(C->stripPointerCastsAndAliases());
}

/// The operands of an array or struct of pointers, without casts.
static Entry readEntry(const GlobalVariable &Array, const Instruction &Asking) {
  Entry E{Array, Asking, {}};
  if (!Array.hasInitializer())
    return E;
  auto *Init = const_cast<Constant *>(Array.getInitializer());
  if (Init->getType()->isPointerTy()) {
    E.Values.push_back(stripped(Init));
    return E;
  }
  for (unsigned K = 0; Constant *Operand = Init->getAggregateElement(K); ++K) {
    E.Values.push_back(stripped(Operand));
  }
  return E;
}

//===--- Signatures -------------------------------------------------------===//

using Types = SmallVector<Type *, 8>;

/// What a rule may be written for: numbers, integers and pointers by value.
static bool isPlain(const Function &F) {
  Type *R = F.getReturnType();
  bool Result = R->isVoidTy() || R->isSingleValueType();
  return Result && !F.isVarArg() && all_of(F.args(), [](const Argument &Arg) {
           return Arg.getType()->isSingleValueType() && !Arg.hasByValAttr() &&
                  !Arg.hasStructRetAttr();
         });
}

/// The parameters of \p F; each pointer twice, each number followed by what
/// \p OfNumber says (null: nothing).
static void appendWithShadows(const Function &F, Types &Params,
                              function_ref<Type *(Type *)> OfNumber) {
  for (Type *T : F.getFunctionType()->params()) {
    Params.push_back(T);
    if (T->isPointerTy())
      Params.push_back(T);
    else if (Type *More = T->isFloatingPointTy() ? OfNumber(T) : nullptr)
      Params.push_back(More);
  }
}

static FunctionType *augmentedType(const Function &F) {
  Types Params{PointerType::get(F.getContext(), 0)};
  appendWithShadows(F, Params, [](Type *) { return nullptr; });
  return FunctionType::get(F.getReturnType(), Params, false);
}

static FunctionType *reverseType(const Function &F) {
  Type *Pointer = PointerType::get(F.getContext(), 0);
  Types Params{Pointer};
  if (F.getReturnType()->isFloatingPointTy())
    Params.push_back(F.getReturnType());
  appendWithShadows(F, Params, [&](Type *) { return Pointer; });
  return FunctionType::get(Type::getVoidTy(F.getContext()), Params, false);
}

static FunctionType *tangentType(const Function &F) {
  Type *R = F.getReturnType();
  Types Params;
  if (!R->isVoidTy())
    Params.push_back(PointerType::get(F.getContext(), 0));
  appendWithShadows(F, Params, [](Type *T) { return T; });
  if (!R->isFloatingPointTy())
    R = Type::getVoidTy(F.getContext());
  return FunctionType::get(R, Params, false);
}

static std::string spell(const FunctionType &T) {
  std::string Text;
  raw_string_ostream OS(Text);
  T.getReturnType()->print(OS);
  OS << " (";
  ListSeparator Comma;
  for (Type *Param : T.params()) {
    OS << Comma;
    Param->print(OS);
  }
  OS << ")";
  return Text;
}

static bool checkType(const Entry &E, const Function &Is, FunctionType *Wanted,
                      StringRef What) {
  if (Is.getFunctionType() == Wanted)
    return true;
  return misuse(E, "the " + What + " function " + sourceName(Is) +
                       " must have the type " + spell(*Wanted) + ", but has " +
                       spell(*Is.getFunctionType()));
}

//===--- The five kinds ---------------------------------------------------===//

/// One function, one meaning. (A reverse and a forward rule go together.)
static bool isUnsaid(const Entry &E, const Function &F) {
  if (!custom::isInactive(F) && !custom::isReplaced(F) && !custom::hasRule(F))
    return true;
  return misuse(E, "another registration says already what " + sourceName(F) +
                       " is");
}

static bool readInactive(const Entry &E) {
  for (unsigned K = 0; K != E.Values.size(); ++K) {
    if (!E.function(K))
      return misuse(E, "every entry must be a function");
    if (!isUnsaid(E, *E.function(K)))
      return false;
    custom::setInactive(*E.function(K));
  }
  return true;
}

static bool readReplace(const Entry &E) {
  Function *F = E.function(0), *G = E.function(1);
  if (!F || !G || E.Values.size() != 2)
    return misuse(E, "it must be two functions, the one to replace and its "
                     "replacement");
  if (!checkType(E, *G, F->getFunctionType(), "replacing") || !isUnsaid(E, *F))
    return false;
  if (G->isDeclaration())
    return misuse(E, "the replacement " + sourceName(*G) + " has no body");
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(G, Map);
  Copy->setName(G->getName() + ".kdiff.replacement");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  custom::setReplacement(*F, *Copy);
  return true;
}

/// Within g, a call of f means f.
static bool endReplace(const Entry &E) {
  Function *F = E.function(0);
  if (keepOriginalWithin(*custom::replacement(*F)))
    return true;
  return misuse(E,
                "the replacement " + sourceName(*E.function(1)) + " may call " +
                    sourceName(*F) +
                    " through a function pointer; call it by its name there");
}

/// A number that was cast to a pointer.
static std::optional<uint64_t> asNumber(const Constant &C) {
  if (C.isNullValue())
    return 0;
  auto *Cast = dyn_cast<ConstantExpr>(&C);
  auto *Number = Cast && Cast->getOpcode() == Instruction::IntToPtr
                     ? dyn_cast<ConstantInt>(Cast->getOperand(0))
                     : nullptr;
  if (!Number)
    return std::nullopt;
  return Number->getZExtValue();
}

static bool readReverse(const Entry &E) {
  Function *F = E.function(0), *Augmented = E.function(1),
           *Reverse = E.function(2);
  std::optional<uint64_t> Bytes =
      E.Values.size() == 4 ? asNumber(*E.Values[3]) : std::nullopt;
  if (!F || !Augmented || !Reverse || !Bytes)
    return misuse(E, "it must be three functions (the function, its augmented "
                     "and its reverse function) and the bytes they save");
  if (!isPlain(*F))
    return misuse(E, sourceName(*F) + " takes or returns a structure by "
                                      "value; pass its address");
  if (*Bytes + 16 * F->arg_size() > TapeMaxRecordBytes)
    return misuse(E, "it saves " + Twine(*Bytes) +
                         " bytes, and a record of "
                         "the tape has room for " +
                         Twine(TapeMaxRecordBytes - 16 * F->arg_size()) +
                         "; keep the rest in memory of your own");
  if (custom::reverseRule(*F).Reverse || custom::isInactive(*F) ||
      custom::isReplaced(*F))
    return isUnsaid(E, *F);
  custom::setReverse(*F, {Augmented, Reverse, unsigned(*Bytes)});
  return checkType(E, *Augmented, augmentedType(*F), "augmented") &&
         checkType(E, *Reverse, reverseType(*F), "reverse");
}

static bool readForward(const Entry &E) {
  Function *F = E.function(0), *Tangent = E.function(1);
  if (!F || !Tangent || E.Values.size() != 2)
    return misuse(E, "it must be two functions, one and its tangent function");
  if (!isPlain(*F))
    return misuse(E, sourceName(*F) + " takes or returns a structure by "
                                      "value; pass its address");
  if (custom::tangentRule(*F) || custom::isInactive(*F) ||
      custom::isReplaced(*F))
    return isUnsaid(E, *F);
  custom::setTangent(*F, *Tangent);
  return checkType(E, *Tangent, tangentType(*F), "tangent");
}

static bool readShadow(const Entry &E) {
  auto VariableAt = [&](unsigned K) {
    return K < E.Values.size() ? dyn_cast<GlobalVariable>(E.Values[K])
                               : nullptr;
  };
  GlobalVariable *V = VariableAt(0), *Shadow = VariableAt(1);
  if (!V || !Shadow || E.Values.size() != 2)
    return misuse(E, "it must be the addresses of a device variable and of "
                     "its shadow");
  const DataLayout &DL = V->getDataLayout();
  uint64_t Bytes = DL.getTypeAllocSize(V->getValueType());
  uint64_t Given = DL.getTypeAllocSize(Shadow->getValueType());
  // One for each lane of a request.
  if (Given < Bytes || (Bytes && Given % Bytes))
    return misuse(E, "'" + Shadow->getName() + "' is not as large as '" +
                         V->getName() + "', whose shadow it is to be");
  if (Shadow->getAddressSpace() != 1 || Shadow->isConstant())
    return misuse(E, "the shadow '" + Shadow->getName() +
                         "' must be a __device__ variable, which can be "
                         "written");
  Align Wanted = V->getPointerAlignment(DL);
  if (Shadow->getPointerAlignment(DL) < Wanted) {
    if (Shadow->isDeclaration())
      return misuse(E, "the shadow '" + Shadow->getName() +
                           "' must be aligned as '" + V->getName() + "' is");
    Shadow->setAlignment(Wanted);
  }
  custom::setShadow(*V, *Shadow);
  return true;
}

static bool read(Registration Kind, const Entry &E) {
  switch (Kind) {
  case Registration::None:
    return true;
  case Registration::Inactive:
    return readInactive(E);
  case Registration::Replace:
    return readReplace(E);
  case Registration::Reverse:
    return readReverse(E);
  case Registration::Forward:
    return readForward(E);
  case Registration::Shadow:
    return readShadow(E);
  }
  llvm_unreachable("unknown kind of registration");
}

bool kdiff::readRegistrations(Module &M, const Instruction &Asking) {
  SmallVector<GlobalVariable *, 8> Arrays;
  for (GlobalVariable &V : M.globals())
    if (registrationOf(V.getName()) != Registration::None)
      Arrays.push_back(&V);
  // A replacement is copied, together with what is known of it by then.
  std::stable_partition(
      Arrays.begin(), Arrays.end(), [](const GlobalVariable *Array) {
        return registrationOf(Array->getName()) != Registration::Replace;
      });
  bool Fits = true;
  for (GlobalVariable *Array : Arrays)
    Fits &= read(registrationOf(Array->getName()), readEntry(*Array, Asking));
  for (GlobalVariable *Array : Arrays)
    if (Fits && registrationOf(Array->getName()) == Registration::Replace)
      Fits &= endReplace(readEntry(*Array, Asking));
  // They would keep functions in the module that only differentiation needs.
  removeFromUsedLists(M, [&](Constant *C) {
    return is_contained(Arrays, C->stripPointerCasts());
  });
  for (GlobalVariable *Array : Arrays) {
    Array->removeDeadConstantUsers();
    if (Array->use_empty())
      Array->eraseFromParent();
  }
  return Fits;
}
