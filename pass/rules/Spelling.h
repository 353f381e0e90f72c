//===- Spelling.h - Names of operations ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which operation does the name of a libdevice
// function or of an NVVM intrinsic spell, and at which quality?
//
// Types, rounding modes and flush-to-zero do not change a derivative, so
// their spellings share a stem: __nv_dadd_rn, __nv_fadd_rz and
// llvm.nvvm.add.rm.ftz.f are all "add". The one place that parses names.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_SPELLING_H
#define KDIFF_RULES_SPELLING_H

#include "rules/Functions.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
}

namespace kdiff {

struct Spelling {
  std::string Stem;
  Quality Q = Quality::Accurate;
};

/// Of a function __nv_* or kd.attach.* (Attach.h); nothing for other names.
/// Stems lose the type's and the rounding's mark (__nv_sinf: "sin",
/// __nv_float2int_rz: "float2int").
std::optional<Spelling> spellDevice(const llvm::Function &F);

/// Of an intrinsic llvm.nvvm.*; nothing for other names and for modifiers that
/// are not understood. Modifiers that change the meaning stay in the stem
/// ("add.sat", "fma.relu", "fmin.xorsign.abs").
std::optional<Spelling> spellNvvm(llvm::StringRef Name);

/// Of an opcode of PTX on floating-point numbers; nothing where a word is
/// unknown. Words that change the meaning stay in the stem, as above.
std::optional<Spelling> spellPtx(llvm::StringRef Opcode);

} // namespace kdiff
#endif // KDIFF_RULES_SPELLING_H
