extern "C" __global__ void swap(const float *x, float *y) {
  unsigned v = __float_as_uint(*x), w;
  asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(w) : "r"(v));
  *y = __uint_as_float(w);
}
