//===- tell.h - The last words of a launch ---------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does one thread of many say why the launch
// ends?
//
//===----------------------------------------------------------------------===//

extern "C" int vprintf(const char *, void *);

namespace {

/// Set while a thread tells why the launch ends.
__attribute__((address_space(1))) unsigned Telling = 0;

/// True in the one thread that is to tell it. The others give it time, since a
/// trap might cut it short.
__attribute__((always_inline)) inline bool tells() {
  if (__scoped_atomic_exchange_n(&Telling, 1u, __ATOMIC_RELAXED,
                                 __MEMORY_SCOPE_DEVICE) == 0)
    return true;
#pragma clang loop unroll(disable)
  for (unsigned Round = 0; Round != 1000; ++Round)
    __nvvm_nanosleep(1000);
  return false;
}

__attribute__((always_inline)) inline void endTelling() {
  __scoped_atomic_store_n(&Telling, 0u, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
}

/// Ends the launch with \p Message, which takes no numbers.
[[noreturn]] __attribute__((noinline)) void
failWith(const __attribute__((address_space(1))) char *Message) {
  if (tells()) {
    vprintf((const char *)Message, nullptr);
    endTelling();
  }
  __builtin_trap();
}

} // namespace
