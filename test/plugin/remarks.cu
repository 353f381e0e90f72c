// What is taped is an optimisation remark at the line of the value; the option
// that asks for remarks is enough to have lines.
// RUN: %clang_cuda_plugin -O2 -S -Rpass-analysis=kdiff %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang_cuda_plugin -O2 -S %s -o /dev/null 2>&1 | count 0

template <class R, class... A> __device__ R __kd_autodiff(A...);

__device__ float iterate(float X, int N) {
  for (int I = 0; I < N; ++I)
    // CHECK-DAG: remarks.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: taped: 4 bytes a thread and iteration, needed by {{.*}}[-Rpass-analysis=kdiff]
    // CHECK-DAG: remark: taped: {{.*}}, inlined at {{.*}}remarks.cu:[[#@LINE+1]]:{{.*}}[-Rpass-analysis=kdiff]
    X = sinf(X) * X;
  return X;
}
__global__ void request(float *X, int N) {
  X[0] = __kd_autodiff<float>(iterate, X[0], N);
}
