//===- Ptx.cpp - Instructions known by name ------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Ptx.h.
//
//===----------------------------------------------------------------------===//

#include "target/Ptx.h"
#include "target/PtxText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kdiff::nvptx {

/// Longer beginnings before shorter ones: the first match counts.
static constexpr Feature Features[] = {
    {"mbarrier. cp.async.mbarrier", "an asynchronous barrier (mbarrier)",
     "use __syncthreads()"},
    {"cp.async.bulk cp.reduce.async.bulk", "a bulk copy (cp.async.bulk)",
     "copy with plain loads and stores, or with __pipeline_memcpy_async"},
    {"cp.async", "an asynchronous copy (cp.async) of an unknown form",
     "use __pipeline_memcpy_async, or plain loads and stores"},
    {"barrier.cluster mapa getctarank multimem fence.sc.cluster "
     "fence.acq_rel.cluster",
     "a cluster of thread blocks", "use blocks that share nothing"},
    {"wmma. mma. wgmma. tcgen05. ldmatrix stmatrix movmatrix",
     "a tensor-core instruction", "use multiplications and additions"},
    {"fence.proxy fence.mbarrier", "a fence of the asynchronous proxy",
     "copy with plain loads and stores"},
    {"exit ret bra brx call",
     "a jump in inline assembly (exit, ret, bra, call)",
     "return from the kernel, branch in C++"},
    {"bar.arrive barrier.arrive barrier.cta.arrive",
     "the arrival half of a barrier", "let all threads wait (bar.sync)"},
    {"bar. barrier.", "a barrier in inline assembly", "use __syncthreads()"},
    {"membar fence", "a memory fence in inline assembly",
     "use __threadfence() or __threadfence_block()"},
    {"atom. red. ld.acquire st.release",
     "an atomic operation in inline assembly (barriers of the whole grid, and "
     "of groups of several warps, have them as well)",
     "use CUDA's atomic functions; end the kernel where the grid waits, use "
     "__syncthreads() where several warps do"},
};

const Feature *featureOf(StringRef Opcode) {
  for (const Feature &F : Features) {
    SmallVector<StringRef, 8> Beginnings;
    F.Opcodes.split(Beginnings, ' ');
    if (any_of(Beginnings, [&](StringRef B) { return Opcode.starts_with(B); }))
      return &F;
  }
  return nullptr;
}

const Feature *featureIn(StringRef Text) {
  for (const ptx::Statement &S : ptx::parse(Text))
    if (const Feature *F = featureOf(S.Opcode))
      return F;
  return nullptr;
}

bool accessesTexture(StringRef Text) {
  return any_of(ptx::parse(Text), [](const ptx::Statement &S) {
    return any_of(
        ArrayRef<StringRef>{"tex.", "tld4.", "suld.", "sust.", "sured.", "txq.",
                            "suq."},
        [&](StringRef B) { return StringRef(S.Opcode).starts_with(B); });
  });
}

} // namespace kdiff::nvptx
