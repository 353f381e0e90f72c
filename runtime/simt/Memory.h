//===- Memory.h - Device memory --------------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do global buffers, the device heap and
// shared memory live?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_MEMORY_H
#define KDIFF_SIMT_MEMORY_H

#include "llvm/Support/Error.h"
#include <cstddef>
#include <map>
#include <string>

namespace kdiff::simt {

/// Global memory: named blocks, 256-byte aligned, with a red zone behind each,
/// and filled with 0xFF (NaN) when taken.
class Arena {
public:
  enum class Owner { Host, Kernel };

  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena();

  /// Null when nothing of this size is left.
  void *allocate(size_t Bytes, llvm::StringRef Name, Owner By);
  /// False where \p Pointer is not the start of a block of that owner.
  bool free(void *Pointer, Owner By);
  /// "12 bytes behind 'x' (400 bytes)", or "" where no block is near.
  std::string describe(const void *Address) const;

  /// All memory that it will ever hand out.
  const char *base() {
    reserve();
    return Base;
  }
  size_t capacity() const { return Capacity; }
  struct Place {
    const char *Begin = nullptr;
    size_t Bytes = 0;
  };
  /// The block that \p Address lies in; empty where there is none.
  Place find(const void *Address) const;

private:
  struct Block {
    size_t Bytes;
    size_t Room; ///< With the red zone.
    std::string Name;
    Owner By;
  };
  char *Base = nullptr;
  size_t Capacity = 0;
  size_t Top = 0; ///< All behind it was never used.
  std::map<char *, Block> Blocks;
  std::multimap<size_t, char *> Holes; ///< Freed room by size.

  bool reserve();
};

/// Shared memory of the running block. It lies below 4 GiB, since
/// __cvta_generic_to_shared makes a 32-bit integer of its address.
class SharedRegion {
public:
  SharedRegion() = default;
  SharedRegion(const SharedRegion &) = delete;
  SharedRegion &operator=(const SharedRegion &) = delete;
  ~SharedRegion();

  llvm::Error reset(size_t Bytes);
  char *data() const { return Base; }
  size_t capacity() const { return Capacity; }
  bool contains(const void *Address) const {
    auto *P = static_cast<const char *>(Address);
    return P >= Base && P < Base + Capacity;
  }

private:
  char *Base = nullptr;
  size_t Capacity = 0;
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_MEMORY_H
