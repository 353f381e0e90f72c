// A gradient that cannot be launched throws at once, and one that lacked tape
// at the tape's next call, with the kernel's name and the remedy.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t > %t.out 2> %t.err
// RUN: grep -v 'this gradient was' %t.out | FileCheck %s
// RUN: cat %t.out %t.err | FileCheck %s --check-prefix=PRINTED
#include <cstdio>
#include <kdiff/kdiff.h>

__global__ void tile(double *x) {
  extern __shared__ double s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x] * s[threadIdx.x];
}
__global__ void iterate(double *x, int n) {
  double y = *x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i % 2; ++j)
      y = sin(y) + y * y;
  *x = y;
}

template <class F> static void attempt(const char *what, F f) {
  try {
    f();
    std::printf("%s: no error\n", what);
  } catch (const std::exception &e) {
    std::printf("%s: %s\n", what, e.what());
  }
}

int main() {
  double *x, *dx;
  cudaMalloc(&x, 2048 * sizeof(double));
  cudaMalloc(&dx, 2048 * sizeof(double));
  cudaMemset(x, 0, 2048 * sizeof(double));
  cudaMemset(dx, 0, 2048 * sizeof(double));
  // CHECK: more than usual: no error
  attempt("more than usual", [&] {
    kdiff::gradient<tile>(1, 32, 100000)(kdiff::dup(x, dx));
  });
  // CHECK-NEXT: shared: kdiff: the gradient of tile cannot be launched: invalid argument; it asks for 300000 bytes of dynamic shared memory (what its kernel takes, and as much for each derivative), and a block of this device has 232448: let the kernel use smaller tiles
  attempt("shared", [&] {
    kdiff::gradient<tile>(1, 32, 150000)(kdiff::dup(x, dx));
  });
  // CHECK-NEXT: threads: kdiff: the gradient of tile cannot be launched: invalid configuration argument; a block of 2048 threads does not fit
  attempt("threads", [&] {
    kdiff::gradient<tile>(1, 2048)(kdiff::dup(x, dx));
  });

  kdiff::Tape t(nullptr, {8});
  t.launch<iterate>(1, 1)(kdiff::dup(x, dx), 40000);
  t.backward();
  // CHECK-NEXT: exhausted: kdiff: the tape's pool of {{[0-9]+}} bytes was exhausted: 1 threads lacked {{[0-9]+}} bytes together; a warp needs up to {{[0-9]+}} pages of 65536 bytes; the launch of iterate (see TapeOptions::BytesPerThread)
  attempt("exhausted", [&] {
    t.launch<iterate>(1, 1)(kdiff::dup(x, dx), 1);
  });
  // CHECK-NEXT: once: no error
  attempt("once", [&] { t.check(); });
  kdiff::Tape large(nullptr, {1 << 20});
  // CHECK-NEXT: enough: no error
  attempt("enough", [&] {
    large.launch<iterate>(1, 1)(kdiff::dup(x, dx), 40000);
    large.backward();
    large.check();
  });

  // What fails while it runs has printed why. Nothing runs from then on.
  // PRINTED: kdiff: this gradient was launched with too little dynamic shared memory
  // CHECK-NEXT: short: kdiff: the gradient of tile cannot be launched: unspecified launch failure; it, or the gradient of tile before it, or other work before may have failed while it ran: see what was printed
  attempt("short", [&] {
    kdiff::gradient<tile>(1, 32, 32 * 16)(kdiff::dup(x, dx));
    kdiff::gradient<tile>(1, 32, 32 * 4)(kdiff::dup(x, dx));
    cudaDeviceSynchronize();
    kdiff::gradient<tile>(1, 32, 32 * 16)(kdiff::dup(x, dx));
  });
}
