//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: are the gradients of a program right?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_CHECK_H
#define KDIFF_BENCHMARKS_HARNESS_CHECK_H

#include "harness/TapePool.h"
#include "harness/Workspace.h"
#include <optional>

namespace kdiff::bench {

/// The files of one program in one precision.
struct Artifacts {
  std::vector<std::string> Files; ///< The primal and the hand-written adjoint.
  /// With KDiff's gradient among the files.
  std::optional<tool::Signature> Gradient;
  std::string NoGradient; ///< Why there is none.
};

/// What lies in \p Folder/NAME, with name extension \p Extension: primal and
/// hand, or primal_f64 and hand_f64 for \p Real F64 where the sources have
/// REAL, and, where it is there, the gradient with its gradient.json.
llvm::Expected<Artifacts> findArtifacts(const Program &P, ElementType Real,
                                        llvm::StringRef Folder,
                                        llvm::StringRef Extension);

/// The worst element of a comparison.
struct Worst {
  double Error = 0; ///< By errorOf(); infinity where a number is missing.
  std::string Where;
  void update(double NewError, llvm::StringRef Name, size_t Index);
};

/// |Value - Expected| / max(|Expected|, Scale); infinity for NaN.
double errorOf(double Value, double Expected, double Scale);
/// The root mean square, the scale of an array's errors.
double rootMeanSquare(llvm::ArrayRef<double> Values);

/// The shadows of the differentiated arguments after a gradient.
using Gradients = llvm::StringMap<std::vector<double>>;
llvm::Expected<Gradients> handGradients(Workspace &W, const Program &P);
/// KDiff's. \p Tape: the pool that the gradient uses, null if it needs none;
/// fails where the pool lacked room, before anything else is looked at. Also
/// fails where the seeds are not as they were.
llvm::Expected<Gradients> kdiffGradients(Workspace &W, const Program &P,
                                         const tool::Signature &S,
                                         TapePool *Tape);

Worst compare(const Gradients &Values, const Gradients &Expected,
              const Program &P);

/// The hand-written adjoint in double precision against central differences
/// (fourth order) of the primal in double precision, at up to \p Samples
/// elements of each differentiated argument.
llvm::Expected<Worst> compareWithDifferences(Workspace &F64, const Program &P,
                                             const Gradients &HandF64,
                                             size_t Samples);

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_CHECK_H
