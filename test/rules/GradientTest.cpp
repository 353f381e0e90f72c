//===- GradientTest.cpp - Every row through the whole pass ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do the gradients and tangents that the pass
// makes of one operation have the partials of the table, and does an adjoint
// or tangent of exactly zero stay zero where a partial is not finite?
//
//===----------------------------------------------------------------------===//
#include "Gradients.h"
#include "Laboratory.h"
#include "Points.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace kdiff;
using namespace kdiff::test;

namespace {

/// The kernels of all specimens on the executor.
class Gradients {
public:
  static Gradients &get() {
    static Gradients G;
    return G;
  }

  /// The adjoints of the operands at \p P where that of the result is
  /// \p Seed.
  std::vector<double> reverse(unsigned I, const Point &P, double Seed) {
    setOperands(I, P);
    std::memset(DX, 0, Bytes);
    put(DY, resultType(I), Seed);
    launch(reverseKernel(I));
    std::vector<double> Adjoints;
    for (auto [K, Ty] : enumerate(specimen(I).Operands))
      Adjoints.push_back(Ty->isFloatingPointTy() ? take(DX + 8 * K, Ty) : 0);
    return Adjoints;
  }

  /// The tangent of the result at \p P where that of operand \p K is \p Seed.
  double forward(unsigned I, const Point &P, unsigned K, double Seed) {
    setOperands(I, P);
    std::memset(DX, 0, Bytes);
    put(DX + 8 * K, specimen(I).Operands[K], Seed);
    launch(forwardKernel(I));
    return take(DY, resultType(I));
  }

private:
  static constexpr size_t Bytes = 64;

  Gradients() {
    std::unique_ptr<TargetMachine> TM = targetMachine("sm_90");
    LLVMContext &C = Laboratory::get().context();
    std::unique_ptr<Module> M =
        differentiate(Laboratory::get().specimens(), *TM, C);
    Device = cantFail(simt::Device::create(*M, libdevicePath()));
    for (char **Buffer : {&X, &DX, &Y, &DY})
      *Buffer = static_cast<char *>(Device->allocate(Bytes, "operands"));
  }

  static const Specimen &specimen(unsigned I) {
    return Laboratory::get().specimens()[I];
  }
  static Type *resultType(unsigned I) { return specimen(I).Result; }

  static void put(char *At, Type *Ty, double V) {
    if (Ty->isDoubleTy())
      std::memcpy(At, &V, sizeof V);
    else if (float F = V; Ty->isFloatTy())
      std::memcpy(At, &F, sizeof F);
    else if (int32_t N = V; Ty->isIntegerTy())
      std::memcpy(At, &N, sizeof N);
  }
  static double take(const char *At, Type *Ty) {
    double V;
    float F;
    std::memcpy(&V, At, sizeof V);
    std::memcpy(&F, At, sizeof F);
    return Ty->isDoubleTy() ? V : F;
  }

  void setOperands(unsigned I, const Point &P) {
    for (auto [K, Ty] : enumerate(specimen(I).Operands))
      put(X + 8 * K, Ty, P[K]);
  }

  void launch(const std::string &Kernel) {
    void *Args[] = {&X, &DX, &Y, &DY};
    cantFail(Device->launch(Kernel, {}, {}, 0, Args));
  }

  std::unique_ptr<simt::Device> Device;
  char *X, *DX, *Y, *DY;
};

class EveryGradient : public testing::TestWithParam<unsigned> {
protected:
  unsigned I = GetParam();
  const Specimen &S = Laboratory::get().specimens()[I];
  Gradients &G = Gradients::get();

  bool isDifferentiable(unsigned K) const {
    return S.Operands[K]->isFloatingPointTy() && S.isDifferentiable(K);
  }
};

TEST_P(EveryGradient, HasThePartialsOfTheTable) {
  std::vector<Point> Points = ordinaryPoints(S);
  std::vector<Measured> Expected = Laboratory::get().measure(S, Points);
  for (unsigned N = 0; N != Points.size(); ++N) {
    std::vector<double> Adjoints = G.reverse(I, Points[N], 2);
    for (unsigned K = 0; K != S.Operands.size(); ++K) {
      double Partial = Expected[N].Partials[K];
      double Tolerance = 1e-6 * std::max(1.0, std::fabs(Partial));
      std::string Where = "by operand " + std::to_string(K) + " at " +
                          testing::PrintToString(Points[N]);
      EXPECT_NEAR(Adjoints[K], 2 * Partial, 2 * Tolerance) << Where;
      if (isDifferentiable(K))
        EXPECT_NEAR(G.forward(I, Points[N], K, 2), 2 * Partial, 2 * Tolerance)
            << Where;
    }
  }
}

TEST_P(EveryGradient, KeepsZeroAtExtremePoints) {
  for (const Point &P : extremePoints(S)) {
    std::vector<double> Adjoints = G.reverse(I, P, 0);
    for (unsigned K = 0; K != S.Operands.size(); ++K) {
      EXPECT_EQ(Adjoints[K], 0)
          << "by operand " << K << " at " << testing::PrintToString(P);
      if (isDifferentiable(K))
        EXPECT_EQ(G.forward(I, P, K, 0), 0)
            << "by operand " << K << " at " << testing::PrintToString(P);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, EveryGradient,
    testing::Range(0u, unsigned(Laboratory::get().specimens().size())),
    labelOf);

} // namespace
