//===- Options.cpp - What a request says as a whole -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Options.h.
//
//===----------------------------------------------------------------------===//

#include "request/Options.h"
#include "kdiff/KernelFacts.h"
#include "request/Request.h"
#include "request/Spelling.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace kdiff;

/// True if the host can read kdiff::KernelFacts from a variable of type \p T.
static bool holdsFacts(Type *T) {
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct || Struct->getNumElements() != 4)
    return false;
  auto *Args = dyn_cast<ArrayType>(Struct->getElementType(3));
  return Struct->getElementType(0)->isIntegerTy(32) &&
         Struct->getElementType(1)->isIntegerTy(32) &&
         Struct->getElementType(2)->isIntegerTy(64) && Args &&
         Args->getElementType()->isIntegerTy(8) &&
         Args->getNumElements() == MaxFactArgs;
}

bool kdiff::isOption(Marker M) {
  return M == Marker::Tape || M == Marker::Facts || M == Marker::Width;
}

/// Takes \p Operand, which follows the marker \p Option; null: nothing does.
static bool take(CallBase &Call, const MarkerSpelling &Option, Value *Operand,
                 RequestOptions &Options) {
  auto Misfit = [&](const Twine &Message) {
    reportMisuse(Call, "'" + Option.Name + "' " + Message);
    return false;
  };
  if (Option.Kind == Marker::Tape) {
    if (meaningOf(*calledFunction(Call)) != CallMeaning::Reverse)
      return Misfit("is for __kd_autodiff alone");
    if (!Operand || asMarker(*Operand) || !Operand->getType()->isPointerTy())
      return Misfit("needs the address of a pool in device memory behind it "
                    "(kdiff::TapePool::device())");
    Options.Tape = Operand;
    return true;
  }
  if (Option.Kind == Marker::Width) {
    auto *N = dyn_cast_or_null<ConstantInt>(Operand);
    if (!N || N->getValue().isZero() || N->getValue().ugt(MaxWidth))
      return Misfit("needs a constant from 1 to " + utostr(MaxWidth) +
                    " behind it: how many shadows follow each value");
    Options.Width = N->getZExtValue();
    return true;
  }
  Options.Facts = Operand
                      ? dyn_cast<GlobalVariable>(Operand->stripPointerCasts())
                      : nullptr;
  return (Options.Facts && Options.Facts->hasInitializer() &&
          holdsFacts(Options.Facts->getValueType())) ||
         Misfit("needs the address of a __device__ kdiff::KernelFacts behind "
                "it");
}

bool kdiff::readOptions(CallBase &Call, unsigned &Next,
                        RequestOptions &Options) {
  SmallSet<Marker, 4> Seen;
  while (Next != Call.arg_size()) {
    std::optional<MarkerSpelling> Option = asMarker(*Call.getArgOperand(Next));
    if (!Option || !isOption(Option->Kind))
      return true;
    if (!Seen.insert(Option->Kind).second) {
      reportMisuse(Call, "'" + Option->Name + "' is there twice");
      return false;
    }
    ++Next;
    Value *Operand =
        Next == Call.arg_size() ? nullptr : Call.getArgOperand(Next++);
    if (!take(Call, *Option, Operand, Options))
      return false;
  }
  return true;
}
