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

template <int N> __device__ static real sum(cg::thread_block block, real v) {
  auto tile = cg::tiled_partition<N>(block);
  real r = cg::reduce(tile, v, cg::plus<real>());
  tile.sync();
  return r;
}
extern "C" __global__ void groups(const real *x, real *y, real one) {
  cg::thread_block block = cg::this_thread_block();
  int i = blockIdx.x * 128 + threadIdx.x;
  real v = slow(x[i] * x[i], threadIdx.x / 32, one);
  real r = sum<4>(block, v) + 2 * sum<8>(block, v) + 3 * sum<16>(block, v) + 4 * sum<32>(block, v);
  real scan = cg::inclusive_scan(cg::tiled_partition<16>(block), x[i], cg::plus<real>());
  real before = cg::exclusive_scan(cg::tiled_partition<8>(block), v * x[i], cg::plus<real>());
  y[i] = r * x[i] + scan * scan + before;
}
