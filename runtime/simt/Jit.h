//===- Jit.h - Host code of a device module --------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a device module become code in this
// process?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_JIT_H
#define KDIFF_SIMT_JIT_H

#include "Lower.h"
#include "Scheduler.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace kdiff::simt {

/// Code and variables of one module.
class Program {
public:
  /// Works on a clone of \p M. \p Libdevice: see Device::create.
  static llvm::Expected<Program>
  compile(const llvm::Module &M, llvm::StringRef Libdevice, bool Checked);

  const LoweredModule &module() const { return Lowered; }
  llvm::Expected<EntryPoint> entry(llvm::StringRef Kernel) const;
  /// Null where there is none.
  void *variable(llvm::StringRef Name) const;
  /// Of one of module().Objects; null if the code does not link.
  void *object(llvm::StringRef Name) const;

private:
  LoweredModule Lowered;
  std::unique_ptr<llvm::orc::LLJIT> Jit;
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_JIT_H
