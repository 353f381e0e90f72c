//===- Gradient.h - The gradient that the options name ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do kdiff grad and kdiff explain make of
// the kernel that their common options name?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_COMMANDS_GRADIENT_H
#define KDIFF_TOOL_COMMANDS_GRADIENT_H

#include "cases/Signature.h"
#include "compile/GradKernel.h"
#include "compile/Pipeline.h"
#include "compile/Toolchain.h"

namespace kdiff::tool {

enum class Format { IR, PTX, Cubin };

struct Product {
  std::string Bytes;              ///< IR, PTX or machine code.
  std::vector<Signature> Kernels; ///< One; in split mode two.
  std::vector<Remark> Remarks;    ///< What KDiff decided.
};

/// Makes the gradient of the kernel that the options name. Warnings go to
/// standard error.
/// --wrt and --const; --seed, --noneed and --fresh.
Selection selectionFromOptions();
Marked marksFromOptions();

/// What `grad` and `explain` are asked for. \p IsAlone: without the other
/// kernels of the file.
llvm::Expected<Product> makeProduct(const Toolchain &T, Format F, bool IsAlone);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_COMMANDS_GRADIENT_H
