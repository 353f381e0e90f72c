// A thread computes the adjoint of a word of a tile alone, from the seeds of a
// row or a column of the block, where the words and what they are multiplied with
// are at constant distances in k and in the index that the threads do not share,
// in whatever order the tile is read; and hands it to its own store, where that
// filled the word.
// Not where a word has another use, is read elsewhere, or is multiplied with what
// is no tile, or with what lies at other distances; not where products go into two
// sums; and not under a condition. A loop whose number of iterations is constant is
// gathered as a whole, one with another number is not.
// RUN: %clang_cuda %s -o %t.ll
// RUN: %opt -passes='print<kdiff-plan>' -disable-output %t.ll 2>&1 | FileCheck %s --implicit-check-not=gathered
// RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: the adjoints of these 4 words are computed by a thread each, from the seeds of a row of the block and the tile that they are multiplied with, where the block is whole; else:
// REMARK: the adjoints of these 4 words are computed by a thread each, from the seeds of a column of the block

extern __device__ int kd_dup, kd_const;
template <class... Args> __device__ void __kd_autodiff(Args...);

enum Form { Plain, Transposed, Padded, Wide, Twice, Elsewhere, Global, Skewed, TwoSums, Condition, Long, RunTime };

template <Form F> __global__ void tiles(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  constexpr int Tile = F == Long || F == RunTime ? 20 : 4, Length = F == Padded ? 5 : Tile;
  __shared__ float left[Tile][Length], right[Tile][F == Wide ? 32 : Length];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0, other = 0;
  for (int first = 0; first < n; first += Tile) {
    left[y][x] = a[y * n + first + x];
    right[y][x] = b[(first + y) * n + x];
    __syncthreads();
    if (F != Condition || y < 2)
      for (int k = 0; k < (F == RunTime ? n % Tile : Tile); ++k) {
        float l = F == Transposed ? left[k][y] : left[y][k];
        float r = F == Global ? b[k * n + x] : F == Skewed ? right[k * k % 4][x] : right[k][x];
        (F == TwoSums && k % 2 == 1 ? other : sum) += F == Twice ? l * l * r : l * r;
      }
    if (F == Elsewhere)
      sum += left[y][0] + right[1][x];
    __syncthreads();
  }
  c[y * n + x] = sum + other;
}

template <Form F> __device__ void differentiate(float *a, float *b, float *c, int n) {
  __kd_autodiff((void *)tiles<F>, kd_dup, a, a + n, kd_dup, b, b + n, kd_dup, c, c + n, kd_const, n);
}

__global__ void request(float *a, float *b, float *c, int n) {
  // CHECK: gathered along x: 4 words from %{{[^ ]+}} by 4, times %{{[^ ]+}} by 16, a thread 4, aligned, common; seed of %[[P:[^ ]+]]; apart in blocks of up to 1024; handed to  store float
  // CHECK-NEXT: gathered along y: 4 words from %{{[^ ]+}} by 16, times %{{[^ ]+}} by 4, a thread 16, aligned, common; seed of %[[P]]; apart in blocks of up to 4; handed to  store float
  differentiate<Plain>(a, b, c, n);
  // CHECK: gathered along x: 4 words from %{{[^ ]+}} by 16, times %{{[^ ]+}} by 16, a thread 4, aligned, common; seed of %[[P:[^ ]+]]; apart in blocks of up to 4{{$}}
  // CHECK-NEXT: gathered along y: 4 words from %{{[^ ]+}} by 16, times %{{[^ ]+}} by 16, a thread 4, aligned, common; seed of %[[P]]; apart in blocks of up to 4; handed to
  differentiate<Transposed>(a, b, c, n);
  // CHECK: gathered along x: 4 words from %{{[^ ]+}} by 4, times %{{[^ ]+}} by 20, a thread 4, common; seed of
  // CHECK-NEXT: gathered along y: 4 words from %{{[^ ]+}} by 20, times %{{[^ ]+}} by 4, a thread 20, common; seed of %{{[^ ]+}}; apart in blocks of up to 5; handed to
  differentiate<Padded>(a, b, c, n);
  // CHECK: gathered along x: 4 words
  // CHECK-NEXT: gathered along y: 4 words from %{{[^ ]+}} by 128, {{.*}}; apart in blocks of up to 32; handed to
  differentiate<Wide>(a, b, c, n);
  // CHECK: row-uniform addition:
  // CHECK: across-rows addition:
  // CHECK: gathered along x: 20 words from %{{[^ ]+}} by 4, times %{{[^ ]+}} by 80, a thread 4, aligned, common; {{.*}}; by loop %{{[^;]+}}; apart in blocks of up to 1024; handed to
  // CHECK-NEXT: gathered along y: 20 words from %{{[^ ]+}} by 80, times %{{[^ ]+}} by 4, a thread 80, aligned, common; {{.*}}; by loop %{{[^;]+}}; apart in blocks of up to 20; handed to
  // CHECK-NOT: sums of
  differentiate<Long>(a, b, c, n);
  // CHECK: row addition:
  // CHECK: block-rows addition:
  differentiate<Twice>(a, b, c, n);
  // CHECK: row addition:
  // CHECK: block-rows addition:
  differentiate<Elsewhere>(a, b, c, n);
  // CHECK: row addition:
  differentiate<Global>(a, b, c, n);
  // CHECK: row addition:
  // CHECK: across-rows addition:
  differentiate<Skewed>(a, b, c, n);
  // CHECK: row addition:
  // CHECK: block-rows addition:
  differentiate<TwoSums>(a, b, c, n);
  // CHECK: row-uniform addition:
  // CHECK: across-rows addition:
  differentiate<Condition>(a, b, c, n);
  // CHECK: row-uniform addition:
  // CHECK: across-rows addition:
  // CHECK: sums of 8 iterations at once
  differentiate<RunTime>(a, b, c, n);
}
