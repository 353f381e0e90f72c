extern "C" __global__ void spin(volatile float *x) {
  while (x[0] > 0)
    ;
}
