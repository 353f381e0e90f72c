//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are measurements written down?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_REPORT_H
#define KDIFF_BENCHMARKS_HARNESS_REPORT_H

#include "harness/Measure.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class raw_ostream;
}

namespace kdiff::bench {

/// {"device", "copy_gb_s", "kernels": [{"name", "primal_ms", …}]}; what could
/// not be measured is null, with the reason in "failure".
void writeJSON(llvm::raw_ostream &OS, const Card &C,
               llvm::ArrayRef<Measurement> Kernels);

/// What writeJSON() wrote.
llvm::Expected<std::pair<Card, std::vector<Measurement>>>
readJSON(llvm::StringRef Path);

/// One line a kernel, with the ratios to the primal and to the hand-written
/// adjoint, and the geometric mean of the latter.
void writeTable(llvm::raw_ostream &OS, const Card &C,
                llvm::ArrayRef<Measurement> Kernels);

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_REPORT_H
