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
// here first. What an object is made of is told by its declaration, by
// !tbaa.struct, and by the types of address arithmetic.
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

/// CUDA's headers keep half precision in structs of one integer.
Type *halfPrecision(Type *T) {
  auto *ST = dyn_cast<StructType>(T);
  if (!ST || !ST->hasName() || ST->getNumElements() != 1 ||
      !ST->getElementType(0)->isIntegerTy(16))
    return nullptr;
  if (ST->getName().starts_with("struct.__half"))
    return Type::getHalfTy(T->getContext());
  return ST->getName().starts_with("struct.__nv_bfloat16")
             ? Type::getBFloatTy(T->getContext())
             : nullptr;
}

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
    if (Type *Half = halfPrecision(T))
      T = Half;
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

  bool hasFloatsOrPointers() const {
    return any_of(List, [](const Field &F) {
      return F.Ty->isFPOrFPVectorTy() || F.Ty->isPtrOrPtrVectorTy();
    });
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

/// What the sources of types say of the \p Size copied bytes, best source
/// first.
class Evidence {
public:
  Evidence(uint64_t Size, const DataLayout &DL) : Size(Size), DL(DL) {}

  void add(FieldList L) {
    if (!L.isRaw())
      Found.push_back(std::move(L));
  }

  /// A \p T that lies at \p Begin relative to the copied range.
  void addObject(Type *T, int64_t Begin) {
    FieldList L(Size, DL);
    if (T->isSized() && !T->isScalableTy() && L.add(T, Begin))
      add(std::move(L));
  }

  /// As many \p T as the range holds, if it holds whole ones.
  void addElements(Type *T) {
    if (!T->isSized() || T->isScalableTy())
      return;
    uint64_t Bytes = DL.getTypeAllocSize(T).getFixedValue();
    if (Bytes != 0 && Size % Bytes == 0)
      addObject(ArrayType::get(T, Size / Bytes), 0);
  }

  /// The type with which \p Pointer's memory was declared.
  void addDeclaration(Value *Pointer) {
    APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
    Value *Root = Pointer->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    int64_t Begin = -Offset.getSExtValue();
    if (auto *AI = dyn_cast<AllocaInst>(Root))
      addObject(AI->getAllocatedType(), Begin);
    else if (auto *GV = dyn_cast<GlobalVariable>(Root))
      addObject(GV->getValueType(), Begin);
    else if (auto *Arg = dyn_cast<Argument>(Root); Arg && Arg->hasByValAttr())
      addObject(Arg->getParamByValType(), Begin);
  }

  /// The address arithmetic that made \p Pointer.
  void addArithmetic(Value *Pointer) {
    auto *GEP = dyn_cast<GEPOperator>(Pointer);
    if (!GEP)
      return;
    Type *T = GEP->getResultElementType();
    if (stepsThroughArray(*GEP))
      addElements(T);
    else
      addObject(T, 0);
  }

  /// The address arithmetic that starts from \p Pointer.
  void addUses(Value *Pointer) {
    if (isa<Constant>(Pointer))
      return;
    for (User *U : Pointer->users()) {
      auto *GEP = dyn_cast<GEPOperator>(U);
      if (!GEP || GEP->getPointerOperand() != Pointer)
        continue;
      // A first index that may not be zero: there are several of them.
      auto *First = dyn_cast<ConstantInt>(*GEP->idx_begin());
      if (First && First->isZero())
        addObject(GEP->getSourceElementType(), 0);
      else
        addElements(GEP->getSourceElementType());
    }
  }

  /// The first that names floating point or pointers, else the first.
  const FieldList *best() const {
    for (const FieldList &L : Found)
      if (L.hasFloatsOrPointers())
        return &L;
    return Found.empty() ? nullptr : &Found.front();
  }

private:
  static bool stepsThroughArray(const GEPOperator &GEP) {
    if (GEP.getNumIndices() == 1)
      return true;
    SmallVector<Value *, 4> AllButLast(GEP.idx_begin(),
                                       std::prev(GEP.idx_end()));
    return GetElementPtrInst::getIndexedType(GEP.getSourceElementType(),
                                             AllButLast)
        ->isArrayTy();
  }

  uint64_t Size;
  const DataLayout &DL;
  SmallVector<FieldList, 8> Found;
};

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
FieldList fieldsOfTags(const MDNode &N, uint64_t Size, const DataLayout &DL) {
  FieldList L(Size, DL);
  for (unsigned K = 0; K + 2 < N.getNumOperands(); K += 3) {
    uint64_t Offset =
        mdconst::extract<ConstantInt>(N.getOperand(K))->getZExtValue();
    uint64_t Bytes =
        mdconst::extract<ConstantInt>(N.getOperand(K + 1))->getZExtValue();
    Type *T = typeOfTag(dyn_cast<MDNode>(N.getOperand(K + 2)), Bytes);
    uint64_t Each = T ? DL.getTypeAllocSize(T).getFixedValue() : 0;
    if (!T || Bytes % Each != 0 ||
        !L.add(ArrayType::get(T, Bytes / Each), Offset))
      return FieldList(Size, DL);
  }
  return L;
}

std::optional<Fields> fieldsOf(MemTransferInst &MI, uint64_t Size) {
  const DataLayout &DL = MI.getModule()->getDataLayout();
  Value *Ends[] = {MI.getRawSource(), MI.getRawDest()};
  Evidence E(Size, DL);
  for (Value *Pointer : Ends)
    E.addDeclaration(Pointer);
  if (const MDNode *Tags = MI.getMetadata(LLVMContext::MD_tbaa_struct))
    E.add(fieldsOfTags(*Tags, Size, DL));
  for (Value *Pointer : Ends)
    E.addArithmetic(Pointer);
  for (Value *Pointer : Ends)
    E.addUses(Pointer);
  const FieldList *Best = E.best();
  return Best ? Best->complete(MI.getContext()) : std::nullopt;
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
