// With -fgpu-rdc functions may be defined in other files, which are linked
// later: those have no derivative here. The same of weak functions, whose
// definition may give way to another file's.
// RUN: not %clang_cuda_plugin -fgpu-rdc -O1 -gline-tables-only -S %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clang_cuda_plugin -fgpu-rdc -O1 -gline-tables-only -DKERNELS -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=KERNELS
#include <kdiff/kdiff.h>

__device__ float elsewhere(float x);
__attribute__((weak)) __device__ float usually(float x) { return x * x; }

__global__ void calls(const float *x, float *y) {
  // CHECK-DAG: functions_of_other_files.cu:[[@LINE+1]]:8: {{.*}}cannot differentiate a call of '{{.*}}elsewhere{{.*}}', whose derivative is not known: give the function a body in this file, or a rule (kdiff/rules.h)
  *y = elsewhere(*x);
  // CHECK-DAG: functions_of_other_files.cu:[[@LINE+1]]:9: {{.*}}cannot differentiate a call of '{{.*}}usually{{.*}}', a weak function that another file may define: do not make it weak
  *y += usually(*x);
}
__global__ void declared(const float *x, float *y);
// KERNELS-DAG: functions_of_other_files.cu:[[@LINE+1]]:{{.*}}cannot differentiate overridden(float const*, float*), a weak function that another file may define: do not make it weak
__attribute__((weak)) __global__ void overridden(const float *x, float *y) {
  *y = *x;
}

void host(float *x, float *dx, float *y, float *dy) {
#ifndef KERNELS
  kdiff::gradient<calls>(1, 1)(kdiff::dup(x, dx), kdiff::dup(y, dy));
#else
  // KERNELS-DAG: declared(float const*, float*) has no body in this module: define it in the file that differentiates it
  kdiff::gradient<declared>(1, 1)(kdiff::dup(x, dx), kdiff::dup(y, dy));
  kdiff::gradient<overridden>(1, 1)(kdiff::dup(x, dx), kdiff::dup(y, dy));
#endif
}
