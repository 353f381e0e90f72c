#ifndef REAL
#define REAL float
#endif
typedef REAL real;

struct Term {
  int first, last;
};
struct alignas(4 * sizeof(real)) Pole {
  real place, width, strength, shift;
};

// Both loops differ from thread to thread: some threads have no term, some terms
// no pole. Each term has a number of its own beside those of its
// poles.
extern "C" __global__ void poles_of_terms(const int *__restrict__ lists,
                                          const Term *__restrict__ terms,
                                          const Pole *__restrict__ poles,
                                          const real *__restrict__ bases,
                                          const double *__restrict__ weights,
                                          const double *__restrict__ energies,
                                          real *__restrict__ sums, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  double energy = energies[i];
  real total = 0;
  for (int c = lists[i]; c < lists[i + 1]; ++c) {
    const Term term = terms[c];
    real t = bases[c];
    for (int p = term.first; p < term.last; ++p) {
      const Pole pole = poles[p];
      double z = (energy - pole.place) * pole.width;
      t += z * z > 4 ? real(pole.strength * z) : real(pole.strength / (1 + z * z)) + pole.shift;
    }
    total += real(weights[c]) * t;
  }
  sums[i] = total;
}
