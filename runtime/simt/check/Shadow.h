//===- Shadow.h - What is remembered about memory --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do the checks keep what they know about
// each byte: which of its bits were never written, and who has accessed it?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CHECK_SHADOW_H
#define KDIFF_SIMT_CHECK_SHADOW_H

#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kdiff::simt {

/// One access to some bytes of a word.
struct AccessRecord {
  uint32_t Thread; ///< Number in the grid: block, then thread.
  uint32_t Time;   ///< See Clock.h.
  uint32_t Site : 24;
  uint32_t Bytes : 4; ///< Bit set; 0: the record is free.
  uint32_t Write : 1;
  uint32_t Atomic : 1;
  uint32_t BlockScope : 1; ///< An atomic that other blocks do not see as one.
};

/// The accesses to a word of four bytes that a later one may race with.
struct AccessCell {
  static constexpr unsigned Records = 5;
  static constexpr size_t WordBytes = 4;
  /// Records of another generation (launch or block) are void.
  uint32_t Generation;
  AccessRecord Record[Records]; ///< The oldest first, free ones last.
};
static_assert(sizeof(AccessCell) == 64, "a cache line");

/// The shadow of a stretch of memory. Only what is touched takes memory.
class ShadowRegion {
public:
  ShadowRegion() = default;
  ShadowRegion(const ShadowRegion &) = delete;
  ShadowRegion &operator=(const ShadowRegion &) = delete;
  ~ShadowRegion() { unmap(); }

  /// From now on for \p Bytes at \p Base; what was known is kept if they are
  /// the same as before. All bytes start as defined. \p WithCells: accesses
  /// are remembered, too.
  llvm::Error bind(const char *Base, size_t Bytes, bool WithCells);

  bool contains(const void *Address) const {
    return static_cast<size_t>(static_cast<const char *>(Address) - Base) <
           Bytes;
  }
  /// A bit is set where the memory's bit is undefined.
  uint8_t *undefined(const void *Address) const {
    return Undefined + (static_cast<const char *>(Address) - Base);
  }
  AccessCell *cell(const void *Address) const {
    return Cells +
           (static_cast<const char *>(Address) - Base) / AccessCell::WordBytes;
  }

private:
  const char *Base = nullptr;
  size_t Bytes = 0;
  uint8_t *Undefined = nullptr;
  AccessCell *Cells = nullptr;

  void unmap();
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CHECK_SHADOW_H
