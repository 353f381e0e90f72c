// Rules of each kind. Every hand-written derivative is off by a known factor,
// so that the gradient tells whether it was used.
#include <kdiff/kdiff.h>

// a * a * p[k]; adjoints 10 times, tangents 100 times too large.
__device__ double weigh(double a, const double *p, int k) { return a * a * p[k]; }
struct Saved {
  double a, p;
};
__device__ double weighAndSave(Saved *saved, double a, const double *p, double *, int k) {
  *saved = {a, p[k]};
  return a * a * p[k];
}
__device__ void weighBack(const Saved *saved, double adjoint, double, double *da, const double *, double *dp, int k) {
  *da += adjoint * 20 * saved->a * saved->p;
  if (dp)
    atomicAdd(dp + k, adjoint * 10 * saved->a * saved->a);
}
__device__ double weighTangent(double *result, double a, double da, const double *p, const double *dp, int k) {
  *result = a * a * p[k];
  return 200 * a * da * p[k] + (dp ? 100 * a * a * dp[k] : 0);
}
KDIFF_REVERSE_RULE(weigh, Saved, weighAndSave, weighBack)
KDIFF_FORWARD_RULE(weigh, weighTangent)

// 5 x in the place of sin(x), three calls deep.
__device__ double sineOf(double x) { return sin(x); }
__device__ double line(double x) { return 5 * x + 0 * sin(x) + 0 * sineOf(x); }
KDIFF_REPLACE(static_cast<double (*)(double)>(sin), line)
__device__ double deep(double x) { return sin(x); }
__device__ double deeper(double x) { return deep(x); }
__device__ __noinline__ double deepest(double x) { return deeper(x); }

__device__ double step(double x) { return 2 * x; }
KDIFF_INACTIVE(step)

__constant__ double table[2] = {3, 7};
__device__ double tableShadow[2];
KDIFF_SHADOW(table, tableShadow)

__device__ void ruled(const double *x, const double *p, double *y) { y[0] = weigh(x[0], p, 1); }
__device__ void replaced(const double *x, double *y) { y[0] = deepest(x[0]); }
__device__ void constant(const double *x, double *y) { y[0] = step(x[0]) * x[0]; }
__device__ void looked(const double *x, double *y) { y[0] = table[1] * x[0]; }

extern "C" __global__ void reverse(const double *x, double *dx, const double *p, double *dp, double *y, double *dy,
                                   double *dtable) {
  __kd_autodiff<void>(ruled, kd_dup, x, dx, kd_dup, p, dp, kd_dup, y, dy);
  __kd_autodiff<void>(ruled, kd_dup, x, dx + 1, kd_const, p, kd_dup, y + 1, dy + 1);
  __kd_autodiff<void>(replaced, kd_dup, x, dx + 2, kd_dup, y + 2, dy + 2);
  __kd_autodiff<void>(constant, kd_dup, x, dx + 3, kd_dup, y + 3, dy + 3);
  __kd_autodiff<void>(looked, kd_dup, x, dx + 4, kd_dup, y + 4, dy + 4);
  dtable[0] = tableShadow[0];
  dtable[1] = tableShadow[1];
  y[5] = deepest(x[0]); // Outside of a request: the sine.
}

extern "C" __global__ void forward(const double *x, const double *dx, const double *p, const double *dp, double *y,
                                   double *dy, double *dtable) {
  __kd_fwddiff<void>(ruled, kd_dup, x, dx, kd_dup, p, dp, kd_dup, y, dy);
  __kd_fwddiff<void>(ruled, kd_dup, x, dx, kd_const, p, kd_dup, y, dy + 1);
  __kd_fwddiff<void>(replaced, kd_dup, x, dx, kd_dup, y, dy + 2);
  __kd_fwddiff<void>(constant, kd_dup, x, dx, kd_dup, y, dy + 3);
  tableShadow[1] = 1;
  __kd_fwddiff<void>(looked, kd_dup, x, dx, kd_dup, y, dy + 4);
}
