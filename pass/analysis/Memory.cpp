//===- Memory.cpp - What memory an access may touch, and its type ---------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Memory.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Memory.h"
#include "analysis/Carved.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace kdiff {

/// One step from a derived pointer towards its bases.
static void pushBases(const Value *V, SmallVectorImpl<const Value *> &Work,
                      SmallVectorImpl<const Value *> &Objects) {
  if (auto *GEP = dyn_cast<GEPOperator>(V))
    return Work.push_back(GEP->getPointerOperand());
  unsigned Opcode = Operator::getOpcode(V);
  if (Opcode == Instruction::AddrSpaceCast || Opcode == Instruction::BitCast ||
      Opcode == Instruction::Freeze)
    return Work.push_back(cast<Operator>(V)->getOperand(0));
  if (auto *Phi = dyn_cast<PHINode>(V))
    return Work.append(Phi->value_op_begin(), Phi->value_op_end());
  if (auto *Sel = dyn_cast<SelectInst>(V)) {
    Work.push_back(Sel->getTrueValue());
    return Work.push_back(Sel->getFalseValue());
  }
  Objects.push_back(V);
}

SmallVector<const Value *, 4> underlyingObjects(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  SmallVector<const Value *, 8> Work{Pointer};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (Seen.insert(V).second)
      pushBases(V, Work, Objects);
  }
  return Objects;
}

/// Adds how far the variable indices of \p GEP lead. An array of one element
/// may be the beginning of a longer one.
static void addIndices(const GEPOperator &GEP, const DataLayout &DL, Place &P) {
  Type *Within = nullptr; // What the index leads into; null: behind an address.
  for (auto At = gep_type_begin(GEP), End = gep_type_end(GEP); At != End;
       Within = At.getIndexedType(), ++At) {
    if (isa<ConstantInt>(At.getOperand()))
      continue;
    auto *Array = dyn_cast_or_null<ArrayType>(Within);
    uint64_t Size = At.getSequentialElementStride(DL).getFixedValue();
    if (GEP.isInBounds() && Array && Array->getNumElements() > 1)
      P.Extent += (Array->getNumElements() - 1) * Size;
    else
      P.Outer = std::gcd(P.Outer, Size);
  }
}

std::optional<Place> placeOf(const Value *Pointer, uint64_t Size,
                             const DataLayout &DL) {
  Place P;
  P.Size = Size;
  const Value *V = Pointer;
  while (true) {
    if (auto *GEP = dyn_cast<GEPOperator>(V)) {
      unsigned Bits = DL.getIndexTypeSizeInBits(GEP->getType());
      SmallMapVector<Value *, APInt, 4> Variable;
      APInt Constant(Bits, 0);
      if (!GEP->collectOffset(DL, Bits, Variable, Constant))
        return std::nullopt;
      P.Offset += Constant.getSExtValue();
      for (auto &[Index, Scale] : Variable)
        P.Stride = std::gcd(P.Stride, Scale.abs().getZExtValue());
      addIndices(*GEP, DL, P);
      V = GEP->getPointerOperand();
      continue;
    }
    unsigned Opcode = Operator::getOpcode(V);
    if (Opcode == Instruction::AddrSpaceCast ||
        Opcode == Instruction::BitCast || Opcode == Instruction::Freeze) {
      V = cast<Operator>(V)->getOperand(0);
      continue;
    }
    break;
  }
  SmallVector<const Value *, 4> Objects = underlyingObjects(V);
  if (Objects.size() != 1)
    return std::nullopt;
  // A phi or select of pointers into one object: anywhere in it.
  if (Objects.front() != V)
    P.Stride = P.Outer = 1;
  P.Object = Objects.front();
  return P;
}

