//===- tape_arguments.h - What the arguments of a step are -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which shape has a launch that a tape records,
// and where do its arguments, marked or not, lead to?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TAPE_ARGUMENTS_H
#define KDIFF_TAPE_ARGUMENTS_H

#include <cstdint>
#include <kdiff/gradient.h>

namespace kdiff {
namespace detail {

struct LaunchShape {
  dim3 Grid, Block;
  std::size_t Shared;
  unsigned long long warps() const {
    return tapeWarps((unsigned long long)Grid.x * Grid.y * Grid.z,
                     Block.x * Block.y * Block.z);
  }
};

/// The value that the kernel itself gets.
template <class A> auto &primalOf(A &argument) {
  if constexpr (IsMarked<std::remove_const_t<A>>::value)
    return argument.Primal;
  else
    return argument;
}
/// The memory that an argument leads to; null for numbers and structs.
template <class A> const void *memoryOf(const A &argument) {
  if constexpr (leadsToMemory<A>())
    return primalOf(argument);
  else
    return nullptr;
}
template <class A> const void *shadowOf(const A &argument) {
  if constexpr (IsMarked<A>::value)
    return argument.Shadow;
  else
    return nullptr;
}
/// Makes \p argument lead \p Bytes further.
template <class A> void move(A &argument, std::ptrdiff_t Bytes) {
  if constexpr (leadsToMemory<A>()) {
    auto &Pointer = primalOf(argument);
    Pointer = reinterpret_cast<std::decay_t<decltype(Pointer)>>(
        reinterpret_cast<std::uintptr_t>(Pointer) + Bytes);
  }
}

} // namespace detail
} // namespace kdiff
#endif // KDIFF_TAPE_ARGUMENTS_H
