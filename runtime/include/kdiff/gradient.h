//===- gradient.h - Launches of gradients from host code -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does host code launch the derivative of a
// kernel as it would launch the kernel?
//
//   __global__ void saxpy(float a, const float *x, float *y, int n);
//
//   kdiff::gradient<saxpy>(grid, block, smem, stream)(
//       kdiff::acc(a, d_a), kdiff::dup(x, d_x), kdiff::dup(y, d_y), n);
//
// All that a plain launch means holds: the stream given and the current device,
// nothing waits, captured graphs are fine. A launch that is impossible throws a
// LaunchError (kdiff/launch.h). The kernel may be a template's instance, and
// needs a body in this file. Dynamic shared memory: give the gradient
// dynamicSharedOfGradient() of what the kernel takes (kdiff/DynamicShared.h).
// Gradients that keep values of loops, or of rules, need a pool
// (kdiff/tape.h).
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_GRADIENT_H
#define KDIFF_GRADIENT_H

#include <kdiff/kdiff.h>

#if __cplusplus < 201703L
#error "kdiff/gradient.h needs C++17 (-std=c++17)"
#endif

#include <cuda_runtime.h>
#include <kdiff/launch.h>
#include <type_traits>
#include <utility>

namespace kdiff {

/// What an argument of a launch is. T: the kernel's, or the host's type.
template <class T, class S> struct DupArgument {
  T Primal;
  S Shadow;
};
template <class T, class S> struct DupNoNeedArgument {
  T Primal;
  S Shadow;
};
template <class T, class S> struct AccArgument {
  T Primal;
  S Shadow;
};

/// A pointer \p p to device memory and its shadow, memory of the same layout;
/// a struct passed by value and the device address of its shadow; in forward
/// mode also a number and its tangent.
template <class T, class S> DupArgument<T, S> dup(T p, S shadow) {
  return {p, shadow};
}
/// As dup; what the kernel writes to \p p is not wanted.
template <class T, class S> DupNoNeedArgument<T, S> noneed(T p, S shadow) {
  return {p, shadow};
}
/// A number passed by value, in reverse mode: its adjoint is added to *shadow,
/// in device memory.
template <class T, class S> AccArgument<T, S *> acc(T value, S *shadow) {
  return {value, shadow};
}

namespace detail {

enum class DerivativeMode { Reverse, Forward };

template <class> struct IsMarked : std::false_type {};
template <class T, class S>
struct IsMarked<DupArgument<T, S>> : std::true_type {};
template <class T, class S>
struct IsMarked<DupNoNeedArgument<T, S>> : std::true_type {};
template <class T, class S>
struct IsMarked<AccArgument<T, S>> : std::true_type {};

template <class> constexpr bool IsDup = false;
template <class T, class S> constexpr bool IsDup<DupArgument<T, S>> = true;
template <class> constexpr bool IsNoNeed = false;
template <class T, class S>
constexpr bool IsNoNeed<DupNoNeedArgument<T, S>> = true;
template <class> constexpr bool IsAcc = false;
template <class T, class S> constexpr bool IsAcc<AccArgument<T, S>> = true;

/// True of marked pointers.
template <class A> __device__ __host__ constexpr bool leadsToMemory() {
  if constexpr (IsMarked<A>::value)
    return std::is_pointer_v<decltype(A::Primal)>;
  else
    return std::is_pointer_v<A>;
}

/// What a request says of the results that the kernel leaves in memory.
enum class Results { AsMarked, Wanted, Unwanted };

/// Writes the request R: the first \p Left arguments move to the end, each with
/// its marker, until none is left in front.
template <class R, int Left, class First, class... Rest>
__device__ __forceinline__ void ask(void *Pool, First first, Rest... rest) {
  if constexpr (Left == 0)
    R::make(Pool, first, rest...);
  else if constexpr (IsAcc<First>)
    ask<R, Left - 1>(Pool, rest..., kd_acc, first.Primal, first.Shadow);
  else if constexpr (IsNoNeed<First> ? R::Of != Results::Wanted
                                     : IsDup<First> &&
                                           R::Of == Results::Unwanted &&
                                           leadsToMemory<First>())
    ask<R, Left - 1>(Pool, rest..., kd_dupnoneed, first.Primal, first.Shadow);
  else if constexpr (IsDup<First> || IsNoNeed<First>)
    ask<R, Left - 1>(Pool, rest..., kd_dup, first.Primal, first.Shadow);
  else
    ask<R, Left - 1>(Pool, rest..., kd_const, first);
}

template <auto K, DerivativeMode M> struct PlainRequest {
  static constexpr Results Of = Results::AsMarked;
  template <class... A>
  static __device__ __forceinline__ void make(void *Pool, A... arguments) {
    if constexpr (M == DerivativeMode::Reverse)
      __kd_autodiff<void>(K, kd_tape, Pool, arguments...);
    else
      __kd_fwddiff<void>(K, arguments...);
  }
};

/// The derivative's kernel; its arguments have the types of K's parameters.
/// \p Pool null: that of the module's variable.
template <auto K, DerivativeMode M, class... A>
__global__ void derivative(void *Pool, A... arguments) {
  ask<PlainRequest<K, M>, sizeof...(A)>(Pool, arguments...);
}

/// Gives an argument the type of the kernel's parameter \p P.
template <class P, DerivativeMode M, class A> auto fit(A argument) {
  static_assert(std::is_convertible_v<A, P>,
                "kdiff: an argument does not have the type of the kernel's "
                "parameter");
  return static_cast<P>(argument);
}
template <class P, DerivativeMode M, class T, class S,
          template <class, class> class Mark>
auto fitShadowed(Mark<T, S> argument) {
  static_assert(std::is_convertible_v<T, P>,
                "kdiff: the value given to dup, noneed or acc does not have "
                "the type of the kernel's parameter");
  using Pointee = std::remove_cv_t<std::remove_pointer_t<P>>;
  if constexpr (std::is_pointer_v<P>) {
    static_assert(std::is_convertible_v<S, Pointee *>,
                  "kdiff: the shadow of a pointer must be a pointer to the "
                  "same type, to memory that can be written");
    return Mark<P, Pointee *>{argument.Primal, argument.Shadow};
  } else if constexpr (std::is_floating_point_v<P> &&
                       M == DerivativeMode::Forward) {
    static_assert(std::is_convertible_v<S, P>,
                  "kdiff: the tangent of a number must be a number");
    return Mark<P, P>{static_cast<P>(argument.Primal),
                      static_cast<P>(argument.Shadow)};
  } else {
    static_assert(std::is_convertible_v<S, Pointee *>,
                  "kdiff: the shadow of a struct or number passed by value "
                  "must be the device address of one of that type");
    return Mark<P, Pointee *>{argument.Primal, argument.Shadow};
  }
}
template <class P, DerivativeMode M, class T, class S>
auto fit(DupArgument<T, S> argument) {
  static_assert(!(std::is_floating_point_v<P> && M == DerivativeMode::Reverse),
                "kdiff: a number passed by value is marked acc in reverse "
                "mode: acc(value, address of its adjoint)");
  return fitShadowed<P, M>(argument);
}
template <class P, DerivativeMode M, class T, class S>
auto fit(DupNoNeedArgument<T, S> argument) {
  static_assert(std::is_pointer_v<P>, "kdiff: noneed is for pointers");
  return fitShadowed<P, M>(argument);
}
template <class P, DerivativeMode M, class T, class S>
auto fit(AccArgument<T, S> argument) {
  static_assert(std::is_floating_point_v<P> && M == DerivativeMode::Reverse,
                "kdiff: acc is for numbers passed by value, in reverse mode");
  return fitShadowed<P, M>(argument);
}

template <auto K, DerivativeMode M, class Signature> class Launch;
template <auto K, DerivativeMode M, class... P>
class Launch<K, M, void (*)(P...)> {
public:
  Launch(dim3 Grid, dim3 Block, std::size_t Shared, cudaStream_t Stream,
         void *Pool = nullptr)
      : Grid(Grid), Block(Block), Shared(Shared), Stream(Stream), Pool(Pool) {}

