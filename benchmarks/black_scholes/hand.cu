// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: the Greeks have closed forms in which most of the chain rule cancels:
// spot * density(d1) == discounted * density(d2), so no derivative passes
// through d1 and d2. One thread a position, everything in registers, one read
// of each input and seed, one read-add-write of each shadow. Seeds are left
// as they are.
// Formulas: Hull, "Options, Futures, and Other Derivatives", the chapter on
// the Greek letters; theta here is by years to maturity, so of opposite sign.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void black_scholes_hand(
    const real *__restrict__ spot, const real *__restrict__ strike,
    const real *__restrict__ rate, const real *__restrict__ vol,
    const real *__restrict__ years, const real *__restrict__ d_call,
    const real *__restrict__ d_put, real *__restrict__ d_spot,
    real *__restrict__ d_strike, real *__restrict__ d_rate,
    real *__restrict__ d_vol, real *__restrict__ d_years, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  real s = spot[i], k = strike[i], r = rate[i], v = vol[i], t = years[i];
  real seedCall = d_call[i], seedPut = d_put[i];

  real root = sqrt(t), deviation = v * root;
  real d1 = (log(s / k) + (r + real(0.5) * v * v) * t) / deviation;
  real d2 = d1 - deviation;
  real discount = exp(-r * t);
  // The call's and the put's Greeks differ by those of a forward.
  const real rootHalf = real(0.70710678118654752);
  real n1 = real(0.5) * erfc(-d1 * rootHalf);
  real n2 = real(0.5) * erfc(-d2 * rootHalf);
  real density = real(0.39894228040143268) * exp(real(-0.5) * d1 * d1);

  // The weights of spot * (...) and of the discounted strike.
  real both = seedCall + seedPut;
  real bySpot = both * n1 - seedPut;
  real byDiscounted = seedPut - both * n2;
  real vega = both * s * density * root;
  real strikePart = byDiscounted * discount;

  d_spot[i] += bySpot;
  d_strike[i] += strikePart;
  d_rate[i] -= strikePart * k * t;
  d_vol[i] += vega;
  d_years[i] += vega * v / (2 * t) - strikePart * k * r;
}
