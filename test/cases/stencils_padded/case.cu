#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// The neighbour's point is as far as the index says, and as a part of it says,
// which is another one there.
extern "C" __global__ void banks(const real *__restrict__ u, real *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = i + (i >> 2);
  out[i] = u[at] * u[at + 1] + u[at + 2] * u[at + 2];
}

extern "C" __global__ void pairs(const real *__restrict__ u, real *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = i + (i & 1);
  out[i] = u[at] * u[at + 1] + u[at + 2] * u[at + 2];
}
