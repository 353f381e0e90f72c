//===- Expr.h - A partial derivative as a constexpr value ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is the formula of a partial derivative
// written down so that it can be emitted, and asked what it reads?
//
// An expression is a tree in postfix order in an array, built by constexpr
// operators from the operands (X0 .. X3), the primal's result (Y), numbers and
// calls of function families (Functions.h). Equal subtrees are emitted once,
// so formulas may repeat them.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_EXPR_H
#define KDIFF_RULES_EXPR_H

#include "rules/Functions.h"
#include <array>
#include <cassert>
#include <cstdint>

namespace kdiff {

enum class Op : uint8_t {
  Arg,     ///< Operand Index, floating point.
  IntArg,  ///< Operand Index, an integer; only for Call and ToFP.
  Result,  ///< The primal's result.
  Literal, ///< Value.
  PerType, ///< Value in double and where double is too wide, Narrow.
  Neg,
  Add,
  Sub,
  Mul,
  Div,
  MulZero, ///< A * B, but 0 where A is 0 whatever B is (infinity, NaN).
  ToFP,    ///< An IntArg as a floating-point number.
  Pred,    ///< IntArg - 1, saturating.
  Succ,    ///< IntArg + 1, saturating.
  Equal,   ///< A == B (ordered); a condition, only for Select.
  Less,    ///< A < B (ordered); a condition, only for Select.
  IsZero,  ///< IntArg == 0; a condition, only for Select.
  Select,  ///< Condition ? A : B.
  Call     ///< The function family Function applied to its arguments.
};

/// Number of values that \p O pops; a Call pops arity(Function).
constexpr unsigned popCount(Op O, Fn Function) {
  switch (O) {
  case Op::Arg:
  case Op::IntArg:
  case Op::Result:
  case Op::Literal:
  case Op::PerType:
    return 0;
  case Op::Neg:
  case Op::ToFP:
  case Op::Pred:
  case Op::Succ:
  case Op::IsZero:
    return 1;
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::MulZero:
  case Op::Equal:
  case Op::Less:
    return 2;
  case Op::Select:
    return 3;
  case Op::Call:
    return arity(Function);
  }
  return 0;
}

struct Expr {
  struct Node {
    Op O{};
    Fn Function{};
    uint16_t Index = 0;
    float Narrow = 0;
    double Value = 0;
  };
  static constexpr unsigned MaxNodes = 64;
  std::array<Node, MaxNodes> Nodes{};
  unsigned Size = 0; ///< 0: no derivative (identically zero).

  constexpr Expr() = default;
  constexpr Expr(double V) { push({Op::Literal, {}, 0, 0, V}); }
  constexpr Expr(Node N) { push(N); }

  constexpr void push(Node N) {
    assert(Size < MaxNodes && "formula too long");
    Nodes[Size++] = N;
  }
  constexpr void append(const Expr &E) {
    for (unsigned I = 0; I != E.Size; ++I)
      push(E.Nodes[I]);
  }
};

constexpr Expr apply(Expr::Node N, const Expr &A) {
  Expr R = A;
  R.push(N);
  return R;
}
constexpr Expr apply(Expr::Node N, const Expr &A, const Expr &B) {
  Expr R = A;
  R.append(B);
  R.push(N);
  return R;
}
constexpr Expr operator-(const Expr &A) { return apply({Op::Neg}, A); }
constexpr Expr operator+(const Expr &A, const Expr &B) {
  return apply({Op::Add}, A, B);
}
constexpr Expr operator-(const Expr &A, const Expr &B) {
  return apply({Op::Sub}, A, B);
}
constexpr Expr operator*(const Expr &A, const Expr &B) {
  return apply({Op::Mul}, A, B);
}
constexpr Expr operator/(const Expr &A, const Expr &B) {
  return apply({Op::Div}, A, B);
}
/// A * B, but 0 where A is 0.
constexpr Expr mulZero(const Expr &A, const Expr &B) {
  return apply({Op::MulZero}, A, B);
}
constexpr Expr equal(const Expr &A, const Expr &B) {
  return apply({Op::Equal}, A, B);
}
constexpr Expr less(const Expr &A, const Expr &B) {
  return apply({Op::Less}, A, B);
}
constexpr Expr isZero(const Expr &A) { return apply({Op::IsZero}, A); }
constexpr Expr select(const Expr &C, const Expr &A, const Expr &B) {
  Expr R = C;
  R.append(A);
  R.append(B);
  R.push({Op::Select});
  return R;
}
constexpr Expr call(Fn F, const Expr &A) { return apply({Op::Call, F}, A); }
constexpr Expr call(Fn F, const Expr &A, const Expr &B) {
  return apply({Op::Call, F}, A, B);
}
constexpr Expr toFP(const Expr &A) { return apply({Op::ToFP}, A); }
constexpr Expr pred(const Expr &A) { return apply({Op::Pred}, A); }
constexpr Expr succ(const Expr &A) { return apply({Op::Succ}, A); }
/// \p Wide in double, \p Narrow in narrower types.
constexpr Expr perType(double Wide, float Narrow) {
  return Expr::Node{Op::PerType, {}, 0, Narrow, Wide};
}

inline constexpr Expr X0 = Expr::Node{Op::Arg, {}, 0};
inline constexpr Expr X1 = Expr::Node{Op::Arg, {}, 1};
inline constexpr Expr X2 = Expr::Node{Op::Arg, {}, 2};
inline constexpr Expr X3 = Expr::Node{Op::Arg, {}, 3};
inline constexpr Expr N0 = Expr::Node{Op::IntArg, {}, 0};
inline constexpr Expr N1 = Expr::Node{Op::IntArg, {}, 1};
inline constexpr Expr Y = Expr::Node{Op::Result};

} // namespace kdiff
#endif // KDIFF_RULES_EXPR_H
