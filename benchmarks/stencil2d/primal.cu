// One step of diffusion with a conductivity a cell, five-point stencil.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void stencil2d(const real *__restrict__ u,
                                     const real *__restrict__ conductivity,
                                     real *__restrict__ next, int width,
                                     int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    next[i] = u[i];
    return;
  }
  real around = u[i - 1] + u[i + 1] + u[i - width] + u[i + width];
  next[i] = u[i] + conductivity[i] * (around - 4 * u[i]);
}
