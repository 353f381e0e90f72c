#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
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

extern "C" __global__ void copies(const real *x, real *y, real one) {
  __shared__ alignas(16) real whole[128], tiles[128], own[128];
  cg::thread_block block = cg::this_thread_block();
  int t = threadIdx.x, first = blockIdx.x * 128, warp = t / 32;
  cg::memcpy_async(block, whole, x + first, sizeof(whole));
  auto tile = cg::tiled_partition<32>(block);
  cg::memcpy_async(tile, tiles + warp * 32, x + first + warp * 32, 32 * sizeof(real));
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&own[t], &x[first + 127 - t], sizeof(real), pipeline);
  pipeline.producer_commit();
  cg::wait(tile);
  real v = slow(tiles[warp * 32 + 31 - t % 32], warp, one);
  cg::wait(block);
  v *= whole[(t + 45) % 128];
  pipeline.consumer_wait();
  block.sync();
  y[first + t] = v * slow(own[t ^ 64], 3 - warp, one);
  pipeline.consumer_release();
}