/// Bytes [0, Size) and [Distance, Distance + OtherSize), modulo \p Stride.
static bool mayOverlap(int64_t Distance, uint64_t Size, uint64_t OtherSize,
                       int64_t Stride) {
  if (Stride == 0)
    return Distance < int64_t(Size) && -Distance < int64_t(OtherSize);
  int64_t Up = ((Distance % Stride) + Stride) % Stride;
  return Up < int64_t(Size) || Stride - Up < int64_t(OtherSize);
}

bool mayOverlap(const Place &A, const Place &B) {
  int64_t Distance = B.Offset - A.Offset;
  return A.Object == B.Object &&
         mayOverlap(Distance, A.Size, B.Size, std::gcd(A.Stride, B.Stride)) &&
         mayOverlap(Distance, A.Extent + A.Size, B.Extent + B.Size,
                    std::gcd(A.Outer, B.Outer));
}

bool isNowhere(const Value *Object) {
  return isa<ConstantPointerNull, UndefValue>(Object);
}

const Value *accessedPointer(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->getPointerOperand();
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->getPointerOperand();
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return CX->getPointerOperand();
  return nullptr;
}

Type *accessedType(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->getType();
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->getValueOperand()->getType();
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getType();
  if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return CX->getNewValOperand()->getType();
  return nullptr;
}

FloatPlaces::FloatPlaces(const Function &F) : DL(F.getDataLayout()) {
  for (const Instruction &I : instructions(F)) {
    const Value *Pointer = accessedPointer(I);
    if (!Pointer)
      continue;
    Type *T = accessedType(I);
    Type *Scalar =
        T->getScalarType()->isFloatingPointTy() ? T->getScalarType() : nullptr;
    uint64_t Size = DL.getTypeStoreSize(T);
    if (auto P = placeOf(Pointer, Size, DL)) {
      ByObject[P->Object].push_back({*P, Scalar, I.mayReadFromMemory(), &I});
      continue;
    }
    for (const Value *Object : underlyingObjects(Pointer))
      ByObject[Object].push_back(
          {Place::anywhere(Object, Size), Scalar, I.mayReadFromMemory(), &I});
  }
}

bool FloatPlaces::learn(const Instruction &I, Type *Scalar) {
  bool Changed = false;
  for (const Value *Object : underlyingObjects(accessedPointer(I)))
    for (Access &A : ByObject[Object])
      if (A.I == &I && !A.Scalar) {
        A.Scalar = Scalar;
        Changed = true;
      }
  return Changed;
}

Type *FloatPlaces::find(const Value *Pointer, uint64_t Size,
                        function_ref<bool(const Access &)> Wanted) const {
  for (const Value *Object : underlyingObjects(Pointer)) {
    auto It = ByObject.find(Object);
    if (It == ByObject.end())
      continue;
    Place Here = Place::anywhere(Object, Size);
    if (auto P = placeOf(Pointer, Size, DL))
      Here = *P;
    for (const Access &A : It->second)
      if (A.Scalar && mayOverlap(A.P, Here) && Wanted(A))
        return A.Scalar;
  }
  return nullptr;
}

Type *FloatPlaces::typeAt(const Value *Pointer, uint64_t Size,
                          bool SkipCarved) const {
  return find(Pointer, Size, [&](const Access &A) {
    return !(SkipCarved && beginApart(Pointer, accessedPointer(*A.I)));
  });
}

/// True if an access of type \p T moves whole numbers of type \p Scalar, or,
/// being one of integers, their bits.
static bool fitsNumbers(Type *T, Type *Scalar, const DataLayout &DL) {
  return T->getScalarType()->isFloatingPointTy()
             ? T->getScalarType() == Scalar
             : DL.getTypeSizeInBits(T) % DL.getTypeSizeInBits(Scalar) == 0;
}

Type *FloatPlaces::clashAt(const Value *Pointer, Type *T,
                           bool SkipCarved) const {
  return find(Pointer, DL.getTypeStoreSize(T), [&](const Access &A) {
    return !fitsNumbers(T, A.Scalar, DL) &&
           !(SkipCarved && beginApart(Pointer, accessedPointer(*A.I)));
  });
}

