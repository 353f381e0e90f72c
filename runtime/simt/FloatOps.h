//===- FloatOps.h - PTX floating-point arithmetic --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a floating-point operation with PTX'
// modifiers (.rz, .ftz, .sat, .relu, .NaN) said in host IR?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_FLOATOPS_H
#define KDIFF_SIMT_FLOATOPS_H

#include "Emitter.h"
#include "Runtime.h"

namespace kdiff::simt {

/// What follows the operation's name, as far as it changes the value.
struct FloatMode {
  Rounding Round = Rounding::Nearest;
  bool Ftz = false;     ///< Subnormal operands and results become zeros.
  bool Sat = false;     ///< Result clamped to [0, 1], NaN to 0.
  bool Relu = false;    ///< Negative result becomes 0.
  bool NaN = false;     ///< min, max: NaN if an operand is.
  bool XorSign = false; ///< min, max: of magnitudes, sign xor of both.

  /// Reads the parts of a name such as {"add", "rz", "ftz", "f32"}; the last
  /// rounding counts; integer roundings (rni) too.
  static FloatMode parse(llvm::ArrayRef<llvm::StringRef> Parts);
};

/// Values are half, bfloat, float, double or vectors of these.
class FloatOps {
public:
  explicit FloatOps(Emitter &E) : E(E), B(E.B) {}

  llvm::Value *add(llvm::Value *X, llvm::Value *Y, FloatMode Mode);
  llvm::Value *sub(llvm::Value *X, llvm::Value *Y, FloatMode Mode);
  llvm::Value *mul(llvm::Value *X, llvm::Value *Y, FloatMode Mode);
  llvm::Value *div(llvm::Value *X, llvm::Value *Y, FloatMode Mode);
  llvm::Value *fma(llvm::Value *X, llvm::Value *Y, llvm::Value *Z,
                   FloatMode Mode);
  llvm::Value *minMax(bool Max, llvm::Value *X, llvm::Value *Y, FloatMode Mode);
  /// rcp, sqrt, rsqrt, ex2, lg2, sin, cos, tanh, abs, neg; null if unknown.
  /// Approximate forms are more exact here than on a GPU.
  llvm::Value *unary(llvm::StringRef Op, llvm::Value *X, FloatMode Mode);
  /// Rounds to an integral value.
  llvm::Value *integral(llvm::Value *X, FloatMode Mode);

  /// Saturates, as PTX cvt does; NaN gives 0, or 1 << (bits - 1) where
  /// source or result has 64 bits (PTX ISA 9.0, 9.7.9.21).
  llvm::Value *toInteger(llvm::Value *X, llvm::Type *To, bool Signed,
                         FloatMode Mode);
  llvm::Value *fromInteger(llvm::Value *X, bool Signed, llvm::Type *To,
                           FloatMode Mode);
  llvm::Value *convert(llvm::Value *X, llvm::Type *To, FloatMode Mode);

  /// Makes zeros of subnormal numbers.
  llvm::Value *flush(llvm::Value *X);

private:
  Emitter &E;
  llvm::IRBuilder<> &B;

  llvm::Value *in(llvm::Value *X, FloatMode Mode) {
    return Mode.Ftz ? flush(X) : X;
  }
  llvm::Value *out(llvm::Value *X, FloatMode Mode);
  /// Calls the runtime for each element.
  llvm::Value *runtime(llvm::StringRef Op, llvm::ArrayRef<llvm::Value *> Args,
                       FloatMode Mode);
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_FLOATOPS_H
