//===- rules.h - What KDiff is to know about your functions ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does CUDA C++ code give a function's
// derivative, replace a function within differentiated code, or give a device
// variable a shadow?
//
// One line at namespace scope, in every file that differentiates code that
// calls the function (so: in a header beside it). Files that differentiate the
// same template or inline function must agree: the program has one gradient of
// it. A function of another file may have a rule where it is only declared
// (-fgpu-rdc). Without the plugin these lines do nothing. Overloaded functions
// need a cast, and what contains commas needs parentheses:
//
//   KDIFF_REPLACE(static_cast<double (*)(double)>(sin), fast_sin)
//
// A line that does not fit its function is an error at the first request of
// the file, which prints the type that is wanted. They are variables whose
// names begin with __kd_ (pass/request/Registrations.h), for other front ends.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_H
#define KDIFF_RULES_H

#include <cstddef>

#define KDIFF_JOIN_(A, B) A##B
#define KDIFF_JOIN(A, B) KDIFF_JOIN_(A, B)
#define KDIFF_REGISTER_(Kind, ...)                                             \
  __device__ __attribute__((used)) static const void *const KDIFF_JOIN(        \
      Kind, __COUNTER__)[] = {__VA_ARGS__};

/// Calls of \p f are made in the primal sweep alone, and have no derivative:
/// whatever it returns and writes counts as constant.
#define KDIFF_INACTIVE(f) KDIFF_REGISTER_(__kd_inactive_, (const void *)(f))

/// Within differentiated code, at any depth below a request, calls of \p f go
/// to \p g, which is differentiated in its place; elsewhere f stays. Within g
/// itself, and in what g calls by name, a call of f means f. The two have the
/// same type.
#define KDIFF_REPLACE(f, g)                                                    \
  KDIFF_REGISTER_(__kd_replace_, (const void *)(f), (const void *)(g))

/// The reverse of R f(A1, ..., An) by hand. Each pointer Ai is followed by its
/// shadow, null where it has none:
///
///   R augmented(Saved *saved, A1, ..., An)
///       does what f does, and saves what reverse needs of it
///   void reverse(const Saved *saved, [R adjoint,] A1, ..., An)
///       adds to the adjoints: each number Ai is followed by the address of
///       its adjoint, which belongs to this thread; shadows belong to whom
///       their memory does (atomicAdd). `adjoint`, of the result, is there if
///       R is a floating-point type.
///
/// Integers stand alone. \p Saved is a type that can be copied byte by byte,
/// of a few hundred bytes at most.
#define KDIFF_REVERSE_RULE(f, Saved, augmented, reverse)                       \
  KDIFF_REGISTER_(__kd_reverse_rule_, (const void *)(f),                       \
                  (const void *)(augmented), (const void *)(reverse),          \
                  (const void *)sizeof(Saved))

/// The tangent of R f(A1, ..., An) by hand:
///
///   R tangent(R *result, A1, dA1, ..., An, dAn)
///
/// writes what f returns to *result (no such argument if R is void), returns
/// its tangent (void if R is no floating-point type), and does to memory what
/// f does. Each number is followed by its tangent, each pointer by its shadow
/// (null where it has none); integers stand alone.
#define KDIFF_FORWARD_RULE(f, tangent)                                         \
  KDIFF_REGISTER_(__kd_forward_rule_, (const void *)(f),                       \
                  (const void *)(tangent))

/// The __device__ variable \p shadow holds the derivatives of the __device__
/// or __constant__ variable \p v, of the same type; an array of N of that type
/// for requests with kd_width N.
#define KDIFF_SHADOW(v, shadow)                                                \
  KDIFF_REGISTER_(__kd_shadow_, (const void *)&(v), (const void *)&(shadow))

#endif // KDIFF_RULES_H
