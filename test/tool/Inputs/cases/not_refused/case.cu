extern "C" __global__ void twice(const float *x, float *y) { *y = 2 * *x; }
