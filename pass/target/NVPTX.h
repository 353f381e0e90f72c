//===- NVPTX.h - Facts about the NVPTX target ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does NVPTX LLVM IR mean beyond LLVM IR
// (kernels, address spaces, scopes)?
//
// Source: LLVM's "User Guide for NVPTX Back-end" (docs/NVPTXUsage.rst).
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TARGET_NVPTX_H
#define KDIFF_TARGET_NVPTX_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace kdiff::nvptx {

/// Address spaces.
enum AddressSpace : unsigned {
  Generic = 0,
  Global = 1,
  Shared = 3,
  Constant = 4,
  Local = 5,
  SharedCluster = 7,
  Param = 101
};

/// Synchronisation scopes of atomics; LLVM's default is the system's.
constexpr llvm::StringLiteral DeviceScope = "device";
constexpr llvm::StringLiteral BlockScope = "block";

/// True if \p M is device code.
bool isDeviceModule(const llvm::Module &M);

/// True if \p F is launched from the host, and so never called. Reads the
/// calling convention only: LLVM upgrades nvvm.annotations to it.
bool isKernel(const llvm::Function &F);

/// What \p F is compiled for: 90 for sm_90, 0 if it does not say.
unsigned processorOf(const llvm::Function &F);
/// The PTX ISA that \p F may use: 81 for 8.1, 0 if it does not say.
unsigned ptxVersionOf(const llvm::Function &F);

} // namespace kdiff::nvptx
#endif // KDIFF_TARGET_NVPTX_H
