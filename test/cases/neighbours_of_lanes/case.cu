#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Words that a thread reads on several ways, and that the lanes beside it read as
// well: in full warps and partial ones, in blocks whose rows are shorter than a
// warp, at borders, with a word in between that nobody reads, and from the other end.
extern "C" __global__ void around(const real *__restrict__ u, const real *__restrict__ k, real *__restrict__ next,
                                  int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  real sum = 0;
  if (x > 0)
    sum += (k[i] + k[i - 1]) * (u[i - 1] - u[i]);
  if (x < width - 1)
    sum += (k[i] + k[i + 1]) * (u[i + 1] - u[i]);
  if (y > 0)
    sum += k[i] * u[i - width] * u[i];
  if (x > 1 && x < width - 2)
    sum += u[i - 2] * u[i + 2];
  next[i] = sum;
}

extern "C" __global__ void turned(const real *__restrict__ v, real *__restrict__ w, int count) {
  int i = count - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 1)
    return;
  w[i] = v[i] * v[i - 1] + v[i - 1] * v[i + 1];
}
