//===- Fiber.cpp - Hand-switched stacks -----------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does one OS thread hold many suspended
// call stacks and switch between them in a few nanoseconds?
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"
#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

#if !defined(__x86_64__) || !defined(__linux__)
#error "The SIMT executor switches stacks for x86-64 Linux only"
#endif

using namespace llvm;
using namespace kdiff::simt;

// System V ABI: rbx, rbp, r12 to r15 are the callee's to save. The control
// words of the FPU are not switched: all fibers run with the same. An indirect
// jump in place of the return was measured: it takes half as long again.
asm(R"(
.text
.globl kdiff_simt_switch
.hidden kdiff_simt_switch
.type kdiff_simt_switch,@function
kdiff_simt_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
.size kdiff_simt_switch,.-kdiff_simt_switch
)");

static constexpr size_t PageBytes = 4096;
static constexpr unsigned SavedRegisters = 6;

FiberStacks::~FiberStacks() {
  if (Base)
    munmap(Base, Count * Bytes);
}

Error FiberStacks::reset(size_t Wanted) {
  if (Wanted > Count) {
    if (Base)
      munmap(Base, Count * Bytes);
    Count = 0;
    void *P = mmap(nullptr, Wanted * Bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Base = P == MAP_FAILED ? nullptr : static_cast<char *>(P);
    if (!Base)
      return createStringError(std::error_code(errno, std::generic_category()),
                               "no memory for the stacks of %zu GPU threads",
                               Wanted);
    for (size_t I = 0; I < Wanted; ++I)
      if (mprotect(Base + I * Bytes, PageBytes, PROT_NONE))
        return createStringError(
            std::error_code(errno, std::generic_category()),
            "cannot guard the stacks of %zu GPU threads", Wanted);
    Count = Wanted;
  }
  Free.clear();
  for (size_t I = Count; I-- > 0;)
    Free.push_back(static_cast<int>(I));
  return Error::success();
}

int FiberStacks::take() {
  int Stack = Free.back();
  Free.pop_back();
  return Stack;
}

void *FiberStacks::enter(int Stack, void (*Main)()) const {
  // Tops at the same offset in a page would all fall into one cache set: that
  // halves the speed of a barrier. So stacks start at different lines.
  size_t Colour = (Stack % 61) * 64 * 9;
  char *Top = Base + (Stack + 1) * Bytes - Colour;
  auto **Slot = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(Top) &
                                          ~uintptr_t(15));
  *--Slot = nullptr; // Main's return address: it never returns.
  *--Slot = reinterpret_cast<void *>(Main);
  for (unsigned I = 0; I < SavedRegisters; ++I)
    *--Slot = nullptr;
  return Slot;
}

bool FiberStacks::contains(const void *Address) const {
  auto *P = static_cast<const char *>(Address);
  return Base && P >= Base && P < Base + Count * Bytes;
}

bool FiberStacks::inGuard(const void *Address) const {
  return contains(Address) &&
         (static_cast<const char *>(Address) - Base) % Bytes < PageBytes;
}
