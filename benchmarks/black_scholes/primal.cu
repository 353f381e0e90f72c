// A book of European options, priced by the Black-Scholes formula.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread prices one position: a call and a put on the same underlying,
// strike and maturity. The gradient of the book's value is its Greeks: delta
// (spot), dual delta (strike), rho (rate), vega (vol) and theta (years).

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

/// The standard normal distribution function.
__device__ static real cumulative(real d) {
  return real(0.5) * erfc(-d * real(0.70710678118654752));
}

extern "C" __global__ void
black_scholes(const real *__restrict__ spot, const real *__restrict__ strike,
              const real *__restrict__ rate, const real *__restrict__ vol,
              const real *__restrict__ years, real *__restrict__ call,
              real *__restrict__ put, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  real deviation = vol[i] * sqrt(years[i]);
  real drift = (rate[i] + real(0.5) * vol[i] * vol[i]) * years[i];
  real d1 = (log(spot[i] / strike[i]) + drift) / deviation;
  real d2 = d1 - deviation;
  real discounted = strike[i] * exp(-rate[i] * years[i]);
  call[i] = spot[i] * cumulative(d1) - discounted * cumulative(d2);
  put[i] = discounted * cumulative(-d2) - spot[i] * cumulative(-d1);
}
