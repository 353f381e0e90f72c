//===- IntegerOps.h - PTX integer arithmetic -------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are PTX' integer instructions said in IR?
// (PTX ISA 9.0, 9.7.1 and 9.7.8.)
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_INTEGEROPS_H
#define KDIFF_SIMT_INTEGEROPS_H

#include "llvm/IR/IRBuilder.h"

namespace kdiff::simt {

/// High << 32 | Low, of two i32.
llvm::Value *joinHalves(llvm::IRBuilder<> &B, llvm::Value *Low,
                        llvm::Value *High);
/// The upper half of the double-width product.
llvm::Value *multiplyHigh(llvm::IRBuilder<> &B, llvm::Value *X, llvm::Value *Y,
                          bool Signed);
llvm::Value *absoluteDifference(llvm::IRBuilder<> &B, llvm::Value *X,
                                llvm::Value *Y, bool Signed);
/// prmt.b32 without a mode.
llvm::Value *permuteBytes(llvm::IRBuilder<> &B, llvm::Value *Low,
                          llvm::Value *High, llvm::Value *Selector);
/// shf: the upper (left) or lower half of High:Low, shifted; Clamp: by at
/// most 32, else modulo 32.
llvm::Value *funnelShift(llvm::IRBuilder<> &B, bool Left, bool Clamp,
                         llvm::Value *Low, llvm::Value *High,
                         llvm::Value *Amount);
/// A shift by any amount: bits that leave are gone, sign bits stay.
llvm::Value *shift(llvm::IRBuilder<> &B, bool Left, bool Signed, llvm::Value *X,
                   llvm::Value *Amount);
/// bfind: the place of the highest bit that is not a sign bit, or -1; with
/// \p ShiftAmount (i1) the shift that brings it to the top.
llvm::Value *findLeadingOne(llvm::IRBuilder<> &B, llvm::Value *X, bool Signed,
                            llvm::Value *ShiftAmount, llvm::Type *Result);
/// bfe and bfi.
llvm::Value *extractField(llvm::IRBuilder<> &B, llvm::Value *X,
                          llvm::Value *Start, llvm::Value *Length, bool Signed);
llvm::Value *insertField(llvm::IRBuilder<> &B, llvm::Value *Field,
                         llvm::Value *Into, llvm::Value *Start,
                         llvm::Value *Length);
/// lop3 with the look-up table \p Table.
llvm::Value *logic3(llvm::IRBuilder<> &B, llvm::Value *X, llvm::Value *Y,
                    llvm::Value *Z, unsigned Table);
/// dp4a, and dp2a with the bytes that count in the lower half of \p Y.
llvm::Value *dotProduct(llvm::IRBuilder<> &B, llvm::Value *X, bool XSigned,
                        llvm::Value *Y, bool YSigned, llvm::Value *Sum);
llvm::Value *dotProduct2(llvm::IRBuilder<> &B, llvm::Value *X, bool XSigned,
                         llvm::Value *Y, bool YSigned, llvm::Value *Sum);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_INTEGEROPS_H
