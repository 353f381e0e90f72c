//===- Memory.cpp - What memory an access may touch, and its type ---------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Memory.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Memory.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
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
    P.Stride = 1;
  P.Object = Objects.front();
  return P;
}

bool mayOverlap(const Place &A, const Place &B) {
  if (A.Object != B.Object)
    return false;
  int64_t Distance = B.Offset - A.Offset;
  int64_t Stride = std::gcd(A.Stride, B.Stride);
  if (Stride == 0)
    return Distance < int64_t(A.Size) && -Distance < int64_t(B.Size);
  int64_t Up = ((Distance % Stride) + Stride) % Stride;
  return Up < int64_t(A.Size) || Stride - Up < int64_t(B.Size);
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
          {Place{Object, 0, Size, 1}, Scalar, I.mayReadFromMemory(), &I});
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

/// The widest access of a thread. Accesses to shared memory that begin further
/// apart are to two arrays carved from one.
constexpr int64_t VectorBytes = 16;

Type *FloatPlaces::find(
    const Value *Pointer, uint64_t Size,
    function_ref<bool(const Access &, const Place &)> Wanted) const {
  for (const Value *Object : underlyingObjects(Pointer)) {
    auto It = ByObject.find(Object);
    if (It == ByObject.end())
      continue;
    Place Here{Object, 0, Size, 1};
    if (auto P = placeOf(Pointer, Size, DL))
      Here = *P;
    for (const Access &A : It->second)
      if (A.Scalar && Wanted(A, Here) && mayOverlap(A.P, Here))
        return A.Scalar;
  }
  return nullptr;
}

Type *FloatPlaces::typeAt(const Value *Pointer, uint64_t Size) const {
  return find(Pointer, Size,
              [](const Access &, const Place &) { return true; });
}

Type *FloatPlaces::clashAt(const Value *Pointer, Type *T) const {
  uint64_t Bits = DL.getTypeSizeInBits(T);
  Type *Scalar = T->getScalarType();
  auto Fits = [&](Type *Other) {
    return Scalar->isFloatingPointTy()
               ? Scalar == Other
               : Bits % DL.getTypeSizeInBits(Other) == 0;
  };
  return find(Pointer, DL.getTypeStoreSize(T),
              [&](const Access &A, const Place &Here) {
                bool Shared = A.P.Object->getType()->getPointerAddressSpace() ==
                              nvptx::Shared;
                bool Apart = std::abs(A.P.Offset - Here.Offset) >= VectorBytes;
                return !Fits(A.Scalar) && !(Shared && Apart);
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
