//===- tape_loop.h - Loops of launches in little memory --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a tape go backward through thousands of
// launches when it may keep the state at a few of them only?
//
// Included by kdiff/launch_tape.h. The state is what the iterations write. A
// range of iterations is reversed from its state at its start: run forward to a
// point between, keep the state there, reverse the part behind it with one
// place less, and then the part before. Where the point lies is binomial: with
// s places and every iteration run again at most t times, (s + t)! / (s! t!)
// iterations can be reversed (A. Griewank, "Achieving logarithmic growth of
// temporal and spatial complexity in reverse automatic differentiation",
// Optimization Methods and Software 1, 1992).
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TAPE_LOOP_H
#define KDIFF_TAPE_LOOP_H

#include <kdiff/launch_tape.h>

namespace kdiff {
namespace detail {

/// The iterations that \p Places places for states and \p Runs runs of each
/// reverse; no more than \p Limit.
inline long long reversible(int Places, int Runs, long long Limit) {
  long long Count = 1; // Binomial coefficients, each from the last.
  for (int I = 1; I <= Places && Count < Limit; ++I)
    Count = Count * (Runs + I) / I;
  return Count < Limit ? Count : Limit;
}

/// How far behind its start the next state of a range of \p Length (at least 2)
/// iterations is kept, if \p Places (at least 1) are left besides that of the
/// start: so that in all the fewest iterations are run again.
inline int nextPlace(int Length, int Places) {
  int Runs = 1;
  while (reversible(Places + 1, Runs, Length) < Length)
    ++Runs;
  // The part behind may be run as often, with a place less; the part before
  // once less.
  long long Least = Length - reversible(Places, Runs, Length);
  long long Next = Runs < 2 ? 1 : reversible(Places + 1, Runs - 2, Length);
  Next = Next < Least ? Least : Next;
  return int(Next < Length ? Next : Length - 1);
}

inline std::string loopName() { return "a loop"; }

/// A tape is in another mode while this lives.
class InMode {
public:
  InMode(Tape &T, TapeMode Mode) : T(T), Outer(T.setMode(Mode)) {}
  ~InMode() { T.setMode(Outer); }
  InMode(const InMode &) = delete;

private:
  Tape &T;
  TapeMode Outer;
};

/// The blocks that steps use are noted while this lives.
class Noting {
public:
  Noting(Buffers &Of, Buffers::Notes &In) : Of(Of), Outer(Of.collect(&In)) {}
  ~Noting() { Of.collect(Outer); }
  Noting(const Noting &) = delete;

private:
  Buffers &Of;
  Buffers::Notes *Outer;
};

template <class Body> class LoopStep final : public Step {
public:
  LoopStep(int Count, std::size_t Limit, Body B)
      : Step(loopName), Count(Count), Limit(Limit), B(std::move(B)) {}

  /// Runs all iterations. True if it is to be recorded.
  bool run(Tape &T) {
    if (T.mode() != TapeMode::Record) {
      runFrom(T, 0, Count);
      return false;
    }
    look(T);
    for (auto &[Of, IsWritten] : Used)
      Before[Of] = Of->Current;
    InMode Running(T, TapeMode::Run);
    int At = 0;
    for (int Left = Places; Left > 0 && Count - At > 1; --Left) {
      int Next = At + nextPlace(Count - At, Left);
      runFrom(T, At, Next);
      keep(T, At = Next);
    }
    runFrom(T, At, Count);
    return Count > 0;
  }

  void reverse(Tape &T) override {
    checkShadows();
    std::map<Buffer *, DeviceMemory> After;
    for (auto &[Of, IsWritten] : Used)
      if (IsWritten || Before[Of]->isCopied())
        After.emplace(Of, copyOf(T, *Of));
    for (auto &[Of, Copy] : After)
      if (!Used[Of])
        put(T, *Of, Before[Of]->at(Of->B));
    reverseRange(T, 0, Count, Places);
    for (auto &[Of, Copy] : After)
      put(T, *Of, Copy.at());
  }

private:
  using State = std::map<Buffer *, DeviceMemory>;

  /// Which blocks the iterations use, and how many states have room.
  void look(Tape &T) {
    {
      InMode Looking(T, TapeMode::Look);
      Noting Uses(T.buffers(), Used);
      runFrom(T, 0, Count);
    }
    checkShadows();
    std::size_t Bytes = 0;
    for (auto &[Of, IsWritten] : Used) {
      use(Of->B.Start);
      Bytes += IsWritten ? Of->B.Bytes : 0;
    }
    if (Limit < Bytes)
      throw std::invalid_argument(
          "kdiff::Tape: the iterations of a loop write " +
          std::to_string(Bytes) + " bytes, which are kept once at least; " +
          std::to_string(Limit) + " are allowed");
    // The state before the first iteration takes a place, too.
    std::size_t Room = Bytes ? Limit / Bytes - 1 : 0;
    Places = Room < std::size_t(Count) ? int(Room) : Count;
  }

  /// Bringing a state back must leave shadows alone.
  void checkShadows() const {
    for (auto &[Of, IsWritten] : Used)
      if (Of->HoldsShadows)
        throw std::invalid_argument(
            "kdiff::Tape: a shadow lies in the same allocation as memory that "
            "a loop uses: allocate shadows apart");
  }

  void runFrom(Tape &T, int From, int To) {
    for (int I = From; I < To; ++I)
      B(T, I);
  }
  static DeviceMemory copyOf(Tape &T, const Buffer &Of) {
    DeviceMemory Copy(Of.B.Bytes, T.stream());
    checkTape(cudaMemcpyAsync(Copy.at(), Of.B.Start, Of.B.Bytes,
                              cudaMemcpyDeviceToDevice, T.stream()),
              "cudaMemcpyAsync");
    return Copy;
  }
  static void put(Tape &T, Buffer &Of, const char *From) {
    if (From == Of.B.Start)
      return;
    T.buffers().overwrite(Of);
    checkTape(cudaMemcpyAsync(Of.B.Start, From, Of.B.Bytes,
                              cudaMemcpyDeviceToDevice, T.stream()),
              "cudaMemcpyAsync");
  }
  /// Keeps the state before iteration \p At.
  void keep(Tape &T, int At) {
    for (auto &[Of, IsWritten] : Used)
      if (IsWritten)
        Kept[At].emplace(Of, copyOf(T, *Of));
  }
  /// Brings the state before iteration \p At back.
  void restore(Tape &T, int At) {
    for (auto &[Of, IsWritten] : Used)
      if (IsWritten)
        put(T, *Of, At ? Kept[At].at(Of).at() : Before[Of]->at(Of->B));
  }
  void runAgain(Tape &T, int From, int To) {
    InMode Running(T, TapeMode::Run);
    runFrom(T, From, To);
  }

  /// Reverses iterations \p From to \p To - 1; the state before \p From is
  /// kept, and \p Left places are free or hold states within.
  void reverseRange(Tape &T, int From, int To, int Left) {
    while (To - From > 1) {
      int Middle = Left ? From + nextPlace(To - From, Left) : To - 1;
      if (!Kept.count(Middle)) {
        restore(T, From);
        runAgain(T, From, Middle);
      }
      if (!Left) {
        reverseOne(T, Middle);
      } else {
        if (!Kept.count(Middle))
          keep(T, Middle);
        reverseRange(T, Middle, To, Left - 1);
        Kept.erase(Middle);
      }
      To = Middle;
    }
    if (To > From) {
      restore(T, From);
      reverseOne(T, From);
    }
  }
  /// Reverses the one iteration whose state is there.
  void reverseOne(Tape &T, int I) {
    std::size_t Steps = T.size();
    B(T, I);
    T.backwardTo(Steps);
  }

  const int Count;
  const std::size_t Limit;
  Body B;
  int Places = 0; ///< For states besides that before the first iteration.
  Buffers::Notes Used;
  std::map<Buffer *, SharedContent> Before; ///< What they held at the start.
  std::map<int, State> Kept;
};

} // namespace detail

template <class Body> void Tape::loop(int count, std::size_t bytes, Body body) {
  auto S =
      std::make_unique<detail::LoopStep<Body>>(count, bytes, std::move(body));
  if (S->run(*this))
    push(std::move(S));
}

} // namespace kdiff
#endif // KDIFF_TAPE_LOOP_H
