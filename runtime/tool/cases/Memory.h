//===- Memory.h - A case's arguments on a device ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where are the arguments and their derivatives
// on the device, and which bytes does a launch pass for each?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_MEMORY_H
#define KDIFF_TOOL_CASES_MEMORY_H

#include "cases/Device.h"
#include "cases/Signature.h"

namespace kdiff::tool {

/// The device memory of a case's arguments. The derivative of an argument, of
/// which there is one for each lane, is its shadow (tangents in forward mode,
/// adjoints in reverse mode); it has the layout of the argument itself:
///   buffer       a buffer of the same size, where the activity is dup;
///   struct       a struct in global memory, its pointers leading to shadows
///                (null for const buffers);
///   scalar       one number: by value in forward mode, in global memory in
///                reverse mode.
class Memory {
public:
  /// Allocates and fills everything. \p Derivatives: each lane's initial
  /// numbers, zero where not listed. \p C and \p D outlive the result.
  static llvm::Expected<Memory> create(const Case &C, Device &D, RunMode Mode,
                                       llvm::ArrayRef<NumberTable> Derivatives);

  /// The arguments of launch \p L: of the primal, or of gradient \p S.
  std::vector<void *> primalArguments(const Launch &L);
  /// \p Tape: the pool, for split mode.
  std::vector<void *> gradientArguments(const Launch &L, const Signature &S,
                                        Address Tape = 0);

  /// The primal bytes of every buffer and of \p Variables, to be restored.
  struct Snapshot {
    std::vector<std::string> Buffers, Variables;
  };
  llvm::Expected<Snapshot> snapshot(llvm::ArrayRef<Symbol> Variables);
  llvm::Error restore(const Snapshot &S, llvm::ArrayRef<Symbol> Variables);

  /// Sets the derivatives of a lane to \p Numbers, and to zero where not
  /// listed.
  llvm::Error setDerivatives(unsigned Lane, const NumberTable &Numbers);
  /// Sets one argument's primal bytes (its Image's layout; pointers in
  /// structs are put in).
  llvm::Error setPrimal(unsigned Arg, llvm::StringRef Bytes);

  /// The numbers of "argument" or "struct.field".
  llvm::Expected<std::vector<Number>> primal(llvm::StringRef Name);
  llvm::Expected<std::vector<Number>> derivative(llvm::StringRef Name,
                                                 unsigned Lane = 0);

private:
  /// Of an argument or of one of its derivatives.
  struct Place {
    Address Where = 0; ///< 0: none, or by value.
    std::string Value; ///< What a launch passes.
  };
  /// The arguments themselves, or their derivatives in one lane.
  using Places = std::vector<Place>;

  Memory(const Case &C, Device &D, RunMode Mode) : C(C), D(D), Mode(Mode) {}
  llvm::Error allocate(size_t Width);
  std::string derivativeImage(unsigned Arg, unsigned Lane,
                              const NumberTable &Numbers) const;
  void setPointers(const Argument &A, std::string &Image,
                   const Places &To) const;
  llvm::Expected<std::vector<Number>> numbers(llvm::StringRef Name,
                                              const Places &Of);

  const Case &C;
  Device &D;
  RunMode Mode;
  Places Primal;                  ///< One per argument.
  std::vector<Places> Derivative; ///< By lane.
  Address TapePool = 0;           ///< What a launch passes for the tape.
};

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_MEMORY_H
