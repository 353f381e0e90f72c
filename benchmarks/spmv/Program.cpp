//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which sparse matrix is multiplied?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"
#include <memory>

namespace kdiff::bench {

Program spmv(Size S) {
  const size_t Rows = S == Size::Case    ? 20
                      : S == Size::Check ? 800
                                         : size_t(1) << 21;
  // Rows of zero to 31 entries, in columns at random within a band.
  auto Starts = std::make_shared<std::vector<int>>(1, 0);
  const int Longest = S == Size::Case ? 6 : 32;
  for (size_t R = 0; R < Rows; ++R)
    Starts->push_back(Starts->back() + int(uniform(1, R, 0, 0.999) * Longest));
  const size_t Entries = size_t(Starts->back());
  auto Columns = std::make_shared<std::vector<int>>();
  const double Band = S == Size::Full ? 65536 : double(Rows);
  for (size_t R = 0; R < Rows; ++R)
    for (int K = (*Starts)[R]; K < (*Starts)[R + 1]; ++K) {
      double Offset = uniform(2, size_t(K), -Band / 2, Band / 2);
      Columns->push_back(int((R + size_t(double(Rows) + Offset)) % Rows));
    }
  auto Integers = [](const char *Name, std::shared_ptr<std::vector<int>> V) {
    return constant(Name, ElementType::I32, V->size(),
                    [=](size_t I) { return double((*V)[I]); });
  };
  Program P;
  P.Name = "spmv";
  P.Title = "A sparse matrix in CSR form times a vector";
  P.Args = {input("values", ElementType::Real, Entries, between(3, -1, 1)),
            Integers("columns", Columns),
            Integers("rows", Starts),
            input("x", ElementType::Real, Rows, between(4, -1, 1)),
            output("y", ElementType::Real, Rows, between(5, -1, 1)),
            scalar("rowCount", ElementType::I32, double(Rows))};
  const unsigned Block = S == Size::Case ? 32 : 256;
  P.Primal = {"spmv",
              {blocksFor(Rows, Block)},
              {Block},
              0,
              {"values", "columns", "rows", "x", "y", "rowCount"}};
  P.Hand = {{"spmv_hand",
             {blocksFor(8 * Rows, 256)},
             {256},
             0,
             {"values", "columns", "rows", "x", "d_y", "d_values", "d_x",
              "rowCount"}}};
  P.AdjointBytes =
      4.0 * double(Entries) * (2 + 2) + 4.0 * double(Rows) * (1 + 1 + 1 + 2);
  return P;
}

} // namespace kdiff::bench
