#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
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

extern "C" __global__ void lanes(const real *x, real *y, real one) {
  int i = blockIdx.x * 128 + threadIdx.x;
  real v = slow(x[i], threadIdx.x / 32, one);
  if (v > real(-0.3)) {
    auto group = cg::coalesced_threads();
    real first = group.shfl(v, 0), next = group.shfl_down(v, 1), before = group.shfl_up(v, 2);
    real sum = cg::inclusive_scan(group, v * v), others = cg::exclusive_scan(group, v);
    y[i] = first * next + before * v + sum * v + others * others + group.thread_rank();
  } else {
    y[i] = v * v;
  }
}
