//===- SharedRoom.cpp - Shared memory for KDiff's own use -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see SharedRoom.h.
//
//===----------------------------------------------------------------------===//

#include "lower/SharedRoom.h"
#include "target/NVPTX.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kdiff {

/// Static shared memory of a kernel that needs no consent of the driver (CUDA
/// programming guide, "Compute Capabilities").
static constexpr uint64_t MaxSharedBytes = 48 << 10;

bool hasSharedRoom(const Module &M, uint64_t Bytes) {
  const DataLayout &DL = M.getDataLayout();
  uint64_t Used = 0;
  for (const GlobalVariable &GV : M.globals())
    if (GV.getAddressSpace() == nvptx::Shared && !GV.isDeclaration())
      Used += DL.getTypeAllocSize(GV.getValueType());
  return Used + Bytes <= MaxSharedBytes;
}

GlobalVariable *createShared(Module &M, const Twine &Name, Type *T,
                             unsigned Count) {
  auto *Type = ArrayType::get(T, Count);
  auto *Array = new GlobalVariable(M, Type, false, GlobalValue::InternalLinkage,
                                   PoisonValue::get(Type), Name, nullptr,
                                   GlobalValue::NotThreadLocal, nvptx::Shared);
  Array->setAlignment(Align(16));
  return Array;
}

} // namespace kdiff
