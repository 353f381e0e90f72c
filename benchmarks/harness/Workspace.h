//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a program's data get to a
// device, and how are its kernels launched on it?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_WORKSPACE_H
#define KDIFF_BENCHMARKS_HARNESS_WORKSPACE_H

#include "cases/Signature.h"
#include "harness/Backend.h"
#include "harness/Program.h"
#include "llvm/ADT/StringMap.h"

namespace kdiff::bench {

/// The memory of one program on one device, in one precision. Owns what it
/// allocates; the backend and the program outlive it.
class Workspace {
public:
  /// Allocates and fills every argument. \p Real is what REAL means.
  static llvm::Expected<std::unique_ptr<Workspace>>
  create(Backend &B, const Program &P, ElementType Real);
  ~Workspace();

  /// Outputs to zero, seeds to their values, shadows of inputs and scratch to
  /// zero: as before the first launch. Inputs are never written.
  llvm::Error reset();

  llvm::Error launch(const Launch &L);
  /// Launches the gradient kernel that \p S describes, as wide as the primal.
  llvm::Error launchGradient(const tool::Signature &S);

  /// Values or shadow of \p Argument, widened to double.
  llvm::Expected<std::vector<double>> values(const std::string &Argument);
  llvm::Expected<std::vector<double>> shadow(const std::string &Argument);
  /// Sets one element of an input.
  llvm::Error set(const std::string &Argument, size_t Index, double Value);

private:
  struct Place {
    const Argument *A = nullptr;
    size_t Bytes = 0;
    void *Values = nullptr; ///< Device memory; ByValue: a host scalar.
    void *Shadow = nullptr; ///< Device memory.
    void *Seed = nullptr;   ///< Device memory: what reset() copies to Shadow.
  };
  Workspace(Backend &B, const Program &P, ElementType Real)
      : B(B), P(P), Real(Real) {}
  llvm::Error add(const Argument &A);
  llvm::Error fill(void *To, const Argument &A,
                   const std::function<double(size_t)> &Element);
  llvm::Expected<void *> shadowOf(Place &Pl);
  llvm::Expected<std::vector<double>> read(const Argument &A, const void *From);
  ElementType typeOf(const Argument &A) const;

  Backend &B;
  const Program &P;
  ElementType Real;
  llvm::StringMap<Place> Places;
  std::vector<void *> Owned; ///< Device memory.
  std::vector<std::unique_ptr<char[]>> Scalars;
};

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_WORKSPACE_H
