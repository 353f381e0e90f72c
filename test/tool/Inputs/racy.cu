// Neighbours write one element.
extern "C" __global__ void halves(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i / 2] = x[i];
}
// The last thread reads behind x.
extern "C" __global__ void differences(const float *x, float *y) {
  int i = threadIdx.x;
  y[i] = x[i + 1] - x[i];
}
