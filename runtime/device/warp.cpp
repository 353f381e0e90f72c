//===- warp.cpp - Adjoints of warp and block operations, on the device ----===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do lanes get the adjoints of the lanes that
// read them in a shuffle, how does a block zero a range of shared memory, and
// what becomes of a launch that has too little of it?
//
// Compiled to bitcode when KDiff is built; the lower stage links it into the
// modules whose gradients need it. Freestanding: no CUDA header.
//
// A shuffle lets lane L read lane src(L) (PTX ISA, "shfl.sync"). Its adjoint
// gives each lane the sum over the lanes L of the mask with src(L) = lane.
// Where all lanes ask for the same distance, at most one other lane reads a
// lane, and lanes at an edge read themselves; else each lane's adjoint goes
// round.
//
//===----------------------------------------------------------------------===//

#include "LaneSums.h"
#include "tell.h"

INLINE Word threadsOfBlock() {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() *
         __nvvm_read_ptx_sreg_ntid_z();
}

INLINE Word threadInBlock() {
  return __nvvm_read_ptx_sreg_tid_x() +
         __nvvm_read_ptx_sreg_ntid_x() *
             (__nvvm_read_ptx_sreg_tid_y() +
              __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_tid_z());
}

/// nvptx::ShuffleKind.
enum Kind : Word { Up, Down, Butterfly, Index };

/// The lane that \p L reads.
INLINE int source(Word K, int L, Word Lane, Word Clamp) {
  int Segment = Clamp >> 8 & 31, Last = Clamp & 31, Distance = Lane & 31;
  int Low = L & Segment, High = Low | (Last & ~Segment & 31);
  int From = K == Up      ? L - Distance
             : K == Down  ? L + Distance
             : K == Index ? (Low | (Distance & ~Segment))
                          : L ^ Distance;
  // For up, the clamp is the segment's first lane.
  bool Reads = K == Up ? From >= High : From <= High;
  return Reads ? From : L;
}

/// Any sources: 2 shuffles for each lane of the mask.
template <class T>
__attribute__((noinline)) static T gather(Word Mask, T Adjoint, int Source) {
  T Sum = T(-0.0);
  for (Word Left = Mask; Left != 0; Left &= Left - 1) {
    int L = __builtin_ctz(Left);
    T Theirs = fromLane(Mask, Adjoint, L);
    int TheirSource = fromLane(Mask, Word(Source), L);
    if (TheirSource == lane())
      Sum += Theirs;
  }
  return Sum;
}

/// All lanes of each segment of a full warp read one lane of theirs.
template <class T> INLINE T sumOfSegment(T Adjoint, Word Clamp) {
  int Segment = Clamp >> 8 & 31;
  for (int Distance = 16; Distance != 0; Distance /= 2)
    if (!(Distance & Segment))
      Adjoint += fromLane(~0u, Adjoint, lane() ^ Distance);
  return Adjoint;
}

/// True if all lanes of \p Mask ask for the same.
INLINE bool isSame(Word Mask, Word Lane, Word Clamp) {
  int First = __builtin_ctz(Mask);
  // Both shuffles by all lanes: no short cut.
  Word FirstLane = fromLane(Mask, Lane, First),
       FirstClamp = fromLane(Mask, Clamp, First);
  return __nvvm_vote_all_sync(Mask, FirstLane == Lane && FirstClamp == Clamp);
}

/// \p Known: Lane and Clamp are constants, and so the same for all lanes, since
/// these are at one instruction.
template <class T>
INLINE T back(Word K, Word Mask, T Adjoint, Word Lane, Word Clamp, bool Known) {
  int Me = lane(), Source = source(K, Me, Lane, Clamp);
  if (!Known && !isSame(Mask, Lane, Clamp))
    return gather(Mask, Adjoint, Source);
  if (K == Index) {
    if (Mask != ~0u)
      return gather(Mask, Adjoint, Source);
    // A lane number beyond the clamp makes every lane read itself.
    T Sum = sumOfSegment(Adjoint, Clamp);
    bool Beyond = ((Lane & 31) & ~(Clamp >> 8 & 31)) > (Clamp & 31);
    return Beyond ? Adjoint : Source == Me ? Sum : T(-0.0);
  }
  int Distance = Lane & 31;
  int Reader = K == Up     ? Me + Distance
               : K == Down ? Me - Distance
                           : Me ^ Distance;
  bool Read = Reader != Me && Reader >= 0 && Reader < 32 &&
              (Mask >> Reader & 1) && source(K, Reader, Lane, Clamp) == Me;
  T Theirs = fromLane(Mask, Adjoint, Read ? Reader : Me);
  T Sum = Read ? Theirs : T(-0.0);
  return Source == Me ? Sum + Adjoint : Sum;
}

extern "C" __attribute__((always_inline)) float
__kd_shfl_back_f32(Word K, Word Mask, float Adjoint, Word Lane, Word Clamp,
                   bool Known) {
  return back(K, Mask, Adjoint, Lane, Clamp, Known);
}

extern "C" __attribute__((always_inline)) double
__kd_shfl_back_f64(Word K, Word Mask, double Adjoint, Word Lane, Word Clamp,
                   bool Known) {
  return back(K, Mask, Adjoint, Lane, Clamp, Known);
}

