//===- Copies.cpp - Memory copies as loads and stores of fields -*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: of which typed fields does a copied object
// consist?
//
// SROA and instcombine split a copy into integers where they see no types. The
// derivative wants floating point to stay floating point, so copies are split
// here first. What an object is made of is told by the allocation, by the
// source element type of address arithmetic, and by !tbaa.struct.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// Larger copies stay copies: as loads and stores they would swamp the
/// function, and arrays of that size do not go to registers.
constexpr uint64_t MaxCopyBytes = 256;
constexpr unsigned MaxFields = 64;

struct Field {
  uint64_t Offset;
  Type *Ty;
};
using Fields = SmallVector<Field, 16>;

/// The fields of a copied range, as far as one source of types tells them.
class FieldList {
public:
  FieldList(uint64_t Size, const DataLayout &DL) : Size(Size), DL(DL) {}

  /// Adds the fields of a \p T that lies at \p Begin relative to the range.
  /// False if one crosses the range's border.
  bool add(Type *T, int64_t Begin) {
    int64_t End = Begin + int64_t(DL.getTypeAllocSize(T).getFixedValue());
    if (End <= 0 || Begin >= int64_t(Size))
      return true;
    if (auto *ST = dyn_cast<StructType>(T)) {
      const StructLayout *Layout = DL.getStructLayout(ST);
      for (unsigned K = 0, N = ST->getNumElements(); K != N; ++K)
        if (!add(ST->getElementType(K),
                 Begin + int64_t(Layout->getElementOffset(K))))
          return false;
      return true;
    }
    if (auto *AT = dyn_cast<ArrayType>(T)) {
      Type *Element = AT->getElementType();
      int64_t Stride = DL.getTypeAllocSize(Element).getFixedValue();
      if (Stride == 0)
        return true;
      // Start at the first element that reaches into the range.
      int64_t First = Begin < 0 ? -Begin / Stride : 0;
      for (int64_t K = First, N = AT->getNumElements();
           K < N && Begin + K * Stride < int64_t(Size); ++K)
        if (!add(Element, Begin + K * Stride))
          return false;
      return true;
    }
    uint64_t Bytes = DL.getTypeStoreSize(T).getFixedValue();
    if (!T->isSingleValueType() || Begin < 0 ||
        uint64_t(Begin) + Bytes > Size || List.size() >= MaxFields)
      return false;
    List.push_back({uint64_t(Begin), T});
    return true;
  }

  /// How many bytes are floating point or pointers: what must not be lost.
  uint64_t typedBytes() const {
    uint64_t Sum = 0;
    for (const Field &F : List)
      if (F.Ty->isFPOrFPVectorTy() || F.Ty->isPtrOrPtrVectorTy())
        Sum += DL.getTypeStoreSize(F.Ty).getFixedValue();
    return Sum;
  }

  /// True if nothing but bytes is known: storage for objects of another type.
  bool isRaw() const {
    return all_of(List, [](const Field &F) { return F.Ty->isIntegerTy(8); });
  }

  /// The fields, with the bytes between them as integers: a union may keep
  /// something in what is padding for this type.
  std::optional<Fields> complete(LLVMContext &C) const {
    Fields Sorted(List);
    llvm::sort(Sorted, [](const Field &A, const Field &B) {
      return A.Offset < B.Offset;
    });
    Fields Result;
    uint64_t At = 0;
    auto FillUpTo = [&](uint64_t End) {
      while (At < End) {
        uint64_t Bytes = 8;
        while (At % Bytes != 0 || At + Bytes > End)
          Bytes /= 2;
        Result.push_back({At, Type::getIntNTy(C, Bytes * 8)});
        At += Bytes;
      }
    };
    for (const Field &F : Sorted) {
      if (F.Offset < At)
        return std::nullopt; // Overlapping fields: a union in !tbaa.struct.
      FillUpTo(F.Offset);
      Result.push_back(F);
      At += DL.getTypeStoreSize(F.Ty).getFixedValue();
    }
    FillUpTo(Size);
    if (Result.size() > MaxFields)
      return std::nullopt;
    return Result;
  }

private:
  uint64_t Size;
  const DataLayout &DL;
  Fields List;
};

using Candidates = SmallVector<FieldList, 8>;

/// Everything that tells the type of the \p Size bytes at \p Pointer.
void collectFrom(Value *Pointer, uint64_t Size, const DataLayout &DL,
                 Candidates &Found) {
  auto Consider = [&](Type *T, int64_t Begin) {
    if (!T->isSized() || T->isScalableTy())
      return;
    FieldList L(Size, DL);
    if (L.add(T, Begin) && !L.isRaw())
      Found.push_back(std::move(L));
  };
  // A pointer to an element: the copy may span several.
  auto ConsiderElements = [&](Type *T, int64_t Begin) {
    if (!T->isSized() || T->isScalableTy())
      return;
    uint64_t Bytes = DL.getTypeAllocSize(T).getFixedValue();
    if (Bytes != 0)
      Consider(ArrayType::get(T, divideCeil(Size - Begin, Bytes)), Begin);
  };

  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Value *Root = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  int64_t Begin = -Offset.getSExtValue();
  if (auto *AI = dyn_cast<AllocaInst>(Root))
    Consider(AI->getAllocatedType(), Begin);
  else if (auto *GV = dyn_cast<GlobalVariable>(Root))
    Consider(GV->getValueType(), Begin);
  else if (auto *Arg = dyn_cast<Argument>(Root); Arg && Arg->hasByValAttr())
    Consider(Arg->getParamByValType(), Begin);

  if (auto *GEP = dyn_cast<GEPOperator>(Pointer->stripPointerCasts()))
    ConsiderElements(GEP->getResultElementType(), 0);
  if (isa<Constant>(Pointer))
    return;
  for (User *U : Pointer->users()) {
    if (auto *GEP = dyn_cast<GEPOperator>(U);
        GEP && GEP->getPointerOperand() == Pointer)
      ConsiderElements(GEP->getSourceElementType(), 0);
    else if (isa<LoadInst, StoreInst>(U) &&
             getLoadStorePointerOperand(U) == Pointer)
      ConsiderElements(getLoadStoreType(U), 0);
  }
}

