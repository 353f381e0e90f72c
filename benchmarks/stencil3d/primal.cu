// One step of diffusion in a box that lets nothing out, seven-point stencil.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A face between two cells conducts as the mean of both: in flux form, as
// finite volumes have it.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

/// What flows into cell \p i from its neighbour \p j.
__device__ static real flux(const real *__restrict__ u,
                            const real *__restrict__ conductivity, int i,
                            int j) {
  return (conductivity[i] + conductivity[j]) / 2 * (u[j] - u[i]);
}

extern "C" __global__ void stencil3d(const real *__restrict__ u,
                                     const real *__restrict__ conductivity,
                                     real *__restrict__ next, int width,
                                     int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int y = row % height, z = row / height;
  if (x >= width || z >= depth)
    return;
  int plane = width * height, i = row * width + x;
  real sum = u[i];
  if (x > 0)
    sum += flux(u, conductivity, i, i - 1);
  if (x < width - 1)
    sum += flux(u, conductivity, i, i + 1);
  if (y > 0)
    sum += flux(u, conductivity, i, i - width);
  if (y < height - 1)
    sum += flux(u, conductivity, i, i + width);
  if (z > 0)
    sum += flux(u, conductivity, i, i - plane);
  if (z < depth - 1)
    sum += flux(u, conductivity, i, i + plane);
  next[i] = sum;
}
