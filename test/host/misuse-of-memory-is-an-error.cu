// Copies that reach over a block's end, memory that is freed twice, launches
// that no card would take: the calls return CUDA's errors.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t | FileCheck %s
#include <cstdio>

__global__ void k(int *x) { *x = 1; }
__device__ int variable[4];

static void print(const char *what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main() {
  int *x, host[16] = {};
  print("malloc", cudaMalloc(&x, 32)); // CHECK: malloc: cudaSuccess
  // CHECK-NEXT: over the end: cudaErrorInvalidValue
  print("over the end", cudaMemcpy(x, host, 36, cudaMemcpyHostToDevice));
  // CHECK-NEXT: within: cudaSuccess
  print("within", cudaMemcpy(x + 1, host, 28, cudaMemcpyHostToDevice));
  // CHECK-NEXT: over a variable's end: cudaErrorInvalidValue
  print("over a variable's end", cudaMemcpyToSymbol(variable, host, 20));
  // CHECK-NEXT: no variable: cudaErrorInvalidSymbol
  print("no variable", cudaMemcpyToSymbol(host, host, 4));
  k<<<1, 2048>>>(x);
  // CHECK-NEXT: too many threads: cudaErrorInvalidConfiguration
  print("too many threads", cudaGetLastError());
  k<<<1, 1, 100000>>>(x);
  // CHECK-NEXT: too much shared memory: cudaErrorInvalidValue
  print("too much shared memory", cudaGetLastError());
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  k<<<1, 1, 100000>>>(x);
  // CHECK-NEXT: asked for: cudaSuccess
  print("asked for", cudaGetLastError());
  print("free", cudaFree(x));        // CHECK-NEXT: free: cudaSuccess
  print("free again", cudaFree(x));  // CHECK-NEXT: free again: cudaErrorInvalidValue
  // CHECK-NEXT: freed: cudaErrorInvalidValue
  print("freed", cudaMemset(x, 0, 4));
}
