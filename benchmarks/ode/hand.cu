// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: no tape in global memory. Every eighth state is kept in a small
// local array; the reverse sweep replays a segment of eight steps from its
// checkpoint into registers, then runs back through it. A step's stages are
// recomputed from its first state. Lanes run back by the segments of the
// longest of the warp, so that they meet at the same local addresses. Seeds
// are left as they are.

struct State {
  double x, y, z;
};

constexpr int Segment = 8, MaxSegments = 128;

__device__ static State slope(State s, double sigma, double rho, double beta) {
  return {sigma * (s.y - s.x), s.x * (rho - s.z) - s.y, s.x * s.y - beta * s.z};
}
__device__ static State axpy(double h, State a, State s) {
  return {s.x + h * a.x, s.y + h * a.y, s.z + h * a.z};
}
__device__ static State step(State s, State p, double h) {
  State a = slope(s, p.x, p.y, p.z);
  return axpy(h, slope(axpy(0.5 * h, a, s), p.x, p.y, p.z), s);
}
/// Adds what \p g, the adjoint of a slope at \p s, passes to the parameters
/// \p dp; returns what it passes to the state.
__device__ static State back(State s, State p, State g, State &dp) {
  dp.x += g.x * (s.y - s.x);
  dp.y += g.y * s.x;
  dp.z -= g.z * s.z;
  return {-p.x * g.x + (p.y - s.z) * g.y + s.y * g.z,
          p.x * g.x - g.y + s.x * g.z, -s.x * g.y - p.z * g.z};
}

extern "C" __global__ void __launch_bounds__(128)
    ode_hand(const double *__restrict__ states,
             const double *__restrict__ parameters,
             const int *__restrict__ steps, const double *__restrict__ d_finals,
             double *__restrict__ d_states, double *__restrict__ d_parameters,
             double h, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  State s = {}, p = {}, g = {}, dp = {};
  int mine = 0;
  if (i < count) {
    s = {states[i], states[count + i], states[2 * count + i]};
    p = {parameters[i], parameters[count + i], parameters[2 * count + i]};
    g = {d_finals[i], d_finals[count + i], d_finals[2 * count + i]};
    mine = steps[i];
  }
  State checkpoints[MaxSegments], replay[Segment];
  int longest = __reduce_max_sync(0xffffffffu, mine);
  int segments = (longest + Segment - 1) / Segment;
  for (int c = 0; c < segments; ++c) {
    checkpoints[c] = s;
    for (int k = c * Segment; k < (c + 1) * Segment; ++k)
      if (k < mine)
        s = step(s, p, h);
  }
  for (int c = segments - 1; c >= 0; --c) {
    State r = checkpoints[c];
#pragma unroll
    for (int k = 0; k < Segment; ++k) {
      replay[k] = r;
      r = step(r, p, h);
    }
#pragma unroll
    for (int k = Segment - 1; k >= 0; --k) {
      if (c * Segment + k >= mine)
        continue;
      State first = replay[k];
      State middle = axpy(0.5 * h, slope(first, p.x, p.y, p.z), first);
      State gb = {h * g.x, h * g.y, h * g.z};
      State gMiddle = back(middle, p, gb, dp);
      State ga = {0.5 * h * gMiddle.x, 0.5 * h * gMiddle.y,
                  0.5 * h * gMiddle.z};
      State gFirst = back(first, p, ga, dp);
      g = {g.x + gMiddle.x + gFirst.x, g.y + gMiddle.y + gFirst.y,
           g.z + gMiddle.z + gFirst.z};
    }
  }
  if (i >= count)
    return;
  d_states[i] += g.x;
  d_states[count + i] += g.y;
  d_states[2 * count + i] += g.z;
  d_parameters[i] += dp.x;
  d_parameters[count + i] += dp.y;
  d_parameters[2 * count + i] += dp.z;
}
