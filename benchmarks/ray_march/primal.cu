// An image of a glowing, absorbing volume, a ray a thread.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ray marches from front to back through a cube of voxels, samples it by
// trilinear interpolation, and ends where it leaves the cube or where so little
// light would still come through that the rest does not matter.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

/// Of a voxel: how much it absorbs a unit of length, and how bright it is.
struct alignas(2 * sizeof(real)) Voxel {
  real density, emission;
};

constexpr real Opaque = 1e-4;

/// The voxels of \p volume around a point, weighted by its distance to them.
__device__ static Voxel sample(const Voxel *__restrict__ volume, int size,
                               real x, real y, real z) {
  int column = (int)x, row = (int)y, plane = (int)z;
  real fx = x - column, fy = y - row, fz = z - plane;
  Voxel sum = {0, 0};
  for (int corner = 0; corner < 8; ++corner) {
    int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    real weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
    Voxel v = volume[((plane + dz) * size + row + dy) * size + column + dx];
    sum.density += weight * v.density;
    sum.emission += weight * v.emission;
  }
  return sum;
}

/// \p volume: a cube of \p size voxels a side, which \p width by \p height rays
/// enter evenly spread over its front, all along (slantX, slantY, 1).
extern "C" __global__ void ray_march(const Voxel *__restrict__ volume,
                                     real *__restrict__ image, int size,
                                     real step, real slantX, real slantY,
                                     int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  int end = size - 1;
  real x = (column + real(0.5)) * end / width;
  real y = (row + real(0.5)) * end / height, z = 0;
  real light = 0, through = 1;
  while (x >= 0 && x < end && y >= 0 && y < end && z < end &&
         through > Opaque) {
    Voxel v = sample(volume, size, x, y, z);
    real passes = exp(-step * v.density);
    light += through * (1 - passes) * v.emission;
    through *= passes;
    x += step * slantX;
    y += step * slantY;
    z += step;
  }
  image[row * width + column] = light;
}
