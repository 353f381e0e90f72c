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
// Several shadows each are several derivatives at once, in lanes that share the
// kernel's own work (kd_width of kdiff/kdiff.h); all marked arguments take as
// many:
//
//   kdiff::gradient<saxpy>(grid, block, smem, stream)(
//       a, kdiff::dup(x, d_x0, d_x1), kdiff::dup(y, d_y0, d_y1), n);
//
// All that a plain launch means holds: the stream given and the current device,
// nothing waits, captured graphs are fine. A launch that is impossible throws a
// LaunchError (kdiff/launch.h). The kernel may be a template's instance, and
// needs a body in this file, as all that it calls does, also where device code
// is linked (-fgpu-rdc); a rule will do as well (kdiff/rules.h). Dynamic shared
// memory: give what the kernel itself takes; the launch adds the shadows'
// (kdiff/DynamicShared.h). Gradients that keep values of loops, or of rules,
// need a pool (kdiff/tape.h).
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_GRADIENT_H
#define KDIFF_GRADIENT_H

#include <kdiff/kdiff.h>

#if __cplusplus < 201703L
#error "kdiff/gradient.h needs C++17 (-std=c++17)"
#endif

#include <cuda_runtime.h>
#include <kdiff/DynamicShared.h>
#include <kdiff/launch.h>
#include <type_traits>
#include <utility>

