// An error stands at the line of the request, also where that is inlined from
// templates, and the chain of calls that led there is named; clang ends with
// status 1 and writes no file.
// RUN: rm -f %t.ptx
// RUN: not %clang_cuda_plugin -gline-tables-only -O2 -S %s -o %t.ptx 2>&1 | FileCheck %s
// RUN: not test -e %t.ptx
// RUN: not %clang_cuda_plugin -O0 -S %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not test -e %t.ptx

template <class R, class... A> __device__ R __kd_autodiff(A...);
__device__ float square(float X) { return X * X; }

template <class F> __device__ float derivative(F Function, float X) {
  // CHECK: line_and_chain.cu:[[#@LINE+1]]:{{[0-9]+}}: error: value 3 of the call is one too many for square(float), inlined at {{.*}}line_and_chain.cu:[[#@LINE+4]]:
  return __kd_autodiff<float>((void *)Function, X, X);
}
__global__ void kernel(float *X) {
  X[0] = derivative(square, X[0]);
}
// BARE: line_and_chain.cu:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}} (compile with -gline-tables-only to see the source line)
