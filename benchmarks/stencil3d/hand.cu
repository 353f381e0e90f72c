// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: gathered, not scattered. What flows through a face is taken from one
// cell and given to the other, so a face passes back
//   conductivity * (seed there - seed here)  to u here,
//   (u there - u here) * (seed here - seed there) / 2  to the conductivity,
// and each cell sums over its own faces. No atomics; a step costs what the
// primal's costs. Seeds are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void stencil3d_hand(const real *__restrict__ u,
                                          const real *__restrict__ conductivity,
                                          const real *__restrict__ d_next,
                                          real *__restrict__ d_u,
                                          real *__restrict__ d_conductivity,
                                          int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int y = row % height, z = row / height;
  if (x >= width || z >= depth)
    return;
  int plane = width * height, i = row * width + x;
  real here = u[i], c = conductivity[i], seed = d_next[i];
  real sum = seed, sumC = 0;
  auto face = [&](int j) {
    real difference = d_next[j] - seed;
    sum += (c + conductivity[j]) / 2 * difference;
    sumC -= (u[j] - here) / 2 * difference;
  };
  if (x > 0)
    face(i - 1);
  if (x < width - 1)
    face(i + 1);
  if (y > 0)
    face(i - width);
  if (y < height - 1)
    face(i + width);
  if (z > 0)
    face(i - plane);
  if (z < depth - 1)
    face(i + plane);
  d_u[i] += sum;
  d_conductivity[i] += sumC;
}
