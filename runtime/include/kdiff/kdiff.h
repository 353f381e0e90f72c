//===- kdiff.h - Differentiation in CUDA C++ -------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does CUDA C++ code ask for the derivative
// of a function?
//
// Compile with clang and its option -fpass-plugin=.../libKDiff.so. A request is
// a call in device code; the plugin replaces it by the gradient:
//
//   __global__ void saxpy(float a, const float *x, float *y, int n);
//
//   __global__ void saxpy_grad(float a, float *da, const float *x, float *dx,
//                              float *y, float *dy, int n) {
//     __kd_autodiff<void>(saxpy, kd_acc, a, da, kd_dup, x, dx, kd_dup, y, dy,
//                         kd_const, n);
//   }
//
// or, for every kernel at once, launched as grad<saxpy><<<grid, block>>>(...):
//
//   template <auto K, class... A> __global__ void grad(A... args) {
//     __kd_autodiff<void>((void *)K, args...);
//   }
//
// The function may be a __global__ or a __device__ one, a lambda without
// captures (write + in front of it), or a function pointer whose value the
// compiler can see. Its body must be in the same file.
//
// Each argument of the function is given in order, as
//
//   kd_const v          no derivative, no shadow
//   kd_dup p, dp        a pointer and its shadow: memory of the same layout
//                       that holds derivatives. A struct passed by value: the
//                       struct and the address of its shadow. Forward mode:
//                       also a floating-point value and its tangent
//   kd_dupnoneed p, dp  as kd_dup; what the function writes there is not needed
//   kd_seed p, dp       reverse mode: memory that the function writes, or adds
//                       to, and never reads. Its shadow is the adjoint of what
//                       it holds in the end, and is read and left as it is
//   kd_seednoneed p, dp as kd_seed; what the function writes there is not
//                       needed, and what only leads there is not done
//   kd_fresh p, dp      reverse mode: memory that the function only reads, each
//                       place once. What its shadow holds before does not
//                       count: it need not be zeroed. Places that the function
//                       does not read are left as they are
//   kd_out v            reverse mode: a floating-point value, whose adjoint the
//                       request returns
//   kd_acc v, dv        reverse mode: a floating-point value, whose adjoint is
//                       added to *dv, atomically: all threads may share it
//
// Behind the function may stand
//
//   kd_width N          each value that has a shadow is followed by N of them
//                       (N a constant from 1 to 64): N lanes, each with seeds
//                       or tangents of its own, which share the primal and its
//                       tape. Whatever is returned is an array of N. The shadow
//                       of a variable (KDIFF_SHADOW) is an array of N, and a
//                       launch gives N + 1 times the dynamic shared memory that
//                       the function takes, rounded up to 16 bytes before
//
// Without a marker, pointers that lead to floating-point numbers are kd_dup,
// floating-point values kd_out (forward mode: kd_dup), and the rest kd_const.
// Which pointers lead to floating-point numbers is read off the function's
// accesses; where they do not tell, the compiler asks for a marker. Enzyme's
// names for markers and requests (enzyme_dup, __enzyme_autodiff, ...) mean the
// same.
//
// A request that does not fit its function, or a function that KDiff cannot
// differentiate, is an error at the request's, or the construct's, line.
// Compile with -gline-tables-only for lines within the function.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_KDIFF_H
#define KDIFF_KDIFF_H

#if !defined(__clang__) || !defined(__CUDA__)
#error "KDiff differentiates CUDA code that clang compiles (clang++ -x cuda)"
#endif

#include <kdiff/rules.h>
#include <kdiff/tape.h>

/// Of a request as a whole, behind the function: `kd_tape, pool` (of
/// __kd_autodiff) makes the tape lie in a kdiff::TapePool's device() rather
/// than in the one that is attached; `kd_facts, &variable` has facts about the
/// derivative written to a __device__ kdiff::KernelFacts
/// (kdiff/KernelFacts.h).
extern __device__ int kd_tape;
extern __device__ int kd_facts;

extern __device__ int kd_const;
extern __device__ int kd_dup;
extern __device__ int kd_dupnoneed;
extern __device__ int kd_seed;
extern __device__ int kd_seednoneed;
extern __device__ int kd_fresh;
extern __device__ int kd_out;
extern __device__ int kd_acc;
extern __device__ int kd_width;

