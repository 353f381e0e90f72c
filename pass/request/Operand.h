//===- Operand.h - An operand as the function takes it ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which value of the function's type is meant by
// an operand that C's variadic calls have promoted?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_OPERAND_H
#define KDIFF_REQUEST_OPERAND_H

namespace llvm {
class CallBase;
class Type;
class Value;
} // namespace llvm

namespace kdiff {

/// Operand \p Operand of \p Call as a value of type \p To; null where that
/// is not exactly possible. \p ByVal: the callee copies what it points to.
llvm::Value *convertOperand(llvm::CallBase &Call, unsigned Operand,
                            llvm::Type *To, bool ByVal);

} // namespace kdiff
#endif // KDIFF_REQUEST_OPERAND_H
