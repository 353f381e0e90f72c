// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: a body's adjoint is gathered, not scattered. What body k receives as
// the attracted one and as the attracting one of a pair has the same kernel,
// so with d = x_j - x_k, A = the adjoint of the acceleration, and
//   w = m_k A_j - m_j A_k
//   x_k gets the sum over j of  w / r^3 - 3 (w . d) d / r^5
//   m_k gets the sum over j of    - (A_j . d) / r^3
// One pass, one reciprocal root a pair, no atomics: the cost of a primal step.
// Blocks pass the bodies by tiles through shared memory, as in Nyland, Harris,
// Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3, chapter 31.
// The seeds are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

struct alignas(4 * sizeof(real)) Body {
  real x, y, z, mass;
};
struct alignas(4 * sizeof(real)) Velocity {
  real x, y, z, unused;
};

constexpr int Tile = 256;

/// The adjoint of the velocity after the kick: its own seed, and what the
/// drift passes on.
__device__ static Velocity kicked(const Body &seedBody,
                                  const Velocity &seedVelocity, real step) {
  return {seedVelocity.x + step * seedBody.x,
          seedVelocity.y + step * seedBody.y,
          seedVelocity.z + step * seedBody.z, 0};
}

extern "C" __global__ void __launch_bounds__(Tile)
    nbody_hand(const Body *__restrict__ bodies,
               const Body *__restrict__ d_bodiesOut,
               const Velocity *__restrict__ d_velocitiesOut,
               Body *__restrict__ d_bodies, Velocity *__restrict__ d_velocities,
               real step, real softening, int count) {
  __shared__ Body tileBody[Tile];
  __shared__ Velocity tileAdjoint[Tile];
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  bool inside = k < count;
  Body self = {}, seed = {};
  Velocity adjoint = {}, velocity = {};
  if (inside) {
    self = bodies[k];
    seed = d_bodiesOut[k];
    velocity = kicked(seed, d_velocitiesOut[k], step);
    adjoint = {step * velocity.x, step * velocity.y, step * velocity.z, 0};
  }
  real sx = 0, sy = 0, sz = 0, sm = 0;
  for (int first = 0; first < count; first += Tile) {
    int j = first + threadIdx.x;
    Body other = {};
    Velocity a = {};
    if (j < count) {
      other = bodies[j];
      a = kicked(d_bodiesOut[j], d_velocitiesOut[j], step);
      a = {step * a.x, step * a.y, step * a.z, 0};
    }
    __syncthreads();
    tileBody[threadIdx.x] = other;
    tileAdjoint[threadIdx.x] = a;
    __syncthreads();
    // Bodies beyond the end have no mass and no adjoint: they add zero.
#pragma unroll 8
    for (int t = 0; t < Tile; ++t) {
      Body b = tileBody[t];
      Velocity ab = tileAdjoint[t];
      real dx = b.x - self.x, dy = b.y - self.y, dz = b.z - self.z;
      real inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
      real square = inverse * inverse, cube = square * inverse;
      real wx = self.mass * ab.x - b.mass * adjoint.x;
      real wy = self.mass * ab.y - b.mass * adjoint.y;
      real wz = self.mass * ab.z - b.mass * adjoint.z;
      real along = -3 * square * (wx * dx + wy * dy + wz * dz);
      sx += cube * (wx + along * dx);
      sy += cube * (wy + along * dy);
      sz += cube * (wz + along * dz);
      sm -= cube * (ab.x * dx + ab.y * dy + ab.z * dz);
    }
  }
  if (!inside)
    return;
  Body d = d_bodies[k];
  d_bodies[k] = {d.x + seed.x + sx, d.y + seed.y + sy, d.z + seed.z + sz,
                 d.mass + seed.mass + sm};
  Velocity dv = d_velocities[k], last = d_velocitiesOut[k];
  d_velocities[k] = {dv.x + velocity.x, dv.y + velocity.y, dv.z + velocity.z,
                     dv.unused + last.unused};
}
