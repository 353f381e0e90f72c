//===- host_tape.cu - The gradient of host code with launches -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a host function that launches several
// kernels, in place and not, get its gradient? It prints each derivative beside
// its value by hand; exit status 1 if one differs.
//
//   clang++ -x cuda -std=c++17 --cuda-gpu-arch=sm_90 --no-offload-new-driver
//     -fpass-plugin=.../libKDiff.so host_tape.cu -lcudart
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <kdiff/kdiff.h>
#include <vector>

__device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void square(double *x, int n) {
  if (int i = index(); i < n)
    x[i] = x[i] * x[i];
}
__global__ void sine(const double *x, double *y, int n) {
  if (int i = index(); i < n)
    y[i] = sin(x[i]);
}
__global__ void weigh(const double *w, const double *x, double *y, int n) {
  if (int i = index(); i < n)
    y[i] = y[i] * x[i] + w[0] * x[(i + 1) % n];
}
/// Newton's method for the root of y^2 = x, from 1.
__global__ void root(const double *x, double *y, int n, int rounds) {
  if (int i = index(); i < n) {
    double r = 1;
    for (int k = 0; k < rounds; ++k)
      r = 0.5 * (r + x[i] / r);
    y[i] = r;
  }
}

/// A number of doubles on the device, and their shadows.
class Buffer {
public:
  Buffer(std::vector<double> Values, std::vector<double> Shadows = {})
      : Count(Values.size()) {
    Shadows.resize(Count);
    cudaMalloc(&Data, 2 * Count * sizeof(double));
    cudaMemcpy(Data, Values.data(), Count * sizeof(double),
               cudaMemcpyHostToDevice);
    cudaMalloc(&Shadow, Count * sizeof(double));
    cudaMemcpy(Shadow, Shadows.data(), Count * sizeof(double),
               cudaMemcpyHostToDevice);
  }
  ~Buffer() {
    cudaFree(Data);
    cudaFree(Shadow);
  }
  Buffer(const Buffer &) = delete;
  operator kdiff::DupArgument<double *, double *>() const {
    return kdiff::dup(Data, Shadow);
  }
  auto dup() const { return kdiff::dup(Data, Shadow); }
  double *data() const { return Data; }
  void expect(const char *What, std::vector<double> Wanted,
              std::vector<double> WantedShadow) const {
    compare(What, "", Data, Wanted);
    compare(What, "'s shadow", Shadow, WantedShadow);
  }
  static int Failures;

private:
  void compare(const char *What, const char *Of, const double *At,
               const std::vector<double> &Wanted) const {
    std::vector<double> Is(Count);
    cudaMemcpy(Is.data(), At, Count * sizeof(double), cudaMemcpyDeviceToHost);
    for (size_t I = 0; I != Wanted.size(); ++I) {
      bool Right = std::fabs(Is[I] - Wanted[I]) <=
                   1e-12 * std::fmax(1, std::fabs(Wanted[I]));
      Failures += !Right;
      std::printf("%s%s[%zu] = %.15g, by hand %.15g%s\n", What, Of, I, Is[I],
                  Wanted[I], Right ? "" : "  WRONG");
    }
  }
  double *Data = nullptr, *Shadow = nullptr;
  size_t Count;
};
int Buffer::Failures = 0;

/// x^4, in place.
static void twice(cudaStream_t Stream) {
  Buffer X({2, 2}, {0, 1});
  kdiff::Tape Tape(Stream);
  for (int I = 0; I != 2; ++I)
    Tape.launch<square>(1, 32)(X.dup(), 2);
  Tape.backward();
  X.expect("x^4", {16, 16}, {0, 32});
}

/// sin(x^2) * sin(x^2)' ..., one kernel twice, with and without in-place
/// arrays.
static void different(cudaStream_t Stream) {
  Buffer X({0.5, 2}), Y({0, 0}), Z({0, 0}, {1, 10}), W({3});
  kdiff::Tape Tape(Stream);
  Tape.launch<square>(1, 32)(X.dup(), 2);        // x = x^2
  Tape.launch<sine>(1, 32)(X.dup(), Y.dup(), 2); // y = sin(x)
  Tape.launch<square>(1, 32)(X.dup(), 2);        // x = x^4
  Tape.copy(Z.dup(), Y.dup(), 2);                // z = y
  Tape.launch<weigh>(1, 32)(W.dup(), X.dup(), Z.dup(), 2);
  Tape.fill(Y.dup(), 0, 2);
  Tape.backward();
  // z0 = sin(a^2) a^4 + w b^4, z1 = sin(b^2) b^4 + w a^4; seeds 1 and 10.
  double A = 0.5, B = 2, W0 = 3;
  auto Own = [](double V) {
    double S = V * V;
    return std::cos(S) * 2 * V * S * S + std::sin(S) * 4 * V * S;
  };
  auto Other = [&](double V) { return W0 * 4 * V * V * V; };
  double A4 = A * A * A * A, B4 = B * B * B * B;
  X.expect("x", {A4, B4}, {Own(A) + 10 * Other(A), 10 * Own(B) + Other(B)});
  Z.expect("z",
           {std::sin(A * A) * A4 + W0 * B4, std::sin(B * B) * B4 + W0 * A4},
           {0, 0});
  Y.expect("y", {0, 0}, {0, 0});
  W.expect("w", {3}, {B4 + 10 * A4});
}

/// A loop whose length the kernel learns when it runs keeps a tape.
static void roots(cudaStream_t Stream) {
  std::vector<double> At, Fourth, Slope;
  for (int I = 0; I != 100; ++I) {
    At.push_back(1 + 0.1 * I);
    Fourth.push_back(std::pow(At[I], 0.25));
    Slope.push_back(0.25 * std::pow(At[I], -0.75));
  }
  Buffer X(At), Y(At), Z(At, std::vector<double>(100, 1.0));
  kdiff::Tape Tape(Stream);
  Tape.launch<root>(4, 32)(X.dup(), Y.dup(), 100, 30);
  Tape.launch<root>(4, 32)(Y.dup(), Z.dup(), 100, 30);
  Tape.backward();
  Tape.check();
  X.expect("x of roots", At, Slope);
  Z.expect("fourth root", Fourth, {});
}

int main() {
  cudaStream_t Stream;
  cudaStreamCreate(&Stream);
  twice(Stream);
  different(Stream);
  roots(Stream);
  if (cudaError_t Error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(Error));
    return 1;
  }
  std::printf("%d wrong\n", Buffer::Failures);
  return Buffer::Failures != 0;
}
