//===- Memory.cpp - Device memory -----------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do global buffers, the device heap and
// shared memory live?
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "llvm/Support/MathExtras.h"
#include <cerrno>
#include <cstring>
#include <iterator>
#include <sys/mman.h>

using namespace llvm;
using namespace kdiff::simt;

static constexpr size_t Granule = 256;
static constexpr size_t RedZone = 256;

static char *map(size_t Bytes, int Flags) {
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | Flags, -1, 0);
  return P == MAP_FAILED ? nullptr : static_cast<char *>(P);
}

Arena::~Arena() {
  if (Base)
    munmap(Base, Capacity);
}

bool Arena::reserve() {
  // Address space only; where it is limited, take what there is.
  for (size_t Bytes = size_t(16) << 30; !Base && Bytes >= size_t(64) << 20;
       Bytes /= 2) {
    Base = map(Bytes, 0);
    Capacity = Base ? Bytes : 0;
  }
  return Base;
}

void *Arena::allocate(size_t Bytes, StringRef Name, Owner By) {
  if (!reserve())
    return nullptr;
  if (Bytes > Capacity)
    return nullptr;
  size_t Room = alignTo(std::max<size_t>(Bytes, 1), Granule) + RedZone;
  char *P;
  if (auto Hole = Holes.lower_bound(Room);
      Hole != Holes.end() && Hole->first <= 2 * Room) {
    Room = Hole->first;
    P = Hole->second;
    Holes.erase(Hole);
  } else if (Room <= Capacity - Top) {
    P = Base + Top;
    Top += Room;
  } else {
    return nullptr;
  }
  Blocks.emplace(P, Block{Bytes, Room, Name.str(), By});
  memset(P, 0xFF, Bytes);
  return P;
}

bool Arena::free(void *Pointer, Owner By) {
  auto It = Blocks.find(static_cast<char *>(Pointer));
  if (It == Blocks.end() || It->second.By != By)
    return false;
  Holes.emplace(It->second.Room, It->first);
  Blocks.erase(It);
  return true;
}

Arena::Place Arena::find(const void *Address) const {
  auto *P = static_cast<const char *>(Address);
  auto It = Blocks.upper_bound(const_cast<char *>(P));
  if (It == Blocks.begin())
    return {};
  const auto &[Start, B] = *std::prev(It);
  return P < Start + B.Bytes ? Place{Start, B.Bytes} : Place{};
}

std::string Arena::describe(const void *Address) const {
  auto *P = static_cast<const char *>(Address);
  if (P < Base || P >= Base + Top)
    return "";
  auto It = Blocks.upper_bound(const_cast<char *>(P));
  if (It == Blocks.begin())
    return "";
  const auto &[Start, B] = *std::prev(It);
  size_t Offset = P - Start;
  bool Inside = Offset < B.Bytes;
  return std::to_string(Inside ? Offset : Offset - B.Bytes) +
         (Inside ? " bytes into '" : " bytes behind '") + B.Name + "' (" +
         std::to_string(B.Bytes) + " bytes)";
}

SharedRegion::~SharedRegion() {
  if (Base)
    munmap(Base, Capacity);
}

Error SharedRegion::reset(size_t Bytes) {
  if (Bytes <= Capacity)
    return Error::success();
  if (Base)
    munmap(Base, Capacity);
  Capacity = alignTo(Bytes, size_t(256) << 10);
  Base = map(Capacity, MAP_32BIT);
  if (Base)
    return Error::success();
  Capacity = 0;
  return createStringError(std::error_code(errno, std::generic_category()),
                           "no room for %zu bytes of shared memory", Bytes);
}
