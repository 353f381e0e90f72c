extern "C" __global__ void clamp(const float *x, float *least, float *most) {
  atomicMax((int *)&least[threadIdx.x], __float_as_int(x[0]));
  atomicMin((int *)&most[threadIdx.x], __float_as_int(x[1]));
}
