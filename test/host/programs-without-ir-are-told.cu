// REQUIRES: ptxas
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_90 --no-offload-new-driver %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt not %t 2>&1 | FileCheck %s
// RUN: env KDIFF_DEVICE=tpu not %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// CHECK: kdiff: a file of the program has no device IR in it; compile each with KDiff's plugin and '-include kdiff/simt.h'
// UNKNOWN: KDIFF_DEVICE=tpu names no device
__global__ void k() {}
int main() {
  k<<<1, 1>>>();
  return cudaGetLastError() == cudaErrorNoKernelImageForDevice;
}
