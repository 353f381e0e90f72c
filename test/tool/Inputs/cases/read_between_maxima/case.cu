extern "C" __global__ void grow(const float *x, float *m, int n) {
  for (int i = 0; i < n; ++i) atomicMax((int *)m, __float_as_int(x[i % 2] * 2));
}