Type *FloatPlaces::onlyTypeOf(const Value *Pointer) const {
  Type *Only = nullptr;
  for (const Value *Object : underlyingObjects(Pointer)) {
    auto It = ByObject.find(Object);
    if (It == ByObject.end())
      continue;
    for (const Access &A : It->second) {
      if (!A.Scalar || (Only && A.Scalar != Only))
        return nullptr;
      Only = A.Scalar;
    }
  }
  return Only;
}

bool FloatPlaces::hasFloat(const Value *Object) const {
  auto It = ByObject.find(Object);
  return It != ByObject.end() && any_of(It->second, [](const Access &A) {
           return A.Scalar != nullptr;
         });
}

bool FloatPlaces::isLoaded(const Value *Object) const {
  auto It = ByObject.find(Object);
  return It != ByObject.end() && any_of(It->second, [](const Access &A) {
           return A.Scalar && A.Loads;
         });
}

bool mayShareObject(const Value *P, const Value *Q) {
  unsigned SpaceP = P->getType()->getPointerAddressSpace();
  unsigned SpaceQ = Q->getType()->getPointerAddressSpace();
  if (SpaceP != SpaceQ && SpaceP != nvptx::Generic && SpaceQ != nvptx::Generic)
    return false;
  auto IsIdentified = [](const Value *O) {
    auto *Arg = dyn_cast<Argument>(O);
    return isa<AllocaInst, GlobalVariable>(O) || (Arg && Arg->hasNoAliasAttr());
  };
  for (const Value *O : underlyingObjects(P))
    for (const Value *Other : underlyingObjects(Q))
      if (O == Other || (!IsIdentified(O) && !IsIdentified(Other)))
        return true;
  return false;
}

bool mayBeLocal(const Value *Pointer) {
  return any_of(underlyingObjects(Pointer),
                [](const Value *Object) { return isa<AllocaInst>(Object); });
}

bool endsWithLaunch(const Value *Pointer) {
  return mayBeLocal(Pointer) ||
         any_of(underlyingObjects(Pointer), [](const Value *Object) {
           auto *G = dyn_cast<GlobalVariable>(Object);
           return G && G->getAddressSpace() == nvptx::Shared;
         });
}

/// True if \p I, no call of a function with a body, may write an object that
/// \p Matters.
static bool mayWriteHere(const Instruction &I,
                         function_ref<bool(const Value *)> Matters) {
  if (!I.mayWriteToMemory())
    return false;
  auto MayHit = [&](const Value *Target) {
    return any_of(underlyingObjects(Target), Matters);
  };
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return MayHit(Mem->getRawDest());
  if (const Value *Target = accessedPointer(I))
    return MayHit(Target);
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB || CB->onlyReadsMemory() || classify(*CB) == CallClass::Inactive)
    return false;
  // Intrinsics write by their pointers alone; of others nothing is known.
  if (!isa<IntrinsicInst>(CB))
    return Matters(CB);
  return any_of(CB->args(), [&](const Use &Arg) {
    return Arg->getType()->isPointerTy() && MayHit(Arg);
  });
}

bool mayWrite(const CallBase &CB, function_ref<bool(const Value *)> Matters) {
  if (CB.onlyReadsMemory())
    return false;
  SmallVector<const Function *, 4> Work{CB.getCalledFunction()};
  SmallPtrSet<const Function *, 4> Seen(Work.begin(), Work.end());
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    if (F->isDeclaration() && Matters(&CB))
      return true;
    for (const Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Next = Call ? Call->getCalledFunction() : nullptr;
      if (!Next || Next->isDeclaration()) {
        if (mayWriteHere(I, Matters))
          return true;
      } else if (Seen.insert(Next).second) {
        Work.push_back(Next);
      }
    }
  }
  return false;
}

} // namespace kdiff
