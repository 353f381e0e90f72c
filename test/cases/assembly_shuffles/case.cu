// Single precision alone: the assembly moves 32 bits.
__device__ static float slow(float v, int warp, float one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

// A step of a scan as block-wide libraries write it.
__device__ static float addBelow(float v, int distance) {
  float r;
  asm volatile("{ .reg .f32 r; .reg .pred p;\n"
               "  shfl.sync.up.b32 r|p, %1, %2, 0x0, 0xffffffff;\n"
               "  @p add.f32 r, r, %1;\n"
               "  mov.f32 %0, r; }"
               : "=f"(r)
               : "f"(v), "r"(distance));
  return r;
}
__device__ static float scaleAbove(float v, int distance) {
  float r = v;
  asm volatile("{ .reg .pred p; .reg .b32 t;\n"
               "  shfl.sync.down.b32 t|p, %1, %2, 0x1f, 0xffffffff;\n"
               "  @!p mul.f32 %0, t, t; }"
               : "+f"(r)
               : "f"(v), "r"(distance));
  return r;
}
extern "C" __global__ void scan(const float *x, float *y, float one) {
  int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32, pair;
  float v = slow(x[i], threadIdx.x / 32, one), sum = v, far, other;
  for (int d = 1; d < 32; d *= 2) sum = addBelow(sum, d);
  asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=f"(far) : "f"(v * v));
  asm volatile("{shfl.sync.idx.b32 %0,%1,%2,%3,%4;\n}" : "=r"(pair) : "r"(__float_as_int(v)), "r"(lane * 7 % 32), "r"(0x181f), "r"(0xffffffff));
  other = __int_as_float(pair);
  y[i] = sum * v + far * scaleAbove(v, 3) + other * other;
}
