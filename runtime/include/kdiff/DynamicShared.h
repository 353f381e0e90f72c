//===- DynamicShared.h - Dynamic shared memory of gradients -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how much dynamic shared memory does the launch
// of a gradient give, and where do the shadows lie in it?
//
// The pass, the tool and the host's headers include it: plain C++.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_DYNAMICSHARED_H
#define KDIFF_DYNAMICSHARED_H

#include <cstddef>

namespace kdiff {

/// The primal's share and each shadow after it begin at multiples of so many
/// bytes: no access of CUDA needs more.
constexpr std::size_t DynamicSharedAlignment = 16;

/// The bytes that a gradient's launch gives where the primal's gives
/// \p OfPrimal and its dynamic shared memory is differentiated in \p Width
/// lanes: as many shares and one.
constexpr std::size_t dynamicSharedOfGradient(std::size_t OfPrimal,
                                              std::size_t Width = 1) {
  return (Width + 1) * ((OfPrimal + DynamicSharedAlignment - 1) /
                        DynamicSharedAlignment * DynamicSharedAlignment);
}

} // namespace kdiff
#endif // KDIFF_DYNAMICSHARED_H
