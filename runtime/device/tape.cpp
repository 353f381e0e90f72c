//===- tape.cpp - A thread's tape, on the device --------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the threads of a launch share a pool of
// pages, each keeping a stack of records of its own?
//
// Compiled to bitcode when KDiff is built; the lower stage links it into the
// modules whose gradients need a tape. Freestanding: no CUDA header.
//
// A warp's tape is a chain of pages. Each page is 32 columns, interleaved by
// words of eight bytes; a lane keeps its own cursor (page, top) in registers
// and touches its own column only, so that correctness never depends on which
// lanes run together; lanes that do run together touch neighbouring words.
//
// How pages are shared
// --------------------
// The way to a warp's page k+1 is a word: the warp's root for its first page,
// else in the header of page k. A word holds the page's number and one bit
// for each lane that holds the page. A lane holds a page from enter() to
// leave(), and holds all pages before it in the chain too: it enters page k+1
// while it holds k, and leaves k+1 before k.
//
//  enter: or one's bit in. A page number in the old value: done. Else the
//         first to come (no bits in the old value) brings a page and swaps it
//         in; the others give it a moment, then bring one themselves. Whoever
//         finds that another page is there already gives his own back.
//         Nobody waits without bound for anybody.
//  leave: and one's bit out. If no bits are left beside a page number, swap
//         the word to 0; who succeeds gives the page back.
//
// A page has one owner at any time. (1) A page number enters a word only by
// the swap in enter(), from a value without a page, by a lane that owns the
// page alone. (2) It goes only by the swap in leave(), from exactly {page, no
// lanes}, and only the lane whose swap succeeded gives it back: once for each
// time it came in. That the word may have been left and entered again between
// that lane's "and" and its swap does no harm, since the swap is right for
// whatever tenancy it ends: at that instant nobody holds the page. (3) A lane
// that holds a page has its bit set, so no swap of (2) succeeds meanwhile.
//
// No page is lost. Take the last "and" on a word that leaves {page, no
// lanes}. The swap behind it succeeds, or another lane's swap did, or the word
// was entered again; then a later "and" leaves no lanes again, against the
// choice of the first. The lane does its swap before it leaves the page that
// the word lies in; so when that page is given back, its word is 0.
//
// A bit that is set already means that two launches use the pool at once: the
// lane is refused, rather than let to share a column.
//
// Free pages are the zeroes of a bit map (as in M. Steinberger et al.,
// "ScatterAlloc", InPar 2012): a page is taken by or-ing its bit in, and was
// free if the old value had a zero there. Each warp begins at a word of its
// own, so that tens of thousands of them do not meet in one place.
//
// Order. All atomics are relaxed; NVPTX gives read-modify-writes no other
// order. A lane's accesses to a page happen before those of the next holder
// by fences at device scope: accesses, fence, "and" (leave); the last to
// leave: "and", fence, free; take, fence, swap (enter); who finds the page
// there: "or", fence, accesses. Each arrow is a read of what was written.
//
//===----------------------------------------------------------------------===//

#include "kdiff/TapeLayout.h"

using namespace kdiff;

#define GLOBAL __attribute__((address_space(1)))
#define INLINE __attribute__((always_inline)) inline
#define OPERATION __attribute__((always_inline))
/// Called from several slow paths: one copy keeps modules small.
#define SHARED __attribute__((noinline))

using GlobalPool = GLOBAL PoolHeader;
using GlobalPage = GLOBAL PageHeader;
using GlobalWord = GLOBAL TapeWord;
using GlobalByte = GLOBAL char;

/// As tapeStateType() says.
struct TapeState {
  GlobalByte *Page; ///< The page on top; null: none. Lacking: a Lack.
  unsigned Top;     ///< Bytes in use of the lane's column in that page.
  unsigned Lane;
  GlobalPool *Pool; ///< Null: that of the module's variable.
};

/// What a change of page leads to.
struct Step {
  GlobalByte *Page;
  unsigned Top;
  GlobalByte *Record;
};

extern "C" {
__attribute__((weak)) GlobalPool *GLOBAL __kd_tape_pool = nullptr;
int vprintf(const char *, void *);
}

