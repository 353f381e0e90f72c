// Requests of two lanes: numbers that are returned, a variable with a shadow,
// a registered rule, off by a known factor, that is called for each lane.
#include <kdiff/kdiff.h>

__device__ double ruled(double x) { return x; }
__device__ double ruledAndSave(double *, double x) { return x; }
__device__ void ruledBack(const double *, double adjoint, double, double *dx) { *dx += 10 * adjoint; }
KDIFF_REVERSE_RULE(ruled, double, ruledAndSave, ruledBack)

__constant__ double table[2] = {3, 5};
__device__ double tableShadow[2][2];
KDIFF_SHADOW(table, tableShadow)

__device__ void f(double a, const double *x, double *y) { y[0] = a * a * ruled(x[0]) * table[0] + table[1]; }
__device__ double cube(double a) { return a * a * a; }

struct Lanes {
  double of[2];
};

extern "C" __global__ void reverse(const double *x, double *dx, double *y, const double *seeds, double *da,
                                   double *dtable) {
  double dy0 = seeds[0], dy1 = seeds[1];
  Lanes d = __kd_autodiff<Lanes>(f, kd_width, 2, kd_out, 2.0, kd_dup, x, dx, dx + 1, kd_dup, y, &dy0, &dy1);
  for (int k = 0; k != 2; ++k) {
    da[k] = d.of[k];
    dtable[2 * k] = tableShadow[k][0];
    dtable[2 * k + 1] = tableShadow[k][1];
  }
}

extern "C" __global__ void forward(double *t) {
  Lanes d = __kd_fwddiff<Lanes>(cube, kd_width, 2, kd_dup, 2.0, 1.0, 10.0);
  t[0] = d.of[0];
  t[1] = d.of[1];
}
