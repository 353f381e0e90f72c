//===- Shadow.cpp - What is remembered about memory -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do the checks keep what they know about
// each byte: which of its bits were never written, and who has accessed it?
//
//===----------------------------------------------------------------------===//

#include "check/Shadow.h"
#include <cerrno>
#include <sys/mman.h>

using namespace llvm;
using namespace kdiff::simt;

static constexpr size_t CellsPerByte =
    sizeof(AccessCell) / AccessCell::WordBytes;

static void *reserve(size_t Bytes) {
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return P == MAP_FAILED ? nullptr : P;
}

void ShadowRegion::unmap() {
  if (Undefined)
    munmap(Undefined, Bytes);
  if (Cells)
    munmap(Cells, Bytes * CellsPerByte);
  Undefined = nullptr;
  Cells = nullptr;
  Bytes = 0;
}

Error ShadowRegion::bind(const char *NewBase, size_t NewBytes, bool WithCells) {
  if (NewBase == Base && NewBytes == Bytes)
    return Error::success();
  unmap();
  Base = NewBase;
  Undefined = static_cast<uint8_t *>(reserve(NewBytes));
  if (WithCells)
    Cells = static_cast<AccessCell *>(reserve(NewBytes * CellsPerByte));
  Bytes = NewBytes;
  if (Undefined && (Cells || !WithCells))
    return Error::success();
  return createStringError(std::error_code(errno, std::generic_category()),
                           "no address space for the checks of %zu bytes",
                           NewBytes);
}
