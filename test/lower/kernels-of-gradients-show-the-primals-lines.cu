// A debugger shows the user's functions and lines for the kernels that hold
// derivatives, and none of KDiff's: kdiff/gradient.h and the device runtime
// have no debug information.
// REQUIRES: ptxas
// RUN: %clang_cuda_plugin -std=c++17 -O2 -gline-tables-only -S %s -o %t.ptx
// RUN: grep -F .loc %t.ptx | FileCheck %s --implicit-check-not=kdiff/
// RUN: %clang_cuda_plugin -std=c++17 -O0 -g -S %s -o %t.full.ptx
// RUN: grep -F .loc %t.full.ptx | FileCheck %s --implicit-check-not=kdiff/
// RUN: %ptxas -arch=sm_90 -g %t.full.ptx -o /dev/null
// RUN: %clang_cuda_plugin -std=c++17 -O2 -gline-tables-only -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
#include <kdiff/kdiff.h>

__device__ double wave(double x, double a) {
  return a * sin(x);
}
__global__ void k(double *x, double a, int n) {
  double y = x[threadIdx.x];
  for (int i = 0; i < n; ++i)
    y = wave(y, a) + y * y;
  x[threadIdx.x] = y;
}
// CHECK-DAG: lines.cu:14:{{[0-9]+}} @[ {{[^ ]*}}lines.cu:19:{{[0-9]+}} @[ {{[^ ]*}}lines.cu:16
// CHECK-DAG: lines.cu:19:{{[0-9]+}} @[ {{[^ ]*}}lines.cu:16
// CHECK-DAG: lines.cu:20:{{[0-9]+}} @[ {{[^ ]*}}lines.cu:16
// IR: define {{.*}}ptx_kernel void @[[DERIVATIVE:.*derivative[^(]*]]({{.*}} !dbg [[PLACE:![0-9]+]]
// IR: [[PLACE]] = distinct !DISubprogram(name: "k", linkageName: "[[DERIVATIVE]]", {{.*}}line: 16,

void host(double *x, double *dx, double *da, int n) {
  kdiff::gradient<k>(1, 32)(kdiff::dup(x, dx), kdiff::acc(2.0, da), n);
  kdiff::Tape t;
  t.launch<k>(1, 32)(kdiff::dup(x, dx), kdiff::acc(2.0, da), n);
  t.copy(kdiff::dup(x, dx), kdiff::dup(dx, x), n);
}