/// True if word \p Number goes into word 0 where the distances are \p First and
/// its halves (nvptx::createTreeHolds).
extern "C" __attribute__((always_inline)) bool __kd_tree_holds(Word Number,
                                                               Word First) {
  if ((First & (First - 1)) == 0)
    return Number == 0 || Number / 2 < First;
  for (; First != 0; First /= 2)
    if (Number - First < First)
      Number -= First;
  return Number == 0;
}

/// By all threads of the block: the sum of their values.
template <class T> INLINE T sumOfBlock(T Value, SHARED T *Rows) {
  int Thread = threadInBlock(), Threads = threadsOfBlock();
  int Warp = Thread / WarpSize, Warps = (Threads + WarpSize - 1) / WarpSize;
  int Lanes = Threads - Warp * WarpSize; // of this warp
  if (Lanes >= WarpSize)
    Value = transposedSum<1, WarpSize / 2>(&Value);
  else
    Value = sumOfLanes((1u << Lanes) - 1, Value);
  if (lane() == 0)
    Rows[Warp] = Value;
  __syncthreads();
  T Sum = Rows[0];
  for (int K = 1; K < Warps; ++K)
    Sum += Rows[K];
  // Who still reads is not overtaken by another sum.
  __syncthreads();
  return Sum;
}

/// By all threads of the block: the value of the one that is \p Mine.
template <class T> INLINE T sumOfOne(T Value, bool Mine, SHARED T *Row) {
  if (Mine)
    *Row = Value;
  __syncthreads();
  T Sum = *Row;
  __syncthreads();
  return Sum;
}

[[clang::loader_uninitialized]] static SHARED double Rows[WarpSize];

/// Room for a word of each warp.
template <class T> INLINE SHARED T *rows() {
  return reinterpret_cast<SHARED T *>(Rows);
}

#define SUMS(T, Suffix)                                                        \
  extern "C" __attribute__((always_inline)) T __kd_sum_of_block##Suffix(       \
      T Value) {                                                               \
    return sumOfBlock(Value, rows<T>());                                       \
  }                                                                            \
  extern "C" __attribute__((always_inline)) T __kd_sum_of_one##Suffix(         \
      T Value, bool Mine) {                                                    \
    return sumOfOne(Value, Mine, rows<T>());                                   \
  }
SUMS(float, _f32)
SUMS(double, _f64)
#undef SUMS

/// The largest number of the lanes that happen to be together.
extern "C" __attribute__((always_inline)) Word __kd_warp_max(Word Number) {
  Word Mask = __nvvm_activemask();
  for (Word Left = Mask; Left != 0; Left &= Left - 1) {
    Word Theirs = fromLane(Mask, Number, __builtin_ctz(Left));
    Number = Theirs > Number ? Theirs : Number;
  }
  return Number;
}

/// How many segments behind a snapshot the next is to be taken, so that
/// \p Segments can be reversed, with \p Free more snapshots, by running none
/// more often than is needed. With c snapshots and r runs of each, binomial(c +
/// r, c) segments can be (A. Griewank, A. Walther, "Algorithm 799: revolve",
/// 2000): those up to the next snapshot with one run less, those behind it with
/// one snapshot less.
static __attribute__((noinline)) Word binomialDistance(Word Segments,
                                                       Word Free) {
  if (!Free)
    return Segments - 1;
  unsigned long long C = Free + 1, Runs = 1, Most = C + 1;
  while (Most < Segments) {
    ++Runs;
    Most = Most * (C + Runs) / Runs;
  }
  unsigned long long Before = Most * Runs / (C + Runs);
  unsigned long long Behind = Before * C / (C + Runs - 1);
  unsigned long long Rest = Segments > Behind ? Segments - Behind : 1;
  return Word(Rest < Before ? Rest : Before);
}

/// Where there is a snapshot for each segment, nothing has to be computed.
extern "C" __attribute__((always_inline)) Word
__kd_checkpoint_distance(Word Segments, Word Free) {
  return Segments - 1 <= Free + 1 ? 1 : binomialDistance(Segments, Free);
}

/// A word a thread and round; the bytes behind the last word by the first.
extern "C" void __kd_shared_zero(SHARED char *Address, Word Bytes) {
  Word Count = threadsOfBlock(), Thread = threadInBlock();
  auto *Words = reinterpret_cast<SHARED Word *>(Address);
  for (Word At = Thread; At < Bytes / 4; At += Count)
    Words[At] = 0;
  for (Word At = Bytes / 4 * 4; Thread == 0 && At < Bytes; ++At)
    Address[At] = 0;
}

static const __attribute__((address_space(1))) char TooShort[] =
    "kdiff: this gradient was launched with too little dynamic shared memory. "
    "Give it twice what the kernel needs, or with kd_width N 1 + N times: the "
    "shadows lie behind it.\n";

/// A write behind the primal's part would be one to the shadow.
extern "C" __attribute__((always_inline)) void
__kd_shared_within(SHARED char *End, SHARED char *Limit) {
  if (End > Limit)
    failWith(TooShort);
}

static const __attribute__((address_space(1))) char Overlapping[] =
    "kdiff: arrays of different types that this kernel carves from one block "
    "of "
    "shared memory overlap, so that nobody can tell where numbers are. Give "
    "each "
    "array a place of its own.\n";

/// An access to an array that ends in another one, or begins before its own.
extern "C" __attribute__((always_inline)) void
__kd_shared_apart(SHARED char *End, SHARED char *Limit) {
  if (End > Limit)
    failWith(Overlapping);
}
