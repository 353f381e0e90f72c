//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which programs are there?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_PROGRAMS_H
#define KDIFF_BENCHMARKS_HARNESS_PROGRAMS_H

#include "harness/Program.h"
#include "llvm/ADT/ArrayRef.h"

namespace kdiff::bench {

Program blackScholes(Size S);
Program nbody(Size S);
Program multipole(Size S);
Program elementwise(Size S);
Program elementwiseF64(Size S);
Program uniformParameters(Size S);
Program stencil2d(Size S);
Program blockReduction(Size S);
Program spmv(Size S);
Program scatter(Size S);
Program ode(Size S);
Program mlp(Size S);
Program fem(Size S);
Program stencil3d(Size S);
Program gemm(Size S);
Program layerNorm(Size S);
Program lbm(Size S);
Program rayMarch(Size S);
Program attention(Size S);

using ProgramFactory = Program (*)(Size);
/// Every program, the demos first.
llvm::ArrayRef<ProgramFactory> programs();

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_PROGRAMS_H
