//===- host_gradient.cu - Gradients launched from host code ---------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a host program with gradients look
// like? It prints each derivative beside its value by hand; exit status 1 if
// one differs.
//
//   clang++ -x cuda -std=c++17 --cuda-gpu-arch=sm_90 --no-offload-new-driver
//     -fpass-plugin=.../libKDiff.so host_gradient.cu -lcudart
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <kdiff/gradient.h>
#include <vector>

__global__ void add(const double *a, const double *b, double *c) {
  c[0] = a[0] + b[0];
}

__global__ void squareInPlace(double *a) { a[0] *= a[0]; }

__global__ void squareAll(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * x[i];
}

template <class T> __global__ void scale(const T *x, T *y, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = factor * sin(x[i]);
}

/// A number of doubles on the device.
class Buffer {
public:
  Buffer(std::vector<double> Values) : Count(Values.size()) {
    cudaMalloc(&Data, Count * sizeof(double));
    cudaMemcpy(Data, Values.data(), Count * sizeof(double),
               cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(Data); }
  Buffer(const Buffer &) = delete;
  double *at() const { return Data; }
  std::vector<double> read() const {
    std::vector<double> Values(Count);
    cudaMemcpy(Values.data(), Data, Count * sizeof(double),
               cudaMemcpyDeviceToHost);
    return Values;
  }

private:
  double *Data = nullptr;
  size_t Count;
};

static int Failures = 0;

static void expect(const char *What, const Buffer &Is,
                   std::vector<double> Wanted) {
  std::vector<double> Values = Is.read();
  for (size_t I = 0; I != Values.size(); ++I) {
    bool Right = std::fabs(Values[I] - Wanted[I]) < 1e-12;
    Failures += !Right;
    std::printf("%s[%zu] = %.15g, by hand %.15g%s\n", What, I, Values[I],
                Wanted[I], Right ? "" : "  WRONG");
  }
}

int main() {
  {
    Buffer A({3}), DA({0}), B({4}), DB({0}), C({0}), DC({1});
    kdiff::gradient<add>(1, 1)(kdiff::dup(A.at(), DA.at()),
                               kdiff::dup(B.at(), DB.at()),
                               kdiff::dup(C.at(), DC.at()));
    expect("add: da", DA, {1});
    expect("add: db", DB, {1});
    expect("add: c", C, {7});
  }
  { // Both tangents at once.
    Buffer A({3}), A0({1}), A1({0}), B({4}), B0({0}), B1({1});
    Buffer C({0}), C0({0}), C1({0});
    kdiff::tangent<add>(1, 1)(kdiff::dup(A.at(), A0.at(), A1.at()),
                              kdiff::dup(B.at(), B0.at(), B1.at()),
                              kdiff::dup(C.at(), C0.at(), C1.at()));
    expect("add: dc/da", C0, {1});
    expect("add: dc/db", C1, {1});
  }
  {
    Buffer A({3}), DA({1});
    kdiff::gradient<squareInPlace>(1, 1)(kdiff::dup(A.at(), DA.at()));
    expect("a *= a: da", DA, {6});
  }
  {
    Buffer X({2, 2}), DX({0, 1});
    kdiff::gradient<squareAll>(1, 32)(kdiff::dup(X.at(), DX.at()), 2);
    expect("x * x: dx", DX, {0, 4});
  }
  {
    std::vector<double> At(100), DAt(100), DY(100, 1.0), Tangent(100);
    double DFactor = 0;
    for (int I = 0; I != 100; ++I) {
      At[I] = 0.01 * I;
      DAt[I] = 3 * std::cos(At[I]);
      Tangent[I] = DAt[I] + 2 * std::sin(At[I]);
      DFactor += std::sin(At[I]);
    }
    Buffer X(At), DX(std::vector<double>(100, 0.0)), Y(At), Seed(DY), DF({0});
    kdiff::gradient<scale<double>>(4, 32)(kdiff::dup(X.at(), DX.at()),
                                          kdiff::dup(Y.at(), Seed.at()),
                                          kdiff::acc(3.0, DF.at()), 100);
    expect("scale: dx", DX, DAt);
    expect("scale: dfactor", DF, {DFactor});
    Buffer TX(std::vector<double>(100, 1.0)), TY(At);
    kdiff::tangent<scale<double>>(4, 32)(kdiff::dup(X.at(), TX.at()),
                                         kdiff::dup(Y.at(), TY.at()),
                                         kdiff::dup(3.0, 2.0), 100);
    expect("scale: tangent", TY, Tangent);
  }
  if (cudaError_t Error = cudaDeviceSynchronize()) {
    std::printf("%s\n", cudaGetErrorString(Error));
    return 1;
  }
  std::printf("%d wrong\n", Failures);
  return Failures != 0;
}
