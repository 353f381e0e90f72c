// One step of the lattice-Boltzmann method, D2Q9, on a torus.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each cell pulls the populations that reach it and relaxes them towards
// equilibrium, at a rate of its own (Bhatnagar, Gross, Krook, Phys. Rev. 94
// (1954); Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992)).

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

/// The velocity and the weight of direction \p q: rest, four along the axes,
/// four along the diagonals.
__device__ static int alongX(int q) {
  return (q == 1 || q == 5 || q == 8) - (q == 3 || q == 6 || q == 7);
}
__device__ static int alongY(int q) {
  return (q == 2 || q == 5 || q == 6) - (q == 4 || q == 7 || q == 8);
}
__device__ static real weight(int q) {
  return q == 0 ? real(4) / 9 : q < 5 ? real(1) / 9 : real(1) / 36;
}

/// \p populations and \p next hold nine arrays of width * height cells.
extern "C" __global__ void lbm(const real *__restrict__ populations,
                               const real *__restrict__ relaxation,
                               real *__restrict__ next, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int cells = width * height, cell = y * width + x;
  int west = x == 0 ? width - 1 : x - 1, east = x == width - 1 ? 0 : x + 1;
  int south = y == 0 ? height - 1 : y - 1, north = y == height - 1 ? 0 : y + 1;
  real f[9], density = 0, momentumX = 0, momentumY = 0;
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    int cx = alongX(q), cy = alongY(q);
    int column = cx > 0 ? west : cx < 0 ? east : x;
    int row = cy > 0 ? south : cy < 0 ? north : y;
    f[q] = populations[q * cells + row * width + column];
    density += f[q];
    momentumX += cx * f[q];
    momentumY += cy * f[q];
  }
  real ux = momentumX / density, uy = momentumY / density;
  real square = ux * ux + uy * uy, omega = relaxation[cell];
#pragma unroll
  for (int q = 0; q < 9; ++q) {
    real cu = alongX(q) * ux + alongY(q) * uy;
    real equilibrium = weight(q) * density *
                       (1 + 3 * cu + real(4.5) * cu * cu - real(1.5) * square);
    next[q * cells + cell] = f[q] + omega * (equilibrium - f[q]);
  }
}
