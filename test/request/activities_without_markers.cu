// Without markers, pointers that lead to floating point have a shadow, integers
// and pointers to integers have none: at -O0 and at -O2.
// RUN: %clang_cuda -O0 %s -o %t.0.ll
// RUN: %opt -passes='print<kdiff-request>' -disable-output %t.0.ll 2>&1 | FileCheck %s
// RUN: %clang_cuda %s -o %t.2.ll
// RUN: %opt -passes='print<kdiff-request>' -disable-output %t.2.ll 2>&1 | FileCheck %s

template <class R, class... A> __device__ R __kd_autodiff(A...);

__global__ void direct(float *X, const int *I, unsigned char *Mask, float **PP,
                       int N) {
  if (Mask[0])
    X[0] = PP[I[0]][N];
}

// Through functions that are called, and the members of a local object.
__device__ void put(float *P, float V) { *P = V; }
__device__ float *at(float *P, int I) { return P + I; }
struct View {
  float *P;
  int *Q;
  __device__ View(float *P, int *Q) : P(P), Q(Q) {}
  __device__ float get(int I) const { return P[Q[I]]; }
};
__global__ void called(float *X, float *Y, int *Q) {
  View V(Y, Q);
  put(at(X, 3), V.get(2));
}

// Numbers whose bits are accessed as integers.
__global__ void bits(int *W, unsigned *S, double *D, int *Count) {
  S[0] = __float_as_uint(__int_as_float(W[1]) * 2);
  atomicCAS((unsigned long long *)D, 0ull,
            (unsigned long long)__double_as_longlong(W[2] * 0.5));
  atomicAdd(Count, 1);
}

// Structs that are copied by their bytes.
struct Point {
  float X, Y;
};
struct Range {
  int First, Last;
};
__global__ void copied(const Point *From, Point *To, const Range *R, Range *S) {
  Point P;
  memcpy(&P, From, sizeof(Point));
  P.X *= 2;
  memcpy(To, &P, sizeof(Point));
  Range Q;
  memcpy(&Q, R, sizeof(Range));
  Q.First += Q.Last;
  Q.Last = 1;
  S->First = Q.First + 1;
}

struct Params {
  float *A;
  int *B;
  float Gain;
  int N;
};
__global__ void byValue(Params P, int *K) { P.A[0] = K[0] + P.B[0]; }

__global__ void request(float *X, float *DX, float *Y, float *DY, int *I,
                        unsigned char *M, float **PP, float **DPP, double *D,
                        int *W, int *DW, Params P, Params *DP, Point *From,
                        Point *DFrom, Point *To, Point *DTo, Range *R) {
  __kd_autodiff<void>(direct, X, DX, I, M, PP, DPP, 7);
  __kd_autodiff<void>(called, X, DX, Y, DY, I);
  __kd_autodiff<void>(bits, W, DW, W, DW, D, D, I);
  __kd_autodiff<void>(byValue, P, DP, I);
  __kd_autodiff<void>(copied, From, DFrom, To, DTo, R, R);
}

// CHECK-LABEL: reverse of _Z6directPfPKiPhPS_i
// CHECK-NEXT: 1{{.*}} dup: {{.*}}, shadow
// CHECK-NEXT: 2{{.*}} const:
// CHECK-NEXT: 3{{.*}} const:
// CHECK-NEXT: 4{{.*}} dup: {{.*}}, shadow
// CHECK-NEXT: 5{{.*}} const: i32 7
// CHECK-LABEL: reverse of _Z6calledPfS_Pi
// CHECK-NEXT: 1{{.*}} dup:
// CHECK-NEXT: 2{{.*}} dup:
// CHECK-NEXT: 3{{.*}} const:
// CHECK-LABEL: reverse of _Z4bitsPiPjPdS_
// CHECK-NEXT: 1{{.*}} dup:
// CHECK-NEXT: 2{{.*}} dup:
// CHECK-NEXT: 3{{.*}} dup:
// CHECK-NEXT: 4{{.*}} const:
// CHECK-LABEL: reverse of _Z7byValue6ParamsPi
// CHECK-NEXT: 1{{.*}} dup:
// CHECK-NEXT: 2{{.*}} const:
// CHECK-LABEL: reverse of _Z6copiedPK5PointPS_PK5RangePS3_
// CHECK-NEXT: 1{{.*}} dup:
// CHECK-NEXT: 2{{.*}} dup:
// CHECK-NEXT: 3{{.*}} const:
// CHECK-NEXT: 4{{.*}} const:
