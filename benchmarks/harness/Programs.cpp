//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order do the programs run?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

llvm::ArrayRef<ProgramFactory> programs() {
  static const ProgramFactory All[] = {blackScholes,
                                       nbody,
                                       multipole,
                                       elementwise,
                                       elementwiseF64,
                                       uniformParameters,
                                       stencil2d,
                                       blockReduction,
                                       spmv,
                                       scatter,
                                       ode,
                                       mlp,
                                       fem,
                                       stencil3d,
                                       gemm,
                                       layerNorm,
                                       lbm,
                                       rayMarch,
                                       attention};
  return All;
}

} // namespace kdiff::bench
