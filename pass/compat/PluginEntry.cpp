//===- PluginEntry.cpp - What LLVM's loader calls first ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: was the plugin loaded into the LLVM that it was
// built for, and what if not?
//
// LLVM's C++ interface differs between versions: a plugin in another version
// crashes it. Even the structure that is returned here has grown, so that
// returning one to an older loader would overwrite its stack. Hence the
// program ends here, before anything else of the plugin is used.
//
//===----------------------------------------------------------------------===//

#include "compat/PassPlugin.h"
#include <cstdio>
#include <cstdlib>

// LLVM's C interface is stable, but for this function's first version (16).
// Weak: an LLVM without it is another one in any case.
extern "C" __attribute__((weak)) void
LLVMGetVersion(unsigned *Major, unsigned *Minor, unsigned *Patch);

static void requireMatchingLLVM() {
  unsigned Major = 0, Minor = 0, Patch = 0;
  if (LLVMGetVersion)
    LLVMGetVersion(&Major, &Minor, &Patch);
  if (Major == LLVM_VERSION_MAJOR)
    return;
  std::fprintf(stderr,
               "error: libKDiff.so was built for LLVM %d and cannot be loaded "
               "into LLVM %s%.0d: use the clang and opt of LLVM %d, or build "
               "KDiff with -DLLVM_DIR=... for the other one\n",
               LLVM_VERSION_MAJOR, Major ? "" : "before 16", Major,
               LLVM_VERSION_MAJOR);
  std::exit(1);
}

extern "C" llvm::PassPluginLibraryInfo LLVM_ATTRIBUTE_WEAK
llvmGetPassPluginInfo() {
  requireMatchingLLVM();
  return {LLVM_PLUGIN_API_VERSION, "KDiff", LLVM_VERSION_STRING,
          kdiff::registerKDiff};
}