namespace {

/// Top of a lane without a page: the first push has no room.
constexpr unsigned EmptyTop = TapeColumnBytes;
/// Top of a lane that found no room once. Both of the cursor's comparisons
/// fail with it, so that every push and pop comes to the slow path.
constexpr unsigned LackingTop = 0x80000000u;
/// Rounds of waiting, of about a microsecond each, for another lane that is
/// to bring the page, and for a page when there is none: another lane of the
/// warp may have brought a second one that it is about to give back.
constexpr unsigned WordPatience = 32;
constexpr unsigned PagePatience = 8;

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

//===--- Entering and leaving pages ---------------------------------------===//

SHARED void leave(GlobalPool *P, GlobalByte *At, unsigned Lane) {
  unsigned Previous = ((GlobalPage *)At)->Previous;
  GlobalWord *Word = Previous ? &pageAt(P, Previous)->Next : root(P);
  TapeWord Bit = 1ull << Lane;
  fence();
  TapeWord Left = clearBits(Word, Bit) & ~Bit;
  if (lanes(Left) || !number(Left))
    return;
  unsigned Number = number(Left);
  fence();
  if (swap(Word, Left, 0))
    givePage(P, Number);
}

/// Brings a page to \p Word, unless another lane does first. The lane's bit
/// is set. Returns the page's number, 0 if there is none to be had.
unsigned bringPage(GlobalPool *P, GlobalWord *Word, unsigned Previous) {
  for (unsigned Round = 0;; ++Round) {
    if (unsigned Number = takePage(P)) {
      GlobalPage *Page = pageAt(P, Number);
      poke(&Page->Next, TapeWord(0));
      Page->Previous = Previous;
      fence();
      TapeWord Now = peek(Word);
      while (!number(Now))
        if (swap(Word, Now, TapeWord(Number) << 32 | lanes(Now)))
          return Number;
      givePage(P, Number);
      fence();
      return number(Now);
    }
    TapeWord Now = peek(Word);
    if (number(Now) || Round == PagePatience) {
      fence();
      return number(Now);
    }
    __nvvm_nanosleep(1000);
  }
}

/// Enters the page that \p Word leads to. Returns its number, 0 if there is
/// none to be had; the lane holds nothing then.
unsigned enter(GlobalPool *P, GlobalWord *Word, unsigned Previous,
               unsigned Lane) {
  TapeWord Bit = 1ull << Lane;
  TapeWord Old = setBits(Word, Bit);
  fence();
  if (Old & Bit) {
    add(&P->Conflicts, 1u);
    return 0;
  }
  if (number(Old))
    return number(Old);
  if (lanes(Old))
    for (unsigned Round = 0; Round != WordPatience; ++Round) {
      if (unsigned Number = number(peek(Word))) {
        fence();
        return Number;
      }
      __nvvm_nanosleep(1000);
    }
  if (unsigned Number = bringPage(P, Word, Previous))
    return Number;

  // Nothing. Should a page have come meanwhile, and everybody else gone, it
  // is this lane's to give back.
  TapeWord Left = clearBits(Word, Bit) & ~Bit;
  unsigned Number = number(Left);
  fence();
  if (Number && !lanes(Left) && swap(Word, Left, 0))
    givePage(P, Number);
  return 0;
}

/// Leaves all pages of the chain that ends with \p Page; returns how many.
SHARED unsigned leaveAll(GlobalPool *P, GlobalByte *Page, unsigned Lane) {
  unsigned Count = 0;
  while (Page) {
    unsigned Previous = ((GlobalPage *)Page)->Previous;
    leave(P, Page, Lane);
    Page = Previous ? (GlobalByte *)pageAt(P, Previous) : nullptr;
    ++Count;
  }
  return Count;
}

//===--- Lack -------------------------------------------------------------===//

/// What a thread that found no room would have needed: kept in the place of
/// its page.
struct Lack {
  unsigned Top : 12;   ///< As if it had a last page.
  unsigned Pages : 20; ///< Had and lacking.
  unsigned Granules;   ///< Lacking, of TapeRecordGranule bytes.
};
static_assert(sizeof(Lack) == sizeof(GlobalByte *), "takes a page's place");

INLINE Step lack(GlobalPool *P, Lack L, unsigned Bytes) {
  if (L.Top + Bytes > TapeColumnBytes) {
    L.Top = 0;
    L.Pages += L.Pages != 0xFFFFF;
  }
  L.Top += Bytes;
  unsigned Granules = L.Granules + Bytes / TapeRecordGranule;
  L.Granules = Granules < L.Granules ? ~0u : Granules;
  return {__builtin_bit_cast(GlobalByte *, L), LackingTop,
          (GlobalByte *)P + P->DumpOffset};
}

} // namespace

#include "failure.h"

namespace {

/// The thread found no room: gives back what it holds, since nothing will be
/// read back, and from now on counts only.
Step startLacking(GlobalPool *P, GlobalByte *Page, unsigned Lane,
                  unsigned Bytes) {
  if (P->OnExhaustion != TapeNoteExhaustion)
    fail(P);
  add(&P->FailedThreads, 1u);
  Lack L = {};
  L.Pages = leaveAll(P, Page, Lane);
  L.Top = TapeColumnBytes;
  return lack(P, L, Bytes);
}

} // namespace

