template <class R, class... A> __device__ R __kd_autodiff(void *, A...);

extern "C" __global__ void cubes(const float *x, float *y) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] * x[threadIdx.x];
}

extern "C" __global__ void squares(const float *x, float *y) {
  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
}

extern "C" __global__ void own(const float *x, float *dx, float *y, float *dy) {
  __kd_autodiff<void>((void *)squares, x, dx, y, dy);
}
