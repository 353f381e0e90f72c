//===- EmbeddedIR.h - Device IR within device images -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which form does a device image carry the IR
// that it was made of?
//
// The pass writes it (kdiff/simt.h), the executor's back-end reads it: plain
// C++ that both include.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMBEDDEDIR_H
#define KDIFF_EMBEDDEDIR_H

#include <cstdint>

namespace kdiff {

/// A device variable begins with this, and goes on with the bitcode. Little
/// endian, at any alignment. Readers look for the magic number in the image.
struct EmbeddedIR {
  char Magic[8];
  uint64_t StoredBytes; ///< Of what follows.
  uint64_t Bytes;       ///< Of the bitcode; not StoredBytes: compressed (zlib).
};
constexpr char EmbeddedIRMagic[9] = "KDiffIR1";

} // namespace kdiff
#endif // KDIFF_EMBEDDEDIR_H
