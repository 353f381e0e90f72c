// What is taped, and what is added how.
extern "C" __global__ void explained(const float *__restrict__ x,
                                     const int *__restrict__ places,
                                     float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[places[i]];
  for (int k = 0; k < n; ++k)
    sum = sinf(sinf(sinf(sum))) * sum;
  y[i] = sum;
}
extern "C" __global__ void plain(const float *__restrict__ x,
                                 float *__restrict__ y) {
  y[threadIdx.x] = 2 * x[threadIdx.x];
}
extern "C" __global__ void own(const float *__restrict__ x,
                               const int *__restrict__ places,
                               float *__restrict__ y) {
  float mine[4];
  for (int k = 0; k < 4; ++k)
    mine[k] = x[4 * threadIdx.x + k];
  y[threadIdx.x] = mine[places[threadIdx.x] & 3];
}
