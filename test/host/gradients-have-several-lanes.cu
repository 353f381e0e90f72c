// Several shadows each: several gradients or tangents of one launch, which has
// dynamic shared memory for all of them.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 KDIFF_SEED=2 %t | FileCheck %s
#include <cstdio>
#include <kdiff/kdiff.h>

struct Weights {
  double a;
  int n;
  double b;
};

/// y[i] = (a x[31-i] + b) s x[i] for each block of 33 (one value is left as it
/// is, and the shadows of 33 doubles begin at no multiple of 16 bytes).
__global__ void mix(const double *x, double *y, double s, Weights w) {
  extern __shared__ double tile[];
  int t = threadIdx.x, i = blockIdx.x * w.n + t;
  tile[t] = x[i];
  __syncthreads();
  if (t < w.n - 1)
    y[i] = (w.a * tile[w.n - 2 - t] + w.b) * s * tile[t];
}

constexpr int N = 33, Blocks = 2, Count = N * Blocks;

template <class T> static T *make(T value, int count) {
  T host[Count], *device;
  for (T &h : host)
    h = value;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
static void print(const char *what, const double *device, int count = N - 1) {
  double host[N];
  cudaMemcpy(host, device, count * sizeof(double), cudaMemcpyDeviceToHost);
  bool same = true;
  for (int i = 0; i != count; ++i)
    same = same && host[i] == host[0];
  std::printf("%s: %g%s\n", what, host[0], same ? "" : " and others");
}

int main() {
  Weights w = {3, N, 1};
  double *x = make(2.0, Count), *y = make(0.0, Count);
  // Reverse: dy = 1, 10 and 100 times ds/dx and so on.
  double *dx[3], *dy[3], *ds[3];
  Weights *dw[3];
  double seed = 1;
  for (int k = 0; k != 3; ++k, seed *= 10) {
    dx[k] = make(0.0, Count);
    dy[k] = make(seed, Count);
    ds[k] = make(0.0, 1);
    dw[k] = make(Weights{}, 1);
  }
  kdiff::gradient<mix>(Blocks, N, N * sizeof(double))(
      kdiff::dup(x, dx[0], dx[1], dx[2]), kdiff::noneed(y, dy[0], dy[1], dy[2]),
      kdiff::acc(0.5, ds[0], ds[1], ds[2]), kdiff::dup(w, dw[0], dw[1], dw[2]));
  // d/dx[i]: s (a x[j] + b) + s a x[j] with j = 31 - i.
  // CHECK: dx0: 6.5
  // CHECK-NEXT: dx1: 65
  // CHECK-NEXT: dx2: 650
  print("dx0", dx[0]);
  print("dx1", dx[1]);
  print("dx2", dx[2]);
  // 64 times (a x + b) x.
  // CHECK-NEXT: ds0: 896
  // CHECK-NEXT: ds2: 89600
  print("ds0", ds[0], 1);
  print("ds2", ds[2], 1);
  // 64 times s x x, and s x.
  // CHECK-NEXT: da1: 1280
  // CHECK-NEXT: db1: 640
  print("da1", &dw[1]->a, 1);
  print("db1", &dw[1]->b, 1);

  // Forward: one lane moves x, the other s.
  double *tx[2] = {make(1.0, Count), make(0.0, Count)};
  double *ty[2] = {make(0.0, Count), make(0.0, Count)};
  kdiff::tangent<mix>(Blocks, N, N * sizeof(double))(
      kdiff::dup(x, tx[0], tx[1]), kdiff::dup(y, ty[0], ty[1]),
      kdiff::dup(0.5, 0.0, 1.0), w);
  // CHECK-NEXT: y: 7
  // CHECK-NEXT: ty0: 6.5
  // CHECK-NEXT: ty1: 14
  print("y", y);
  print("ty0", ty[0]);
  print("ty1", ty[1]);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  // CHECK-NEXT: no error
}
