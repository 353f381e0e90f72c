// A functor or lambda that is passed by value has its shadow in device memory:
// each member has its adjoint there, each pointer leads to the shadow of what
// the functor's does.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t | FileCheck %s
#include <cmath>
#include <cstdio>
#include <kdiff/kdiff.h>

struct Curve {
  float low;
  double powers[2];
  const double *table;
  int shift;
};
struct Affine {
  double scale;
  Curve curve;
  float offset;
  __device__ double operator()(double x, int i) const {
    return scale * x * curve.table[i + curve.shift] + offset * x +
           curve.powers[0] * x * x + curve.powers[1] * curve.low;
  }
};
template <class F>
__global__ void apply(F f, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = f(x[i], i);
}
/// A factory: its lambdas have one type, so that one is another's shadow.
static auto weigh(double a, const double *t) {
  return [=] __device__(double x, int i) { return a * x * t[i]; };
}

static const int n = 100;

template <class T> static T *onDevice(const T &value) {
  T *at;
  cudaMalloc(&at, sizeof value);
  cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice);
  return at;
}
template <class T> static T read(const T *at) {
  T value;
  cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}
struct Numbers {
  double at[n];
};
static Numbers make(double first, double step) {
  Numbers v;
  for (int i = 0; i != n; ++i)
    v.at[i] = first + step * i;
  return v;
}
static double *device(const Numbers &v) { return onDevice(v)->at; }
static Numbers read(double *at) {
  return read(reinterpret_cast<Numbers *>(at));
}
static void expect(const char *what, double is, double wanted) {
  bool right = std::fabs(is - wanted) <= 1e-6 * std::fabs(wanted);
  std::printf("%s: %s\n", what, right ? "right" : "WRONG");
  if (!right)
    std::printf("  is %.15g, not %.15g\n", is, wanted);
}

template <class Launch>
static void check(const char *what, Launch launch, const Numbers &x,
                  const Numbers &t, int times) {
  double *dt = device(make(0, 0)), *dx = device(make(0, 0));
  Affine shadow = {0, {0, {0, 0}, dt, 0}, 0};
  Affine *df = onDevice(shadow);
  double *table = device(t);
  Affine f = {2, {3, {0.5, 0.25}, table, 0}, 0.75f};
  launch(f, df, device(x), dx);
  Affine is = read(df);
  double scale = 0, square = 0, offset = 0;
  for (int i = 0; i != n; ++i) {
    scale += x.at[i] * t.at[i];
    square += x.at[i] * x.at[i];
    offset += x.at[i];
  }
  std::printf("%s\n", what);
  expect("scale", is.scale, times * scale);
  expect("powers[0]", is.curve.powers[0], times * square);
  expect("powers[1]", is.curve.powers[1], times * n * 3.0);
  expect("low", is.curve.low, times * n * 0.25);
  expect("offset", is.offset, times * offset);
  expect("table", read(dt).at[7], times * 2 * x.at[7]);
  expect("x", read(dx).at[9], times * (2 * t.at[9] + 0.75 + 2 * 0.5 * x.at[9]));
}

int main() {
  const Numbers x = make(0.1, 0.02), t = make(1, 0.01);
  double *y = device(x), *dy = device(make(1, 0));
  // CHECK: gradient
  // CHECK-COUNT-7: right
  check(
      "gradient",
      [&](Affine f, Affine *df, double *x, double *dx) {
        kdiff::gradient<apply<Affine>>(4, 32)(
            kdiff::dup(f, df), kdiff::dup(x, dx), kdiff::dup(y, dy), n);
      },
      x, t, 1);
  dy = device(make(1, 0));
  // CHECK-NEXT: tape
  // CHECK-COUNT-7: right
  check(
      "tape",
      [&](Affine f, Affine *df, double *x, double *dx) {
        kdiff::Tape tape;
        double *z = device(make(0, 0)), *dz = device(make(2, 0));
        tape.launch<apply<Affine>>(4, 32)(kdiff::dup(f, df), kdiff::dup(x, dx),
                                          kdiff::dup(y, dy), n);
        tape.launch<apply<Affine>>(4, 32)(kdiff::dup(f, df), kdiff::dup(x, dx),
                                          kdiff::dup(z, dz), n);
        tape.backward();
        tape.check();
      },
      x, t, 3);

  double *table = device(t), *dt = device(make(0, 0));
  auto f = weigh(3, table), shadow = weigh(0, dt);
  using F = decltype(f);
  F *df = onDevice(shadow);
  double *dx = device(make(0, 0));
  dy = device(make(1, 0));
  kdiff::gradient<apply<F>>(4, 32)(kdiff::dup(f, df), kdiff::dup(device(x), dx),
                                   kdiff::dup(y, dy), n);
  double captured;
  cudaMemcpy(&captured, df, sizeof captured, cudaMemcpyDeviceToHost);
  double a = 0;
  for (int i = 0; i != n; ++i)
    a += x.at[i] * t.at[i];
  // CHECK-NEXT: lambda
  // CHECK-COUNT-3: right
  std::printf("lambda\n");
  expect("captured number", captured, a);
  expect("captured pointer's", read(dt).at[5], 3 * x.at[5]);
  expect("x", read(dx).at[5], 3 * t.at[5]);

  // CHECK-NEXT: tangent
  // CHECK-NEXT: y: right
  std::printf("tangent\n");
  Affine g = {2, {3, {0.5, 0.25}, table, 0}, 0.75f};
  Affine tangent = {1, {0, {0, 4}, device(make(0.5, 0)), 0}, 0};
  kdiff::tangent<apply<Affine>>(4, 32)(
      kdiff::dup(g, onDevice(tangent)),
      kdiff::dup(device(x), device(make(0, 0))), kdiff::dup(y, dy), n);
  expect("y", read(dy).at[3], x.at[3] * t.at[3] + 2 * x.at[3] * 0.5 + 4 * 3);
  // CHECK-NEXT: no error
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
