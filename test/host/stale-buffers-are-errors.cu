// Memory that was freed before the tape goes backward is an error, also where
// the allocator has given the same address out again; so is a pointer to no
// device memory, and a stream that is not the tape's.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t | FileCheck %s
#include <cstdio>
#include <kdiff/kdiff.h>

__global__ void square(double *x) { *x *= *x; }

template <class F> static void attempt(const char *what, F f) {
  try {
    f();
    std::printf("%s: no error\n", what);
  } catch (const std::exception &e) {
    std::printf("%s: %s\n", what, e.what());
  }
}
static double *make() {
  double *x;
  cudaMalloc(&x, sizeof(double));
  cudaMemset(x, 0, sizeof(double));
  return x;
}

int main() {
  double *x = make(), *dx = make();
  kdiff::Tape t;
  t.launch<square>(1, 1)(kdiff::dup(x, dx));
  cudaFree(x);
  double *y = make();
  std::printf("%d\n", x == y); // CHECK: 1
  // CHECK-NEXT: reused: kdiff::Tape: memory that square was given is not there any more when the tape goes backward: free it behind backward()
  attempt("reused", [&] { t.backward(); });

  kdiff::Tape shadows;
  shadows.launch<square>(1, 1)(kdiff::dup(y, dx));
  cudaFree(dx);
  // CHECK-NEXT: shadow: kdiff::Tape: memory that square was given
  attempt("shadow", [&] { shadows.backward(); });

  double host = 0;
  // CHECK-NEXT: host: kdiff::Tape: a pointer given to square leads to no device memory that is allocated
  attempt("host", [&] { t.launch<square>(1, 1)(kdiff::dup(&host, &host)); });

  cudaStream_t other;
  cudaStreamCreate(&other);
  // CHECK-NEXT: stream: kdiff::Tape: a launch was given another stream than its tape's
  attempt("stream", [&] { t.launch<square>(1, 1, 0, other); });
}
