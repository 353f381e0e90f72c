//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which pole library is looked up, at which
// energies?
//
// The library is made up: poles lie at random along sqrt(E), a window takes
// those within it and a margin, so that the number of poles differs from
// window to window, and some lie on either side of the Faddeeva function's
// switch of formulas.
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"
#include <algorithm>
#include <memory>

namespace kdiff::bench {
namespace {

constexpr double RootLow = 1, RootHigh = 10;

struct Shape {
  size_t Nuclides, PolesPerNuclide, WindowsPerNuclide, Materials, Lookups;
  double Margin;
};

struct Library {
  std::vector<double> Places; ///< Re of the poles, ascending per nuclide.
  std::vector<int> Windows;   ///< First and last pole of each window.
  std::vector<int> Materials; ///< First component of each material.
  std::vector<int> Nuclides;  ///< Of each component.
};

Library build(const Shape &S) {
  Library L;
  double Width = (RootHigh - RootLow) / double(S.WindowsPerNuclide);
  for (size_t N = 0; N < S.Nuclides; ++N) {
    std::vector<double> Places(S.PolesPerNuclide);
    for (size_t P = 0; P < S.PolesPerNuclide; ++P)
      Places[P] = uniform(1, N * S.PolesPerNuclide + P, RootLow, RootHigh);
    std::sort(Places.begin(), Places.end());
    size_t Base = L.Places.size();
    for (size_t W = 0; W < S.WindowsPerNuclide; ++W) {
      double Low = RootLow + double(W) * Width;
      auto First =
          std::lower_bound(Places.begin(), Places.end(), Low - S.Margin);
      auto Last = std::lower_bound(First, Places.end(), Low + Width + S.Margin);
      L.Windows.push_back(int(Base + size_t(First - Places.begin())));
      L.Windows.push_back(int(Base + size_t(Last - Places.begin())));
    }
    L.Places.insert(L.Places.end(), Places.begin(), Places.end());
  }
  L.Materials.push_back(0);
  for (size_t M = 0; M < S.Materials; ++M) {
    size_t Components = 2 + size_t(uniform(2, M, 0, 1) * 2.5 * double(M + 1));
    for (size_t C = 0; C < Components; ++C)
      L.Nuclides.push_back(
          int(uniform(3, L.Nuclides.size(), 0, 0.999) * double(S.Nuclides)));
    L.Materials.push_back(int(L.Nuclides.size()));
  }
  return L;
}

Shape shapeOf(Size S) {
  switch (S) {
  case Size::Case:
    return {3, 8, 4, 2, 10, 0.5};
  case Size::Check:
    return {8, 60, 20, 5, 600, 0.1};
  case Size::Full:
    break;
  }
  return {256, 1000, 250, 12, size_t(1) << 20, 0.05};
}

/// Word \p I of the pole table: place, total, absorption, fission.
double poleWord(const Library &L, size_t I) {
  switch (I % 8) {
  case 0:
    return L.Places[I / 8];
  case 1:
    return uniform(4, I, -0.02, -0.001);
  default:
    return uniform(5, I, -1, 1);
  }
}

} // namespace

Program multipole(Size Z) {
  const Shape S = shapeOf(Z);
  auto Tables = std::make_shared<const Library>(build(S));
  auto Energy = [](size_t I) {
    double Root = uniform(6, I, RootLow, RootHigh);
    return double(float(Root * Root));
  };
  const size_t Components = Tables->Nuclides.size();
  const double PerRoot = double(S.WindowsPerNuclide) / (RootHigh - RootLow);
  Program P;
  P.Name = "multipole";
  P.Title = "Doppler-broadened cross sections from a table of complex poles";
  P.Real = ElementType::F64;
  auto Integers = [](const char *Name, std::vector<int> Library::*Member,
                     const std::shared_ptr<const Library> &L) {
    return constant(Name, ElementType::I32, (*L.*Member).size(),
                    [=](size_t I) { return double((*L.*Member)[I]); });
  };
  auto Material = [=](size_t I) {
    return double(int(uniform(8, I, 0, 0.999) * double(S.Materials)));
  };
  P.Args = {
      input(
          "poles", ElementType::F64, 8 * Tables->Places.size(),
          [=](size_t I) { return poleWord(*Tables, I); }, 1e-7),
      Integers("windows", &Library::Windows, Tables),
      constant("backgrounds", ElementType::F64, 9 * Tables->Windows.size() / 2,
               between(7, 0, 0.5)),
      constant("energies", ElementType::F64, S.Lookups, Energy),
      constant("materialOf", ElementType::I32, S.Lookups, Material),
      Integers("materials", &Library::Materials, Tables),
      Integers("nuclides", &Library::Nuclides, Tables),
      constant("densities", ElementType::F64, Components,
               between(9, 0.001, 0.1)),
      constant("dopplers", ElementType::F64, Components, between(10, 40, 200)),
      output("sections", ElementType::F64, 3 * S.Lookups, between(11, -1, 1)),
      scalar("windowsPerNuclide", ElementType::I32,
             double(S.WindowsPerNuclide)),
      scalar("rootLow", ElementType::F64, RootLow),
      scalar("windowsPerRoot", ElementType::F64, PerRoot),
      scalar("lookups", ElementType::I32, double(S.Lookups))};
  const unsigned Block = Z == Size::Case ? 32 : 128;
  P.Primal = {"multipole",
              {blocksFor(S.Lookups, Block)},
              {Block},
              0,
              {"poles", "windows", "backgrounds", "energies", "materialOf",
               "materials", "nuclides", "densities", "dopplers", "sections",
               "windowsPerNuclide", "rootLow", "windowsPerRoot", "lookups"}};
  // The hand-written kernel is made for blocks of 128.
  P.Hand = {{"multipole_hand",
             {blocksFor(S.Lookups, 128)},
             {128},
             0,
             {"poles", "windows", "energies", "materialOf", "materials",
              "nuclides", "densities", "dopplers", "d_sections", "d_poles",
              "windowsPerNuclide", "rootLow", "windowsPerRoot", "lookups"}}};
  P.AdjointBytes =
      8.0 * (24.0 * double(Tables->Places.size()) + 5.0 * double(S.Lookups));
  return P;
}

} // namespace kdiff::bench
