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
// Lanes that happen to do so together are one for this: the lowest brings all
// their bits in or out. (Lanes that waited for each other by sleeping would
// keep the one that works from working: they are the same warp.) So "a lane"
// below may be several; the others know what it did by a shuffle, and a
// barrier of theirs orders their accesses with its fences.
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

#include "TapePages.h"

using namespace kdiff;

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

//===--- Entering and leaving pages ---------------------------------------===//

/// The lanes that happen to be together and want the same: the lowest of them
/// acts for all.
struct Group {
  unsigned Lanes;
  unsigned First;
  bool leads(unsigned Lane) const { return Lane == First; }
  /// Orders what the lanes did before and after, for all of them.
  void meet() const { __nvvm_bar_warp_sync(Lanes); }
};

INLINE Group together(GlobalWord *Word) {
  unsigned Lanes =
      __nvvm_match_any_sync_i64(__nvvm_activemask(), (unsigned long long)Word);
  return {Lanes, unsigned(__builtin_ctz(Lanes))};
}

/// Takes the group's bits out of \p Word, and gives its page back if nobody is
/// left.
void leaveWord(GlobalPool *P, GlobalWord *Word, TapeWord Bits) {
  fence();
  TapeWord Left = clearBits(Word, Bits) & ~Bits;
  if (lanes(Left) || !number(Left))
    return;
  unsigned Number = number(Left);
  fence();
  if (swap(Word, Left, 0))
    givePage(P, Number);
}

SHARED void leave(GlobalPool *P, GlobalByte *At, unsigned Lane) {
  unsigned Previous = ((GlobalPage *)At)->Previous;
  GlobalWord *Word = Previous ? &pageAt(P, Previous)->Next : root(P);
  Group G = together(Word);
  G.meet();
  if (G.leads(Lane))
    leaveWord(P, Word, G.Lanes);
}

/// Brings a page to \p Word, unless another group does first. The group's bits
/// are set. Returns the page's number, 0 if there is none to be had.
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

/// What the lanes of a group find.
struct Entered {
  unsigned Number;  ///< Of the page; 0: there is none to be had.
  unsigned Refused; ///< The lanes whose bits somebody else had set.
};

/// For a group: enters the page that \p Word leads to. If there is none to be
/// had, the group holds nothing then.
Entered enterWord(GlobalPool *P, GlobalWord *Word, unsigned Previous,
                  unsigned Lanes) {
  TapeWord Old = setBits(Word, TapeWord(Lanes));
  fence();
  unsigned Refused = Lanes & lanes(Old);
  if (Refused)
    add(&P->Conflicts, unsigned(__builtin_popcount(Refused)));
  if (Refused == Lanes)
    return {0, Refused};
  if (number(Old))
    return {number(Old), Refused};
  if (lanes(Old) & ~Refused)
    for (unsigned Round = 0; Round != WordPatience; ++Round) {
      if (unsigned Number = number(peek(Word))) {
        fence();
        return {Number, Refused};
      }
      __nvvm_nanosleep(1000);
    }
  unsigned Number = bringPage(P, Word, Previous);
  // Nothing? Should a page come meanwhile, and everybody else go, it is this
  // group's to give back.
  if (!Number)
    leaveWord(P, Word, Lanes & ~Refused);
  return {Number, Refused};
}

unsigned enter(GlobalPool *P, GlobalWord *Word, unsigned Previous,
               unsigned Lane) {
  Group G = together(Word);
  Entered E = {0, 0};
  if (G.leads(Lane))
    E = enterWord(P, Word, Previous, G.Lanes);
  E.Number = __nvvm_shfl_sync_idx_i32(G.Lanes, E.Number, G.First, 31);
  E.Refused = __nvvm_shfl_sync_idx_i32(G.Lanes, E.Refused, G.First, 31);
  G.meet();
  return E.Refused >> Lane & 1 ? 0 : E.Number;
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

OPERATION void __kd_tape_open(TapeState *S, void *Pool) {
  // A null pointer that is cast is no constant null pointer any more.
  *S = {nullptr, EmptyTop, threadInBlock() % TapeLanes,
        Pool ? (GlobalPool *)Pool : nullptr};
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
#include "winners.h"
