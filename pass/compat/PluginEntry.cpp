//===- PluginEntry.cpp - What LLVM's loader calls first ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: was the plugin loaded into the LLVM that it was
// built for, and what if not?
//
// LLVM's C++ interface differs between versions: a plugin in another version
// crashes it, or is not even loaded for the lack of a symbol, and the program
// does not say why. Hence libKDiff.so is this file alone, which needs nothing
// of LLVM; it compares the versions and then loads the passes, which lie next
// to it in libKDiffPasses.so. Where that is not possible, the program ends
// here: the structure to be returned has grown over the versions, so that
// returning one to an older loader would overwrite its stack.
//
//===----------------------------------------------------------------------===//

#include "compat/PassPlugin.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

using RegisterPasses = void(llvm::PassBuilder &);

// Part of LLVM's C interface, which is stable, since LLVM 16. Weak, for what
// came before.
extern "C" __attribute__((weak)) void
LLVMGetVersion(unsigned *Major, unsigned *Minor, unsigned *Patch);

[[noreturn]] static void fail(const std::string &Message) {
  std::fprintf(stderr, "error: %s\n", Message.c_str());
  std::exit(1);
}

static void requireMatchingLLVM() {
  unsigned Major = 0, Minor = 0, Patch = 0;
  if (LLVMGetVersion)
    LLVMGetVersion(&Major, &Minor, &Patch);
  if (Major == LLVM_VERSION_MAJOR)
    return;
  std::string Built = std::to_string(LLVM_VERSION_MAJOR);
  fail("libKDiff.so was built for LLVM " + Built +
       " and cannot be loaded into LLVM " +
       (Major ? std::to_string(Major) : "15 or older") +
       ": use the clang++ and opt of LLVM " + Built +
       ", or build KDiff for the other version");
}

static RegisterPasses *loadPasses() {
  Dl_info Here;
  if (!dladdr(reinterpret_cast<void *>(&requireMatchingLLVM), &Here))
    fail("libKDiff.so does not find its own path");
  std::string Path = Here.dli_fname;
  Path.replace(Path.find_last_of('/') + 1, std::string::npos,
               "libKDiffPasses.so");
  // Now: a missing symbol is an error here, not a crash in the middle.
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *Symbol = Library ? dlsym(Library, "kdiffRegisterPasses") : nullptr;
  if (!Symbol)
    fail("libKDiff.so cannot load its passes (they must lie next to it, and "
         "LLVM must be the one that they were built for, " LLVM_VERSION_STRING
         "): " +
         std::string(dlerror()));
  return reinterpret_cast<RegisterPasses *>(Symbol);
}

extern "C" llvm::PassPluginLibraryInfo LLVM_ATTRIBUTE_WEAK
llvmGetPassPluginInfo() {
  requireMatchingLLVM();
  return {LLVM_PLUGIN_API_VERSION, "KDiff", LLVM_VERSION_STRING, loadPasses()};
}
