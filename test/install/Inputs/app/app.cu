#include <kdiff/kdiff.h>

__global__ void square(const double *X, double *Y, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I] = X[I] * X[I];
}

template <auto Kernel, class... Args> __global__ void gradient(Args... A) {
  __kd_autodiff<void>((void *)Kernel, A...);
}

int main() {
  double *D = nullptr;
  gradient<square><<<1, 32>>>(D, D, D, D, 0);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
