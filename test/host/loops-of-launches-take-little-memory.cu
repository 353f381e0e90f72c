// A loop of launches keeps its state at as few iterations as memory is given
// for, and runs those between again; the gradient and the primal's end are the
// same. Each place saves runs as the binomial schedule has it.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t | FileCheck %s
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t | FileCheck %s
#include <cmath>
#include <cstdio>
#include <kdiff/kdiff.h>

/// Back and forth between two arrays, weighed by a third.
__global__ void step(const double *w, const double *from, double *to, int *runs) {
  int i = threadIdx.x, left = (i + 31) % 32;
  to[i] = from[i] + 0.1 * w[i] * sin(from[left]);
  if (i == 0)
    runs[0] += 1;
}
__global__ void square(double *x) { x[threadIdx.x] *= x[threadIdx.x]; }
__global__ void advance(double *x) { *x += 1e-3 * sin(*x); }
__global__ void draw(double *x, int *next) {
  x[atomicAdd(next, 1) % 32] *= 2;
}

int main() {
  const size_t bytes = 32 * sizeof(double);
  double host[32], zero[32] = {}, one[32], gradient[5][32], end[5][32];
  for (int i = 0; i != 32; ++i) {
    host[i] = 0.3 + 0.05 * i;
    one[i] = 1;
  }
  double *w, *dw, *a, *da, *b, *db;
  int *runs;
  for (double **p : {&w, &dw, &a, &da, &b, &db})
    cudaMalloc(p, bytes);
  cudaMalloc(&runs, sizeof(int));
  kdiff::Tape t;
  // The state is both arrays and the count: 516 bytes.
  const size_t limits[] = {0, 516, 2 * 516, 4 * 516, 100 * 516};
  for (int k = 0; k != 5; ++k) {
    cudaMemcpy(w, host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dw, zero, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(da, one, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, zero, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, zero, bytes, cudaMemcpyHostToDevice);
    cudaMemset(runs, 0, sizeof(int));
    int launches = 0;
    auto body = [=, &launches](kdiff::Tape &tape, int i) {
      launches += tape.mode() != kdiff::TapeMode::Look;
      auto x = kdiff::dup(a, da), y = kdiff::dup(b, db), v = kdiff::dup(w, dw);
      if (i % 2)
        tape.launch<step>(1, 32)(v, y, x, runs);
      else
        tape.launch<step>(1, 32)(v, x, y, runs);
    };
    t.launch<square>(1, 32)(kdiff::dup(a, da));
    if (k == 0)
      for (int i = 0; i != 20; ++i)
        body(t, i);
    else
      t.loop(20, limits[k], body);
    t.launch<square>(1, 32)(kdiff::dup(w, dw));
    t.backward();
    cudaMemcpy(gradient[k], da, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(end[k], a, bytes, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i != 32; ++i)
      worst = std::fmax(worst, std::fabs(gradient[k][i] - gradient[0][i]) +
                                   std::fabs(end[k][i] - end[0][i]));
    int count;
    cudaMemcpy(&count, runs, sizeof count, cudaMemcpyDeviceToHost);
    std::printf("%zu: %d launches, %d counted, %zu kept: %s\n", limits[k],
                launches, count, t.keptBytes(), worst == 0 ? "same" : "OTHER");
  }
  // CHECK: {{^}}0: 20 launches, 20 counted, 0 kept: same
  // 20 forward, 19 + 18 + ... again, each of 20 for its reverse; 65 - 14 and
  // 39 - 16 again: the best there is, less what the first run has passed.
  // CHECK-NEXT: {{^}}516: 230 launches, 20 counted, 0 kept: same
  // CHECK-NEXT: {{^}}1032: 91 launches, 20 counted, 0 kept: same
  // CHECK-NEXT: {{^}}2064: 63 launches, 20 counted, 0 kept: same
  // CHECK-NEXT: {{^}}51600: 40 launches, 20 counted, 0 kept: same
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  // CHECK-NEXT: no error

  // Thousands of launches, in the memory of twelve states.
  double slope = 1, at = 0.5;
  for (int i = 0; i != 3000; ++i) {
    slope *= 1 + 1e-3 * std::cos(at);
    at += 1e-3 * std::sin(at);
  }
  double start[] = {0.5}, seed[] = {1};
  cudaMalloc(&b, sizeof start);
  cudaMalloc(&db, sizeof seed);
  cudaMemcpy(b, start, sizeof start, cudaMemcpyHostToDevice);
  cudaMemcpy(db, seed, sizeof seed, cudaMemcpyHostToDevice);
  t.loop(3000, 12 * sizeof(double), [=](kdiff::Tape &tape, int) {
    tape.launch<advance>(1, 1)(kdiff::dup(b, db));
  });
  t.backward();
  cudaMemcpy(start, b, sizeof start, cudaMemcpyDeviceToHost);
  cudaMemcpy(seed, db, sizeof seed, cudaMemcpyDeviceToHost);
  // CHECK-NEXT: 3000 launches: right
  std::printf("3000 launches: %s\n",
              std::fabs(start[0] - at) + std::fabs(seed[0] / slope - 1) < 1e-10
                  ? "right"
                  : "WRONG");

  try {
    kdiff::Tape other;
    other.loop(2, 1 << 20, [=](kdiff::Tape &tape, int) {
      tape.launch<advance>(1, 1)(kdiff::dup(a, a + 16));
    });
  } catch (const std::exception &e) {
    // CHECK-NEXT: kdiff::Tape: a shadow lies in the same allocation as memory that a loop uses: allocate shadows apart
    std::printf("%s\n", e.what());
  }
  try {
    t.loop(2, 1 << 20, [=](kdiff::Tape &tape, int) {
      tape.launch<draw>(1, 32)(kdiff::dup(a, da), runs);
    });
  } catch (const std::exception &e) {
    // CHECK-NEXT: kdiff::Tape: draw cannot be part of a loop: another run
    std::printf("%s\n", e.what());
  }
  try {
    t.loop(2, 100, [=](kdiff::Tape &tape, int) {
      tape.launch<square>(1, 32)(kdiff::dup(a, da));
    });
  } catch (const std::exception &e) {
    // CHECK-NEXT: kdiff::Tape: the iterations of a loop write 256 bytes, which are kept once at least; 100 are allowed
    std::printf("%s\n", e.what());
  }
}
