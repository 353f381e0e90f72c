// -fsave-optimization-record, which opt-viewer shows beside the source, has
// KDiff's remarks, with the bytes as facts of their own.
// RUN: %clang_cuda_plugin -O2 -S -fsave-optimization-record -foptimization-record-file=%t.yaml %s -o /dev/null
// RUN: FileCheck %s < %t.yaml

template <class R, class... A> __device__ R __kd_autodiff(A...);

__device__ float iterate(float X, int N) {
  for (int I = 0; I < N; ++I)
    X = sinf(sinf(sinf(X))) * X;
  return X;
}
__global__ void request(float *X, int N) {
  X[0] = __kd_autodiff<float>(iterate, X[0], N);
}

// CHECK:      Name:            Replayed
// CHECK:      --- !Analysis
// CHECK-NEXT: Pass:            kdiff
// CHECK-NEXT: Name:            TapeRecord
// CHECK-NEXT: DebugLoc:        { File: '{{.*}}optimisation-record-has-the-remarks.cu',
// CHECK-NEXT:                    Line: 9, Column: 3 }
// CHECK:        - RecordBytes:     '8'
// CHECK:      --- !Analysis
// CHECK-NEXT: Pass:            kdiff
// CHECK-NEXT: Name:            Taped
// CHECK-NEXT: DebugLoc:        { File: '{{.*}}optimisation-record-has-the-remarks.cu',
// CHECK-NEXT:                    Line: 10,
// CHECK:        - String:          'taped: 4 bytes a thread and segment
// CHECK-NEXT:   - Bytes:           '4'
// CHECK-NEXT:   - EachIteration:   '1'
