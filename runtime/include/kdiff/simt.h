//===- simt.h - Programs that run without a GPU ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a CUDA program built so that it runs on a
// card, and without one on KDiff's SIMT executor?
//
//   clang++ -x cuda --cuda-gpu-arch=sm_90 -fpass-plugin=.../libKDiff.so
//     --no-offload-new-driver -include kdiff/simt.h app.cu -o app -lkdiff_cudart
//   ./app                                on the card
//   KDIFF_DEVICE=simt ./app              on the CPU
//   KDIFF_DEVICE=simt KDIFF_CHECKS=1 ./app   and with every access checked
//
// (CMake: kdiff_enable(app SIMT).) A file that includes this header has its
// device code, as optimised LLVM IR, in its device image, as an array that nobody
// reads on a card: it costs its size in device memory, so leave it out of what
// you ship. libkdiff_cudart.so has the entry points of the CUDA runtime and
// hands the calls on to it, or to the executor.
//
// There, calls of a stream are done at once and in order. Launches that fail
// print why, and the error is reported as on a card. KDIFF_SEED=N runs threads
// in a random order.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_H
#define KDIFF_SIMT_H

#include <cuda_runtime.h>

namespace {
/// Read by the plugin, which takes it away.
__device__ __attribute__((used)) int __kd_embed_ir;
} // namespace

#endif // KDIFF_SIMT_H
