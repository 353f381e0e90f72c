#include "model.h"

void runOther();

#ifdef __CLANG_RDC__
extern __device__ double weight, weightShadow;
KDIFF_SHADOW(weight, weightShadow)
__global__ void weigh(const double *x, double *y) { *y = *x * weight; }

/// A function of another unit, with a rule here.
__device__ double cube(double x);
__device__ double cubeAndSave(double *slope, double x) {
  *slope = 3 * x * x;
  return cube(x);
}
__device__ void cubeBack(const double *slope, double adjoint, double,
                         double *dx) {
  *dx += adjoint * *slope;
}
KDIFF_REVERSE_RULE(cube, double, cubeAndSave, cubeBack)
__global__ void call(const double *x, double *y) { *y = cube(*x); }

static void runLinked() {
  print("a", "weight", 5, [](double *x, double *dx, double *y, double *dy) {
    kdiff::gradient<weigh>(1, 1)(kdiff::dup(x, dx), kdiff::dup(y, dy));
  });
  print("a", "rule", 5, [](double *x, double *dx, double *y, double *dy) {
    kdiff::gradient<call>(1, 1)(kdiff::dup(x, dx), kdiff::dup(y, dy));
  });
  double shadow = 0;
  cudaMemcpyFromSymbol(&shadow, weightShadow, sizeof shadow);
  std::printf("a: shadow of weight: %.6f\n", shadow);
}
#else
static void runLinked() {}
#endif

int main() {
  kdiff::TapePool pool(1 << 20, 32);
  pool.attach();
  run("a", 2);
  runOther();
  runLinked();
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
