// Code that was written for Enzyme, in the forms that are in use, means the
// same without a change.
// RUN: %clang_cuda %s -o %t.ll
// RUN: %opt -passes='print<kdiff-request>' -disable-output %t.ll 2>&1 | FileCheck %s

extern "C" {
extern __device__ int enzyme_dup;
extern __device__ int enzyme_const;
}
int __device__ enzyme_out;
template <class... T> __device__ void __enzyme_autodiff(void *, T...);
__device__ void __enzyme_autodiff_variadic(void (*)(double *, double *), ...);
__device__ double __enzyme_autodiff(double (*)(double, int), double, int);
template <class R, class... T> __device__ R __enzyme_fwddiff(void *, T...);

__device__ void square(double *X, double *Y) { Y[0] = X[0] * X[0]; }
__device__ double scale(double X, int N) { return X * X * N; }

__global__ void request(double *X, double *DX, double *Y, double *DY) {
  __enzyme_autodiff_variadic(square, enzyme_dup, X, DX, enzyme_dup, Y, DY);
  __enzyme_autodiff((void *)square, X, DX, Y, DY);
  X[1] = __enzyme_autodiff(scale, X[0], 3);
  X[2] = __enzyme_fwddiff<double>((void *)scale, enzyme_dup, X[0], 1.0,
                                  enzyme_const, 3);
}

// CHECK-LABEL: reverse of _Z6squarePdS_ in
// CHECK-NEXT: 1{{.*}} dup: ptr
// CHECK-NEXT: 2{{.*}} dup: ptr
// CHECK-LABEL: reverse of _Z6squarePdS_ in
// CHECK-NEXT: 1{{.*}} dup: ptr
// CHECK-NEXT: 2{{.*}} dup: ptr
// CHECK-LABEL: reverse of _Z5scaledi in
// CHECK-NEXT: 1{{.*}} out: double
// CHECK-NEXT: 2{{.*}} const: i32 3
// CHECK-LABEL: forward of _Z5scaledi in
// CHECK-NEXT: 1{{.*}} dup: double {{.*}}, shadow double 1.0
// CHECK-NEXT: 2{{.*}} const: i32 3
