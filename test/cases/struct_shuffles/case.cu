#include <cooperative_groups.h>
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

struct Ray { real t, weight; int cell; };

extern "C" __global__ void pass(const real *x, real *y, real one) {
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  real v = slow(x[i], t / 32, one);
  Ray next = tile.shfl(Ray{v, v * v, t}, (t + 5) % 32);
  double2 far = tile.shfl_xor(double2{double(v), 2.0 * v * v}, 9);
  float3 low = tile.shfl_down(float3{float(v), float(v) * 3, 1.0f}, 2);
  y[i] = next.t * next.weight + next.cell + real(far.x * far.y) + real(low.x * low.y * low.z);
}
