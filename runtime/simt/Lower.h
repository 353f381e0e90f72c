//===- Lower.h - NVPTX IR to host IR ---------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does device IR become IR that the host's
// code generator takes, with one entry point a kernel?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_LOWER_H
#define KDIFF_SIMT_LOWER_H

#include "Sites.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace kdiff::simt {

constexpr char EntryPrefix[] = "kdiff_simt_entry.";

struct KernelInfo {
  std::vector<size_t> ParameterBytes;
  /// What it reaches and the host cannot run, each with its place.
  std::vector<std::string> Unsupported;
};

/// A variable in shared memory, from the start of the kernel's part.
struct SharedVariable {
  size_t Offset, Bytes;
  std::string Name;
};

struct LoweredModule {
  llvm::StringMap<KernelInfo> Kernels;
  llvm::StringMap<size_t> Variables; ///< Device variables and their bytes.
  SiteTable Sites;
  /// With checks: all that lies in global memory, and its bytes.
  llvm::StringMap<size_t> Objects;
  std::vector<SharedVariable> SharedVariables;
  /// Of all kernels together: each variable has one place.
  size_t StaticShared = 0;
};

/// Lanes that ask for the active mask at one place count as converged. So
/// functions that ask are marked to be inlined into each of their callers,
/// and these into theirs: each call is a place of its own.
void inlineActiveMasks(llvm::Module &M);

/// Rewrites \p M, whose data layout and triple are the host's already. Each
/// kernel K gets a function EntryPrefix + K of type void(ptr): the argument
/// points to the pointers to its parameters' values.
/// \p Checked: with calls of the checks (check/Hooks.h), and the debug
/// information that followUndefined needs.
LoweredModule lowerModule(llvm::Module &M, bool Checked);

} // namespace kdiff::simt
#endif // KDIFF_SIMT_LOWER_H
