//===- Toolchain.h - clang and the CUDA toolkit ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which clang, CUDA toolkit and target are used,
// and what do they make of a source file?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_COMPILE_TOOLCHAIN_H
#define KDIFF_TOOL_COMPILE_TOOLCHAIN_H

#include "cases/Signature.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace kdiff::tool {

struct Toolchain {
  std::string Clang;    ///< clang++ of the LLVM that KDiff was built with.
  std::string CudaPath; ///< Has include/, bin/ptxas, nvvm/libdevice/.
  std::string Arch = "sm_90";
  unsigned OptLevel = 2;          ///< 0 to 3, for clang and the pipeline.
  std::vector<std::string> Flags; ///< Passed to clang: -D, -I, -std, ...

  std::string libdevice() const;
  /// Clang and CudaPath where they are not set: as found at build time, then
  /// CUDA_PATH, CUDA_HOME, /usr/local/cuda. An error with a remedy if one is
  /// missing.
  llvm::Error complete();
};

/// The device module of \p File: a .cu by clang, up to the start of LLVM's
/// pipeline (argument names and line tables kept); an .ll or .bc as it is.
/// What clang said, warnings included, is appended to \p Messages; it is the
/// error's text where compilation failed. \p Timeout in seconds, 0: none.
llvm::Expected<std::unique_ptr<llvm::Module>>
loadDeviceModule(llvm::StringRef File, const Toolchain &T,
                 llvm::LLVMContext &Context, std::string &Messages,
                 unsigned Timeout = 0);

struct Cubin {
  std::string Bytes;
  std::map<std::string, Resources> Kernels;
};
/// Assembles \p Ptx for \p Arch with the toolkit's ptxas.
llvm::Expected<Cubin> assemble(llvm::StringRef Ptx, const Toolchain &T,
                               llvm::StringRef Arch);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_COMPILE_TOOLCHAIN_H
