// A gradient whose dynamic shared memory the launch provides.
template <class... A> __device__ void __kd_autodiff(A...);

__global__ void reversed(const float *x, float *y) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void gradient(const float *x, float *dx, float *y, float *dy) {
  __kd_autodiff((void *)reversed, x, dx, y, dy);
}
