//===- TapePages.h - The pages of the tape's pool, on the device -*- C++
//-*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does what lie in the pool, and which of
// its pages are free?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_DEVICE_TAPEPAGES_H
#define KDIFF_DEVICE_TAPEPAGES_H

#include "kdiff/TapeLayout.h"

#define GLOBAL __attribute__((address_space(1)))
#define INLINE __attribute__((always_inline)) inline
#define OPERATION __attribute__((always_inline))
/// Called from several slow paths: one copy keeps modules small.
#define SHARED __attribute__((noinline))

using GlobalPool = GLOBAL kdiff::PoolHeader;
using GlobalPage = GLOBAL kdiff::PageHeader;
using GlobalWord = GLOBAL kdiff::TapeWord;
using GlobalByte = GLOBAL char;

extern "C" {
__attribute__((weak)) GlobalPool *GLOBAL __kd_tape_pool = nullptr;
int vprintf(const char *, void *);
}

namespace {

using namespace kdiff;

//===--- Words and atomics ------------------------------------------------===//

INLINE unsigned number(TapeWord W) { return unsigned(W >> 32); }
INLINE unsigned lanes(TapeWord W) { return unsigned(W); }

template <class T> INLINE T peek(GLOBAL T *P) {
  return __scoped_atomic_load_n(P, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
template <class T> INLINE void poke(GLOBAL T *P, T V) {
  __scoped_atomic_store_n(P, V, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
template <class T> INLINE T add(GLOBAL T *P, T V) {
  return __scoped_atomic_fetch_add(P, V, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE);
}
/// Both return the old value.
template <class T> INLINE T setBits(GLOBAL T *P, T Bits) {
  return __scoped_atomic_fetch_or(P, Bits, __ATOMIC_RELAXED,
                                  __MEMORY_SCOPE_DEVICE);
}
template <class T> INLINE T clearBits(GLOBAL T *P, T Bits) {
  return __scoped_atomic_fetch_and(P, ~Bits, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE);
}
template <class T> INLINE void raise(GLOBAL T *P, T V) {
  __scoped_atomic_fetch_max(P, V, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
INLINE bool swap(GlobalWord *P, TapeWord &Old, TapeWord New) {
  return __scoped_atomic_compare_exchange_n(P, &Old, New, false,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                            __MEMORY_SCOPE_DEVICE);
}
INLINE void fence() {
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
}

//===--- Places -----------------------------------------------------------===//

INLINE unsigned threadInBlock() {
  return __nvvm_read_ptx_sreg_tid_x() +
         __nvvm_read_ptx_sreg_ntid_x() *
             (__nvvm_read_ptx_sreg_tid_y() +
              __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_tid_z());
}

INLINE unsigned long long warpInGrid() {
  unsigned Threads = __nvvm_read_ptx_sreg_ntid_x() *
                     __nvvm_read_ptx_sreg_ntid_y() *
                     __nvvm_read_ptx_sreg_ntid_z();
  unsigned long long Block =
      __nvvm_read_ptx_sreg_ctaid_x() +
      (unsigned long long)__nvvm_read_ptx_sreg_nctaid_x() *
          (__nvvm_read_ptx_sreg_ctaid_y() +
           (unsigned long long)__nvvm_read_ptx_sreg_nctaid_y() *
               __nvvm_read_ptx_sreg_ctaid_z());
  return tapeWarps(Block, Threads) + threadInBlock() / TapeLanes;
}

INLINE GlobalPage *pageAt(GlobalPool *P, unsigned Number) {
  return (GlobalPage *)((GlobalByte *)P + P->PagesOffset +
                        (Number - 1ull) * TapePageBytes);
}
INLINE unsigned numberOf(GlobalPool *P, GlobalByte *Page) {
  return unsigned((Page - ((GlobalByte *)P + P->PagesOffset)) / TapePageBytes) +
         1;
}
/// The word that leads to the first page of this thread's warp. The warp's
/// number is below P->Warps.
INLINE GlobalWord *root(GlobalPool *P) {
  return (GlobalWord *)((GlobalByte *)P + P->RootsOffset) + warpInGrid();
}
/// The pool of a tape whose state names \p Own.
INLINE GlobalPool *poolOf(GlobalPool *Own) {
  return Own ? Own : __kd_tape_pool;
}
INLINE GlobalByte *record(GlobalByte *Page, unsigned Top) {
  return Page + TapePageHeaderBytes + (unsigned long long)Top * TapeLanes;
}

//===--- Free pages -------------------------------------------------------===//

INLINE GLOBAL unsigned *mapWord(GlobalPool *P, unsigned Word) {
  return (GLOBAL unsigned *)((GlobalByte *)P + P->MapOffset) + Word;
}

/// A page that nobody else has; 0 if there was none wherever one looked.
SHARED unsigned takePage(GlobalPool *P) {
  unsigned Words = P->MapWords;
  unsigned Word = unsigned(warpInGrid() % Words);
  for (unsigned Looked = 0; Looked != Words; ++Looked) {
    // The pages of this word are Word + 1, Words + Word + 1, ...
    unsigned Count = (P->Pages - Word - 1) / Words + 1;
    unsigned Existing = ~0u >> (32 - Count);
    unsigned Used = peek(mapWord(P, Word));
    while (unsigned Free = ~Used & Existing) {
      unsigned Bit = __builtin_ctz(Free);
      Used = setBits(mapWord(P, Word), 1u << Bit);
      if (!(Used & 1u << Bit)) {
        fence();
        return Bit * Words + Word + 1;
      }
    }
    Word = Word + 1 == Words ? 0 : Word + 1;
  }
  return 0;
}

SHARED void givePage(GlobalPool *P, unsigned Number) {
  unsigned Word = (Number - 1) % P->MapWords, Bit = (Number - 1) / P->MapWords;
  fence();
  clearBits(mapWord(P, Word), 1u << Bit);
}

} // namespace
#endif // KDIFF_DEVICE_TAPEPAGES_H
