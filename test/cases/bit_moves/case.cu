#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Numbers that travel as integers, whole or in pieces, and come back.
union Word {
  float f;
  unsigned u;
};

__device__ double throughHalves(double x) {
  int high = __double2hiint(x), low = __double2loint(x);
  return __hiloint2double(high ^ (1 << 31), low);
}

__device__ double throughUnion(double x) {
  union {
    double d;
    unsigned parts[2];
  } both;
  both.d = x;
  unsigned high = both.parts[1] & 0x7fffffffu, low = both.parts[0];
  both.parts[0] = low;
  both.parts[1] = high;
  return both.d;
}

__device__ float withSignOf(float size, float sign) {
  unsigned bits = (__float_as_uint(size) & 0x7fffffffu) | (__float_as_uint(sign) & 0x80000000u);
  return __uint_as_float(bits);
}

extern "C" __global__ void moves(const float *x, const double *d, float *copy, float *out, real *sum, int n) {
  __shared__ int tile[32];
  int i = threadIdx.x;
  int4 four = __ldg(reinterpret_cast<const int4 *>(x) + i);
  reinterpret_cast<int4 *>(copy)[i] = four;
  tile[4 * i] = __float_as_int(x[4 * i] * 2.0f);
  tile[4 * i + 1] = four.w;
  __syncthreads();
  if (i >= n)
    return;
  Word w;
  w.u = static_cast<unsigned>(tile[4 * ((i + 1) % n)]);
  float a = __int_as_float(tile[4 * ((i + 3) % n) + 1]);
  char bytes[8];
  memcpy(bytes, &x[4 * i + 2], 4);
  float b;
  memcpy(&b, bytes, 4);
  unsigned flip = __float_as_uint(w.f) ^ (static_cast<unsigned>(i) << 31);
  out[i] = w.f * a + withSignOf(b, a) * __uint_as_float(flip);
  sum[i] = real(throughHalves(d[i]) * throughUnion(d[(i + 2) % n]));
}
