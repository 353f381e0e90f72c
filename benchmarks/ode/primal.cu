// The Lorenz system, a trajectory a thread, each with its number of steps.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit midpoint rule. Lorenz, "Deterministic nonperiodic flow", J. Atmos.
// Sci. 20 (1963).

struct State {
  double x, y, z;
};

__device__ static State slope(State s, double sigma, double rho, double beta) {
  return {sigma * (s.y - s.x), s.x * (rho - s.z) - s.y, s.x * s.y - beta * s.z};
}

/// \p states and \p parameters hold three arrays each, one after the other: x,
/// y, z of all trajectories; sigma, rho, beta of all trajectories.
extern "C" __global__ void ode(const double *__restrict__ states,
                               const double *__restrict__ parameters,
                               const int *__restrict__ steps,
                               double *__restrict__ finals, double h,
                               int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  State s = {states[i], states[count + i], states[2 * count + i]};
  double sigma = parameters[i], rho = parameters[count + i],
         beta = parameters[2 * count + i];
  for (int k = 0; k < steps[i]; ++k) {
    State a = slope(s, sigma, rho, beta);
    State middle = {s.x + 0.5 * h * a.x, s.y + 0.5 * h * a.y,
                    s.z + 0.5 * h * a.z};
    State b = slope(middle, sigma, rho, beta);
    s = {s.x + h * b.x, s.y + h * b.y, s.z + h * b.z};
  }
  finals[i] = s.x;
  finals[count + i] = s.y;
  finals[2 * count + i] = s.z;
}
