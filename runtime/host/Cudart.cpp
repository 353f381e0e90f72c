//===- Cudart.cpp - The CUDA runtime's names ------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which back-end gets a program's CUDA calls?
//
//===----------------------------------------------------------------------===//

#include "host/Backend.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

using namespace kdiff::host;

#define KD_STRING_(Text) #Text
#define KD_STRING(Text) KD_STRING_(Text)

/// There is no error code that a call could return for "no back-end", and
/// nothing of the program can run without one.
[[noreturn]] static void fail(const std::string &What, const char *Remedy) {
  std::fprintf(stderr, "kdiff: %s\n  %s\n", What.c_str(), Remedy);
  std::exit(1);
}

static void *open(const std::string &Library, const char *Remedy) {
  void *Handle = dlopen(Library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle)
    fail(dlerror(), Remedy);
  return Handle;
}

/// The folder of this library, with a slash.
static std::string ownFolder() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&ownFolder), &Info) || !Info.dli_fname)
    return "";
  std::string Path = Info.dli_fname;
  return Path.substr(0, Path.rfind('/') + 1);
}

static const Backend *openSimt() {
  void *Library = open(ownFolder() + "libkdiff_simt.so",
                       "KDIFF_DEVICE=simt needs libkdiff_simt.so beside "
                       "libkdiff_cudart.so, and LLVM's library");
  auto Make =
      reinterpret_cast<const Backend *(*)()>(dlsym(Library, SimtBackendName));
  if (!Make)
    fail(dlerror(), "the two libraries are of different versions of KDiff");
  return Make();
}

static const Backend *openCuda() {
  static Backend Cuda;
  void *Library = open("libcudart.so." + std::to_string(CUDART_VERSION / 1000),
                       "set LD_LIBRARY_PATH to the CUDA toolkit's lib64, or "
                       "KDIFF_DEVICE=simt to run on the CPU");
#define KD_ENTRY(Result, Name, Parameters, Arguments)                          \
  Cuda.Name =                                                                  \
      reinterpret_cast<Result(*) Parameters>(dlsym(Library, KD_STRING(Name)));
#include "host/Entries.def"
  return &Cuda;
}

/// Object files register their kernels before main, so the first call comes
/// from anywhere.
static const Backend &backend() {
  static const Backend *Chosen = [] {
    const char *Device = std::getenv("KDIFF_DEVICE");
    if (Device && !std::strcmp(Device, "simt"))
      return openSimt();
    if (Device && *Device && std::strcmp(Device, "gpu"))
      fail("KDIFF_DEVICE=" + std::string(Device) + " names no device",
           "known are simt and gpu");
    return openCuda();
  }();
  return *Chosen;
}

#define KD_ENTRY(Result, Name, Parameters, Arguments)                          \
  extern "C" __attribute__((visibility("default"))) Result Name Parameters {   \
    return backend().Name Arguments;                                           \
  }
#include "host/Entries.def"
