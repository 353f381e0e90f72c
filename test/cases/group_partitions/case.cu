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

extern "C" __global__ void partitions(const real *x, real *y, real *total, real one) {
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  real v = slow(x[i] * x[i], t / 32, one);
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto thirds = cg::labeled_partition(warp, t % 3);
  real sum = cg::reduce(thirds, v, cg::plus<real>());
  auto signs = cg::binary_partition(warp, x[i] > 0);
  sum += 2 * cg::reduce(signs, x[i], cg::plus<real>());
  real whole = cg::reduce(warp, v, cg::plus<real>());
  real chosen = warp.shfl(whole * 3, 5);
  // By any lane: which one is left open.
  cg::invoke_one(warp, [&] { atomicAdd(total, chosen * whole); });
  y[i] = sum * v + (t % 32 == 0 ? chosen : real(0)) + signs.num_threads();
}
