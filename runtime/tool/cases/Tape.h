//===- Tape.h - The tape's pool on a device ---------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a gradient launch get its tape, and
// did the tape suffice?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_TAPE_H
#define KDIFF_TOOL_CASES_TAPE_H

#include "cases/Device.h"

namespace kdiff::tool {

/// A pool of pages (kdiff/TapeLayout.h), known to the device's module.
class Tape {
public:
  /// \p D outlives the result; its module has the pool's variable.
  static llvm::Expected<Tape> create(Device &D);
  /// Prepares the pool for a launch of this shape.
  llvm::Error reset(const Dim3 &Grid, const Dim3 &Block);
  /// After the launch: an error that says how much was lacking, if it was.
  llvm::Error check();

private:
  explicit Tape(Device &D) : D(&D) {}

  Device *D;
  Address Variable = 0, Pool = 0;
  size_t Capacity = 0; ///< Bytes at Pool.
};

/// The pool of one launch of split mode, until its reverse has run.
llvm::Expected<Address> makeSplitTape(Device &D, const Dim3 &Grid,
                                      const Dim3 &Block);
/// After a launch: an error that says how much the pool lacked, if it did.
llvm::Error checkTape(Device &D, Address Pool);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_TAPE_H
