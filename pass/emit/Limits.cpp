//===- Limits.cpp - The half of dynamic shared memory ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Limits.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Limits.h"
#include "analysis/Memory.h"
#include "lower/Abstract.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {

struct Write {
  Instruction *I;
  Value *Pointer;
  Value *Bytes;
};

} // namespace

/// Not of pointers: beside each of those, its twin is written to the shadow.
static std::optional<Write> asWrite(Instruction &I) {
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return Write{&I, Mem->getRawDest(), Mem->getLength()};
  Type *T = accessedType(I);
  if (!T || isa<LoadInst>(I) || T->isPointerTy())
    return std::nullopt;
  uint64_t Bytes = I.getDataLayout().getTypeStoreSize(T);
  return Write{&I, const_cast<Value *>(accessedPointer(I)),
               ConstantInt::get(Type::getInt32Ty(I.getContext()), Bytes)};
}

void limitDynamicShared(Subject &S, const Shadows &Sh) {
  SmallPtrSet<const GlobalVariable *, 2> Seen;
  for (const SharedShadow &Shadow : Sh.shared()) {
    // The first lane's comes right behind the primal's memory.
    if (!Shadow.Primal->isDeclaration() || !Seen.insert(Shadow.Primal).second)
      continue;
    SmallVector<Write, 8> Writes;
    for (Instruction &I : instructions(*S.P.F))
      if (std::optional<Write> W = asWrite(I))
        if (auto Objects = underlyingObjects(W->Pointer);
            Objects.size() == 1 && Objects.front() == Shadow.Primal)
          Writes.push_back(*W);
    for (const Write &W : Writes) {
      IRBuilder<> B(W.I);
      Value *Begin = B.CreatePointerBitCastOrAddrSpaceCast(
          W.Pointer, Shadow.Address->getType());
      createSharedWithin(B, B.CreatePtrAdd(Begin, W.Bytes), Shadow.Address);
    }
  }
}

} // namespace kdiff
