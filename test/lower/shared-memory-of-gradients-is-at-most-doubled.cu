// A gradient has a shadow for each shared array that is active, and no more. Its
// barriers are the primal's, the same number mirrored, and two around the zeroing
// of the shadows. The derivative of a sum by halves takes a word, and two
// barriers behind the primal's two; one more is between the adjoint of y, which
// is cleared, and that of x, which may be the same memory.
// REQUIRES: ptxas
// RUN: %kdiff grad %s --kernel transpose -o %t.transpose.ptx
// RUN: %ptxas -v -arch=sm_90 %t.transpose.ptx -o %t.cubin 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TRANSPOSE
// RUN: FileCheck %s --check-prefix=TRANSPOSE-CODE < %t.transpose.ptx
// RUN: %kdiff grad %s --kernel reduce -o %t.reduce.ptx
// RUN: %ptxas -v -arch=sm_90 %t.reduce.ptx -o %t.cubin 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REDUCE
// RUN: FileCheck %s --check-prefix=REDUCE-CODE < %t.reduce.ptx
// RUN: %kdiff grad %s --kernel plain -o %t.plain.ptx
// RUN: FileCheck %s --check-prefix=PLAIN-CODE < %t.plain.ptx

// TRANSPOSE: Compiling entry function 'transpose_grad'
// TRANSPOSE: used 1 barriers, 8448 bytes smem
// TRANSPOSE-CODE: .entry transpose_grad(
// TRANSPOSE-CODE-COUNT-4: bar.sync
// TRANSPOSE-CODE-NOT: bar.sync
extern "C" __global__ void transpose(const float *x, float *y, int n) {
  __shared__ float tile[32][33]; // 4224 bytes.
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  if (r < n && c < n) tile[threadIdx.y][threadIdx.x] = x[r * n + c] * x[r * n + c];
  __syncthreads();
  int c2 = blockIdx.y * 32 + threadIdx.x, r2 = blockIdx.x * 32 + threadIdx.y;
  if (r2 < n && c2 < n) y[r2 * n + c2] = tile[threadIdx.x][threadIdx.y];
}

// REDUCE: Compiling entry function 'reduce_grad'
// REDUCE: used 1 barriers, {{.*}}1028 bytes smem
// REDUCE-CODE: .entry reduce_grad(
// REDUCE-CODE-COUNT-5: bar.sync
// REDUCE-CODE-NOT: bar.sync
extern "C" __global__ void reduce(const float *x, float *y) {
  __shared__ float sums[256]; // 1024 bytes.
  int t = threadIdx.x;
  sums[t] = x[blockIdx.x * 256 + t] * x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h /= 2) {
    if (t < h) sums[t] += sums[t + h];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = sums[0];
}

// Without shared memory there is none, and nobody waits.
// PLAIN-CODE: .entry plain_grad(
// PLAIN-CODE-NOT: {{bar\.|barrier|\.shared}}
// PLAIN-CODE: ret;
extern "C" __global__ void plain(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * x[i + 1];
}
