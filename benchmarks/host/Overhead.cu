//===- Overhead.cu - What does a gradient's launch cost the host? ---------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how much longer does the host take to launch a
// gradient than to launch its kernel, and to replay a captured tape?
//
//   clang++ -x cuda -std=c++17 -O2 --cuda-gpu-arch=sm_90
//     --no-offload-new-driver -fpass-plugin=.../libKDiff.so Overhead.cu
//     -lcudart
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <kdiff/kdiff.h>
#include <vector>

__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
__global__ void step(double *x, double rate) {
  x[threadIdx.x] += rate * sin(x[threadIdx.x]);
}

/// Microseconds of the host for one call of \p Launch: the median of batches
/// that the device's queue has room for.
template <class F> static double microseconds(F Launch) {
  std::vector<double> Times;
  for (int Batch = 0; Batch != 101; ++Batch) {
    auto Start = std::chrono::steady_clock::now();
    for (int I = 0; I != 200; ++I)
      Launch();
    std::chrono::duration<double, std::micro> Took =
        std::chrono::steady_clock::now() - Start;
    Times.push_back(Took.count() / 200);
    cudaDeviceSynchronize();
  }
  std::nth_element(Times.begin(), Times.begin() + 50, Times.end());
  return Times[50];
}

/// A tape of 100 launches, captured and replayed: the worst difference of its
/// gradient from that by hand.
static double replay(cudaStream_t Stream) {
  std::vector<double> X(32), Seed(32, 1.0), Wanted(32), Is(32);
  for (int I = 0; I != 32; ++I) {
    double Y = X[I] = 0.1 * I, D = 1;
    for (int K = 0; K != 100; ++K) {
      D *= 1 + 0.01 * std::cos(Y);
      Y += 0.01 * std::sin(Y);
    }
    Wanted[I] = D;
  }
  double *At, *Shadow, Worst = 0;
  cudaMalloc(&At, 32 * sizeof(double));
  cudaMalloc(&Shadow, 32 * sizeof(double));
  kdiff::Tape Tape(Stream);
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal);
  for (int I = 0; I != 100; ++I)
    Tape.launch<step>(1, 32)(kdiff::dup(At, Shadow), 0.01);
  Tape.backward();
  cudaError_t Error = cudaStreamEndCapture(Stream, &Graph);
  if (Error == cudaSuccess)
    Error = cudaGraphInstantiate(&Exec, Graph, 0);
  if (Error != cudaSuccess) {
    std::printf("capture: %s\n", cudaGetErrorString(Error));
    return NAN;
  }
  for (int Replay = 0; Replay != 3; ++Replay) {
    cudaMemcpy(At, X.data(), 32 * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(Shadow, Seed.data(), 32 * sizeof(double),
               cudaMemcpyHostToDevice);
    auto Start = std::chrono::steady_clock::now();
    cudaGraphLaunch(Exec, Stream);
    cudaStreamSynchronize(Stream);
    std::chrono::duration<double, std::micro> Took =
        std::chrono::steady_clock::now() - Start;
    cudaMemcpy(Is.data(), Shadow, 32 * sizeof(double), cudaMemcpyDeviceToHost);
    for (int I = 0; I != 32; ++I)
      Worst = std::max(Worst, std::fabs(Is[I] / Wanted[I] - 1));
    std::printf("replay %d: %.0f us, worst error %.1e\n", Replay, Took.count(),
                Worst);
  }
  cudaGraphExecDestroy(Exec);
  cudaGraphDestroy(Graph);
  cudaFree(At);
  cudaFree(Shadow);
  return Worst;
}

int main() {
  cudaStream_t Stream;
  cudaStreamCreate(&Stream);
  double Worst = replay(Stream);
  float *X, *DX, *Y, *DY, *DA;
  for (float **P : {&X, &DX, &Y, &DY, &DA}) {
    cudaMalloc(P, 1024 * sizeof(float));
    cudaMemset(*P, 0, 1024 * sizeof(float));
  }
  auto Plain = [&] { saxpy<<<4, 256, 0, Stream>>>(2.0f, X, Y, 1024); };
  auto Gradient = [&] {
    kdiff::gradient<saxpy>(4, 256, 0, Stream)(
        kdiff::acc(2.0f, DA), kdiff::dup(X, DX), kdiff::dup(Y, DY), 1024);
  };
  Plain();
  Gradient();
  cudaDeviceSynchronize();
  double PlainTime = microseconds(Plain), GradientTime = microseconds(Gradient);
  std::printf("launch: plain %.2f us, gradient %.2f us, more by %.2f us\n",
              PlainTime, GradientTime, GradientTime - PlainTime);
  kdiff::Tape Tape(Stream);
  double TapeTime = microseconds([&] {
    Tape.launch<saxpy>(4, 256)(kdiff::acc(2.0f, DA), kdiff::dup(X, DX),
                               kdiff::dup(Y, DY), 1024);
    Tape.backward();
  });
  std::printf("tape: a launch and its reverse %.2f us\n", TapeTime);
  for (float *P : {X, DX, Y, DY, DA})
    cudaFree(P);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return !(Worst < 1e-12) || GradientTime - PlainTime > 2;
}
