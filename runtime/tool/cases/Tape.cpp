//===- Tape.cpp - The tape's pool on a device -----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a gradient launch get its tape, and
// did the tape suffice?
//
//===----------------------------------------------------------------------===//

#include "cases/Tape.h"
#include "kdiff/TapeLayout.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace kdiff::tool {

/// Pages of a pool: some for each warp, within 4 MiB and 256 MiB.
static uint64_t pagesFor(uint64_t Warps) {
  return std::clamp<uint64_t>(4 * Warps, 64, 4096);
}

static StringRef bytesOf(const PoolHeader &H) {
  return StringRef(reinterpret_cast<const char *>(&H), sizeof H);
}

#define KD_VARIABLE(Name, Symbol)                                              \
  static constexpr const char *Name##Variable = Symbol;
#include "kdiff/ABI.def"

Expected<Tape> Tape::create(Device &D) {
  Tape T(D);
  T.Variable = D.symbol(TapePoolVariable).Where;
  if (!T.Variable)
    return createStringError("the module has no variable %s", TapePoolVariable);
  return T;
}

static uint64_t warpsOf(const Dim3 &Grid, const Dim3 &Block) {
  return tapeWarps(uint64_t(Grid.X) * Grid.Y * Grid.Z,
                   uint64_t(Block.X) * Block.Y * Block.Z);
}

/// Writes a fresh pool of \p Bytes bytes to \p Pool.
static Error prepare(Device &D, Address Pool, uint64_t Bytes, uint64_t Warps,
                     bool IsSplit) {
  PoolHeader H;
  if (!initTapePool(&H, Bytes, Warps, TapeNoteExhaustion, IsSplit))
    llvm_unreachable("the pool has room for pages");
  if (Error E = D.write(Pool, bytesOf(H)))
    return E;
  return D.fill(Pool + H.RootsOffset, H.DumpOffset - H.RootsOffset, 0);
}

Error Tape::reset(const Dim3 &Grid, const Dim3 &Block) {
  uint64_t Warps = warpsOf(Grid, Block);
  uint64_t Bytes = tapePoolBytes(Warps, pagesFor(Warps));
  if (Bytes > Capacity) {
    Expected<Address> New = D->allocateScratch(Bytes, "tape");
    if (!New)
      return New.takeError();
    Pool = *New;
    Capacity = Bytes;
  }
  if (Error E = prepare(*D, Pool, Capacity, Warps, /*IsSplit=*/false))
    return E;
  return D->write(
      Variable, StringRef(reinterpret_cast<const char *>(&Pool), sizeof Pool));
}

Error Tape::check() { return checkTape(*D, Pool); }

Expected<Address> makeSplitTape(Device &D, const Dim3 &Grid,
                                const Dim3 &Block) {
  uint64_t Warps = warpsOf(Grid, Block);
  uint64_t Bytes = tapePoolBytes(Warps, pagesFor(Warps), /*IsSplit=*/true);
  Expected<Address> Pool = D.allocateScratch(Bytes, "tape");
  if (!Pool)
    return Pool.takeError();
  if (Error E = prepare(D, *Pool, Bytes, Warps, /*IsSplit=*/true))
    return std::move(E);
  return *Pool;
}

Error checkTape(Device &D, Address Pool) {
  Expected<std::string> Bytes = D.read(Pool, sizeof(PoolHeader));
  if (!Bytes)
    return Bytes.takeError();
  PoolHeader H;
  std::memcpy(&H, Bytes->data(), sizeof H);
  if (H.Conflicts)
    return createStringError("%u threads found their place on the tape taken",
                             H.Conflicts);
  if (!H.FailedThreads)
    return Error::success();
  return createStringError(
      "the tape of %llu bytes was exhausted: %u threads lacked %llu bytes "
      "together (a warp needs %u pages of %u bytes)",
      H.Bytes, H.FailedThreads, H.LackingBytes, H.PagesPerWarp, TapePageBytes);
}

} // namespace kdiff::tool
