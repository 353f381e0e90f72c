//===- Punning.cpp - Memory that is accessed as several types -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Punning.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Punning.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff {

/// The type that \p Access takes its place for: an integer with the bits of
/// floating point is that.
static Type *typeOf(const Instruction &Access, const Activity &A) {
  auto *Store = dyn_cast<StoreInst>(&Access);
  Type *Carried = A.adjointType(Store ? Store->getValueOperand() : &Access);
  return Carried ? Carried : accessedType(Access);
}

static Type *clashOf(const Instruction &Access, const Activity &A,
                     bool SkipCarved = true) {
  const Value *Pointer = accessedPointer(Access);
  if (!Pointer || !A.isActivePointer(Pointer) ||
      accessedType(Access)->isPtrOrPtrVectorTy())
    return nullptr;
  return A.places().clashAt(Pointer, typeOf(Access, A), SkipCarved);
}

/// The loads that \p V is a copy of, or computed from as an integer.
static SmallVector<const LoadInst *, 4> loadsBehind(const Value *V) {
  SmallVector<const LoadInst *, 4> Loads;
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I))
      Loads.push_back(Load);
    bool Moves =
        isa<PHINode, SelectInst, FreezeInst, BitCastInst, TruncInst, ZExtInst,
            SExtInst, InsertValueInst, ExtractValueInst, InsertElementInst,
            ExtractElementInst, ShuffleVectorInst>(I) ||
        (isa<BinaryOperator>(I) && I->getType()->isIntOrIntVectorTy());
    if (Moves)
      append_range(Work, I->operands());
  }
  return Loads;
}

static bool isCarved(const Value *Pointer) {
  return all_of(underlyingObjects(Pointer), [](const Value *Object) {
    return Object->getType()->getPointerAddressSpace() == nvptx::Shared;
  });
}

static bool refuse(const Instruction &I, Type *Other) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "an access as ";
  accessedType(I)->print(OS);
  OS << " to memory that is accessed as ";
  Other->print(OS);
  OS << " elsewhere";
  reportUnsupported(I, Text,
                    "copy and access floating-point numbers whole, in "
                    "their own type");
  return false;
}

/// True if \p Copy moves a part of a number: it ends, or begins at an end, in
/// the middle of one.
static bool movesParts(const MemTransferInst &Copy, const Activity &A) {
  const DataLayout &DL = Copy.getDataLayout();
  auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  uint64_t Bytes = Length ? Length->getZExtValue() : 1;
  return any_of(ArrayRef<const Value *>{Copy.getRawDest(), Copy.getRawSource()},
                [&](const Value *End) {
                  Type *T = A.places().typeAt(End, Bytes);
                  if (!T)
                    return false;
                  uint64_t Size = DL.getTypeStoreSize(T);
                  std::optional<Place> P = placeOf(End, Bytes, DL);
                  bool Odd = P && P->Offset % int64_t(Size) != 0 &&
                             P->Stride % Size == 0;
                  return Odd || (Length && Bytes % Size != 0);
                });
}

static bool checkCopy(const MemTransferInst &Copy, const Activity &A) {
  bool Matters = A.isActivePointer(Copy.getRawDest()) ||
                 A.isActivePointer(Copy.getRawSource());
  if (!Matters || A.places().onlyTypeOf(Copy.getRawDest()) == nullptr ||
      !movesParts(Copy, A))
    return true;
  reportUnsupported(Copy, "a copy of a part of a floating-point number",
                    "copy numbers whole");
  return false;
}

bool checkPunning(const Instruction &I, const Activity &A) {
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return checkCopy(*Copy, A);
  const Value *Pointer = accessedPointer(I);
  if (!Pointer || !A.isActivePointer(Pointer))
    return true;
  Type *Clash = clashOf(I, A);
  auto *Store = dyn_cast<StoreInst>(&I);
  bool Reads = !Store && A.isActive(&I);
  if (Clash && !isCarved(Pointer) && (Store || Reads))
    return refuse(I, Clash);
  if (!Store)
    return true;
  for (const LoadInst *Load : loadsBehind(Store->getValueOperand())) {
    if (Type *Other = clashOf(*Load, A))
      return refuse(*Load, Other);
    if (Clash && A.isActivePointer(Load->getPointerOperand()))
      return refuse(I, Clash);
  }
  return true;
}

SmallSetVector<const Value *, 2> blocksToldApart(const Function &F,
                                                 const Activity &A) {
  SmallSetVector<const Value *, 2> Blocks;
  auto IsTold = [&](const Instruction &Access) {
    const Value *Pointer = accessedPointer(Access);
    uint64_t Size = F.getDataLayout().getTypeStoreSize(accessedType(Access));
    return (clashOf(Access, A, /*SkipCarved=*/false) && !clashOf(Access, A)) ||
           (A.places().typeAt(Pointer, Size, /*SkipCarved=*/false) &&
            !A.places().typeAt(Pointer, Size));
  };
  auto Add = [&](const Instruction &Access) {
    for (const Value *Object : underlyingObjects(accessedPointer(Access)))
      Blocks.insert(Object);
  };
  for (const Instruction &I : instructions(F)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !A.isActivePointer(Store->getPointerOperand()))
      continue;
    for (const LoadInst *Load : loadsBehind(Store->getValueOperand())) {
      if (IsTold(*Load))
        Add(*Load);
      if (IsTold(I) && A.isActivePointer(Load->getPointerOperand()))
        Add(I);
    }
  }
  return Blocks;
}

bool areOfDifferentTypes(const Instruction &X, const Instruction &Y,
                         const Activity &A) {
  Type *OfX = typeOf(X, A)->getScalarType();
  Type *OfY = typeOf(Y, A)->getScalarType();
  return OfX != OfY && (OfX->isFloatingPointTy() || OfY->isFloatingPointTy());
}

} // namespace kdiff
