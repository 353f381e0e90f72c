//===- Clock.cpp - What comes before what ---------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which accesses of other threads does a thread's
// next access come after?
//
//===----------------------------------------------------------------------===//

#include "check/Clock.h"
#include <algorithm>

using namespace llvm;
using namespace kdiff::simt;

namespace {

/// Joins clocks into the view of one block's threads.
class Joiner {
public:
  explicit Joiner(uint32_t Block) : Block(Block) {}

  void add(const ClockRef &C) {
    if (!C || C == Last)
      return;
    if (!Last && C->Block == Block) { // The first one is just copied.
      Own = C->Own;
      Others = C->Others;
      Last = C;
      return;
    }
    Last = C;
    if (C->Block == Block)
      raise(Own, C->Own);
    else
      addOther(C->Block, C->Own);
    if (!C->Others || C->Others == Others)
      return;
    if (!Others && !Changed) {
      Others = C->Others;
      if (Others->count(Block)) {
        raise(Own, *Others->at(Block));
        writable().erase(Block);
      }
      return;
    }
    for (const auto &[Number, T] : *C->Others)
      if (Number == Block)
        raise(Own, *T);
      else
        addOther(Number, *T, T);
  }
  void add(const Stamp &S) {
    add(S.Known);
    if (S.Known->Block == Block) {
      set(Own, S.Thread, S.Time);
      return;
    }
    auto New = std::make_shared<Times>(*writable()[S.Known->Block]);
    set(*New, S.Thread, S.Time);
    writable()[S.Known->Block] = std::move(New);
  }
  ClockRef finish() {
    auto C = std::make_shared<Clock>();
    C->Block = Block;
    C->Own = std::move(Own);
    C->Others = Changed ? std::move(Changed) : std::move(Others);
    return C;
  }

private:
  using Map = std::map<uint32_t, std::shared_ptr<const Times>>;
  uint32_t Block;
  Times Own;
  std::shared_ptr<const Map> Others;
  std::shared_ptr<Map> Changed; ///< A copy of Others, once it differs.
  ClockRef Last;

  static void set(Times &T, uint32_t Thread, uint32_t Time) {
    if (T.size() <= Thread)
      T.resize(Thread + 1);
    T[Thread] = std::max(T[Thread], Time);
  }
  static void raise(Times &To, const Times &From) {
    if (To.size() < From.size())
      To.resize(From.size());
    for (size_t I = 0; I < From.size(); ++I)
      To[I] = std::max(To[I], From[I]);
  }
  Map &writable() {
    if (!Changed)
      Changed =
          Others ? std::make_shared<Map>(*Others) : std::make_shared<Map>();
    return *Changed;
  }
  void addOther(uint32_t Number, const Times &T,
                std::shared_ptr<const Times> Shared = nullptr) {
    std::shared_ptr<const Times> &Place = writable()[Number];
    if (Shared && (!Place || Place == Shared)) {
      Place = std::move(Shared);
      return;
    }
    auto New =
        Place ? std::make_shared<Times>(*Place) : std::make_shared<Times>();
    raise(*New, T);
    Place = std::move(New);
  }
};

} // namespace

void ThreadOrder::start(ClockRef Nothing, uint32_t ThreadInBlock) {
  Known = std::move(Nothing);
  Self = ThreadInBlock;
  Time = 1;
  for (unsigned R = 0; R < SyncReaches; ++R) {
    Released[R] = {};
    Pending[R] = nullptr;
  }
}

bool ThreadOrder::isAfterOther(uint32_t Block, uint32_t Other,
                               uint32_t When) const {
  if (!Known->Others)
    return false;
  auto It = Known->Others->find(Block);
  return It != Known->Others->end() && Other < It->second->size() &&
         (*It->second)[Other] >= When;
}

Stamp ThreadOrder::leaveStamp() { return {Known, Self, Time++}; }

void ThreadOrder::clearPending() {
  for (ClockRef &P : Pending)
    P = nullptr;
}

void ThreadOrder::acquire(SyncReach Reach) {
  for (unsigned R = 0; R <= unsigned(Reach); ++R) {
    if (!Pending[R])
      continue;
    Joiner J(Known->Block);
    J.add(Known);
    J.add(Pending[R]);
    Known = J.finish();
    Pending[R] = nullptr;
  }
}

void ThreadOrder::release(SyncReach Reach) {
  Stamp Now = leaveStamp();
  for (unsigned R = 0; R <= unsigned(Reach); ++R)
    Released[R] = Now;
}

void kdiff::simt::meet(ArrayRef<ThreadOrder *> Threads, ArrayRef<Stamp> Extra) {
  if (Threads.empty())
    return;
  std::vector<Stamp> Stamps(Extra);
  for (ThreadOrder *T : Threads)
    Stamps.push_back(T->leaveStamp());
  Joiner J(Stamps.back().Known->Block);
  for (const Stamp &S : Stamps)
    J.add(S.Known);
  for (ThreadOrder *T : Threads) {
    J.add(T->pending(SyncReach::Block));
    J.add(T->pending(SyncReach::Device));
    T->clearPending();
  }
  for (const Stamp &S : Stamps)
    J.add(Stamp{S.Known, S.Thread, S.Time});
  ClockRef All = J.finish();
  for (ThreadOrder *T : Threads)
    T->learn(All);
}

void Mailbox::read(ThreadOrder &T, SyncReach Reach, bool Acquires) const {
  for (unsigned R = 0; R <= unsigned(Reach); ++R) {
    const ClockRef &Letter = Letters[R];
    bool ForBlock = R == unsigned(SyncReach::Block);
    if (!Letter || (ForBlock && Letter->Block != T.Known->Block) ||
        Letter == T.Pending[R])
      continue;
    Joiner J(T.Known->Block);
    J.add(T.Pending[R]);
    J.add(Letter);
    T.Pending[R] = J.finish();
  }
  if (Acquires)
    T.acquire(Reach);
}

void Mailbox::write(ThreadOrder &T, SyncReach Reach, bool Keeps,
                    bool Releases) {
  if (Releases)
    T.release(Reach);
  for (unsigned R = 0; R < SyncReaches; ++R) {
    ClockRef &Letter = Letters[R];
    bool ForBlock = R == unsigned(SyncReach::Block);
    if (!Keeps || (ForBlock && Letter && Letter->Block != T.Known->Block))
      Letter = nullptr;
    if (R > unsigned(Reach) || !T.Released[R].Known)
      continue;
    Joiner J(T.Known->Block);
    J.add(T.Released[R].Known);
    J.add(Letter);
    J.add(T.Released[R]);
    Letter = J.finish();
  }
}
