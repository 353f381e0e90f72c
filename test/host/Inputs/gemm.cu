// The reverse of cuBLAS's matrix product against sums by hand, for every
// transposition, with and without what C held; factors are overwritten before
// the tape goes backward. Runs on a card.
#include <cmath>
#include <cstdio>
#include <kdiff/cublas.h>
#include <vector>

template <class T> struct Device {
  Device(const std::vector<T> &Values) : Count(Values.size()) {
    cudaMalloc(&At, Count * sizeof(T));
    cudaMemcpy(At, Values.data(), Count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(At); }
  std::vector<T> read() const {
    std::vector<T> Values(Count);
    cudaMemcpy(Values.data(), At, Count * sizeof(T), cudaMemcpyDeviceToHost);
    return Values;
  }
  T *At;
  size_t Count;
};

static std::vector<double> values(int Count, int Salt) {
  std::vector<double> V(Count);
  for (int I = 0; I != Count; ++I)
    V[I] = std::sin(1.0 + 0.7 * I + Salt);
  return V;
}

int main() {
  const int M = 5, N = 4, K = 3, Pad = 2;
  const double Alpha = 1.5;
  cublasHandle_t Handle;
  if (cublasCreate(&Handle) != CUBLAS_STATUS_SUCCESS)
    return std::printf("no cuBLAS\n"), 1;
  cudaStream_t Stream;
  cudaStreamCreate(&Stream);
  double Worst = 0;
  for (int Case = 0; Case != 12; ++Case) {
    bool TA = Case & 1, TB = Case & 2;
    double Beta = Case / 4 * 0.5;
    int LA = (TA ? K : M) + Pad, LB = (TB ? N : K) + Pad, LC = M + Pad;
    auto A = values(LA * (TA ? M : K), 1), B = values(LB * (TB ? K : N), 2),
         C = values(LC * N, 3), S = values(LC * N, 4);
    auto AtA = [&](int I, int L) { return TA ? L + I * LA : I + L * LA; };
    auto AtB = [&](int L, int J) { return TB ? J + L * LB : L + J * LB; };
    std::vector<double> WA(A.size()), WB(B.size()), WC = S;
    for (int J = 0; J != N; ++J)
      for (int I = 0; I != M; ++I) {
        for (int L = 0; L != K; ++L) {
          WA[AtA(I, L)] += Alpha * S[I + J * LC] * B[AtB(L, J)];
          WB[AtB(L, J)] += Alpha * S[I + J * LC] * A[AtA(I, L)];
        }
        WC[I + J * LC] *= Beta;
      }
    Device<double> DA(A), DB(B), DC(C), SA(std::vector<double>(A.size())),
        SB(std::vector<double>(B.size())), SC(S);
    kdiff::Tape Tape(Stream);
    Tape.call(kdiff::gemm(
        Handle, TA ? CUBLAS_OP_T : CUBLAS_OP_N, TB ? CUBLAS_OP_T : CUBLAS_OP_N,
        M, N, K, Alpha, kdiff::dup(DA.At, SA.At), LA, kdiff::dup(DB.At, SB.At),
        LB, Beta, kdiff::dup(DC.At, SC.At), LC));
    Device<double> Nothing(std::vector<double>(100)), NoShadow(A);
    Tape.copy(kdiff::dup(DA.At, NoShadow.At), Nothing.At, A.size());
    Tape.copy(kdiff::dup(DB.At, NoShadow.At), Nothing.At, B.size());
    Tape.backward();
    Tape.check();
    auto Compare = [&](const std::vector<double> &Is,
                       const std::vector<double> &Wanted) {
      for (size_t I = 0; I != Is.size(); ++I)
        Worst = std::fmax(Worst, std::fabs(Is[I] - Wanted[I]));
    };
    Compare(SA.read(), WA);
    Compare(SB.read(), WB);
    Compare(SC.read(), WC);
  }
  cublasDestroy(Handle);
  std::printf("gemm: worst error %.1e\n%s\n", Worst,
              Worst < 1e-12 ? "right" : "WRONG");
  return !(Worst < 1e-12);
}
