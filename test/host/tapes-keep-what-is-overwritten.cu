// Of what steps read, a tape copies what a later step overwrites and the
// gradient needs, and nothing else; backward() gives it back.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t | FileCheck %s
#include <cstdio>
#include <kdiff/kdiff.h>

__global__ void square(double *x) { x[threadIdx.x] *= x[threadIdx.x]; }
__global__ void product(const double *a, const double *x, double *y) {
  y[threadIdx.x] = a[threadIdx.x] * x[threadIdx.x];
}
__global__ void sum(const double *x, double *y) {
  y[threadIdx.x] += x[threadIdx.x];
}
/// Slots are drawn from a counter: another run may draw others.
__global__ void scatter(const double *x, double *y, int *next) {
  int slot = atomicAdd(next, 1);
  y[slot] = x[threadIdx.x] * x[threadIdx.x];
}

static double *make(double value) {
  double host[32], *device;
  for (double &h : host)
    h = value;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  return device;
}
static void print(const char *what, const double *device) {
  double host[32];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  bool same = true;
  for (double h : host)
    same = same && h == host[0];
  std::printf("%s: %g%s\n", what, host[0], same ? "" : " and others");
}

int main() {
  double *x = make(2), *dx = make(0), *y = make(0), *dy = make(1),
         *a = make(3), *da = make(0);
  {
    kdiff::Tape t;
    t.launch<sum>(1, 32)(kdiff::dup(x, dx), kdiff::dup(y, dy));
    t.launch<square>(1, 32)(kdiff::dup(y, dy));
    // The sum needs nothing; the square needs what it overwrites.
    std::printf("square: %zu\n", t.keptBytes()); // CHECK: square: 256
    t.launch<square>(1, 32)(kdiff::dup(x, dx));
    // CHECK-NEXT: square of x: 512
    std::printf("square of x: %zu\n", t.keptBytes());
    // No gradient for a: x is not needed, and is not written either.
    t.launch<product>(1, 32)(a, kdiff::dup(x, dx), kdiff::dup(y, dy));
    std::printf("product: %zu\n", t.keptBytes()); // CHECK-NEXT: product: 512
    t.launch<square>(1, 32)(kdiff::dup(y, dy));
    t.launch<square>(1, 32)(kdiff::dup(a, da));
    // CHECK-NEXT: a was needed: 1024
    std::printf("a was needed: %zu\n", t.keptBytes());
    t.backward();
    std::printf("end: %zu\n", t.keptBytes()); // CHECK-NEXT: end: 0
  }
  print("x", x);   // CHECK-NEXT: x: 4
  print("y", y);   // CHECK-NEXT: y: 144
  print("a", a);   // CHECK-NEXT: a: 9
  print("dy", dy); // CHECK-NEXT: dy: 0
  // y = (3 x^2)^2: 36 x^3.
  print("dx", dx); // CHECK-NEXT: dx: 288

  // Deterministic or not, the gradient is that of what has run.
  int *next;
  cudaMalloc(&next, sizeof(int));
  cudaMemset(next, 0, sizeof(int));
  double *z = make(3), *dz = make(0), *w = make(0), *dw = make(1);
  kdiff::Tape t;
  t.launch<scatter>(1, 32)(kdiff::dup(z, dz), kdiff::dup(w, dw), next);
  t.launch<square>(1, 32)(kdiff::dup(z, dz));
  t.backward();
  t.check();
  print("dz", dz); // CHECK-NEXT: dz: 6
  int drawn;
  cudaMemcpy(&drawn, next, sizeof drawn, cudaMemcpyDeviceToHost);
  std::printf("drawn: %d\n", drawn); // CHECK-NEXT: drawn: 32
}