/// The scalar type that clang's TBAA tag names, or null. (Names: clang's
/// CodeGenTBAA.cpp.)
Type *typeOfTag(const MDNode *Tag, uint64_t Bytes) {
  // A tag is (base, access, offset), a type node starts with its name.
  if (!Tag || Tag->getNumOperands() < 2)
    return nullptr;
  auto *Access = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  auto *Name = Access && Access->getNumOperands() > 0
                   ? dyn_cast_or_null<MDString>(Access->getOperand(0))
                   : nullptr;
  if (!Name)
    return nullptr;
  LLVMContext &C = Tag->getContext();
  StringRef S = Name->getString();
  if (S == "float")
    return Type::getFloatTy(C);
  if (S == "double" || S == "long double")
    return Type::getDoubleTy(C);
  if (S == "any pointer" || S == "vtable pointer" ||
      (S.consume_front("p") && !S.empty() && isDigit(S.front())))
    return PointerType::get(C, 0);
  // Characters may hold anything.
  if (S == "omnipotent char" || Bytes == 0 || Bytes > 8 ||
      !isPowerOf2_64(Bytes))
    return nullptr;
  return Type::getIntNTy(C, Bytes * 8);
}

/// The fields that !tbaa.struct lists: (offset, size, tag) each.
void collectFromTags(const MemTransferInst &MI, uint64_t Size,
                     const DataLayout &DL, Candidates &Found) {
  const MDNode *N = MI.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!N)
    return;
  FieldList L(Size, DL);
  for (unsigned K = 0; K + 2 < N->getNumOperands(); K += 3) {
    uint64_t Offset =
        mdconst::extract<ConstantInt>(N->getOperand(K))->getZExtValue();
    uint64_t Bytes =
        mdconst::extract<ConstantInt>(N->getOperand(K + 1))->getZExtValue();
    Type *T = typeOfTag(dyn_cast<MDNode>(N->getOperand(K + 2)), Bytes);
    uint64_t Each = T ? DL.getTypeAllocSize(T).getFixedValue() : 0;
    if (!T || Bytes % Each != 0 ||
        !L.add(ArrayType::get(T, Bytes / Each), Offset))
      return;
  }
  if (!L.isRaw())
    Found.push_back(std::move(L));
}

std::optional<Fields> fieldsOf(MemTransferInst &MI, uint64_t Size) {
  const DataLayout &DL = MI.getModule()->getDataLayout();
  Candidates Found;
  collectFrom(MI.getRawSource(), Size, DL, Found);
  collectFrom(MI.getRawDest(), Size, DL, Found);
  collectFromTags(MI, Size, DL, Found);
  if (Found.empty())
    return std::nullopt;
  auto Best = llvm::max_element(Found, [](const auto &A, const auto &B) {
    return A.typedBytes() < B.typedBytes();
  });
  return Best->complete(MI.getContext());
}

/// All loads come before all stores: right for overlapping ranges too.
void expand(MemTransferInst &MI, const Fields &List) {
  IRBuilder<> B(&MI);
  AAMDNodes AA = MI.getAAMetadata();
  AA.TBAA = AA.TBAAStruct = nullptr;
  auto Address = [&](Value *Base, uint64_t Offset) {
    return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset)
                  : Base;
  };
  Align From = MI.getSourceAlign().valueOrOne();
  Align To = MI.getDestAlign().valueOrOne();
  SmallVector<LoadInst *, 16> Loads;
  for (const Field &F : List) {
    Loads.push_back(B.CreateAlignedLoad(F.Ty,
                                        Address(MI.getRawSource(), F.Offset),
                                        commonAlignment(From, F.Offset)));
    Loads.back()->setAAMetadata(AA);
  }
  for (auto [F, L] : zip_equal(List, Loads))
    B.CreateAlignedStore(L, Address(MI.getRawDest(), F.Offset),
                         commonAlignment(To, F.Offset))
        ->setAAMetadata(AA);
  MI.eraseFromParent();
}

} // namespace

bool kdiff::expandCopies(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *MI = dyn_cast<MemTransferInst>(&I);
    auto *Length = MI ? dyn_cast<ConstantInt>(MI->getLength()) : nullptr;
    if (!Length || MI->isVolatile() || Length->isZero() ||
        Length->getValue().ugt(MaxCopyBytes))
      continue;
    if (std::optional<Fields> List = fieldsOf(*MI, Length->getZExtValue())) {
      expand(*MI, *List);
      Changed = true;
    }
  }
  return Changed;
}