//===--- The slow paths: another page -------------------------------------===//

extern "C" {

/// A push that does not fit into the page.
__attribute__((noinline, cold)) Step __kd_tape_grow(GlobalByte *Page,
                                                    unsigned Top, unsigned Lane,
                                                    unsigned Bytes,
                                                    GlobalPool *Own) {
  GlobalPool *P = poolOf(Own);
  if (Top == LackingTop)
    return lack(P, __builtin_bit_cast(Lack, Page), Bytes);
  if (!P)
    fail(P);
  unsigned Number = 0;
  if (Page) {
    Number = enter(P, &((GlobalPage *)Page)->Next, numberOf(P, Page), Lane);
  } else {
    unsigned long long Warp = warpInGrid();
    if (Warp < P->Warps)
      Number = enter(P, root(P), 0, Lane);
    else
      raise(&P->WarpsNeeded, Warp + 1);
  }
  if (!Number)
    return startLacking(P, Page, Lane, Bytes);
  GlobalPage *Fresh = pageAt(P, Number);
  Fresh->Tops[Lane] = Top;
  return {(GlobalByte *)Fresh, Bytes, record((GlobalByte *)Fresh, 0)};
}

/// A pop of a record in the page before this one. Its matching push left the
/// lane's top there in the header of this page.
__attribute__((noinline, cold)) Step __kd_tape_shrink(GlobalByte *Page,
                                                      unsigned Top,
                                                      unsigned Lane,
                                                      unsigned Bytes,
                                                      GlobalPool *Own) {
  GlobalPool *P = poolOf(Own);
  if (Top == LackingTop)
    return {Page, Top, (GlobalByte *)P + P->DumpOffset};
  if (!Page || !((GlobalPage *)Page)->Previous)
    __builtin_trap(); // More pops than pushes.
  GlobalByte *Before = (GlobalByte *)pageAt(P, ((GlobalPage *)Page)->Previous);
  Top = ((GlobalPage *)Page)->Tops[Lane] - Bytes;
  leave(P, Page, Lane);
  return {Before, Top, record(Before, Top)};
}

/// Gives back the pages of a thread, or notes what it lacked.
__attribute__((noinline, cold)) void __kd_tape_release(GlobalByte *Page,
                                                       unsigned Top,
                                                       unsigned Lane,
                                                       GlobalPool *Own) {
  GlobalPool *P = poolOf(Own);
  if (Top != LackingTop) {
    leaveAll(P, Page, Lane);
    return;
  }
  Lack L = __builtin_bit_cast(Lack, Page);
  add(&P->LackingBytes, (unsigned long long)L.Granules * TapeRecordGranule);
  raise(&P->PagesPerWarp, unsigned(L.Pages));
}

//===--- The operations of lower/Abstract.h -------------------------------===//
// Bytes is a constant multiple of TapeRecordGranule, not 0, at most
// TapeMaxRecordBytes.

OPERATION void __kd_tape_open(TapeState *S) {
  *S = {nullptr, EmptyTop, threadInBlock() % TapeLanes, nullptr};
}

OPERATION GlobalByte *__kd_tape_push(TapeState *S, unsigned Bytes) {
  if (__builtin_expect(S->Top + Bytes <= TapeColumnBytes, 1)) {
    GlobalByte *Record = record(S->Page, S->Top);
    S->Top += Bytes;
    return Record;
  }
  Step Next = __kd_tape_grow(S->Page, S->Top, S->Lane, Bytes, S->Pool);
  S->Page = Next.Page;
  S->Top = Next.Top;
  return Next.Record;
}

OPERATION GlobalByte *__kd_tape_pop(TapeState *S, unsigned Bytes) {
  unsigned Top = S->Top - Bytes;
  if (__builtin_expect(Top < TapeColumnBytes, 1)) {
    S->Top = Top;
    return record(S->Page, Top);
  }
  Step Next = __kd_tape_shrink(S->Page, S->Top, S->Lane, Bytes, S->Pool);
  S->Page = Next.Page;
  S->Top = Next.Top;
  return Next.Record;
}

OPERATION bool __kd_tape_exhausted(const TapeState *S) {
  return S->Top == LackingTop;
}

OPERATION void __kd_tape_close(TapeState *S) {
  if (S->Page)
    __kd_tape_release(S->Page, S->Top, S->Lane, S->Pool);
  S->Page = nullptr;
  S->Top = EmptyTop;
}

} // extern "C"

#include "split.h"
