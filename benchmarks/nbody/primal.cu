// One step of the all-pairs gravitational n-body problem.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread moves one body: it sums the softened attraction of all bodies,
// kicks the velocity, then drifts the position (semi-implicit Euler). The
// gradient is that of any function of the new state by the old positions,
// masses and velocities.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

/// A body's position and mass: one 16-byte access in single precision.
struct alignas(4 * sizeof(real)) Body {
  real x, y, z, mass;
};
struct alignas(4 * sizeof(real)) Velocity {
  real x, y, z, unused;
};

extern "C" __global__ void nbody(const Body *__restrict__ bodies,
                                 const Velocity *__restrict__ velocities,
                                 Body *__restrict__ bodiesOut,
                                 Velocity *__restrict__ velocitiesOut,
                                 real step, real softening, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Body self = bodies[i];
  real ax = 0, ay = 0, az = 0;
  for (int j = 0; j < count; ++j) {
    Body other = bodies[j];
    real dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
    real inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
    real pull = other.mass * inverse * inverse * inverse;
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }
  Velocity v = velocities[i];
  v.x += step * ax;
  v.y += step * ay;
  v.z += step * az;
  velocitiesOut[i] = v;
  self.x += step * v.x;
  self.y += step * v.y;
  self.z += step * v.z;
  bodiesOut[i] = self;
}
