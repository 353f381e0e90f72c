extern "C" __global__ void peak(const float *x, float *y) {
  __shared__ int largest;
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t == 0) largest = 0;
  __syncthreads();
  float v = x[i] * x[i];
  if (v > 0) atomicMax(&largest, __float_as_int(v));
  __syncthreads();
  if (t == 0) y[blockIdx.x] = 3 * __int_as_float(largest);
}
