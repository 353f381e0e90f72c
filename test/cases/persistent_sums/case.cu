#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void rows(const real *__restrict__ x,
                                const real *__restrict__ gamma,
                                const real *__restrict__ table,
                                real *__restrict__ y, real scale, int count) {
  __shared__ real tile[16][32];
  int row = blockIdx.x * 16 + threadIdx.y, lane = threadIdx.x;
  real own = 0;
  if (row < count)
    own = x[(row * 7 + lane) % 48];
  tile[threadIdx.y][lane] = own * table[1];
  __syncthreads();
  real next = tile[(threadIdx.y + 5) % 16][(lane + 1) % 32];
  if (row >= count)
    return;
  real value = own * gamma[lane] + next * next * table[2];
  if (row % 3 == 0)
    value += own * gamma[lane + 32] * table[0];
  atomicAdd(&y[row % 8], scale * value);
}

extern "C" __global__ void groups(const real *__restrict__ x,
                                  const real *__restrict__ gamma,
                                  const real *__restrict__ table,
                                  real *__restrict__ y) {
  int row = blockIdx.x * 16 + threadIdx.y, lane = threadIdx.x;
  atomicAdd(&y[row % 8], x[(row * 5 + lane) % 48] * table[blockIdx.x % 3] *
                             gamma[lane] / 32);
}
