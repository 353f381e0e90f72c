//===- Backend.h - What a host program's CUDA calls reach ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what must a back-end provide, so that a host
// program that calls the CUDA runtime can run on it?
//
// A program that is linked with libkdiff_cudart.so in place of libcudart.so
// chooses when it starts, by the environment:
//
//   KDIFF_DEVICE=simt   the SIMT executor, libkdiff_simt.so beside this
//   library;
//                       no GPU, no driver and no CUDA library are needed
//   otherwise           libcudart.so, found as the loader finds libraries
//
// Both are tables of the same functions. The kernels that the executor runs
// must be in the program as LLVM IR: kdiff/simt.h says how they get there.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_HOST_BACKEND_H
#define KDIFF_HOST_BACKEND_H

#include <cuda_runtime_api.h>

namespace kdiff::host {

struct Backend {
#define KD_ENTRY(Result, Name, Parameters, Arguments) Result(*Name) Parameters;
#include "host/Entries.def"
};

/// What libkdiff_simt.so exports: `const Backend *kdiffSimtBackend()`.
constexpr char SimtBackendName[] = "kdiffSimtBackend";

} // namespace kdiff::host
#endif // KDIFF_HOST_BACKEND_H
