//===- Warp.cpp - Operations in which lanes meet --------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: when is a warp operation complete, and what
// does each lane get?
//
// Lanes meet by operation and mask, not by the place in the code, so that
// optimisers may duplicate or move the call. Semantics: PTX ISA 9.0, 9.7.9
// (shfl, vote, match, redux) and 9.7.13 (bar.warp.sync, activemask, elect).
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace kdiff::simt;

/// What a lane gets that reads a lane outside the mask: a NaN, and unlikely
/// to go unnoticed as an integer.
static constexpr uint64_t Undefined = 0xFFFFFFFF;

uint64_t Scheduler::warp(Thread &T, WarpOp Op, uint32_t Mask, uint64_t Value,
                         uint32_t Offset, uint32_t Clamp, uint32_t Site) {
  T.State = ThreadState::AtWarpOp;
  T.Op = Op;
  T.Mask = Mask;
  T.Value = Value;
  T.Offset = Offset;
  T.Clamp = Clamp;
  T.Site = Site;
  if (Op != WarpOp::ActiveMask) {
    if (!(Mask >> T.Lane & 1))
      failAt(T,
             "lane " + Twine(T.Lane) +
                 " takes part in a warp operation whose mask 0x" +
                 Twine::utohexstr(Mask) + " leaves it out",
             Site);
    meet(T);
  }
  leave(T);
  return T.Result;
}

void Scheduler::meet(Thread &T) {
  Warp &W = Warps[T.Warp];
  uint32_t I = 0;
  while (I < W.MeetingCount &&
         (W.Meetings[I].Op != T.Op || W.Meetings[I].Mask != T.Mask))
    ++I;
  if (I == W.MeetingCount)
    W.Meetings[W.MeetingCount++] = {T.Op, T.Mask, 0};
  W.Meetings[I].Arrived |= 1u << T.Lane;
  if (W.Meetings[I].Arrived == (T.Mask & W.Alive))
    resolve(T.Warp, I);
}

void Scheduler::retryMeetings(uint32_t WarpIndex) {
  Warp &W = Warps[WarpIndex];
  for (uint32_t I = W.MeetingCount; I-- > 0;)
    if (W.Meetings[I].Arrived == (W.Meetings[I].Mask & W.Alive))
      resolve(WarpIndex, I);
}

/// The lane whose value \p T reads, and whether it is within bounds.
static uint32_t shuffleSource(Thread &T) {
  uint32_t Lane = T.Lane, B = T.Offset & 31;
  uint32_t Segment = T.Clamp >> 8 & 31, C = T.Clamp & 31;
  uint32_t Max = (Lane & Segment) | (C & ~Segment);
  uint32_t Source;
  switch (T.Op) {
  case WarpOp::ShuffleUp:
    Source = Lane - B;
    T.Predicate = static_cast<int32_t>(Source) >= static_cast<int32_t>(Max);
    break;
  case WarpOp::ShuffleDown:
    Source = Lane + B;
    T.Predicate = Source <= Max;
    break;
  case WarpOp::ShuffleBfly:
    Source = Lane ^ B;
    T.Predicate = Source <= Max;
    break;
  default:
    Source = (Lane & Segment) | (B & ~Segment);
    T.Predicate = Source <= Max;
    break;
  }
  return T.Predicate ? Source : Lane;
}

static uint64_t floatMinMax(WarpOp Op, uint64_t A, uint64_t B) {
  auto X = bit_cast<float>(static_cast<uint32_t>(A));
  auto Y = bit_cast<float>(static_cast<uint32_t>(B));
  bool Max = Op == WarpOp::FMax || Op == WarpOp::FMaxNaN;
  bool KeepNaN = Op == WarpOp::FMinNaN || Op == WarpOp::FMaxNaN;
  if (KeepNaN && (std::isnan(X) || std::isnan(Y)))
    return 0x7FFFFFFF; // PTX's canonical NaN.
  float R = Max ? std::fmax(X, Y) : std::fmin(X, Y);
  if (X == 0 && Y == 0) // fmin and fmax need not order zeros; PTX does.
    R = Max == std::signbit(X) ? Y : X;
  return bit_cast<uint32_t>(R);
}

static uint64_t combine(WarpOp Op, uint64_t A, uint64_t B) {
  auto X = static_cast<uint32_t>(A), Y = static_cast<uint32_t>(B);
  auto SX = static_cast<int32_t>(X), SY = static_cast<int32_t>(Y);
  switch (Op) {
  case WarpOp::Add:
    return X + Y;
  case WarpOp::UMin:
    return std::min(X, Y);
  case WarpOp::UMax:
    return std::max(X, Y);
  case WarpOp::SMin:
    return static_cast<uint32_t>(std::min(SX, SY));
  case WarpOp::SMax:
    return static_cast<uint32_t>(std::max(SX, SY));
  case WarpOp::And:
    return X & Y;
  case WarpOp::Or:
    return X | Y;
  case WarpOp::Xor:
    return X ^ Y;
  default:
    return floatMinMax(Op, A, B);
  }
}

