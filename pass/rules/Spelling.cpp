//===- Spelling.cpp - Names of operations ---------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the names of libdevice and NVVM
// decompose into operation, type, rounding and quality?
//
//===----------------------------------------------------------------------===//
#include "rules/Spelling.h"
#include "rules/Attach.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace kdiff {

/// True if single precision takes part: the name then ends with an "f".
static bool mentionsFloat(const Function &F) {
  return F.getReturnType()->isFloatTy() ||
         any_of(F.args(),
                [](const Argument &A) { return A.getType()->isFloatTy(); });
}

std::optional<Spelling> spellDevice(const Function &F) {
  StringRef Name = F.getName();
  if (isAttach(F))
    return Spelling{"kd.attach"};
  if (!Name.consume_front("__nv_"))
    return std::nullopt;
  Spelling S;
  if (Name.consume_front("fast_"))
    S.Q = Quality::Approx;
  bool Rounded = Name.consume_back("_rn") || Name.consume_back("_rz") ||
                 Name.consume_back("_ru") || Name.consume_back("_rd");
  if (!Rounded) {
    if (mentionsFloat(F))
      Name.consume_back("f");
    S.Stem = Name.str();
    return S;
  }
  Name.consume_back("_ieee");
  // The arithmetic ones carry their type in front: dadd, fadd.
  S.Stem = StringSwitch<StringRef>(Name)
               .Cases({"dadd", "fadd"}, "add")
               .Cases({"dsub", "fsub"}, "sub")
               .Cases({"dmul", "fmul"}, "mul")
               .Cases({"ddiv", "fdiv"}, "div")
               .Cases({"drcp", "frcp"}, "rcp")
               .Cases({"dsqrt", "fsqrt"}, "sqrt")
               .Case("frsqrt", "rsqrt")
               .Cases({"fma", "fmaf"}, "fma")
               .Default(Name)
               .str();
  return S;
}

std::optional<Spelling> spellNvvm(StringRef Name) {
  if (!Name.consume_front("llvm.nvvm."))
    return std::nullopt;
  SmallVector<StringRef, 8> Tokens;
  Name.split(Tokens, '.');
  Spelling S;
  S.Stem = Tokens.front().str();
  bool Approx = false, Ftz = false;
  for (StringRef T : drop_begin(Tokens)) {
    enum {
      Bad,
      Same,
      Rough,
      Flush,
      Meaning
    } Kind =
        StringSwitch<decltype(Kind)>(T)
            .Cases({"rn", "rz", "rm", "rp", "nan"}, Same)
            .Cases({"f", "d", "f16", "bf16", "f16x2", "bf16x2"}, Same)
            .Cases({"f32", "f64", "v2f16", "v2bf16", "float", "double"}, Same)
            .Cases({"approx", "full"}, Rough)
            .Case("ftz", Flush)
            .Cases({"sat", "relu", "xorsign", "abs"}, Meaning)
            .Default(Bad);
    if (Kind == Bad)
      return std::nullopt;
    Approx |= Kind == Rough;
    Ftz |= Kind == Flush;
    if (Kind == Meaning)
      S.Stem += ("." + T).str();
  }
  if (Approx)
    S.Q = Ftz ? Quality::ApproxFtz : Quality::Approx;
  return S;
}

/// Conversions to an integral number of the same format are steps: "cvt.int".
std::optional<Spelling> spellPtx(StringRef Opcode) {
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.');
  Spelling S;
  S.Stem = Words.front().str();
  bool Approx = false, Ftz = false;
  for (StringRef W : drop_begin(Words)) {
    bool IsType = StringSwitch<bool>(W)
                      .Cases({"f16", "bf16", "f16x2", "bf16x2"}, true)
                      .Cases({"f32", "f64"}, true)
                      .Default(false);
    bool IsRounding = StringSwitch<bool>(W)
                          .Cases({"rn", "rz", "rm", "rp", "NaN"}, true)
                          .Default(false);
    if (IsType || IsRounding)
      continue;
    if (W == "approx" || W == "full")
      Approx = true;
    else if (W == "ftz")
      Ftz = true;
    else if (W == "sat" || W == "relu" || W == "xorsign" || W == "abs")
      S.Stem += ("." + W).str();
    else if (S.Stem == "cvt" &&
             (W == "rni" || W == "rzi" || W == "rmi" || W == "rpi"))
      S.Stem += ".int";
    else
      return std::nullopt;
  }
  if (Approx)
    S.Q = Ftz ? Quality::ApproxFtz : Quality::Approx;
  return S;
}

} // namespace kdiff
