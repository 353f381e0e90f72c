//===- share.cpp - Iterations shared out over a warp, on the device -------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which lane's iteration does a lane run?
//
// Compiled to bitcode when KDiff is built; the lower stage links it into the
// modules that share loops out. Freestanding: no CUDA header.
//
// The lanes at hand (a mask, read once) have some items each, which lie in a
// row in the order of the lanes. In each round they run as many of the row as
// they are. An item's owner is told by where in the round the items of an owner
// begin: a word with a bit for each such place.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

INLINE Word lanesBelow(Word Mask) {
  return Mask & __nvvm_read_ptx_sreg_lanemask_lt();
}

/// The place of the set bit of \p Bits that has \p Number set ones below it.
INLINE Word placeOfBit(Word Bits, Word Number) {
  Word Place = 0;
#pragma unroll
  for (int Width = WarpSize / 2; Width != 0; Width /= 2) {
    Word Low = __builtin_popcount(Bits & ((1u << Width) - 1));
    bool IsAbove = Number >= Low;
    Number -= IsAbove ? Low : 0;
    Bits = IsAbove ? Bits >> Width : Bits;
    Place += IsAbove ? Width : 0;
  }
  return Place;
}

/// Of \p Count items a lane, less than 2^26: how many the lanes of \p Mask
/// below this one have (the low word), and all of them.
extern "C" __attribute__((always_inline)) unsigned long long
__kd_share_row(Word Mask, Word Count) {
  Word Below = lanesBelow(Mask), Before = 0, All = 0;
#pragma nounroll
  for (int Bit = 0; __nvvm_vote_any_sync(Mask, Count >> Bit != 0); ++Bit) {
    Word Ones = __nvvm_vote_ballot_sync(Mask, Count >> Bit & 1);
    Before += __builtin_popcount(Ones & Below) << Bit;
    All += __builtin_popcount(Ones) << Bit;
  }
  return Before | (unsigned long long)All << 32;
}

/// In the round that begins with item \p First: a bit where in it this lane's
/// own items begin, if they do and it \p Has any. \p Before: those of the lanes
/// below.
extern "C" __attribute__((always_inline)) Word __kd_share_begin(Word Mask,
                                                                bool Has,
                                                                Word Before,
                                                                Word First) {
  Word Place = Before - First;
  return Has && Place < Word(__builtin_popcount(Mask)) ? 1u << (Place & 31) : 0;
}

/// The lane whose item this lane runs in the round that begins with item \p
/// First; behind the last item, the last lane that has any. \p Owners: the
/// lanes that have items; \p Begins: of all lanes together.
extern "C" __attribute__((always_inline)) Word __kd_share_owner(
    Word Mask, bool Has, Word Before, Word First, Word Owners, Word Begins) {
  Word UpToHere = Begins & ((2u << __builtin_popcount(lanesBelow(Mask))) - 1);
  Word Earlier =
      __builtin_popcount(__nvvm_vote_ballot_sync(Mask, Has && Before < First));
  return placeOfBit(Owners, Earlier + __builtin_popcount(UpToHere) - 1) & 31;
}

/// This lane's place among the lanes of \p Mask.
extern "C" __attribute__((always_inline)) Word __kd_share_place(Word Mask) {
  return __builtin_popcount(lanesBelow(Mask));
}