/// What is undefined of what each lane gets; and which accesses of others it
/// comes after now.
void Scheduler::resolveInChecks(const Meeting &M, Thread *Lanes) {
  Together.clear();
  uint64_t Any = 0, Given[WarpSize];
  for (uint32_t Rest = M.Arrived; Rest; Rest &= Rest - 1) {
    Thread &T = Lanes[countr_zero(Rest)];
    Together.push_back(&T);
    Any |= T.Undefined ? ~uint64_t(0) : 0;
    Given[T.Lane] = T.Undefined;
  }
  bool Shuffles = M.Op <= WarpOp::ShuffleBfly;
  for (Thread *T : Together) {
    uint32_t Source = Shuffles ? shuffleSource(*T) : 0;
    T->Undefined = !Shuffles                 ? Any
                   : M.Arrived >> Source & 1 ? Given[Source]
                                             : ~uint64_t(0);
  }
  if (M.Op == WarpOp::Sync)
    Check->meet(Together, {});
}

void Scheduler::resolve(uint32_t WarpIndex, uint32_t MeetingIndex) {
  Warp &W = Warps[WarpIndex];
  Meeting M = W.Meetings[MeetingIndex];
  W.Meetings[MeetingIndex] = W.Meetings[--W.MeetingCount];
  Thread *Lanes = &Threads[WarpIndex * WarpSize];
  auto forEach = [&](auto F) {
    for (uint32_t Rest = M.Arrived; Rest; Rest &= Rest - 1)
      F(Lanes[countr_zero(Rest)]);
  };
  uint32_t First = countr_zero(M.Arrived), Ballot = 0;
  if (Check)
    resolveInChecks(M, Lanes);
  forEach([&](Thread &T) {
    T.Predicate = 1;
    Ballot |= static_cast<uint32_t>(T.Value & 1) << T.Lane;
  });
  switch (M.Op) {
  case WarpOp::ShuffleIdx:
  case WarpOp::ShuffleUp:
  case WarpOp::ShuffleDown:
  case WarpOp::ShuffleBfly:
    forEach([&](Thread &T) {
      uint32_t Source = shuffleSource(T);
      T.Result = M.Arrived >> Source & 1 ? Lanes[Source].Value : Undefined;
    });
    break;
  case WarpOp::Ballot:
    forEach([&](Thread &T) { T.Result = Ballot; });
    break;
  case WarpOp::Any:
    forEach([&](Thread &T) { T.Result = Ballot != 0; });
    break;
  case WarpOp::All:
    forEach([&](Thread &T) { T.Result = Ballot == M.Arrived; });
    break;
  case WarpOp::Uniform:
    forEach([&](Thread &T) { T.Result = Ballot == M.Arrived || Ballot == 0; });
    break;
  case WarpOp::MatchAny:
    forEach([&](Thread &T) {
      T.Result = 0;
      forEach([&](Thread &Other) {
        T.Result |= uint64_t(Other.Value == T.Value) << Other.Lane;
      });
    });
    break;
  case WarpOp::MatchAll: {
    bool Same = true;
    forEach([&](Thread &T) { Same &= T.Value == Lanes[First].Value; });
    forEach([&](Thread &T) {
      T.Result = Same ? M.Arrived : 0;
      T.Predicate = Same;
    });
    break;
  }
  case WarpOp::Elect:
    forEach([&](Thread &T) {
      T.Result = First;
      T.Predicate = T.Lane == First;
    });
    break;
  case WarpOp::Sync:
    break;
  default: {
    uint64_t Sum = Lanes[First].Value;
    forEach([&](Thread &T) {
      if (T.Lane != First)
        Sum = combine(M.Op, Sum, T.Value);
    });
    forEach([&](Thread &T) { T.Result = Sum; });
    break;
  }
  }
  forEach([&](Thread &T) { wake(T); });
}

bool Scheduler::resolveActiveMasks() {
  auto asks = [](const Thread &T) {
    return T.State == ThreadState::AtWarpOp && T.Op == WarpOp::ActiveMask;
  };
  bool Any = false;
  for (uint32_t W = 0; W < Warps.size(); ++W) {
    Thread *Lanes = &Threads[W * WarpSize];
    for (uint32_t Rest = Warps[W].Alive; Rest; Rest &= Rest - 1) {
      Thread &T = Lanes[countr_zero(Rest)];
      if (!asks(T))
        continue;
      uint32_t Together = 0;
      for (uint32_t Others = Rest; Others; Others &= Others - 1) {
        Thread &Other = Lanes[countr_zero(Others)];
        if (asks(Other) && Other.Value == T.Value)
          Together |= 1u << Other.Lane;
      }
      for (uint32_t Set = Together; Set; Set &= Set - 1) {
        Lanes[countr_zero(Set)].Result = Together;
        wake(Lanes[countr_zero(Set)]);
      }
      Any = true;
    }
  }
  return Any;
}
