#include <kdiff/kdiff.h>

__device__ double rounded(double x) { return floor(x); }
__device__ double straight(double x) { return x; }
KDIFF_REPLACE(rounded, straight)

extern "C" __global__ void f(const double *x, double *y) { y[threadIdx.x] = rounded(x[threadIdx.x]); }
