// Macroscopic cross sections from a multipole library, Doppler-broadened.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the manner of Monte-Carlo neutron transport codes: one thread answers one
// particle's lookup. It walks over the nuclides of the particle's material;
// each nuclide's window at that energy names a data-dependent range of complex
// poles, which are broadened by the Faddeeva function and summed.
// Hwang, "A rigorous pole representation of multilevel cross sections",
// Nucl. Sci. Eng. 96 (1987); Josey, Ducru, Forget, Smith, "Windowed multipole
// for cross section Doppler broadening", J. Comput. Phys. 307 (2016).

struct Complex {
  double re, im;
};

__device__ static Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
__device__ static Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ static Complex operator*(double a, Complex b) {
  return {a * b.re, a * b.im};
}
__device__ static Complex operator/(Complex a, Complex b) {
  double square = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / square,
          (a.im * b.re - a.re * b.im) / square};
}

/// A pole and its residues for the total, absorption and fission reactions.
struct alignas(16) Pole {
  Complex place, total, absorption, fission;
};
/// The poles [first, last) that matter in one window of one nuclide.
struct Range {
  int first, last;
};
/// What lies below the resonances in one window of one nuclide: for each
/// reaction, three coefficients of powers of sqrt(E).
struct Background {
  double coefficients[3][3];
};

// The rational approximation of the Faddeeva function by Hui, Armstrong and
// Wray, J. Quant. Spectrosc. Radiat. Transfer 19 (1978), order 6.
__constant__ double numerator[7] = {122.607931777104326, 214.382388694706425,
                                    181.928533092181549, 93.155580458138441,
                                    30.180142196210589,  5.912626209773153,
                                    0.564189583562615};
__constant__ double denominator[8] = {122.607931773875350, 352.730625110963558,
                                      457.334478783897737, 348.703917719495792,
                                      170.354001821091472, 53.992906912940207,
                                      10.479857114260399,  1.0};

/// w(z) = exp(-z^2) erfc(-iz) in the upper half plane.
__device__ static Complex faddeeva(Complex z) {
  if (z.re * z.re + z.im * z.im > 36.0) {
    // Far from the origin: Gauss-Hermite quadrature with four nodes.
    Complex square = z * z;
    Complex near = {square.re - 0.27525512860841095, square.im};
    Complex far = {square.re - 2.7247448713915890, square.im};
    Complex a = {0.51242422475476846, 0}, b = {0.051765358792987824, 0};
    Complex rotated = {-z.im, z.re};
    return rotated * (a / near + b / far);
  }
  Complex s = {z.im, -z.re};
  Complex p = {numerator[6], 0}, q = {denominator[7], 0};
  for (int k = 5; k >= 0; --k)
    p = p * s + Complex{numerator[k], 0};
  for (int k = 6; k >= 0; --k)
    q = q * s + Complex{denominator[k], 0};
  return p / q;
}

/// \p poles, \p windows and \p backgrounds hold all nuclides one after the
/// other, windowsPerNuclide windows each; material m consists of the components
/// [materials[m], materials[m + 1]): a nuclide, its density and its Doppler
/// width. \p sections receives the total, absorption and fission section.
extern "C" __global__ void multipole(
    const Pole *__restrict__ poles, const Range *__restrict__ windows,
    const Background *__restrict__ backgrounds,
    const double *__restrict__ energies, const int *__restrict__ materialOf,
    const int *__restrict__ materials, const int *__restrict__ nuclides,
    const double *__restrict__ densities, const double *__restrict__ dopplers,
    double *__restrict__ sections, int windowsPerNuclide, double rootLow,
    double windowsPerRoot, int lookups) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lookups)
    return;
  double energy = energies[i], root = sqrt(energy);
  int place = (int)((root - rootLow) * windowsPerRoot);
  if (place >= windowsPerNuclide)
    place = windowsPerNuclide - 1;
  int material = materialOf[i];
  double total = 0, absorption = 0, fission = 0;
  for (int c = materials[material]; c < materials[material + 1]; ++c) {
    int w = nuclides[c] * windowsPerNuclide + place;
    const Range window = windows[w];
    const Background &below = backgrounds[w];
    double doppler = dopplers[c], density = densities[c];
    double t = 0, a = 0, f = 0, power = 1;
    for (int k = 0; k < 3; ++k) {
      t += below.coefficients[0][k] * power;
      a += below.coefficients[1][k] * power;
      f += below.coefficients[2][k] * power;
      power *= root;
    }
    double scale = 1.7724538509055161 * doppler / energy;
    for (int p = window.first; p < window.last; ++p) {
      Pole pole = poles[p];
      Complex z = {(root - pole.place.re) * doppler, -pole.place.im * doppler};
      Complex broad = scale * faddeeva(z);
      t += (pole.total * broad).re;
      a += (pole.absorption * broad).re;
      f += (pole.fission * broad).re;
    }
    total += density * t;
    absorption += density * a;
    fission += density * f;
  }
  sections[3 * i] = total;
  sections[3 * i + 1] = absorption;
  sections[3 * i + 2] = fission;
}
