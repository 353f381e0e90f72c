//===- Objects.h - Whose bytes are these? ----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which variable does an address belong to?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CHECK_OBJECTS_H
#define KDIFF_SIMT_CHECK_OBJECTS_H

#include "check/Shadow.h"
#include <memory>
#include <string>
#include <vector>

namespace kdiff::simt {

struct Object {
  const char *Begin;
  size_t Bytes;
  std::string Name;
  std::unique_ptr<ShadowRegion> Shadow; ///< Of its own, or null.

  bool contains(const char *Address, size_t Count) const {
    return Address >= Begin && Count <= Bytes &&
           static_cast<size_t>(Address - Begin) <= Bytes - Count;
  }
};

/// "12 bytes into 'x' (400 bytes)", also for addresses beside it.
std::string describePlace(const char *Address, const char *Begin, size_t Bytes,
                          const std::string &Name);

/// Objects that do not overlap, and stay.
class ObjectTable {
public:
  Object &add(const char *Begin, size_t Bytes, std::string Name);
  void clear() { Objects.clear(); }
  /// The last one that does not begin behind \p Address, or null.
  Object *before(const char *Address);

private:
  std::vector<Object> Objects; ///< By address.
};

/// Variables in the frames of one thread.
class LocalObjects {
public:
  struct Local {
    const char *Begin;
    size_t Bytes;
    const char *Name;
  };
  void clear() { Live.clear(); }
  /// \p StackPointer: frames below it are gone, as are variables that the new
  /// one overlaps.
  void enter(Local New, const char *StackPointer);
  const Local *find(const char *Address) const;
  /// The nearest that begins at or before \p Address, or null.
  const Local *before(const char *Address) const;

private:
  std::vector<Local> Live; ///< Stacks grow down: by falling address.
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CHECK_OBJECTS_H
