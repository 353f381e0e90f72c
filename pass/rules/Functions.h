//===- Functions.h - Functions that partial derivatives call ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which function computes the cosine (say) of a
// given type at a given quality on this target?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_FUNCTIONS_H
#define KDIFF_RULES_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"
#include <cstdint>

namespace kdiff {

/// Function families: one name for all types and qualities.
enum class Fn : uint8_t {
  None,
  Cos,
  Sin,
  CosPi,
  SinPi,
  Cosh,
  Sinh,
  Exp,
  Log,
  Sqrt,
  Rsqrt,
  RHypot,
  Pow,
  PowI,  ///< (x, int)
  LdExp, ///< (x, int)
  J0,
  J1,
  JN, ///< (int, x)
  Y0,
  Y1,
  YN, ///< (int, x)
  I0,
  I1,
  Rint,
  Abs,
  CopySign,
  Digamma
};

constexpr unsigned arity(Fn F) {
  switch (F) {
  case Fn::RHypot:
  case Fn::Pow:
  case Fn::PowI:
  case Fn::LdExp:
  case Fn::JN:
  case Fn::YN:
  case Fn::CopySign:
    return 2;
  default:
    return 1;
  }
}

/// How good the primal operation is; its partials are computed alike.
enum class Quality : uint8_t {
  Accurate,
  Approx,   ///< The hardware's approximation, subnormals kept.
  ApproxFtz ///< The same, subnormals flushed to zero.
};

/// Emits \p F of \p Args at \p B. \p Ty is half, bfloat, float, double or a
/// fixed vector of them: the type of the result and of the floating-point
/// arguments; integer arguments are scalars. Calls functions of libdevice by
/// declaring them (nounwind, willreturn, memory(none)); half and bfloat go
/// through float, vectors element by element. Approx qualities exist in
/// float; other types use the accurate function.
llvm::Value *emitFunction(llvm::IRBuilderBase &B, Fn F, Quality Q,
                          llvm::Type *Ty, llvm::ArrayRef<llvm::Value *> Args);

/// A / \p D at quality \p Q.
llvm::Value *emitDivision(llvm::IRBuilderBase &B, Quality Q, llvm::Value *N,
                          llvm::Value *D);

} // namespace kdiff
#endif // KDIFF_RULES_FUNCTIONS_H
