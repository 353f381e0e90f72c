//===- cublas.h - A tape's rule for matrix products ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is cuBLAS's GEMM a step of a kdiff::Tape?
//
//   // C = alpha op(A) op(B) + beta C, column-major, as cublasDgemm
//   tape.call(kdiff::gemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, alpha,
//                         kdiff::dup(A, dA), lda, kdiff::dup(B, dB), ldb, beta,
//                         kdiff::dup(C, dC), ldc));
//
// A or B without a shadow is constant. With op(A) of m x k and dC the adjoint
// of the new C:
//
//   d op(A) += alpha dC op(B)^T,  d op(B) += alpha op(A)^T dC,  dC <- beta dC
//
// (M. Giles, "Collected matrix derivative results for forward and reverse mode
// algorithmic differentiation", 2008, section 2.2.2). A, B and C are different
// matrices. The handle must live until backward(), which uses its workspace and
// math mode; its stream is set to the tape's, its pointers are the host's.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_CUBLAS_H
#define KDIFF_CUBLAS_H

#include <cublas_v2.h>
#include <kdiff/kdiff.h>

namespace kdiff {

/// A matrix and its shadow, which may be null: then it is constant.
template <class T> struct Matrix {
  T *Primal, *Shadow;
  int Stride; ///< Elements from column to column.
};

namespace detail {

inline void checkCublas(cublasStatus_t Status) {
  if (Status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("kdiff::gemm: ") +
                             cublasGetStatusString(Status));
}

template <class T>
void multiply(cublasHandle_t Handle, cublasOperation_t OpA,
              cublasOperation_t OpB, int M, int N, int K, T Alpha, const T *A,
              int StrideA, const T *B, int StrideB, T Beta, T *C, int StrideC) {
  if constexpr (std::is_same_v<T, double>)
    checkCublas(cublasDgemm(Handle, OpA, OpB, M, N, K, &Alpha, A, StrideA, B,
                            StrideB, &Beta, C, StrideC));
  else
    checkCublas(cublasSgemm(Handle, OpA, OpB, M, N, K, &Alpha, A, StrideA, B,
                            StrideB, &Beta, C, StrideC));
}

/// C = Factor C.
template <class T>
void scale(cublasHandle_t Handle, int M, int N, T Factor, T *C, int Stride) {
  const T Zero = 0;
  if constexpr (std::is_same_v<T, double>)
    checkCublas(cublasDgeam(Handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, &Factor, C,
                            Stride, &Zero, C, Stride, C, Stride));
  else
    checkCublas(cublasSgeam(Handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, &Factor, C,
                            Stride, &Zero, C, Stride, C, Stride));
}

} // namespace detail

/// See the head of this file. T: float or double.
template <class T> class GemmRule {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "kdiff: gemm is for float and double");

public:
  GemmRule(cublasHandle_t Handle, cublasOperation_t OpA, cublasOperation_t OpB,
           int M, int N, int K, T Alpha, Matrix<T> A, Matrix<T> B, T Beta,
           Matrix<T> C)
      : Handle(Handle), OpA(OpA), OpB(OpB), M(M), N(N), K(K), Alpha(Alpha),
        Beta(Beta), A(A), B(B), C(C) {}

  static std::string name() { return "gemm"; }

  /// Each factor is needed for the other's adjoint.
  std::vector<RuleBuffer> buffers() const {
    return {{A.Primal, B.Shadow != nullptr, false},
            {B.Primal, A.Shadow != nullptr, false},
            {C.Primal, false, true}};
  }

  void forward(cudaStream_t Stream) const {
    detail::checkCublas(cublasSetStream(Handle, Stream));
    detail::multiply(Handle, OpA, OpB, M, N, K, Alpha, A.Primal, A.Stride,
                     B.Primal, B.Stride, Beta, C.Primal, C.Stride);
  }

  void reverse(cudaStream_t Stream, const std::vector<void *> &At) const {
    detail::checkCublas(cublasSetStream(Handle, Stream));
    auto *Left = static_cast<const T *>(At[0]);
    auto *Right = static_cast<const T *>(At[1]);
    bool PlainA = OpA == CUBLAS_OP_N, PlainB = OpB == CUBLAS_OP_N;
    if (A.Shadow && PlainA)
      detail::multiply<T>(
          Handle, CUBLAS_OP_N, PlainB ? CUBLAS_OP_T : CUBLAS_OP_N, M, K, N,
          Alpha, C.Shadow, C.Stride, Right, B.Stride, 1, A.Shadow, A.Stride);
    else if (A.Shadow)
      detail::multiply<T>(Handle, OpB, CUBLAS_OP_T, K, M, N, Alpha, Right,
                          B.Stride, C.Shadow, C.Stride, 1, A.Shadow, A.Stride);
    if (B.Shadow && PlainB)
      detail::multiply<T>(Handle, PlainA ? CUBLAS_OP_T : CUBLAS_OP_N,
                          CUBLAS_OP_N, K, N, M, Alpha, Left, A.Stride, C.Shadow,
                          C.Stride, 1, B.Shadow, B.Stride);
    else if (B.Shadow)
      detail::multiply<T>(Handle, CUBLAS_OP_T, OpA, N, K, M, Alpha, C.Shadow,
                          C.Stride, Left, A.Stride, 1, B.Shadow, B.Stride);
    detail::scale<T>(Handle, M, N, Beta, C.Shadow, C.Stride);
  }

private:
  cublasHandle_t Handle;
  cublasOperation_t OpA, OpB;
  int M, N, K;
  T Alpha, Beta;
  Matrix<T> A, B, C;
};

namespace detail {
template <class T> Matrix<T> matrix(DupArgument<T *, T *> M, int Stride) {
  return {M.Primal, M.Shadow, Stride};
}
template <class T> Matrix<T> matrix(T *M, int Stride) {
  return {M, nullptr, Stride};
}
} // namespace detail

/// The step C = alpha op(A) op(B) + beta C. \p a and \p b: dup(matrix, shadow),
/// or the matrix alone.
template <class T, class MatrixA, class MatrixB>
GemmRule<T> gemm(cublasHandle_t handle, cublasOperation_t opA,
                 cublasOperation_t opB, int m, int n, int k, T alpha, MatrixA a,
                 int lda, MatrixB b, int ldb, T beta, DupArgument<T *, T *> c,
                 int ldc) {
  return {handle,
          opA,
          opB,
          m,
          n,
          k,
          alpha,
          detail::matrix(a, lda),
          detail::matrix(b, ldb),
          beta,
          detail::matrix(c, ldc)};
}

} // namespace kdiff
#endif // KDIFF_CUBLAS_H
