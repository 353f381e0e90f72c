#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
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

extern "C" __global__ void extremes(const real *x, real *y, real one) {
  int i = blockIdx.x * 128 + threadIdx.x;
  real v = slow(x[i], threadIdx.x / 32, one);
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  real least = cg::reduce(tile, v, cg::less<real>()), most = cg::reduce(tile, v * x[i], cg::greater<real>());
  real low = cg::inclusive_scan(tile, v, cg::less<real>()), high = cg::inclusive_scan(tile, 2 * v, cg::greater<real>());
  y[i] = least * v + most * most + low * high;
}
