//===- Ptx.h - Instructions known by name -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which hardware feature does an instruction
// belong to that KDiff knows by name only, to refuse it?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TARGET_PTX_H
#define KDIFF_TARGET_PTX_H

#include "llvm/ADT/StringRef.h"

namespace kdiff::nvptx {

/// A feature that has no derivative here, and no place in a reverse sweep.
struct Feature {
  llvm::StringLiteral Opcodes; ///< Beginnings of opcodes, space-separated.
  llvm::StringLiteral What, Remedy;
};

/// The feature of the PTX instruction \p Opcode, which may be what follows
/// "llvm.nvvm." in the name of an intrinsic; null for none.
const Feature *featureOf(llvm::StringRef Opcode);

/// The same for the first instruction of inline assembly that has one.
const Feature *featureIn(llvm::StringRef Text);

/// True if some statement of \p Text accesses a texture or a surface.
bool accessesTexture(llvm::StringRef Text);

} // namespace kdiff::nvptx
#endif // KDIFF_TARGET_PTX_H
