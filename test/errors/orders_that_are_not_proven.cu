// What looks ordered between threads, or written by each thread alone, and is
// not: refused at the line that breaks it.
// RUN: not %clang_cuda_plugin -std=c++17 -O1 -gline-tables-only -ferror-limit=0 \
// RUN:   -I %include -S -emit-llvm -o %t.ll %s > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
#include <kdiff/kdiff.h>
#include <kdiff/rules.h>

#define GRADIENT(K)                                                            \
  __global__ void K##_grad(float *x, float *dx, float *y, float *dy, int *n) { \
    __kd_autodiff<void>(K, kd_dup, x, dx, kd_dup, y, dy, kd_const, n);         \
  }

// A maximum is read before all threads have met: its winner is not known yet.
__global__ void of_lanes(const float *x, float *y, int *) {
  __shared__ float m;
  int t = threadIdx.x;
  float v = x[t] * x[t];
  if (t == 0)
    m = 0;
  __syncwarp();
  // CHECK-DAG: cannot differentiate an atomic maximum or minimum {{.*}}orders_that_are_not_proven.cu:[[#@LINE+1]]:
  atomicMax((int *)&m, __float_as_int(v));
  __syncwarp();
  float r = m;
  __syncthreads();
  y[t] = r * v;
}
GRADIENT(of_lanes)

// Another lane reads it on a way of its own.
__global__ void of_others(const float *x, float *y, int *) {
  __shared__ float m;
  int t = threadIdx.x;
  float r = 0;
  if (t == 0)
    m = 0;
  __syncthreads();
  if (t % 2 == 0) {
    // CHECK-DAG: cannot differentiate an atomic maximum or minimum {{.*}}orders_that_are_not_proven.cu:[[#@LINE+1]]:
    atomicMax((int *)&m, __float_as_int(x[t] * x[t]));
    __syncwarp();
  } else {
    __syncwarp();
    r = m;
  }
  __syncthreads();
  y[t] = r + m;
}
GRADIENT(of_others)

// An atomic that orders is a fence and a flag in one.
__global__ void last_block(const float *x, float *y, int *count) {
  y[1 + blockIdx.x] = x[blockIdx.x] * x[blockIdx.x];
  // CHECK-DAG: orders_that_are_not_proven.cu:[[#@LINE+1]]:{{.*}}cannot differentiate an atomic operation by which differentiated values may pass
  int old = __scoped_atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL,
                                      __MEMORY_SCOPE_DEVICE);
  if (old == (int)gridDim.x - 1)
    y[0] = y[1] * y[2];
}
GRADIENT(last_block)

// A barrier of a warp does not stand between warps.
__global__ void last_warp(const float *x, float *y, int *) {
  __shared__ float s[3];
  __shared__ int count;
  int t = threadIdx.x, old = 0;
  if (t == 0)
    count = 0;
  __syncthreads();
  if (t % 32 == 0) {
    s[t / 32] = x[t] * x[t];
    // CHECK-DAG: cannot differentiate a memory fence by which differentiated values may pass {{.*}}orders_that_are_not_proven.cu:[[#@LINE+1]]:
    __threadfence_block();
    old = atomicAdd(&count, 1);
  }
  __syncwarp();
  old = __shfl_sync(~0u, old, 0);
  if (old == 2 && t % 32 == 0)
    y[0] = s[0] * s[1] * s[2];
}
GRADIENT(last_warp)

// Halves of numbers that are exchanged as integers, not joined again.
__global__ void halves(const double *x, double *y) {
  __shared__ double a[32], b[32];
  int t = threadIdx.x;
  a[t] = x[t] * x[t];
  __syncthreads();
  int low = ((int *)a)[2 * t], high = ((int *)a)[2 * t + 1];
  // CHECK-DAG: cannot differentiate {{.*}}orders_that_are_not_proven.cu:[[#@LINE+1]]:
  low = __shfl_xor_sync(~0u, low, 1);
  high = __shfl_xor_sync(~0u, high, 1);
  ((int *)b)[2 * t] = low;
  ((int *)b)[2 * t + 1] = high;
  __syncthreads();
  y[t] = b[t] * 3;
}
__global__ void halves_grad(double *x, double *dx, double *y, double *dy) {
  __kd_autodiff<void>(halves, kd_dup, x, dx, kd_dup, y, dy);
}

// An inactive function overwrites what has a derivative.
__device__ __noinline__ void clamp(float *p) { *p = *p > 0 ? 1 : -1; }
KDIFF_INACTIVE(clamp)
__global__ void clamped(const float *x, float *y, int *) {
  y[threadIdx.x] = 3 * x[threadIdx.x];
  // CHECK-DAG: orders_that_are_not_proven.cu:[[#@LINE+1]]:{{.*}}cannot differentiate an inactive function that may overwrite differentiated memory
  clamp(&y[threadIdx.x]);
}
GRADIENT(clamped)

// So does one whose body is not known, and one that writes a variable.
extern __device__ void report(float *p);
KDIFF_INACTIVE(report)
__global__ void reported(const float *x, float *y, int *) {
  y[threadIdx.x] = 3 * x[threadIdx.x];
  // CHECK-DAG: orders_that_are_not_proven.cu:[[#@LINE+1]]:{{.*}}cannot differentiate an inactive function that may overwrite differentiated memory
  report(&y[threadIdx.x]);
}
GRADIENT(reported)

__device__ float state[32], dstate[32];
KDIFF_SHADOW(state, dstate)
__device__ __noinline__ void reset() { state[threadIdx.x] = 1; }
KDIFF_INACTIVE(reset)
__global__ void restarted(const float *x, float *y, int *) {
  state[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  // CHECK-DAG: orders_that_are_not_proven.cu:[[#@LINE+1]]:{{.*}}cannot differentiate an inactive function that may overwrite differentiated memory
  reset();
  y[threadIdx.x] = state[threadIdx.x];
}
GRADIENT(restarted)

// Each block has a shared array of its own: it tells no threads of the grid
// apart.
__global__ void shared_witness(const float *x, float *y) {
  __shared__ float s[32];
  // CHECK-DAG: orders_that_are_not_proven.cu:[[#@LINE+1]]:{{.*}}argument '{{x?}}', marked kd_fresh, may be read here by several threads
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void shared_witness_grad(float *x, float *dx, float *y, float *dy) {
  __kd_autodiff<void>(shared_witness, kd_fresh, x, dx, kd_dup, y, dy);
}

// Nor does a row that each block has for itself.
__device__ void row(const float *x, float *y) {
  // CHECK-DAG: orders_that_are_not_proven.cu:[[#@LINE+1]]:{{.*}}argument '{{x?}}', marked kd_fresh, may be read here by several threads
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}
__global__ void row_grad(float *x, float *dx, float *y, float *dy) {
  int first = blockIdx.x * blockDim.x;
  __kd_autodiff<void>(row, kd_fresh, x, dx, kd_dup, y + first, dy + first);
}
