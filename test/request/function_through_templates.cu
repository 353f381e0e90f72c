// The function to differentiate, and the markers, may reach the request through
// local variables, wrapper templates, lambdas, and objects.
// RUN: %clang_cuda -O0 %s -o %t.0.ll
// RUN: %opt -passes='print<kdiff-request>' -disable-output %t.0.ll 2>&1 | FileCheck %s
// RUN: %clang_cuda %s -o %t.2.ll
// RUN: %opt -passes='print<kdiff-request>' -disable-output %t.2.ll 2>&1 | FileCheck %s

extern __device__ int kd_const, kd_out, kd_dup;
template <class R, class... A> __device__ R __kd_autodiff(A...);

__device__ float square(float X) { return X * X; }
__device__ float scale(float X, float Y) { return X * Y; }
__global__ void saxpy(float A, const float *X, float *Y) { Y[0] += A * X[0]; }

// A launchable gradient of a kernel.
template <auto K, class... A> __global__ void grad(A... Args) {
  __kd_autodiff<void>((void *)K, kd_const, Args...);
}
template __global__ void grad<saxpy>(float, float *, float *, float *, float *);
// CHECK-LABEL: reverse of _Z5saxpyfPKfPf in _Z4grad
// CHECK-NEXT: 1{{.*}} const: float
// CHECK-NEXT: 2{{.*}} dup: ptr
// CHECK-NEXT: 3{{.*}} dup: ptr

// A function pointer as a parameter.
template <class R, class... A>
__device__ R derivative(R (*F)(A...), A... Args) {
  return __kd_autodiff<R>((void *)F, Args...);
}
template <class F> __device__ float twice(F Function, float X) {
  return derivative(Function, X);
}
__global__ void parameter(float *X) { X[0] = twice(square, X[0]); }
// CHECK-LABEL: reverse of _Z6squaref in _Z9parameterPf
// CHECK-NEXT: 1{{.*}} out: float

__global__ void variable(float *X) {
  auto F = scale;
  X[0] = __kd_autodiff<float>(F, kd_out, X[0], kd_const, X[1]);
}
// CHECK-LABEL: reverse of _Z5scaleff in _Z8variablePf
// CHECK-NEXT: 1{{.*}} out: float
// CHECK-NEXT: 2{{.*}} const: float

// Markers as arguments of a wrapper.
template <auto F, class... A> __device__ float marked(A... Args) {
  return __kd_autodiff<float>((void *)F, Args...);
}
__global__ void markers(float *X) {
  X[0] = marked<scale>(kd_const, X[0], kd_out, X[1]);
}
// CHECK-LABEL: reverse of _Z5scaleff in _Z7markersPf
// CHECK-NEXT: 1{{.*}} const: float
// CHECK-NEXT: 2{{.*}} out: float

struct Differentiator {
  float (*F)(float);
  __device__ Differentiator(float (*F)(float)) : F(F) {}
  __device__ float operator()(float X) const {
    return __kd_autodiff<float>((void *)F, X);
  }
};
__global__ void object(float *X) {
  Differentiator D(square);
  X[0] = D(X[0]);
}
// CHECK-LABEL: reverse of _Z6squaref in _Z6objectPf

__global__ void lambda(float *X) {
  auto Cube = [](float V) { return V * V * V; };
  X[0] = __kd_autodiff<float>((void *)(float (*)(float))Cube, X[0]);
}
// CHECK-LABEL: reverse of _ZZ6lambdaPfEN{{.*}}invoke{{.*}} in _Z6lambdaPf
