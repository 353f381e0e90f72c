//===- Laboratory.h - Values and partials of operations --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what are an operation's value and, by the
// table's formulas, its partials at given points?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TEST_RULES_LABORATORY_H
#define KDIFF_TEST_RULES_LABORATORY_H

#include "Specimen.h"
#include "simt/Executor.h"

namespace kdiff::test {

/// One number an operand; integers as doubles, anything for pointers.
using Point = std::vector<double>;

struct Measured {
  double Value = 0;
  std::vector<double> Partials; ///< One an operand, 0 where there is none.
};

/// All specimens, compiled once for the SIMT executor.
class Laboratory {
public:
  static Laboratory &get();

  llvm::LLVMContext &context() { return Context; }
  llvm::ArrayRef<Specimen> specimens() const { return All; }
  /// Null if there is none.
  const Specimen *find(llvm::StringRef Label) const;
  /// The accurate double of the row and output of \p S; \p S itself if there
  /// is none.
  const Specimen &reference(const Specimen &S) const;
  std::vector<Measured> measure(const Specimen &S, llvm::ArrayRef<Point> At);

private:
  Laboratory();
  llvm::LLVMContext Context;
  std::vector<Specimen> All;
  std::unique_ptr<simt::Device> Device;
};

} // namespace kdiff::test
#endif // KDIFF_TEST_RULES_LABORATORY_H
