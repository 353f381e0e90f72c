// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernels test arithmetic?
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void mathFloat(const float *x, float *y) {
  int t = threadIdx.x;
  float v = x[t], *o = y + 16 * t;
  o[0] = sinf(v);
  o[1] = expf(v);
  o[2] = logf(v);
  o[3] = powf(v, 2.5f);
  o[4] = erff(v);
  o[5] = cbrtf(v);
  o[6] = tanhf(v);
  o[7] = rsqrtf(v);
  o[8] = __expf(v);
  o[9] = __fdividef(v, 3.f);
  o[10] = __sinf(v);
  o[11] = fmodf(v, 0.3f);
  o[12] = atan2f(v, 2.f);
  o[13] = lgammaf(v);
  o[14] = __powf(v, 2.f);
  o[15] = sqrtf(v);
}
extern "C" __global__ void mathDouble(const double *x, double *y) {
  int t = threadIdx.x;
  double v = x[t], *o = y + 16 * t;
  o[0] = sin(v);
  o[1] = exp(v);
  o[2] = log(v);
  o[3] = pow(v, 2.5);
  o[4] = erf(v);
  o[5] = cbrt(v);
  o[6] = tanh(v);
  o[7] = rsqrt(v);
  o[8] = sin(v * 1e15);
  o[9] = cos(v * 1e12);
  o[10] = lgamma(v);
  o[11] = fmod(v, 0.3);
  o[12] = atan2(v, 2.0);
  o[13] = hypot(v, 1.0);
  o[14] = expm1(v);
  o[15] = v / 3.0;
}
extern "C" __global__ void directedDouble(const double *x, double *y) {
  int t = threadIdx.x;
  double d = x[t], *o = y + 8 * t;
  o[0] = __dadd_rd(d, 1e-17);
  o[1] = __dadd_ru(d, 1e-17);
  o[2] = __dmul_rz(d, 1.1);
  o[3] = __dmul_ru(d, 1.1);
  o[4] = __ddiv_rd(d, 3.0);
  o[5] = __ddiv_ru(d, 3.0);
  o[6] = __dsub_rd(d, 1e-17);
  o[7] = __drcp_ru(d);
}
extern "C" __global__ void directedFloat(const float *x, float *y) {
  int t = threadIdx.x;
  float d = x[t], *o = y + 8 * t;
  o[0] = __fadd_rd(d, 1e-9f);
  o[1] = __fadd_ru(d, 1e-9f);
  o[2] = __fmul_rz(d, 1.1f);
  o[3] = __fmaf_rd(d, d, 1e-12f);
  o[4] = __fmaf_ru(d, d, 1e-12f);
  o[5] = __fdiv_ru(d, 3.f);
  o[6] = __fsqrt_rd(d * d + 2);
  o[7] = __saturatef(d);
}
extern "C" __global__ void toInteger(const float *x, const double *d, int *y,
                                     long long *z) {
  int t = threadIdx.x;
  int *o = y + 8 * t;
  long long *p = z + 8 * t;
  o[0] = (int)x[t];
  o[1] = (int)(unsigned)x[t];
  o[2] = __float2int_rn(x[t]);
  o[3] = __float2int_ru(x[t]);
  o[4] = __float2int_rd(x[t]);
  o[5] = (int)d[t];
  o[6] = __double2int_rn(d[t]);
  o[7] = (int)__float2uint_rn(x[t]);
  p[0] = (long long)x[t];
  p[1] = (long long)(unsigned long long)x[t];
  p[2] = (long long)d[t];
  p[3] = __double2ll_rd(d[t]);
  p[4] = (long long)__double2ull_ru(d[t]);
  p[5] = p[6] = p[7] = 0;
}
extern "C" __global__ void fromInteger(const long long *x, float *y, double *z) {
  int t = threadIdx.x;
  long long v = x[t];
  float *o = y + 8 * t;
  double *p = z + 4 * t;
  o[0] = __ll2float_rn(v);
  o[1] = __ll2float_rd(v);
  o[2] = __ll2float_ru(v);
  o[3] = __ll2float_rz(v);
  o[4] = __ull2float_ru((unsigned long long)v);
  o[5] = __int2float_rd((int)v);
  o[6] = __uint2float_ru((unsigned)v);
  o[7] = __double2float_ru((double)v);
  p[0] = __ll2double_rd(v);
  p[1] = __ll2double_ru(v);
  p[2] = __ull2double_rn((unsigned long long)v);
  p[3] = __ull2double_rz((unsigned long long)v);
}
extern "C" __global__ void integers(const int *x, int *y) {
  int t = threadIdx.x, v = x[t], *o = y + 16 * t;
  o[0] = __popc(v);
  o[1] = __clz(v);
  o[2] = __ffs(v);
  o[3] = __brev(v);
  o[4] = __mulhi(v, 1234567891);
  o[5] = __sad(v, 300, 4);
  o[6] = __byte_perm(v, 0x12345678, 0x3d20);
  o[7] = (int)__umulhi(v * 77777u, 1234567891u);
  o[8] = __mul24(v, 0x00f12345);
  o[9] = __funnelshift_l(v, 0x12345678, 9);
  o[10] = __funnelshift_rc(v, 0x12345678, 40);
  o[11] = __hadd(v, 12345);
  o[12] = (int)(__mul64hi((long long)v << 33, 0x123456789abcdefll) >> 8);
  o[13] = __dp4a(v, 0x7f80ff01, 5);
  asm("bfe.s32 %0, %1, 5, 7;" : "=r"(o[14]) : "r"(v));
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(o[15]) : "r"(v), "r"(0x5a5a5a5a));
}
extern "C" __global__ void ptxInteger(const int *x, int *y) {
  int t = threadIdx.x, v = x[t], *o = y + 8 * t;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(o[0]) : "r"(v), "r"(0xf0f0f0f0), "r"(0x12345678));
  asm("{ .reg .pred p, q;\n"
      "  setp.lt.s32 p|q, %1, 100;\n"
      "  mov.u32 %0, 1;\n" // the guard decides
      "  @p mov.u32 %0, 2;\n"
      "  @!p add.s32 %0, %0, 10; }" : "=r"(o[1]) : "r"(v));
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(*(long long *)(o + 2)) : "r"(v), "r"(-1000000));
  asm("{ .reg .u32 a, b;  // a comment; with a semicolon\n"
      "  add.cc.u32 a, %1, %1; /* and {another} */ addc.u32 b, 0, 0;\n"
      "  shl.b32 b, b, 4; xor.b32 %0, a, b; }" : "=r"(o[4]) : "r"(v | 0x80000000));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(o[5]) : "r"(v - 100));
  asm("shr.s32 %0, %1, %2;" : "=r"(o[6]) : "r"(-v), "r"(t + 20));
  asm("mad.hi.s32 %0, %1, %2, 7;" : "=r"(o[7]) : "r"(v * 1000003), "r"(-123456789));
}
extern "C" __global__ void flush(const float *x, float *y) {
  int t = threadIdx.x;
  float v = x[t], *o = y + 8 * t;
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(o[0]) : "f"(v), "f"(0.f));
  asm("mul.f32 %0, %1, %2;" : "=f"(o[1]) : "f"(v), "f"(0.5f));
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(o[2]) : "f"(v), "f"(0.5f));
  asm("fma.rn.sat.f32 %0, %1, %2, %1;" : "=f"(o[3]) : "f"(v), "f"(2.f));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(o[4]) : "f"(v), "f"(-0.f));
  asm("min.f32 %0, %1, %2;" : "=f"(o[5]) : "f"(v), "f"(-0.f));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(o[6]) : "f"(v));
  asm("abs.ftz.f32 %0, %1;" : "=f"(o[7]) : "f"(v));
}
extern "C" __global__ void halfArithmetic(const __half *x, const __half *w, __half *y, float *f) {
  int t = threadIdx.x;
  __half a = x[t], b = w[t], *o = y + 12 * t;
  o[0] = __hadd(a, b);
  o[1] = __hmul(a, b);
  o[2] = __hfma(a, b, a);
  o[3] = __hdiv(a, b);
  o[4] = hsqrt(__habs(a));
  o[5] = __hmax(a, b);
  o[6] = __float2half_rz(__half2float(a) * 1.0009765f);
  o[7] = __hadd_sat(a, b);
  o[8] = hfloor(a);
  o[9] = __int2half_rn(t * 4097);
  o[10] = hexp(__hmul(b, __float2half(0.25f)));
  o[11] = __hlt(a, b) ? a : b;
  f[t] = __half2float(a) + __low2float(__hadd2(__halves2half2(a, b), __halves2half2(b, b)))
         + (float)__half2int_rn(b);
}
extern "C" __global__ void bfloatArithmetic(const __nv_bfloat16 *x, const __nv_bfloat16 *w, __nv_bfloat16 *y, float *f) {
  int t = threadIdx.x;
  __nv_bfloat16 a = x[t], b = w[t], *o = y + 8 * t;
  o[0] = __hadd(a, b);
  o[1] = __hmul(a, b);
  o[2] = __hfma(a, b, a);
  o[3] = __hdiv(a, b);
  o[4] = __float2bfloat16_ru(__bfloat162float(a) * 1.001f);
  o[5] = __hmin(a, b);
  o[6] = hexp(b);
  __nv_bfloat162 p = __hmul2(__halves2bfloat162(a, b), __halves2bfloat162(b, b));
  o[7] = p.y;
  f[t] = __bfloat162float(a) - __low2float(p);
}
extern "C" __global__ void halfFunctions(const __half *x, __half *y) {
  int t = threadIdx.x;
  __half a = x[t], *o = y + 24 * t;
  __half2 p = __halves2half2(a, __hadd(a, a)), q = __half2half2(a);
  o[0] = hsin(a); o[1] = hcos(a); o[2] = hexp2(a); o[3] = hexp10(a);
  o[4] = hlog(a); o[5] = hlog2(a); o[6] = hlog10(a); o[7] = hrcp(a);
  o[8] = hrsqrt(a); o[9] = hceil(a); o[10] = htrunc(a); o[11] = hrint(a);
  o[12] = htanh(a); o[13] = htanh_approx(a);
  __half2 r = h2exp(p); o[14] = __high2half(r);
  r = h2tanh(p); o[15] = __high2half(r);
  r = __hfma2(p, q, p); o[16] = __high2half(r);
  r = __hgt2(p, q); o[17] = __high2half(r);
  o[18] = __float2half(__hbeq2(p, p)); o[19] = __hmax_nan(a, __float2half(1.f));
  r = __h2div(p, q); o[20] = __high2half(r);
  o[21] = __shfl_xor_sync(0xffffffffu, a, 1);
  o[22] = __hneg(__ldg(x + t));
  r = __hmin2(p, __hneg2(q)); o[23] = __low2half(r);
}
extern "C" __global__ void bits(const double *x, int *y, double *z, float *f) {
  int t = threadIdx.x;
  y[t] = __double2hiint(x[t]) ^ __double2loint(x[t]);
  z[t] = __hiloint2double(__double2hiint(x[t]), __double2loint(x[t]) | 1);
  f[t] = __int_as_float(__float_as_int((float)x[t]) ^ 0x80000000);
}
