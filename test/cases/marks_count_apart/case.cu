#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Three arrays of n numbers, one after the other. With n = 0, all three stores
// of a thread go to one place.
extern "C" __global__ void planes(const real *x, real *y, int n, int first,
                                  int last) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= last)
    return;
  real v = x[i - first];
  y[i] = v * v;
  y[n + i] = sin(v);
  y[2 * n + i] = v * v * v;
}
