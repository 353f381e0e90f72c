//===- Spelling.cpp - How requests and markers are written ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which names mean a request or a marker?
//
//===----------------------------------------------------------------------===//

#include "request/Spelling.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace kdiff;

/// The last component of a C or C++ name, without template arguments and
/// parameters: "kd_dup" for _ZN5kdiff6kd_dupE.
static std::string baseName(StringRef Mangled) {
  std::string Text = Mangled.str();
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Text.c_str()))
    return Text; // Not mangled.
  if (Demangler.isFunction()) {
    // The demangler reallocates the buffer it is given; none is given.
    if (char *Name = Demangler.getFunctionBaseName(nullptr, nullptr)) {
      Text = Name;
      std::free(Name);
    }
    return Text;
  }
  std::string Data = demangle(Mangled);
  return StringRef(Data).rsplit("::").second.empty()
             ? Data
             : StringRef(Data).rsplit("::").second.str();
}

CallMeaning kdiff::meaningOf(const Function &F) {
  return F.isDeclaration() && !F.isIntrinsic() ? meaningOfName(F.getName())
                                               : CallMeaning::None;
}

CallMeaning kdiff::meaningOfName(StringRef Mangled) {
  // The cheap test first: names of functions are many and long.
  if (!Mangled.contains("__kd_") && !Mangled.contains("__enzyme_"))
    return CallMeaning::None;
  std::string Base = baseName(Mangled);
  StringRef Name = Base;
  if (Name.contains("__kd_autodiff") || Name.contains("__enzyme_autodiff"))
    return CallMeaning::Reverse;
  if (Name.contains("__kd_fwddiff") || Name.contains("__enzyme_fwddiff"))
    return CallMeaning::Forward;
  if (Name.contains("__kd_augment"))
    return CallMeaning::Augmented;
  if (Name.contains("__kd_reverse"))
    return CallMeaning::ReverseOf;
  if (Name.contains("__kd_tape_bytes"))
    return CallMeaning::TapeBytes;
  static constexpr StringLiteral Others[] = {
      "__kd_register_",       "__kd_inactive",
      "__kd_replace",         "__enzyme_augment",
      "__enzyme_reverse",     "__enzyme_batch",
      "__enzyme_fwdsplit",    "__enzyme_virtualreverse",
      "__enzyme_call",        "__enzyme_todense",
      "__enzyme_gather",      "__enzyme_iter",
      "__enzyme_set_checkpo", "__enzyme_post"};
  for (StringRef Other : Others)
    if (Name.contains(Other))
      return CallMeaning::Unsupported;
  return CallMeaning::None;
}

Function *kdiff::calledFunction(const CallBase &CB) {
  return dyn_cast<Function>(
      CB.getCalledOperand()->stripPointerCastsAndAliases());
}

static std::optional<Marker> markerOf(StringRef Name) {
  return StringSwitch<std::optional<Marker>>(Name)
      .Cases({"kd_const", "enzyme_const"}, Marker::Const)
      .Cases({"kd_dup", "enzyme_dup"}, Marker::Dup)
      .Cases({"kd_dupnoneed", "enzyme_dupnoneed"}, Marker::DupNoNeed)
      .Cases({"kd_out", "enzyme_out"}, Marker::Out)
      .Case("kd_acc", Marker::Acc)
      .Case("kd_seed", Marker::Seed)
      .Case("kd_seednoneed", Marker::SeedNoNeed)
      .Case("kd_fresh", Marker::Fresh)
      .Case("kd_tape", Marker::Tape)
      .Case("kd_facts", Marker::Facts)
      .Cases({"kd_width", "enzyme_width"}, Marker::Width)
      .Cases({"enzyme_dupv", "enzyme_dupnoneedv", "enzyme_vector",
              "enzyme_scalar"},
             Marker::Unsupported)
      .Cases({"enzyme_primal_return", "enzyme_noret", "enzyme_const_return",
              "enzyme_active_return", "enzyme_dup_return"},
             Marker::Unsupported)
      .Cases({"enzyme_allocated", "enzyme_tape", "enzyme_nofree",
              "enzyme_byref", "enzyme_preserve_primal"},
             Marker::Unsupported)
      .Cases({"enzyme_runtime_activity", "enzyme_strong_zero",
              "enzyme_interleave", "enzyme_not_overwritten",
              "enzyme_truncate_mem", "enzyme_truncate_op"},
             Marker::Unsupported)
      .Default(std::nullopt);
}

std::optional<MarkerSpelling> kdiff::asMarker(const Value &V) {
  if (auto *MV = dyn_cast<MetadataAsValue>(&V)) {
    const Metadata *MD = MV->getMetadata();
    // A node of one string, or the string itself.
    if (auto *Node = dyn_cast<MDNode>(MD))
      MD = Node->getNumOperands() == 1 ? Node->getOperand(0).get() : nullptr;
    auto *Name = dyn_cast_or_null<MDString>(MD);
    if (!Name)
      return MarkerSpelling{Marker::Unknown, "metadata"};
    return MarkerSpelling{markerOf(Name->getString()).value_or(Marker::Unknown),
                          Name->getString().str()};
  }
  const Value *Source = &V;
  if (auto *Load = dyn_cast<LoadInst>(Source))
    Source = Load->getPointerOperand();
  auto *Variable = dyn_cast<GlobalVariable>(Source->stripPointerCasts());
  if (!Variable)
    return std::nullopt;
  std::string Name = baseName(Variable->getName());
  if (std::optional<Marker> Kind = markerOf(Name))
    return MarkerSpelling{*Kind, Name};
  return std::nullopt;
}

bool kdiff::isUnsupportedRegistration(StringRef Name) {
  if (!Name.contains("__enzyme_"))
    return false;
  std::string Base = baseName(Name);
  for (StringRef Prefix :
       {"__enzyme_register_", "__enzyme_inactive_global",
        "__enzyme_function_like", "__enzyme_allocation_like", "__enzyme_nofree",
        "__enzyme_shouldrecompute", "__enzyme_sparse"})
    if (StringRef(Base).contains(Prefix))
      return true;
  return false;
}

std::string kdiff::sourceName(const Function &F) {
  return demangle(F.getName());
}
