extern "C" __global__ void copy(const double *x, double *y) {
  extern __shared__ double memory[];
  int t = threadIdx.x;
  memory[t] = x[t] * x[t];
  __syncthreads();
  const int *from = (const int *)(memory + 4);
  int *to = (int *)(memory + 8);
  to[t] = from[t];
  __syncthreads();
  if (t < 4) y[t] = memory[8 + t];
}
