// What two files of a program share: kernels that both instantiate.
#include <cmath>
#include <cstdio>
#include <kdiff/kdiff.h>

/// Newton's method. Keeps a tape: its length is known when it runs.
template <class T> __global__ void root(const T *x, T *y, int rounds) {
  T r = 1;
  for (int k = 0; k < rounds; ++k)
    r = T(0.5) * (r + *x / r);
  *y = r;
}
template <class F> __global__ void apply(F f, const double *x, double *y) {
  *y = f(*x);
}

struct Wave {
  double factor;
  __device__ double operator()(double x) const { return factor * sin(x); }
};

inline __device__ double noise(double x) { return x * x; }
KDIFF_INACTIVE(noise)

/// A user's own kernel for every gradient.
template <auto K, class... A> __global__ void grad(A... arguments) {
  __kd_autodiff<void>((void *)K, arguments...);
}

/// The slope of y(x) that a gradient leaves, by the file \p Where.
template <class Launch>
void print(const char *where, const char *what, double x, Launch launch) {
  double host[] = {x, 0, 0, 1}, *at;
  cudaMalloc(&at, sizeof host);
  cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice);
  launch(at, at + 1, at + 2, at + 3);
  cudaMemcpy(host, at, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(at);
  std::printf("%s: %s: %.6f\n", where, what, host[1]);
}

/// Everything, from one file.
static void run(const char *where, double factor) {
  using kdiff::dup;
  print(where, "root", 4, [](double *x, double *dx, double *y, double *dy) {
    kdiff::gradient<root<double>>(1, 1)(dup(x, dx), dup(y, dy), 20);
  });
  print(where, "own root", 4, [](double *x, double *dx, double *y, double *dy) {
    grad<root<double>><<<1, 1>>>(x, dx, y, dy, 20);
  });
  print(where, "functor", 1, [=](double *x, double *dx, double *y, double *dy) {
    kdiff::gradient<apply<Wave>>(1, 1)(Wave{factor}, dup(x, dx), dup(y, dy));
  });
  auto square = [=] __device__(double x) { return factor * x * x + noise(x); };
  print(where, "lambda", 3, [=](double *x, double *dx, double *y, double *dy) {
    kdiff::gradient<apply<decltype(square)>>(1, 1)(square, dup(x, dx),
                                                   dup(y, dy));
  });
  print(where, "tape", 16, [](double *x, double *dx, double *y, double *dy) {
    double *z;
    cudaMalloc(&z, 2 * sizeof *z);
    cudaMemset(z, 0, 2 * sizeof *z);
    kdiff::Tape t;
    t.launch<root<double>>(1, 1)(dup(x, dx), dup(z, z + 1), 20);
    t.launch<root<double>>(1, 1)(dup(z, z + 1), dup(y, dy), 20);
    t.backward();
    t.check();
    cudaFree(z);
  });
}
