// A double that is copied in halves, or as floats, has no adjoint there.
// RUN: not %clang_cuda_plugin -DK=ints -gline-tables-only -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INTS
// RUN: not %clang_cuda_plugin -DK=chars -gline-tables-only -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHARS
// RUN: not %clang_cuda_plugin -DK=tile -gline-tables-only -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %clang_cuda_plugin -DK=own -gline-tables-only -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not %clang_cuda_plugin -DK=narrow -gline-tables-only -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not %clang_cuda_plugin -DK=half -gline-tables-only -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: %clang_cuda_plugin -DK=carved -gline-tables-only -S %s -o /dev/null
#include <kdiff/kdiff.h>

__device__ void ints(double *x, double *y) {
  int t = threadIdx.x;
  // INTS: [[@LINE+1]]:{{.*}}an access as i32 to memory that is accessed as double elsewhere
  ((int *)y)[2 * t] = ((int *)x)[2 * t];
  ((int *)y)[2 * t + 1] = ((int *)x)[2 * t + 1];
  y[t + 16] *= x[t];
}
__device__ void chars(float *x, float *y) {
  char *a = (char *)x, *b = (char *)y;
  for (int i = 0; i < 4; i++)
    // CHARS: [[@LINE+1]]:{{.*}}an access as i8 to memory that is accessed as float elsewhere
    b[threadIdx.x * 4 + i] = a[threadIdx.x * 4 + i];
  y[threadIdx.x] *= x[threadIdx.x + 4];
}
__device__ void tile(double *x, double *y) {
  __shared__ __align__(16) double a[64];
  int t = threadIdx.x;
  for (int i = 0; i < 2; i++)
    // TILE: [[@LINE+1]]:{{.*}}an access as i32 to memory that is accessed as double elsewhere
    ((int4 *)a)[t * 2 + i] = ((const int4 *)(x + t * 4))[i];
  __syncthreads();
  y[t] = a[t] * a[(t + 1) & 3];
}
__device__ void own(double *x, double *y) {
  __align__(16) double a[4];
  int t = threadIdx.x;
  for (int i = 0; i < 2; i++)
    // OWN: [[@LINE+1]]:{{.*}}an access as i32 to memory that is accessed as double elsewhere
    ((int4 *)a)[i] = ((const int4 *)(x + t * 4))[i];
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += a[i] * a[(i + t) & 3];
  y[t] = s;
}
__device__ void narrow(double *x, double *y) {
  int t = threadIdx.x;
  // NARROW: [[@LINE+1]]:{{.*}}an access as float to memory that is accessed as double elsewhere
  ((float2 *)y)[t] = ((float2 *)x)[t];
  y[t + 16] *= x[t];
}
__device__ void half(double *x, double *y) {
  int t = threadIdx.x;
  y[t] = x[t + 4] * x[t];
  // HALF: a copy of a part of a floating-point number{{.*}}numbers.cu:[[@LINE+1]]:
  memcpy((char *)&y[t] + 4, (char *)&x[t] + 4, 4);
}

// Arrays of several types in one block of shared memory do not meet.
extern __shared__ char dynamic[];
__device__ void carved(double *x, double *y) {
  int *key = (int *)dynamic;
  float *f = (float *)(dynamic + 256);
  double *d = (double *)(dynamic + 512);
  int t = threadIdx.x;
  key[t] = (t * 7) & 63;
  f[t] = x[t];
  d[t] = x[t] * 2;
  __syncthreads();
  y[t] = f[key[t]] * d[key[key[t]]];
}

__global__ void request(void *x, void *dx, void *y, void *dy) {
  __kd_autodiff<void>(K, kd_dup, x, dx, kd_dup, y, dy);
}
