//===- Fiber.h - Hand-switched stacks --------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does one OS thread hold many suspended
// call stacks and switch between them in a few nanoseconds?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_FIBER_H
#define KDIFF_SIMT_FIBER_H

#include "llvm/Support/Error.h"
#include <cstddef>
#include <vector>

extern "C" {
/// Pushes the callee-saved registers, stores the stack pointer to *Save and
/// continues where the stack \p To was left.
void kdiff_simt_switch(void **Save, void *To);
}

namespace kdiff::simt {

/// A pool of stacks, each above a guard page. Their memory is touched lazily.
class FiberStacks {
public:
  static constexpr size_t Bytes = 512 << 10;

  FiberStacks() = default;
  FiberStacks(const FiberStacks &) = delete;
  FiberStacks &operator=(const FiberStacks &) = delete;
  ~FiberStacks();

  /// Makes all stacks free, and sees to it that there are \p Count.
  llvm::Error reset(size_t Count);
  int take();
  void giveBack(int Stack) { Free.push_back(Stack); }

  /// A stack pointer for kdiff_simt_switch that enters \p Main on \p Stack.
  void *enter(int Stack, void (*Main)()) const;

  const char *base() const { return Base; }
  size_t bytes() const { return Count * Bytes; }
  bool contains(const void *Address) const;
  /// The stack that \p Address, which lies in one, lies in.
  int indexOf(const void *Address) const {
    return (static_cast<const char *>(Address) - Base) / Bytes;
  }
  /// Whether \p Address lies in the guard page of a stack.
  bool inGuard(const void *Address) const;

private:
  char *Base = nullptr;
  size_t Count = 0;
  std::vector<int> Free;
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_FIBER_H
