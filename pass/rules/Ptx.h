//===- Ptx.h - Arithmetic of PTX as operations with rows -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions of PTX have a row of the
// table, and how do they stand in IR?
//
// As inline assembly of one instruction whose operands are of floating-point
// type: `call half asm "fma.rn.f16 $0, $1, $2, $3;", "=h,h,h,h"(...)`. So the
// primal's result is what the instruction gives, whatever its rounding,
// saturation and flushing are, and no LLVM operation has to be its equal.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_PTX_H
#define KDIFF_RULES_PTX_H

#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace llvm {
class CallBase;
} // namespace llvm

namespace kdiff {

struct Rule;

namespace ptx {

/// The type that a type suffix of PTX names ("f16x2", "b32", "s64"), and
/// whether it is signed; null for other words ("pred" is i1).
struct Kind {
  llvm::Type *Ty = nullptr;
  bool IsSigned = false;
};
Kind kindOf(llvm::LLVMContext &C, llvm::StringRef Suffix);

/// An instruction from floating-point numbers to one.
struct Arithmetic {
  const Rule *R;
  llvm::Type *Result, *Operand;
};
/// What \p Opcode ("fma.rn.ftz.f16") with \p Count source operands is, if it
/// has a row.
std::optional<Arithmetic> arithmetic(llvm::LLVMContext &C,
                                     llvm::StringRef Opcode, unsigned Count);

/// The instruction \p Opcode on \p Args as inline assembly that findRule()
/// knows.
llvm::CallInst *createInstruction(llvm::IRBuilderBase &B,
                                  llvm::StringRef Opcode, llvm::Type *Result,
                                  llvm::ArrayRef<llvm::Value *> Args);

/// The row of inline assembly in the form that createInstruction() gives it;
/// null for others.
const Rule *ruleOfAsm(const llvm::CallBase &CB);

} // namespace ptx
} // namespace kdiff
#endif // KDIFF_RULES_PTX_H
