// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: gathered, not scattered. A cell's adjoint is its own seed and what its
// four neighbours, where they are inside, pass back: conductivity * seed. No
// atomics; the caches serve the overlap as they do in the primal. Seeds are
// left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void stencil2d_hand(const real *__restrict__ u,
                                          const real *__restrict__ conductivity,
                                          const real *__restrict__ d_next,
                                          real *__restrict__ d_u,
                                          real *__restrict__ d_conductivity,
                                          int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  bool inX = x > 0 && x < width - 1, inY = y > 0 && y < height - 1;
  real seed = d_next[i], sum = seed;
  if (inX && inY) {
    real around = u[i - 1] + u[i + 1] + u[i - width] + u[i + width];
    sum -= 4 * conductivity[i] * seed;
    d_conductivity[i] += seed * (around - 4 * u[i]);
  }
  if (inY && x > 1)
    sum += conductivity[i - 1] * d_next[i - 1];
  if (inY && x < width - 2)
    sum += conductivity[i + 1] * d_next[i + 1];
  if (inX && y > 1)
    sum += conductivity[i - width] * d_next[i - width];
  if (inX && y < height - 2)
    sum += conductivity[i + width] * d_next[i + width];
  d_u[i] += sum;
}
