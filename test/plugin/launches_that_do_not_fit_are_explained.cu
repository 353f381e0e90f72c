// A launch that does not fit its kernel is an error in plain words.
// RUN: not %clang_cuda_host -std=c++17 -ferror-limit=0 -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: not %clang_cuda_host -std=c++14 -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=OLD
#include <kdiff/gradient.h>

// OLD: kdiff/gradient.h needs C++17
__global__ void k(const float *x, float *y, float s) { y[0] = x[0] * s; }

__global__ void counted(float *y, int n) { y[n] *= 2; }

void host(float *x, double *dd, const float *dc, float *y, float *dy) {
  int number;
  // CHECK: kdiff: a kernel is wanted, a __global__ function by its name
  kdiff::gradient<5>(1, 1);
  // CHECK: kdiff: all shadows of an argument have one type
  kdiff::gradient<k>(1, 1)(x, kdiff::dup(y, dy, dd), 1.0f);
  // CHECK: kdiff: give one argument for each parameter of the kernel
  kdiff::gradient<k>(1, 1)(kdiff::dup(x, y), kdiff::dup(y, dy));
  // CHECK: kdiff: no argument has a shadow
  kdiff::gradient<k>(1, 1)(x, y, 1.0f);
  // CHECK: kdiff: the shadow of a pointer must be a pointer to the same type
  kdiff::gradient<k>(1, 1)(kdiff::dup(x, dd), kdiff::dup(y, dy), 1.0f);
  // CHECK: kdiff: a number passed by value is marked acc in reverse mode
  kdiff::gradient<k>(1, 1)(x, kdiff::dup(y, dy), kdiff::dup(1.0f, dy));
  // CHECK: kdiff: acc is for numbers passed by value, in reverse mode
  kdiff::tangent<k>(1, 1)(x, kdiff::dup(y, dy), kdiff::acc(1.0f, dy));
  // CHECK: kdiff: noneed is for pointers
  kdiff::tangent<k>(1, 1)(x, kdiff::dup(y, dy), kdiff::noneed(1.0f, dy));
  // CHECK: kdiff: an argument does not have the type of the kernel's parameter
  kdiff::gradient<k>(1, 1)(dd, kdiff::dup(y, dy), 1.0f);
  // CHECK: kdiff: all marked arguments have the same number of shadows
  kdiff::gradient<k>(1, 1)(kdiff::dup(x, dy, dy), kdiff::dup(y, dy), 1.0f);
  // CHECK: kdiff: all marked arguments have the same number of shadows
  kdiff::gradient<k>(1, 1)(x, kdiff::dup(y, dy, dy), kdiff::acc(1.0f, dy));
  // CHECK: kdiff: the shadow of a pointer must be a pointer to the same type
  kdiff::gradient<k>(1, 1)(x, kdiff::dup(y, dd, dd), 1.0f);
  kdiff::Tape tape;
  // CHECK: kdiff: a kdiff::Tape has one lane: give each argument one shadow
  tape.launch<k>(1, 1)(x, kdiff::dup(y, dy, dy), 1.0f);
  // CHECK: kdiff: an integer has no derivative: give it without a mark
  kdiff::gradient<counted>(1, 1)(kdiff::dup(y, dy), kdiff::dup(3, &number));
}
