// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: no tape, and no march backwards. More absorption at a place hides the
// light from behind it, and that is all the ray's light less what has come
// from before: so a first march finds the whole, and a second one, again from
// front to back, has both parts of every voxel's adjoint at hand (Muller et
// al., "Instant neural graphics primitives", ACM Trans. Graph. 41 (2022), do
// the same). The eight corners' additions are atomic, since rays share voxels;
// a voxel's two words are added by one instruction in single precision. Seeds
// are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

struct alignas(2 * sizeof(real)) Voxel {
  real density, emission;
};

constexpr real Opaque = 1e-4;

/// Adds to \p to[0] and \p to[1].
__device__ static void addBoth(float *to, float first, float second) {
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(
                   __cvta_generic_to_global(to)),
               "f"(first), "f"(second)
               : "memory");
}
__device__ static void addBoth(double *to, double first, double second) {
  atomicAdd(to, first);
  atomicAdd(to + 1, second);
}

struct Point {
  real x, y, z;
};

/// Calls \p use with the place and the weight of each voxel around \p p.
template <class Use>
__device__ static void aroundPoint(Point p, int size, Use use) {
  int column = (int)p.x, row = (int)p.y, plane = (int)p.z;
  real fx = p.x - column, fy = p.y - row, fz = p.z - plane;
#pragma unroll
  for (int corner = 0; corner < 8; ++corner) {
    int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    use(((plane + dz) * size + row + dy) * size + column + dx,
        (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz));
  }
}

/// Calls \p use with each point of a ray, its voxel, and how much light comes
/// from there through what is before it and through the point itself.
template <class Use>
__device__ static void march(const Voxel *__restrict__ volume, int size,
                             Point p, Point stride, Use use) {
  int end = size - 1;
  real through = 1;
  while (p.x >= 0 && p.x < end && p.y >= 0 && p.y < end && p.z < end &&
         through > Opaque) {
    Voxel sum = {0, 0};
    aroundPoint(p, size, [&](int place, real weight) {
      Voxel v = volume[place];
      sum.density += weight * v.density;
      sum.emission += weight * v.emission;
    });
    real passes = exp(-stride.z * sum.density);
    use(p, sum, through, passes);
    through *= passes;
    p = {p.x + stride.x, p.y + stride.y, p.z + stride.z};
  }
}

extern "C" __global__ void ray_march_hand(const Voxel *__restrict__ volume,
                                          const real *__restrict__ d_image,
                                          Voxel *__restrict__ d_volume,
                                          int size, real step, real slantX,
                                          real slantY, int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  Point first = {(column + real(0.5)) * (size - 1) / width,
                 (row + real(0.5)) * (size - 1) / height, 0};
  Point stride = {step * slantX, step * slantY, step};
  real seed = d_image[row * width + column], behind = 0;
  march(volume, size, first, stride,
        [&](Point, Voxel v, real through, real passes) {
          behind += through * (1 - passes) * v.emission;
        });
  march(volume, size, first, stride,
        [&](Point p, Voxel v, real through, real passes) {
          real emitted = through * (1 - passes);
          behind -= emitted * v.emission;
          real byEmission = seed * emitted;
          real byDensity =
              seed * step * (through * passes * v.emission - behind);
          aroundPoint(p, size, [&](int place, real weight) {
            addBoth(&d_volume[place].density, weight * byDensity,
                    weight * byEmission);
          });
        });
}
