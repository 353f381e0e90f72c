// Two tapes record steps in turn, each in its stream, and go backward in
// either order; gradients of two streams have a pool each.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t | FileCheck %s
#include <cstdio>
#include <kdiff/kdiff.h>

/// x^(2^rounds): keeps a tape.
__global__ void power(double *x, int rounds) {
  double y = x[threadIdx.x];
  for (int i = 0; i < rounds; ++i)
    y *= y;
  x[threadIdx.x] = y;
}

struct Lane {
  Lane(double value) {
    cudaStreamCreate(&stream);
    double host[64];
    for (int i = 0; i != 64; ++i)
      host[i] = i < 32 ? value : 1;
    cudaMalloc(&x, sizeof host);
    dx = x + 32;
    cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream);
  }
  void print(const char *what) {
    double host[64];
    cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%s: %g, %g\n", what, host[31], host[63]);
  }
  cudaStream_t stream;
  double *x, *dx;
};

int main() {
  {
    Lane a(2), b(3);
    kdiff::Tape ta(a.stream), tb(b.stream);
    ta.launch<power>(1, 32)(kdiff::dup(a.x, a.dx), 1);
    tb.launch<power>(1, 32)(kdiff::dup(b.x, b.dx), 2);
    ta.launch<power>(1, 32)(kdiff::dup(a.x, a.dx), 2);
    ta.backward();
    tb.backward();
    ta.check();
    tb.check();
    a.print("a"); // CHECK: a: 256, 1024
    b.print("b"); // CHECK-NEXT: b: 81, 108
  }
  {
    Lane a(2), b(3);
    kdiff::TapePool pa(1 << 20, 32, a.stream), pb(1 << 20, 32, b.stream);
    kdiff::gradient<power>(1, 32, 0, a.stream, &pa)(kdiff::dup(a.x, a.dx), 3);
    kdiff::gradient<power>(1, 32, 0, b.stream, &pb)(kdiff::dup(b.x, b.dx), 2);
    pa.check();
    pb.check();
    a.print("a"); // CHECK-NEXT: a: 256, 1024
    b.print("b"); // CHECK-NEXT: b: 81, 108
  }
  // CHECK-NEXT: no error
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
