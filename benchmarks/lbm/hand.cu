// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: a population is pulled by one cell alone, so its adjoint has one
// writer: no atomics. The nine populations are read again; the equilibrium's
// adjoint goes through density and velocity, three numbers a cell. Seeds are
// left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

__device__ static int alongX(int q) {
  return (q == 1 || q == 5 || q == 8) - (q == 3 || q == 6 || q == 7);
}
__device__ static int alongY(int q) {
  return (q == 2 || q == 5 || q == 6) - (q == 4 || q == 7 || q == 8);
}
__device__ static real weight(int q) {
  return q == 0 ? real(4) / 9 : q < 5 ? real(1) / 9 : real(1) / 36;
}

extern "C" __global__ void lbm_hand(const real *__restrict__ populations,
                                    const real *__restrict__ relaxation,
                                    const real *__restrict__ d_next,
                                    real *__restrict__ d_populations,
                                    real *__restrict__ d_relaxation, int width,
                                    int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int cells = width * height, cell = y * width + x;
  int west = x == 0 ? width - 1 : x - 1, east = x == width - 1 ? 0 : x + 1;
  int south = y == 0 ? height - 1 : y - 1, north = y == height - 1 ? 0 : y + 1;
  auto place = [&](int q) {
    int cx = alongX(q), cy = alongY(q);
    int column = cx > 0 ? west : cx < 0 ? east : x;
    int row = cy > 0 ? south : cy < 0 ? north : y;
    return q * cells + row * width + column;
  };
  real f[9], seed[9], density = 0, momentumX = 0, momentumY = 0;
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    f[q] = populations[place(q)];
    seed[q] = d_next[q * cells + cell];
    density += f[q];
    momentumX += alongX(q) * f[q];
    momentumY += alongY(q) * f[q];
  }
  real perDensity = 1 / density;
  real ux = momentumX * perDensity, uy = momentumY * perDensity;
  real base = 1 - real(1.5) * (ux * ux + uy * uy), omega = relaxation[cell];
  // Sums of weight * seed times the equilibrium by density, and by velocity.
  real byDensity = 0, byX = 0, byY = 0, byOmega = 0, all = 0;
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    real cu = alongX(q) * ux + alongY(q) * uy, w = weight(q) * seed[q];
    real shape = base + 3 * cu + real(4.5) * cu * cu, slope = w * (3 + 9 * cu);
    byDensity += w * shape;
    byX += alongX(q) * slope;
    byY += alongY(q) * slope;
    all += w;
    byOmega -= seed[q] * f[q];
  }
  d_relaxation[cell] += byOmega + density * byDensity;
  // Velocity is momentum over density; the density in front of the shape
  // cancels that division.
  real passedX = omega * (byX - 3 * ux * all);
  real passedY = omega * (byY - 3 * uy * all);
  real passed = omega * byDensity - passedX * ux - passedY * uy;
#pragma unroll
  for (int q = 0; q < 9; ++q)
    d_populations[place(q)] += (1 - omega) * seed[q] + passed +
                               alongX(q) * passedX + alongY(q) * passedY;
}
