// Work given while a stream is captured, also to a stream that waits for it, is
// done when the graph is launched, each time anew. A call that allocates or waits
// meanwhile is an error, and so is the capture then.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t | FileCheck %s
#include <cstdio>

__global__ void add(int *x, int n) { *x += n; }

int main() {
  cudaStream_t s, other;
  cudaEvent_t fork, join;
  cudaStreamCreate(&s);
  cudaStreamCreate(&other);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  int *x, *y, host = 0;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));

  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, s>>>(x, 1);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(other, fork, 0);
  add<<<1, 1, 0, other>>>(x, 10);
  cudaEventRecord(join, other);
  cudaStreamWaitEvent(s, join, 0);
  cudaMallocAsync(&y, sizeof(int), s);
  cudaMemcpyAsync(y, x, sizeof(int), cudaMemcpyDeviceToDevice, s);
  add<<<1, 1, 0, s>>>(y, 1000);
  cudaMemcpyAsync(&host, y, sizeof(int), cudaMemcpyDeviceToHost, s);
  cudaFreeAsync(y, s);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamEndCapture(s, &graph);
  std::printf("captured: %d\n", host); // CHECK: captured: 0

  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  for (int i = 0; i != 2; ++i) {
    cudaGraphLaunch(exec, s);
    std::printf("launched: %d\n", host);
  }
  // CHECK-NEXT: launched: 1011
  // CHECK-NEXT: launched: 1022
  cudaGraphExecDestroy(exec);
  // CHECK-NEXT: cudaSuccess
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));

  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  // CHECK-NEXT: malloc: cudaErrorStreamCaptureUnsupported
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&y, 4)));
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(s, &status);
  // CHECK-NEXT: invalidated: 1
  std::printf("invalidated: %d\n", status == cudaStreamCaptureStatusInvalidated);
  // CHECK-NEXT: copy: cudaErrorStreamCaptureInvalidated
  std::printf("copy: %s\n", cudaGetErrorName(cudaMemcpyAsync(&host, x, sizeof(int), cudaMemcpyDeviceToHost, s)));
  // CHECK-NEXT: end: cudaErrorStreamCaptureInvalidated, no graph
  cudaError_t end = cudaStreamEndCapture(s, &graph);
  std::printf("end: %s, %s\n", cudaGetErrorName(end), graph ? "a graph" : "no graph");
  cudaGetLastError();

  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  // CHECK-NEXT: relaxed: cudaSuccess, synchronize: cudaErrorStreamCaptureUnsupported
  cudaError_t relaxed = cudaMalloc(&y, 4);
  std::printf("relaxed: %s, synchronize: %s\n", cudaGetErrorName(relaxed),
              cudaGetErrorName(cudaStreamSynchronize(s)));
  cudaStreamEndCapture(s, &graph);
  cudaGetLastError();
  cudaFree(y);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); // CHECK-NEXT: cudaSuccess
}
