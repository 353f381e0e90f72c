// The adjoint of primal.cu by the pole table, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: the approximated Faddeeva function is analytic, so its derivative is
// one complex number, and a lookup's reaction seeds fold the three residues
// into one complex weight R: the adjoint of a pole's place is
// conj(-doppler R w'(z)), those of the residues are seed * conj(w).
// What costs is the scattered addition of eight doubles a pole. Nested loops
// are flattened, so that every lane with work left has a pole in every step;
// then the warp passes its 32 x 8 results through shared memory, and eight
// lanes together add to the 64 contiguous bytes of a pole. Seeds are left as
// they are.

struct Complex {
  double re, im;
};

__device__ static Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
__device__ static Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
__device__ static Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ static Complex operator*(double a, Complex b) {
  return {a * b.re, a * b.im};
}
__device__ static Complex reciprocal(Complex a) {
  double scale = 1 / (a.re * a.re + a.im * a.im);
  return {a.re * scale, -a.im * scale};
}

struct alignas(16) Pole {
  Complex place, total, absorption, fission;
};
struct Range {
  int first, last;
};

__constant__ double numerator[7] = {122.607931777104326, 214.382388694706425,
                                    181.928533092181549, 93.155580458138441,
                                    30.180142196210589,  5.912626209773153,
                                    0.564189583562615};
__constant__ double denominator[8] = {122.607931773875350, 352.730625110963558,
                                      457.334478783897737, 348.703917719495792,
                                      170.354001821091472, 53.992906912940207,
                                      10.479857114260399,  1.0};

/// The primal's approximation of w, and its derivative by z.
__device__ static void faddeeva(Complex z, Complex &w, Complex &derivative) {
  if (z.re * z.re + z.im * z.im > 36.0) {
    Complex square = z * z;
    Complex near = reciprocal({square.re - 0.27525512860841095, square.im});
    Complex far = reciprocal({square.re - 2.7247448713915890, square.im});
    Complex a = 0.51242422475476846 * near, b = 0.051765358792987824 * far;
    Complex sum = a + b;
    // w = i z sum;  sum' = -2 z (a near + b far).
    w = Complex{-z.im, z.re} * sum;
    Complex inner = sum - 2.0 * (square * (a * near + b * far));
    derivative = {-inner.im, inner.re};
    return;
  }
  Complex s = {z.im, -z.re};
  Complex p = {numerator[6], 0}, q = {denominator[7], 0};
  Complex dp = {0, 0}, dq = {0, 0};
#pragma unroll
  for (int k = 5; k >= 0; --k) {
    dp = dp * s + p;
    p = p * s + Complex{numerator[k], 0};
  }
#pragma unroll
  for (int k = 6; k >= 0; --k) {
    dq = dq * s + q;
    q = q * s + Complex{denominator[k], 0};
  }
  Complex inverse = reciprocal(q);
  w = p * inverse;
  Complex byS = (dp - w * dq) * inverse;
  derivative = {byS.im, -byS.re}; // ds/dz = -i
}

constexpr int Warps = 4; // of a block

extern "C" __global__ void __launch_bounds__(32 * Warps) multipole_hand(
    const Pole *__restrict__ poles, const Range *__restrict__ windows,
    const double *__restrict__ energies, const int *__restrict__ materialOf,
    const int *__restrict__ materials, const int *__restrict__ nuclides,
    const double *__restrict__ densities, const double *__restrict__ dopplers,
    const double *__restrict__ d_sections, double *__restrict__ d_poles,
    int windowsPerNuclide, double rootLow, double windowsPerRoot, int lookups) {
  // A row a lane, one word longer than its eight values: no bank conflicts.
  __shared__ double rows[Warps][32][9];
  __shared__ int targets[Warps][32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

  double root = 0, perEnergy = 0, seedT = 0, seedA = 0, seedF = 0;
  int place = 0, component = 0, components = 0;
  if (i < lookups) {
    double energy = energies[i];
    root = sqrt(energy);
    perEnergy = 1.7724538509055161 / energy;
    place =
        min((int)((root - rootLow) * windowsPerRoot), windowsPerNuclide - 1);
    component = materials[materialOf[i]];
    components = materials[materialOf[i] + 1];
    seedT = d_sections[3 * i];
    seedA = d_sections[3 * i + 1];
    seedF = d_sections[3 * i + 2];
  }

  int p = 0, last = 0;
  double doppler = 0, weight = 0;
  while (true) {
    while (p == last && component < components) {
      Range window = windows[nuclides[component] * windowsPerNuclide + place];
      p = window.first;
      last = window.last;
      doppler = dopplers[component];
      weight = densities[component] * perEnergy * doppler;
      ++component;
    }
    bool busy = p != last;
    if (!__any_sync(0xffffffffu, busy))
      break;
    targets[warp][lane] = busy ? p : -1;
    if (busy) {
      Pole pole = poles[p++];
      Complex w, derivative;
      faddeeva({(root - pole.place.re) * doppler, -pole.place.im * doppler}, w,
               derivative);
      double t = seedT * weight, a = seedA * weight, f = seedF * weight;
      Complex residue =
          t * pole.total + (a * pole.absorption + f * pole.fission);
      Complex byPlace = -doppler * (residue * derivative);
      double *row = rows[warp][lane];
      row[0] = byPlace.re;
      row[1] = -byPlace.im;
      row[2] = t * w.re;
      row[3] = -t * w.im;
      row[4] = a * w.re;
      row[5] = -a * w.im;
      row[6] = f * w.re;
      row[7] = -f * w.im;
    }
    __syncwarp();
#pragma unroll
    for (int round = 0; round < 8; ++round) {
      int source = 4 * round + lane / 8, word = lane % 8;
      int target = targets[warp][source];
      if (target >= 0)
        atomicAdd(reinterpret_cast<double *>(d_poles) + 8 * target + word,
                  rows[warp][source][word]);
    }
    __syncwarp();
  }
}