/// Reverse mode: runs \p Function, then its reverse sweep, in this thread.
///
/// The memory that \p Function writes is left as a plain call leaves it. Let s
/// be what the shadows hold before, and J the derivative of the final content
/// of all kd_dup memory by its initial content, over the whole launch: the
/// shadows then hold J^T s. So seed the shadows of results, zero the others,
/// and read the shadows of inputs. The result of \p Function, if it returns
/// one, is seeded with 1.
///
/// \returns the adjoints of the kd_out arguments: R is void where there are
/// none, the argument's type for one, else a struct of their types in order.
/// With kd_width N, N of each: R is struct { float x[N]; } for one float.
template <class R = void, class F, class... A>
__device__ R __kd_autodiff(F *Function, A... Arguments);

/// Forward mode: runs \p Function and its derivative in this thread; the
/// shadows, holding tangents t before, then hold J t.
///
/// \returns the tangent of the result of \p Function (R is its type; void if
/// it returns nothing or no floating-point value; with kd_width N a struct of
/// an array of N).
template <class R = void, class F, class... A>
__device__ R __kd_fwddiff(F *Function, A... Arguments);

/// In the body of a loop: of what its iterations pass on, no more than
/// \p Count snapshots (a constant from 2 to 1024) are kept at a time, in local
/// memory, instead of every eighth iteration's on the tape. The reverse sweep
/// runs the loop again from them, by a binomial schedule. The loop must be in no
/// other one. Does nothing elsewhere, and in split mode.
__device__ inline void __kd_checkpoint(unsigned Count) {}

/// Split mode: __kd_autodiff in two launches, between which others may run.
/// __kd_augment runs \p Function and leaves on a tape what its reverse sweep
/// needs; __kd_reverse makes the sweep, once for each __kd_augment. Both take
/// the same function, markers, arguments, grid and block. \p Tape is device()
/// of a kdiff::SplitTape, one for each launch of __kd_augment that waits for
/// its reverse. What the arguments lead to may change in between: the reverse
/// sweep reads the shadows and the tape alone.
///
/// __kd_augment returns what \p Function does (or void), __kd_reverse what
/// __kd_autodiff would.
template <class R = void, class F, class... A>
__device__ R __kd_augment(F *Function, void *Tape, A... Arguments);
template <class R = void, class F, class... A>
__device__ R __kd_reverse(F *Function, void *Tape, A... Arguments);

/// The bytes of tape that this thread needs for __kd_augment of the same
/// function, markers and arguments: a formula of the arguments where the
/// compiler knows the loops' trip counts, else they are counted by running
/// the function's control flow, which must not depend on what it writes.
template <class F, class... A>
__device__ unsigned long long __kd_tape_bytes(F *Function, A... Arguments);

// What the requests are until the plugin has replaced them. Declarations alone
// would not do: their types may have no linkage, as those of lambdas.
extern "C" __device__ void __kd_compile_with_fpass_plugin_libKDiff_so();

#define KDIFF_REQUEST(R, ...)                                                  \
  __device__ R __VA_ARGS__ {                                                   \
    __kd_compile_with_fpass_plugin_libKDiff_so();                              \
    __builtin_unreachable();                                                   \
  }
template <class R, class F, class... A>
KDIFF_REQUEST(R, __kd_autodiff(F *, A...))
template <class R, class F, class... A>
KDIFF_REQUEST(R, __kd_fwddiff(F *, A...))
template <class R, class F, class... A>
KDIFF_REQUEST(R, __kd_augment(F *, void *, A...))
template <class R, class F, class... A>
KDIFF_REQUEST(R, __kd_reverse(F *, void *, A...))
template <class F, class... A>
KDIFF_REQUEST(unsigned long long, __kd_tape_bytes(F *, A...))
#undef KDIFF_REQUEST

// Launches from host code.
#if __cplusplus >= 201703L && !defined(KDIFF_GRADIENT_H)
#include <kdiff/gradient.h>
#endif

#endif // KDIFF_KDIFF_H
