//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does a gradient's tape lie?
//
//===----------------------------------------------------------------------===//
#include "harness/TapePool.h"

using namespace llvm;

namespace kdiff::bench {

static constexpr const char *VariableName =
#define KD_VARIABLE(Name, Symbol) Symbol
#include "kdiff/ABI.def"
    ;

Expected<std::unique_ptr<TapePool>>
TapePool::create(Backend &B, unsigned Grid, unsigned Block, uint64_t Bytes) {
  void *Variable = B.symbol(VariableName);
  if (!Variable)
    return createStringError("no variable %s is loaded", VariableName);
  uint64_t Warps = tapeWarps(Grid, Block);
  Bytes += tapePoolBytes(Warps, 1);
  Expected<void *> Memory = B.allocate(Bytes);
  if (!Memory)
    return Memory.takeError();
  PoolHeader H;
  initTapePool(&H, Bytes, Warps, TapeNoteExhaustion);
  std::unique_ptr<TapePool> T(new TapePool(B, *Memory, H));
  if (Error E = T->restart(H.Pages))
    return std::move(E);
  if (Error E = B.upload(Variable, &T->Pool, sizeof T->Pool))
    return std::move(E);
  return std::move(T);
}

TapePool::~TapePool() { B.free(Pool); }

Expected<PoolHeader> TapePool::header() {
  PoolHeader H;
  if (Error E = B.download(&H, Pool, sizeof H))
    return std::move(E);
  return H;
}

Error TapePool::restart(unsigned Pages) {
  PoolHeader H;
  initTapePool(&H, tapePoolBytes(Initial.Warps, Pages), Initial.Warps,
               TapeNoteExhaustion);
  if (Error E = B.upload(Pool, &H, sizeof H))
    return E;
  return B.zero(static_cast<char *>(Pool) + H.RootsOffset,
                H.DumpOffset - H.RootsOffset);
}

Expected<bool> TapePool::exhausted() {
  Expected<PoolHeader> H = header();
  if (!H)
    return H.takeError();
  return H->FailedThreads != 0;
}

Error TapePool::check() {
  Expected<PoolHeader> Read = header();
  if (!Read)
    return Read.takeError();
  const PoolHeader &H = *Read;
  if (H.Conflicts)
    return createStringError("%u threads found their place on the tape taken",
                             H.Conflicts);
  if (H.FailedThreads)
    return createStringError(
        "the tape of %llu bytes was exhausted: %u threads lacked %llu bytes "
        "together, and a warp needs up to %u pages of %u bytes",
        H.Bytes, H.FailedThreads, H.LackingBytes, H.PagesPerWarp,
        TapePageBytes);
  return Error::success();
}

} // namespace kdiff::bench
