// Without optimisation, and with line tables, the toolkit compresses the device
// image, and with it the IR that the executor would run.
// REQUIRES: ptxas
// RUN: %clang_program -O0 %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt not %t 2>&1 | FileCheck %s
// CHECK: kdiff: {{.*}}-O1 or more
__global__ void k() {}
int main() {
  k<<<1, 1>>>();
  return cudaGetLastError() == cudaErrorNoKernelImageForDevice;
}
