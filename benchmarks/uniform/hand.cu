// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: the coefficients' adjoints are sums over the whole grid. A grid that
// just fills the card strides over the elements and keeps the sixteen sums in
// registers; warps reduce them by shuffles once, at the end, and one lane a
// warp and coefficient adds. Seeds are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Degree = 16;

extern "C" __global__ void
uniform_hand(const real *__restrict__ x, const real *__restrict__ coefficients,
             const real *__restrict__ d_y, real *__restrict__ d_x,
             real *__restrict__ d_coefficients, int count) {
  real c[Degree], sums[Degree];
#pragma unroll
  for (int k = 0; k < Degree; ++k) {
    c[k] = coefficients[k];
    sums[k] = 0;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    real a = x[i], power = d_y[i], slope = 0;
    real seed = power;
#pragma unroll
    for (int k = Degree - 1; k > 0; --k)
      slope = slope * a + k * c[k];
#pragma unroll
    for (int k = 0; k < Degree; ++k) {
      sums[k] += power;
      power *= a;
    }
    d_x[i] += seed * slope;
  }
#pragma unroll
  for (int k = 0; k < Degree; ++k) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
      sums[k] += __shfl_xor_sync(0xffffffffu, sums[k], offset);
  }
  if (threadIdx.x % 32 != 0)
    return;
#pragma unroll
  for (int k = 0; k < Degree; ++k)
    atomicAdd(&d_coefficients[k], sums[k]);
}
