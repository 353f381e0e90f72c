#ifndef REAL
#define REAL float
#endif
typedef REAL real;
// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void buckets(const real *x, const int *key, real *y, real *sums, real one) {
  int t = threadIdx.x, i = blockIdx.x * 128 + t, lane = t % 32, same;
  unsigned peers = __match_any_sync(~0u, key[i]);
  unsigned whole = __match_all_sync(~0u, t / 32, &same);
  real v = slow(x[i] * x[i], t / 32, one), sum = 0;
  for (unsigned rest = peers; rest; rest &= rest - 1) sum += __shfl_sync(peers, v, __ffs(rest) - 1);
  int keys = __reduce_add_sync(peers, key[i]), most = __reduce_max_sync(~0u, key[i]), least = __reduce_min_sync(~0u, key[i] + lane),
      mixed = __reduce_xor_sync(peers, lane), all = __reduce_and_sync(peers, lane | 16), any = __reduce_or_sync(peers, lane & 3);
  int factor = keys + most + least + mixed + all + any + (same ? __popc(whole) : 0);
  if (lane == __ffs(peers) - 1) atomicAdd(&sums[key[i]], sum * x[i]);
  if (__any_sync(peers, x[i] > real(0.9)) && !__all_sync(peers, x[i] > real(-0.5))) factor += 64;
  y[i] = sum * x[i] * factor / 64;
}
