#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Points that threads have for their own, and neighbours that they read: with a
// halo that nobody has for his own, at borders, behind a count that is stored, in
// blocks that do not divide the points, where a launch has fewer threads than
// there are points, and where the neighbour's point is not where it seems to be.

extern "C" __global__ void halo(const real *__restrict__ u, const real *__restrict__ k, real *__restrict__ next,
                                int count) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  next[i] = u[i] * u[i + 2] + k[i + 1] * u[i + 1] * u[i + 1] + u[i + 3] * k[i];
}

extern "C" __global__ void plane(const real *__restrict__ u, const int *__restrict__ kind, real *__restrict__ next,
                                 int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int i = y * width + x;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    next[i] = 2 * u[i] * u[i];
    return;
  }
  real sum = u[i - 1] * u[i + 1] - u[i - width] * u[i + width];
  if (kind[i] > 0)
    sum += u[i + width + 1] * u[i - width - 1] * u[i];
  else if (kind[i] < 0)
    sum *= u[i + width - 1];
  next[i] = sum;
}

extern "C" __global__ void box(const real *__restrict__ u, const real *__restrict__ k, real *__restrict__ next,
                               int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= width || y >= height || z >= depth)
    return;
  int i = (z * height + y) * width + x, slice = width * height;
  real sum = 0;
  if (x > 0)
    sum += (k[i] + k[i - 1]) * (u[i - 1] - u[i]);
  if (x + 1 < width)
    sum += (k[i] + k[i + 1]) * (u[i + 1] - u[i]);
  if (y > 0)
    sum += k[i] * k[i - width] * u[i - width];
  if (z + 1 < depth)
    sum += (k[i] + k[i + slice]) * (u[i + slice] - u[i]);
  if (z > 1)
    sum += u[i - 2 * slice] * u[i];
  next[i] = sum;
}

// Rows of all slices one after the other.
extern "C" __global__ void rows(const real *__restrict__ u, const real *__restrict__ k, real *__restrict__ next,
                                int width, int height, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  int y = row % height, z = row / height;
  if (x >= width || z >= depth)
    return;
  int i = row * width + x, slice = width * height;
  real sum = u[i];
  if (y > 0)
    sum += (k[i] + k[i - width]) * (u[i - width] - u[i]);
  if (y < height - 1)
    sum += (k[i] + k[i + width]) * (u[i + width] - u[i]);
  if (y > 1)
    sum += k[i] * u[i - 2 * width] * u[i];
  if (z > 0)
    sum += (k[i] + k[i - slice]) * (u[i - slice] - u[i]);
  if (z < depth - 1)
    sum += (k[i] + k[i + slice]) * (u[i + slice] - u[i]);
  next[i] = sum;
}

// A neighbour's own point is two further in half of the places only.
extern "C" __global__ void skewed(const real *__restrict__ u, real *__restrict__ next, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i > count)
    return;
  int at = 2 * i + (i >> 1 & 1);
  next[i] = u[at - 2] * u[at] + u[at + 2] * u[at];
}

// Several threads have a point for their own.
extern "C" __global__ void layers(const real *__restrict__ u, real *__restrict__ next, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, layer = threadIdx.y;
  if (i >= count)
    return;
  real around = 0;
  if (i > 0)
    around += u[i - 1];
  if (i < count - 1)
    around -= u[i + 1] * u[i];
  next[layer * count + i] = around * (layer + 1);
}
