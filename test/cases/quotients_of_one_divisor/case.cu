// Quotients of one divisor, in loops. What a loop adds up depends on them, so
// that its reverse computes them again.
template <class T>
__device__ static void ratios(const T *__restrict__ a, const T *__restrict__ c,
                              const T *__restrict__ b, const T *__restrict__ w,
                              const int *__restrict__ first,
                              T *__restrict__ out, int threads) {
  int i = threadIdx.x + blockDim.x * threadIdx.y;
  if (i >= threads)
    return;
  T sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    T q = a[k] / b[k], p = c[k] / b[k];
    sum += w[k] * (q * p);
  }
  out[i] = sum;
}

extern "C" __global__ void wide(const double *__restrict__ a,
                                const double *__restrict__ c,
                                const double *__restrict__ b,
                                const double *__restrict__ w,
                                const int *__restrict__ first,
                                double *__restrict__ out, int threads) {
  ratios(a, c, b, w, first, out, threads);
}

extern "C" __global__ void narrow(const float *__restrict__ a,
                                  const float *__restrict__ c,
                                  const float *__restrict__ b,
                                  const float *__restrict__ w,
                                  const int *__restrict__ first,
                                  float *__restrict__ out, int threads) {
  ratios(a, c, b, w, first, out, threads);
}

// What a quotient decides: a / a is one, a * (1 / a) may be less.
extern "C" __global__ void whole(const double *__restrict__ a,
                                 const double *__restrict__ c,
                                 const double *__restrict__ b,
                                 const double *__restrict__ w,
                                 const int *__restrict__ first,
                                 double *__restrict__ floors, int threads) {
  int i = threadIdx.x + blockDim.x * threadIdx.y;
  if (i >= threads)
    return;
  double sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    double q = a[k] / b[k], p = c[k] / b[k];
    sum += w[k] * floor(q) + (p >= 1 ? w[k] * q * p : 0.0);
  }
  floors[i] = sum;
}
