// Features of the hardware that have no derivative here are refused by name, at
// the line of the kernel that uses CUDA's headers for them.
// RUN: not %clang_cuda_plugin -std=c++17 -O1 -gline-tables-only -ferror-limit=0 \
// RUN:   -S -emit-llvm -o %t.ll %s > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=WRITTEN < %t.txt
// RUN: FileCheck %s --check-prefix=SHARED < %t.txt
#define _CG_HAS_CLUSTER_GROUP
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>
#include <cuda_fp16.h>
#include <mma.h>
namespace cg = cooperative_groups;

extern __device__ int kd_dup;
template <class... A> __device__ void __kd_autodiff(A...);
#define GRADIENT(K)                                                            \
  __global__ void K##_grad(float *x, float *dx, float *y, float *dy) {         \
    __kd_autodiff((void *)K, kd_dup, x, dx, kd_dup, y, dy);                    \
  }

__global__ void mbarrier(float *x, float *y) {
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    // CHECK-DAG: cannot differentiate an asynchronous barrier (mbarrier): use __syncthreads(), {{.*}}hardware_features.cu:[[#@LINE+1]]:
    __mbarrier_init(&bar, 32);
  __syncthreads();
  // CHECK-DAG: cannot differentiate an asynchronous barrier (mbarrier): use __syncthreads(), {{.*}}hardware_features.cu:[[#@LINE+1]]:
  auto token = __mbarrier_arrive(&bar);
  while (!__mbarrier_test_wait(&bar, token))
    ;
  y[threadIdx.x] = x[threadIdx.x];
}
GRADIENT(mbarrier)

__global__ void objectBarrier(float *x, float *y) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(Barrier) char space[sizeof(Barrier)];
  // CHECK-DAG: cannot differentiate an asynchronous barrier (mbarrier): use __syncthreads(), {{.*}}hardware_features.cu:[[#@LINE+1]]:
  reinterpret_cast<Barrier *>(space)->arrive_and_wait();
  y[threadIdx.x] = x[threadIdx.x];
}
GRADIENT(objectBarrier)

__global__ void bulkCopy(float *x, float *y) {
  __shared__ alignas(16) float s[128];
  __shared__ uint64_t bar;
  // CHECK-DAG: cannot differentiate a bulk copy (cp.async.bulk): copy with plain loads and stores, or with __pipeline_memcpy_async, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, s, x, 512, &bar);
  y[threadIdx.x] = s[threadIdx.x];
}
GRADIENT(bulkCopy)

__global__ void cluster(float *x, float *y) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x];
  auto blocks = cg::this_cluster();
  // CHECK-DAG: cannot differentiate a cluster of thread blocks: use blocks that share nothing, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  blocks.sync();
  // SHARED: cannot differentiate a cluster of thread blocks: use blocks that share nothing, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  y[threadIdx.x] = *blocks.map_shared_rank(&s[threadIdx.x], 1);
}
GRADIENT(cluster)

__global__ void tensorCore(float *x, float *y) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  fill_fragment(a, __half(1));
  fill_fragment(b, __half(2));
  load_matrix_sync(c, x, 16, mem_row_major);
  // CHECK-DAG: cannot differentiate a tensor-core instruction: use multiplications and additions, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  mma_sync(c, a, b, c);
  store_matrix_sync(y, c, 16, mem_row_major);
}
GRADIENT(tensorCore)

__global__ void warpGroup(float *x, float *y) {
  float v = x[threadIdx.x];
  // CHECK-DAG: hardware_features.cu:[[#@LINE+1]]:{{.*}} cannot differentiate a tensor-core instruction: use multiplications and additions
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%0,%0,%0}, {%1,%1}, {%1}, {%0,%0,%0,%0};" : "+f"(v) : "r"(1));
  y[threadIdx.x] = v;
}
GRADIENT(warpGroup)

__global__ void wholeGrid(float *x, float *y) {
  y[threadIdx.x] = x[threadIdx.x];
  // CHECK-DAG: (barriers of the whole grid, and of groups of several warps, have them as well): use CUDA's atomic functions; end the kernel where the grid waits, use __syncthreads() where several warps do, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  cg::this_grid().sync();
  y[threadIdx.x] += y[31 - threadIdx.x];
}
GRADIENT(wholeGrid)

__global__ void severalWarps(float *x, float *y) {
  __shared__ float s[128];
  __shared__ cg::block_tile_memory<128> memory;
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  s[threadIdx.x] = x[threadIdx.x];
  // CHECK-DAG: (barriers of the whole grid, and of groups of several warps, have them as well): use CUDA's atomic functions; end the kernel where the grid waits, use __syncthreads() where several warps do, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  tile.sync();
  y[threadIdx.x] = s[threadIdx.x ^ 63];
}
GRADIENT(severalWarps)

__device__ cudaTextureObject_t pixels;
__device__ cudaSurfaceObject_t canvas;
__global__ void texture(float *x, float *y) {
  // CHECK-DAG: cannot differentiate a texture or surface access at a differentiated coordinate, or of a differentiated value: keep the data in global memory, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  y[threadIdx.x] = tex2D<float>(pixels, x[threadIdx.x], 0.5f);
}
GRADIENT(texture)

__global__ void surface(float *x, float *y) {
  // WRITTEN: cannot differentiate a texture or surface access at a differentiated coordinate, or of a differentiated value: keep the data in global memory, {{.*}}hardware_features.cu:[[#@LINE+1]]:
  surf1Dwrite(x[threadIdx.x], canvas, threadIdx.x * 4);
  y[threadIdx.x] = surf1Dread<float>(canvas, threadIdx.x * 4);
}
GRADIENT(surface)
