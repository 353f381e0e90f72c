// rounds N: N rounds of a forward and backward pass over a tape, of each way
// that a step can be kept: the gradient stays right, and memory constant.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <kdiff/kdiff.h>

__global__ void square(double *x) { x[threadIdx.x] *= x[threadIdx.x]; }
/// Runs again with a tape of its own: its length is known when it runs.
__global__ void iterate(double *x, int rounds) {
  double y = x[threadIdx.x];
  for (int i = 0; i < rounds; ++i)
    y = sin(y) + 1;
  x[threadIdx.x] = y;
}
/// Split: it draws slots.
__global__ void scatter(const double *x, double *y, int *next) {
  int slot = atomicAdd(next, 1) % blockDim.x;
  y[slot] = x[threadIdx.x] * x[threadIdx.x];
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  double x[64], seed[64], wanted[64];
  for (int i = 0; i != 64; ++i) {
    double y = 0.01 * i, d = 1;
    x[i] = y;
    seed[i] = 1;
    d *= 2 * y;
    y *= y;
    for (int k = 0; k != 5; ++k) {
      d *= std::cos(y);
      y = std::sin(y) + 1;
    }
    wanted[i] = d * 2 * y;
  }
  cudaStream_t s;
  cudaStreamCreate(&s);
  double *at, *dx, *y, *dy;
  int *next;
  cudaMalloc(&at, sizeof x);
  cudaMalloc(&dx, sizeof x);
  cudaMalloc(&y, sizeof x);
  cudaMalloc(&dy, sizeof x);
  cudaMalloc(&next, sizeof(int));
  cudaMemset(next, 0, sizeof(int));
  cudaMemset(y, 0, sizeof x);
  size_t free = 0, freeThen = 0, total;
  double worst = 0;
  kdiff::Tape t(s);
  for (int round = 0; round != rounds; ++round) {
    cudaMemcpyAsync(at, x, sizeof x, cudaMemcpyHostToDevice, s);
    cudaMemsetAsync(dx, 0, sizeof x, s);
    cudaMemcpyAsync(dy, seed, sizeof x, cudaMemcpyHostToDevice, s);
    t.launch<square>(1, 64)(kdiff::dup(at, dx));
    t.launch<iterate>(1, 64)(kdiff::dup(at, dx), 5);
    t.launch<scatter>(1, 64)(kdiff::dup(at, dx), kdiff::dup(y, dy), next);
    t.launch<square>(1, 64)(kdiff::dup(at, dx));
    t.backward();
    if (round % 100 && round + 1 != rounds)
      continue;
    double is[64];
    cudaMemcpyAsync(is, dx, sizeof is, cudaMemcpyDeviceToHost, s);
    t.check();
    for (int i = 0; i != 64; ++i)
      worst = std::fmax(worst, std::fabs(is[i] - wanted[i]));
    cudaMemGetInfo(&free, &total);
    if (round == 100)
      freeThen = free;
  }
  std::printf("%d rounds: worst error %.1e, kept %zu bytes", rounds, worst,
              t.keptBytes());
  if (freeThen)
    std::printf(", device memory grew by %lld bytes since round 100",
                (long long)freeThen - (long long)free);
  std::printf("\n%s\n", worst < 1e-12 ? "right" : "WRONG");
  cudaFree(at);
  cudaFree(dx);
  cudaFree(y);
  cudaFree(dy);
  cudaFree(next);
  cudaStreamDestroy(s);
  return worst >= 1e-12 || cudaDeviceSynchronize() != cudaSuccess;
}
