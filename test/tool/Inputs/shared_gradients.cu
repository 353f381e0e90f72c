// Gradients with shared memory, asked for in a loop, under a condition, and one
// behind the other.
#include <kdiff/kdiff.h>

__device__ static void mirror(const double *x, double *y) {
  __shared__ double s[4];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  __syncthreads();
  y[t] = s[3 - t];
}

__device__ static void own(const double *x, double *y) {
  __shared__ double s[4];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  y[t] = s[t] * x[t];
}

__device__ static void gradient(const double *x, double *dx, double *y, double *dy) {
  dy[threadIdx.x] = threadIdx.x + 1;
  __kd_autodiff<void>(mirror, kd_dup, x, dx, kd_dup, y, dy);
}

__global__ void in_loop(const double *x, double *dx, double *y, double *dy, int n) {
  for (int k = 0; k < n; ++k) gradient(x, dx, y, dy);
}

__global__ void in_branch(const double *x, double *dx, double *y, double *dy) {
  if (blockIdx.x == 1) gradient(x, dx, y, dy);
}

__global__ void twice(const double *x, double *dx, double *y, double *dy) {
  gradient(x, dx, y, dy);
  dy[threadIdx.x] = 1;
  __kd_autodiff<void>(own, kd_dup, x, dx, kd_dup, y, dy);
}

#ifdef DIVERGENT
__global__ void divergent(const double *x, double *dx, double *y, double *dy) {
  if (threadIdx.x < 2)
    __kd_autodiff<void>(own, kd_dup, x, dx, kd_dup, y, dy);
}

__global__ void early(const double *x, double *y, int n) {
  if (threadIdx.x < n)
    mirror(x, y);
}
__global__ void early_in_loop(const double *x, double *dx, double *y, double *dy, int n) {
  for (int k = 0; k < n; ++k)
    __kd_autodiff<void>(early, kd_dup, x, dx, kd_dup, y, dy, kd_const, 2);
}
#endif
