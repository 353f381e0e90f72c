// What is taped is an optimisation remark at the line of the value; the option
// that asks for remarks is enough to have lines.
// RUN: %clang_cuda_plugin -O2 -S -Rpass-analysis=kdiff %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda_plugin -O2 -S %s -o /dev/null 2>&1 | count 0

template <class R, class... A> __device__ R __kd_autodiff(A...);

__device__ float inner(float X, int N) {
  // CHECK-DAG: remarks.cu:[[#@LINE+1]]:3: remark: the tape's record of this loop: 8 bytes a thread and segment, inlined at {{.*}}remarks.cu:[[#@LINE+7]]:{{.*}}[-Rpass-analysis=kdiff]
  for (int I = 0; I < N; ++I)
    // CHECK-DAG: remarks.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: taped: 4 bytes a thread and segment, needed by {{.*}}, inlined at {{.*}}remarks.cu:[[#@LINE+5]]:{{.*}}[-Rpass-analysis=kdiff]
    X = sinf(sinf(sinf(X))) * X;
  return X;
}
__device__ float outer(float X, int N) {
  return inner(X, N);
}
__global__ void request(float *X, int N) {
  X[0] = __kd_autodiff<float>(outer, X[0], N);
}
