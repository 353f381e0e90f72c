//===- TapeLayout.h - The tape's pool in global memory --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what lies where in the memory that a host
// gives to the tapes of a launch, and what must it hold before and after?
//
// Plain C++, without CUDA and without a library: the device runtime, the host
// API, the SIMT executor's users and driver-API programs all read it.
//
// The pool, from its start, which is aligned to 256 bytes:
//
//   PoolHeader | roots, one word a warp | map of the pages in use | cursors
//              | dump page | page 1 | ... | page N
//
// To prepare one: write what initTapePool() makes to the start, and zeroes to
// the roots, the map and the cursors (bytes RootsOffset to DumpOffset). Pages
// need nothing. A launch that ends leaves all that zero, so that the next
// launch in the same stream can use the pool as it is; a pool serves one
// launch at a time.
//
// Split mode (__kd_augment, __kd_reverse) has a pool for each launch, which
// holds what that launch keeps until its reverse has run: between the two, a
// thread's pages stay its own, and its cursor says where its tape ends. Only
// pools for split mode have cursors, one for each lane of each warp.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TAPELAYOUT_H
#define KDIFF_TAPELAYOUT_H

namespace kdiff {

#define KD_NUMBER(Name, Value) constexpr unsigned Name = Value;
#include "kdiff/ABI.def"

/// A warp's way to a page, in a root or in the header of the page before it:
/// bits 0-31 say which lanes hold the page, bits 32-63 are its number (0: no
/// page yet).
using TapeWord = unsigned long long;

/// The header of a pool. 256 bytes.
struct PoolHeader {
  unsigned Version;      ///< TapeVersion.
  unsigned OnExhaustion; ///< TapeTrapOnExhaustion or TapeNoteExhaustion.
  unsigned Pages;        ///< Pages 1 to Pages exist.
  /// Words of the map. Bit B of word W stands for page B * MapWords + W + 1, so
  /// that warps, which start to look at different words, use the first pages.
  unsigned MapWords;
  unsigned long long Warps;       ///< Number of roots.
  unsigned long long RootsOffset; ///< All offsets are bytes from the start.
  unsigned long long MapOffset;
  unsigned long long DumpOffset;
  unsigned long long PagesOffset; ///< Of page 1.
  unsigned long long Bytes;       ///< Of the whole pool.

  // What launches report. Zero while nothing was lacking.
  unsigned FailedThreads; ///< Threads that found no room for a record.
  unsigned Conflicts;     ///< Threads that found their own place taken: the
                          ///< pool serves two launches at once.
  /// Bytes of records, of all threads together, that found no room.
  unsigned long long LackingBytes;
  /// The most pages that a warp of a failed thread needs.
  unsigned PagesPerWarp;
  unsigned Unused;
  /// The number of roots that the launch needs, if it has too few.
  unsigned long long WarpsNeeded;
  unsigned long long CursorsOffset; ///< 0: not for split mode.

  // Who won the maxima and minima of an augmented launch. Zero again when the
  // reverse launch is over.
  unsigned long long
      Winners;               ///< The address of the first word's node; 0: none.
  unsigned long long Claims; ///< How many are left to be settled.
  char Reserved[256 - 120];
};
static_assert(sizeof(PoolHeader) == 256, "the pool's header is 256 bytes");

/// The header of a page.
struct PageHeader {
  TapeWord Next;     ///< To the next page of the warp that holds this one.
  unsigned Previous; ///< The warp's page before it; 0: this is its first.
  char Reserved[128 - 12];
  unsigned Tops[TapeLanes]; ///< Where each lane left the page before it.
};
static_assert(sizeof(PageHeader) == TapePageHeaderBytes, "as ABI.def says");
static_assert(TapeColumnBytes * TapeLanes + TapePageHeaderBytes ==
                  TapePageBytes,
              "as ABI.def says");

/// Where a thread's tape ends between the launches of split mode.
struct TapeCursor {
  unsigned long long Page; ///< An address; 0: none.
  unsigned Top;            ///< Bytes in use of the lane's column in that page.
  unsigned Layout;         ///< Of the records (never 0); 0: no tape is kept.
};
static_assert(sizeof(TapeCursor) == 16, "a cursor is 16 bytes");

/// The number of warps of a launch: a block's last warp may be partial.
constexpr unsigned long long tapeWarps(unsigned long long Blocks,
                                       unsigned long long ThreadsPerBlock) {
  return Blocks * ((ThreadsPerBlock + TapeLanes - 1) / TapeLanes);
}

constexpr unsigned long long tapeMapWords(unsigned long long Pages) {
  return (Pages + 31) / 32;
}

/// Bytes of the cursors of \p Warps warps.
constexpr unsigned long long tapeCursorBytes(unsigned long long Warps) {
  return Warps * TapeLanes * sizeof(TapeCursor);
}

/// Bytes of a pool with \p Pages pages for launches of up to \p Warps warps;
/// \p IsSplit: of split mode.
constexpr unsigned long long tapePoolBytes(unsigned long long Warps,
                                           unsigned long long Pages,
                                           bool IsSplit = false) {
  return (sizeof(PoolHeader) + Warps * sizeof(TapeWord) +
          tapeMapWords(Pages) * sizeof(unsigned) + 255) /
             256 * 256 +
         (IsSplit ? tapeCursorBytes(Warps) : 0) + (1 + Pages) * TapePageBytes;
}

/// The pages that a warp needs when each of its threads keeps up to \p Bytes
/// bytes, in records of up to \p Record bytes: a page's end that is too small
/// for a record stays empty.
constexpr unsigned long long
tapePagesPerWarp(unsigned long long Bytes,
                 unsigned Record = TapeMaxRecordBytes) {
  return (Bytes + TapeColumnBytes - Record) / (TapeColumnBytes - Record + 1);
}

/// Writes the header of a pool of \p Bytes bytes for launches of up to
/// \p Warps warps to \p *Header, which may be a copy in host memory. False if
/// \p Bytes has no room for one page (then \p *Header is not touched).
/// \p OnExhaustion: TapeNoteExhaustion is for a host that reads the header
/// after each launch, and takes no result when FailedThreads is not zero.
/// \p IsSplit: the pool is for split mode.
inline bool initTapePool(PoolHeader *Header, unsigned long long Bytes,
                         unsigned long long Warps,
                         unsigned OnExhaustion = TapeTrapOnExhaustion,
                         bool IsSplit = false) {
  unsigned long long Pages = Bytes / TapePageBytes;
  if (Pages > 0xFFFFFFF0ull)
    Pages = 0xFFFFFFF0ull;
  while (Pages && tapePoolBytes(Warps, Pages, IsSplit) > Bytes)
    --Pages;
  if (!Pages)
    return false;
  *Header = PoolHeader();
  Header->Version = TapeVersion;
  Header->OnExhaustion = OnExhaustion;
  Header->Pages = unsigned(Pages);
  Header->MapWords = unsigned(tapeMapWords(Pages));
  Header->Warps = Warps;
  Header->RootsOffset = sizeof(PoolHeader);
  Header->MapOffset = Header->RootsOffset + Warps * sizeof(TapeWord);
  Header->PagesOffset =
      tapePoolBytes(Warps, Pages, IsSplit) - Pages * TapePageBytes;
  Header->DumpOffset = Header->PagesOffset - TapePageBytes;
  if (IsSplit)
    Header->CursorsOffset = Header->DumpOffset - tapeCursorBytes(Warps);
  Header->Bytes = Bytes;
  return true;
}

} // namespace kdiff
#endif // KDIFF_TAPELAYOUT_H
