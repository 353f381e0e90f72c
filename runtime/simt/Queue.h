//===- Queue.h - The order of runnable threads -----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order are runnable threads resumed?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_QUEUE_H
#define KDIFF_SIMT_QUEUE_H

#include "Executor.h"
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace kdiff::simt {

/// A ring of thread numbers, each in it at most once.
class RunQueue {
public:
  void start(uint32_t Threads, Schedule Wanted, uint64_t Seed) {
    Ring.resize(Threads);
    Order = Wanted;
    Random.seed(Seed);
  }
  /// All threads, in their order.
  void fill() {
    std::iota(Ring.begin(), Ring.end(), 0);
    Head = 0;
    Size = Ring.size();
  }
  bool empty() const { return Size == 0; }
  void push(uint32_t Thread) { Ring[at(Size++)] = Thread; }
  /// Puts \p Thread behind all others.
  void defer(uint32_t Thread) {
    if (Order != Schedule::Lifo)
      return push(Thread);
    Head = Head ? Head - 1 : Ring.size() - 1;
    Ring[Head] = Thread;
    ++Size;
  }
  uint32_t pop() {
    --Size;
    switch (Order) {
    case Schedule::Fifo: {
      uint32_t Thread = Ring[Head];
      Head = at(1);
      return Thread;
    }
    case Schedule::Lifo:
      break;
    case Schedule::Random:
      std::swap(Ring[at(Random() % (Size + 1))], Ring[at(Size)]);
      break;
    }
    return Ring[at(Size)];
  }

private:
  std::vector<uint32_t> Ring;
  uint32_t Head = 0, Size = 0;
  Schedule Order = Schedule::Fifo;
  std::mt19937_64 Random;

  uint32_t at(uint32_t Offset) const {
    uint32_t I = Head + Offset;
    return I >= Ring.size() ? I - Ring.size() : I;
  }
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_QUEUE_H