  template <class... A> void operator()(A... arguments) const {
    static_assert(sizeof...(A) == sizeof...(P),
                  "kdiff: give one argument for each parameter of the kernel");
    static_assert((IsMarked<A>::value || ...),
                  "kdiff: no argument has a shadow: mark with dup, noneed or "
                  "acc what is to be differentiated");
    if constexpr (sizeof...(A) == sizeof...(P))
      start(fit<P, M>(arguments)...);
  }

private:
  template <class... A> void start(A... arguments) const {
    void *From = Pool;
    void *Values[] = {&From, &arguments...};
    launchKernel(
        M == DerivativeMode::Reverse ? "the gradient of " : "the tangent of ",
        kernelName<K>, reinterpret_cast<const void *>(&derivative<K, M, A...>),
        Grid, Block, Values, Shared, Stream);
  }

  dim3 Grid, Block;
  std::size_t Shared;
  cudaStream_t Stream;
  void *Pool;
};

} // namespace detail

/// Reverse mode: what runs is \p K and then its reverse sweep; see
/// __kd_autodiff for what the shadows hold. Returned is what is called with
/// the arguments of \p K, those to be differentiated marked. \p pool: where the
/// launch keeps its tape, if it needs one; null: the pool that is attached.
template <auto K>
auto gradient(dim3 grid, dim3 block, std::size_t shared = 0,
              cudaStream_t stream = nullptr, const TapePool *pool = nullptr) {
  return detail::Launch<K, detail::DerivativeMode::Reverse, decltype(K)>(
      grid, block, shared, stream, pool ? pool->device() : nullptr);
}

/// Forward mode: \p K and its tangents in one sweep; see __kd_fwddiff.
template <auto K>
auto tangent(dim3 grid, dim3 block, std::size_t shared = 0,
             cudaStream_t stream = nullptr) {
  return detail::Launch<K, detail::DerivativeMode::Forward, decltype(K)>(
      grid, block, shared, stream);
}

} // namespace kdiff

#include <kdiff/launch_tape.h>

#endif // KDIFF_GRADIENT_H
