// A hundred launches and their reverse, captured into a graph, give the same
// gradient at each replay; nothing waits, and nothing is allocated otherwise
// than in the stream.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t | FileCheck %s
#include <cmath>
#include <cstdio>
#include <kdiff/kdiff.h>

__global__ void step(double *x, double rate, int rounds) {
  double y = x[threadIdx.x];
  for (int i = 0; i < rounds; ++i)
    y += rate * sin(y);
  x[threadIdx.x] = y;
}

int main() {
  double x[32], dx[32], wanted[32];
  for (int i = 0; i != 32; ++i) {
    double y = x[i] = 0.1 * i, d = 1;
    for (int k = 0; k != 200; ++k) {
      d *= 1 + 0.01 * std::cos(y);
      y += 0.01 * std::sin(y);
    }
    wanted[i] = d;
    dx[i] = 1;
  }
  double *at, *shadow;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&at, sizeof x);
  cudaMalloc(&shadow, sizeof x);
  kdiff::Tape t(s);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  for (int i = 0; i != 100; ++i)
    t.launch<step>(1, 32)(kdiff::dup(at, shadow), 0.01, 2);
  t.backward();
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int replay = 0; replay != 2; ++replay) {
    double is[32], worst = 0;
    cudaMemcpy(at, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(shadow, dx, sizeof x, cudaMemcpyHostToDevice);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaMemcpy(is, shadow, sizeof is, cudaMemcpyDeviceToHost);
    for (int i = 0; i != 32; ++i)
      worst = std::fmax(worst, std::fabs(is[i] / wanted[i] - 1));
    std::printf("replay %d: %s\n", replay, worst < 1e-12 ? "right" : "WRONG");
  }
  // CHECK: replay 0: right
  // CHECK-NEXT: replay 1: right
  t.check();
  // CHECK-NEXT: no error
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
