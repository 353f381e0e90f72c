#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#ifndef REAL
#define REAL float
#endif
typedef REAL real;
namespace cg = cooperative_groups;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void positive(const real *x, real *y, real one) {
  int i = blockIdx.x * 128 + threadIdx.x;
  real v = slow(x[i], threadIdx.x / 32, one);
  if (v > 0) {
    auto active = cg::coalesced_threads();
    real sum = cg::reduce(active, v * v, cg::plus<real>());
    active.sync();
    y[i] = sum * v;
  } else {
    y[i] = -v;
  }
}
