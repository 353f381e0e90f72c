#include <cstdio>
#include <kdiff/kdiff.h>

__global__ void square(double *X) { X[0] *= X[0]; }

int main() {
  double Host[] = {3, 1}, *D;
  cudaMalloc(&D, sizeof Host);
  cudaMemcpy(D, Host, sizeof Host, cudaMemcpyHostToDevice);
  kdiff::gradient<square>(1, 1)(kdiff::dup(D, D + 1));
  cudaMemcpy(Host, D, sizeof Host, cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", Host[0], Host[1]);
}