namespace kdiff {

/// Shadows of one argument, one for each of two lanes or more.
template <class S, int Count> struct LaneShadows {
  S Of[Count];
};

/// What an argument of a launch is. T: the kernel's, or the host's type; S: of
/// the shadow, or LaneShadows.
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

namespace detail {

/// \p first if it is the only shadow, else LaneShadows.
template <class S, class... More> auto shadows(S first, More... more) {
  static_assert((std::is_same_v<S, More> && ...),
                "kdiff: all shadows of an argument have one type");
  if constexpr (sizeof...(More) != 0 && (std::is_same_v<S, More> && ...))
    return LaneShadows<S, 1 + sizeof...(More)>{{first, more...}};
  else
    return first;
}
template <class... S> using Shadows = decltype(shadows(std::declval<S>()...));

} // namespace detail

/// A pointer \p p to device memory and its shadow, memory of the same layout;
/// a struct passed by value and the device address of its shadow; in forward
/// mode also a number and its tangent. Several shadows: one for each lane.
template <class T, class... S>
DupArgument<T, detail::Shadows<S...>> dup(T p, S... shadow) {
  return {p, detail::shadows(shadow...)};
}
/// As dup; what the kernel writes to \p p is not wanted.
template <class T, class... S>
DupNoNeedArgument<T, detail::Shadows<S...>> noneed(T p, S... shadow) {
  return {p, detail::shadows(shadow...)};
}
/// A number passed by value, in reverse mode: its adjoint is added to *shadow,
/// in device memory.
template <class T, class... S>
AccArgument<T, detail::Shadows<S *...>> acc(T value, S *...shadow) {
  return {value, detail::shadows(shadow...)};
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

/// Of functions that are no code of the user's: debuggers pass over them, and
/// show the primal's lines for the kernels that hold its derivative.
#define KDIFF_NO_FRAME __attribute__((nodebug))

/// Of the member Shadow of a marked argument.
template <class S> struct ShadowTraits {
  static constexpr int Count = 1;
  using One = S;
  template <class To> static To as(S shadow) { return static_cast<To>(shadow); }
};
template <class S, int N> struct ShadowTraits<LaneShadows<S, N>> {
  static constexpr int Count = N;
  using One = S;
  template <class To> static LaneShadows<To, N> as(LaneShadows<S, N> shadows) {
    LaneShadows<To, N> All;
    for (int Lane = 0; Lane != N; ++Lane)
      All.Of[Lane] = static_cast<To>(shadows.Of[Lane]);
    return All;
  }
};
template <std::size_t Lane, class S>
KDIFF_NO_FRAME __device__ S inLane(S shadow) {
  return shadow;
}
template <std::size_t Lane, class S, int N>
KDIFF_NO_FRAME __device__ S inLane(LaneShadows<S, N> shadows) {
  return shadows.Of[Lane];
}

/// Of a marked argument the number of its shadows, else 0.
template <class A> constexpr int lanesOf() {
  if constexpr (IsMarked<A>::value)
    return ShadowTraits<decltype(A::Shadow)>::Count;
  else
    return 0;
}
/// Of a launch with arguments \p A.
template <class... A> constexpr int widthOf() {
  int Width = 0;
  ((Width = lanesOf<A>() > Width ? lanesOf<A>() : Width), ...);
  return Width;
}
template <class... A> constexpr bool lanesAgree() {
  return ((lanesOf<A>() == 0 || lanesOf<A>() == widthOf<A...>()) && ...);
}

/// True of marked pointers.
template <class A> __device__ __host__ constexpr bool leadsToMemory() {
  if constexpr (IsMarked<A>::value)
    return std::is_pointer_v<decltype(A::Primal)>;
  else
    return std::is_pointer_v<A>;
}

/// What a request says of the results that the kernel leaves in memory.
enum class Results { AsMarked, Wanted, Unwanted };

template <class R, int Left, class First, class... Rest>
KDIFF_NO_FRAME __device__ __forceinline__ void ask(void *Pool, First first,
                                                   Rest... rest);

/// The marked \p first moves to the end.
template <class R, int Left, std::size_t... Lane, class First, class... Rest>
KDIFF_NO_FRAME __device__ __forceinline__ void
askMarked(std::index_sequence<Lane...>, void *Pool, int Marker, First first,
          Rest... rest) {
  ask<R, Left>(Pool, rest..., Marker, first.Primal,
               inLane<Lane>(first.Shadow)...);
}

/// Writes the request R: the first \p Left arguments move to the end, each with
/// its marker, until none is left in front.
template <class R, int Left, class First, class... Rest>
KDIFF_NO_FRAME __device__ __forceinline__ void ask(void *Pool, First first,
                                                   Rest... rest) {
  using Lanes = std::make_index_sequence<lanesOf<First>()>;
  if constexpr (Left == 0)
    R::make(Pool, first, rest...);
  else if constexpr (IsAcc<First>)
    askMarked<R, Left - 1>(Lanes(), Pool, kd_acc, first, rest...);
  else if constexpr (IsNoNeed<First> ? R::Of != Results::Wanted
                                     : IsDup<First> &&
                                           R::Of == Results::Unwanted &&
                                           leadsToMemory<First>())
    askMarked<R, Left - 1>(Lanes(), Pool, kd_dupnoneed, first, rest...);
  else if constexpr (IsDup<First> || IsNoNeed<First>)
    askMarked<R, Left - 1>(Lanes(), Pool, kd_dup, first, rest...);
  else
    ask<R, Left - 1>(Pool, rest..., kd_const, first);
}

template <auto K, DerivativeMode M, int Width> struct PlainRequest {
  static constexpr Results Of = Results::AsMarked;
  template <class... A>
  KDIFF_NO_FRAME static __device__ __forceinline__ void make(void *Pool,
                                                             A... arguments) {
    if constexpr (M == DerivativeMode::Reverse)
      __kd_autodiff<void>(K, kd_tape, Pool, kd_width, Width, arguments...);
    else
      __kd_fwddiff<void>(K, kd_width, Width, arguments...);
  }
};

/// The derivative's kernel; its arguments have the types of K's parameters.
/// \p Pool null: that of the module's variable.
template <auto K, DerivativeMode M, class... A>
KDIFF_NO_FRAME __global__ void derivative(void *Pool, A... arguments) {
  ask<PlainRequest<K, M, widthOf<A...>()>, sizeof...(A)>(Pool, arguments...);
}

/// Gives an argument the type of the kernel's parameter \p P.
template <class P, DerivativeMode M, class A> auto fit(A argument) {
  static_assert(std::is_convertible_v<A, P>,
                "kdiff: an argument does not have the type of the kernel's "
                "parameter");
  return static_cast<P>(argument);
}
/// \p argument with a value of type \p P and shadows of type \p Shadow.
template <class P, class Shadow, class T, class S,
          template <class, class> class Mark>
auto retyped(Mark<T, S> argument) {
  auto Shadows = ShadowTraits<S>::template as<Shadow>(argument.Shadow);
  return Mark<P, decltype(Shadows)>{static_cast<P>(argument.Primal), Shadows};
}
template <class P, DerivativeMode M, class T, class S,
          template <class, class> class Mark>
auto fitShadowed(Mark<T, S> argument) {
  static_assert(std::is_convertible_v<T, P>,
                "kdiff: the value given to dup, noneed or acc does not have "
                "the type of the kernel's parameter");
  using Pointee = std::remove_cv_t<std::remove_pointer_t<P>>;
  using One = typename ShadowTraits<S>::One;
  if constexpr (std::is_pointer_v<P>) {
    static_assert(std::is_convertible_v<One, Pointee *>,
                  "kdiff: the shadow of a pointer must be a pointer to the "
                  "same type, to memory that can be written");
    return retyped<P, Pointee *>(argument);
  } else if constexpr (std::is_floating_point_v<P> &&
                       M == DerivativeMode::Forward) {
    static_assert(std::is_convertible_v<One, P>,
                  "kdiff: the tangent of a number must be a number");
    return retyped<P, P>(argument);
  } else {
    static_assert(std::is_convertible_v<One, Pointee *>,
                  "kdiff: the shadow of a struct or number passed by value "
                  "must be the device address of one of that type");
    return retyped<P, Pointee *>(argument);
  }
}
template <class P, DerivativeMode M, class T, class S>
auto fit(DupArgument<T, S> argument) {
  static_assert(!std::is_integral_v<P> && !std::is_enum_v<P>,
                "kdiff: an integer has no derivative: give it without a mark");
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

template <class> constexpr bool IsKernel = false;
template <class... P> constexpr bool IsKernel<void (*)(P...)> = true;

template <auto K, DerivativeMode M, class Signature> class Launch {
  static_assert(IsKernel<Signature>,
                "kdiff: a kernel is wanted, a __global__ function by its name");
};
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
    static_assert(lanesAgree<A...>(),
                  "kdiff: all marked arguments have the same number of "
                  "shadows, one for each lane");
    if constexpr (sizeof...(A) == sizeof...(P) && lanesAgree<A...>())
      start(fit<P, M>(arguments)...);
  }

private:
  template <class... A> void start(A... arguments) const {
    void *From = Pool;
    void *Values[] = {&From, &arguments...};
    launchKernel(
        M == DerivativeMode::Reverse ? "the gradient of " : "the tangent of ",
        kernelName<K>, reinterpret_cast<const void *>(&derivative<K, M, A...>),
        Grid, Block, Values, dynamicSharedOfGradient(Shared, widthOf<A...>()),
        Stream);
  }

  dim3 Grid, Block;
  std::size_t Shared;
  cudaStream_t Stream;
  void *Pool;
};

} // namespace detail

/// Reverse mode: what runs is \p K and then its reverse sweep; see
/// __kd_autodiff for what the shadows hold. Returned is what is called with
/// the arguments of \p K, those to be differentiated marked. \p shared: what
/// \p K itself takes. \p pool: where the launch keeps its tape, if it needs
/// one; null: the pool that is attached.
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
