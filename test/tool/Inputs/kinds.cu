// An addition of each kind, and what else a plan decides.
extern "C" __global__ void block(const float *__restrict__ scale,
                                 const float *__restrict__ x,
                                 float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = scale[0] *
         x[i];
}
extern "C" __global__ void warp(const float *__restrict__ scale,
                                const int *__restrict__ places,
                                float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (places[i] > 0)
    y[i] += scale[blockIdx.x];
}
extern "C" __global__ void tile(const float *__restrict__ x,
                                float *__restrict__ y) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += tile[threadIdx.y][k] *
           tile[k][threadIdx.x];
  float own = tile[threadIdx.y][threadIdx.x];
  y[threadIdx.y * 16 + threadIdx.x] = sum + own * own;
}
extern "C" __global__ void loop(const double *__restrict__ x,
                                const int *__restrict__ steps,
                                double *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double p = x[i], q = 1;
  for (int k = 0; k < steps[i]; ++k) {
    double slope = p * q;
    q += 0.01 * p * p;
    p -= 0.02 * slope;
  }
  y[i] = p + q;
}
extern "C" __global__ void branch(const float *__restrict__ x,
                                  const int *__restrict__ first,
                                  float *__restrict__ y) {
  float sum = 0;
  for (int k = first[threadIdx.x]; k < first[threadIdx.x + 1]; ++k) {
    float v = x[k], t;
    if (v * v + v > 1)
      t = cosf(expf(sinf(v)));
    else
      t = sinf(sinf(expf(v)));
    sum += t * t;
  }
  y[threadIdx.x] = sum;
}
extern "C" __global__ void row(const float *__restrict__ weights,
                               const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += weights[k] * x[i * n + k];
  y[i] = sum;
}
extern "C" __global__ void own(const float *__restrict__ x,
                               float *__restrict__ y) {
  __shared__ float part[64];
  int t = threadIdx.x;
  part[t] = x[blockIdx.x * 64 + t];
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    float v = part[t];
    part[t] = v * v;
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = part[63 - t];
}
