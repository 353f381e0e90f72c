//===- Sums.cpp - Sums over warps and blocks become code ------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do additions to words that many threads
// share become code of the device runtime (runtime/device/sums.cpp)?
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/SharedRoom.h"
#include "lower/Steps.h"
#include "target/NVPTX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>

using namespace llvm;
using namespace kdiff;

/// runtime/device/sums.cpp, compiled.
static constexpr unsigned char RuntimeBytes[] = {
#include "SumsRuntime.inc"
};

/// Words that one exchange among a warp's lanes can sum.
static constexpr unsigned MaxTogether = 32;
/// Words that one sum over the warps' columns takes.
static constexpr unsigned MaxColumns = 8;
/// Words that one sum over the block's rows takes.
static constexpr unsigned MinOfRows = 4, MaxOfRows = 16;
/// Words of all lanes of a warp that it has room for in shared memory.
static constexpr unsigned RowsOfExchange = 64;
/// Words that neighbouring lanes may share.
static constexpr int64_t MaxRun = 7;
/// Lanes of a warp.
static constexpr unsigned WarpSize = 32;
/// Warps of the largest block.
static constexpr unsigned MaxWarps = 32;

static StringRef nameOf(const Type *T) {
  return T->isFloatTy() ? "f32" : "f64";
}

namespace {

/// Replaces the additions of one module.
class SumLowering {
public:
  explicit SumLowering(Module &M) : M(M) {}
  void run();

private:
  /// Words and what is added to them, as the runtime takes them.
  struct Told {
    Value *Base;  ///< Null: Words are addresses, else distances from it.
    Value *Words; ///< An array.
    Value *Values;
    std::string Variant; ///< The end of the runtime function's name.
    /// An address each of the words that are a constant apart.
    SmallVector<Value *, 4> Bases;
  };

  void expandAll(CallInst &CI);
  void addOne(CallInst &CI);
  Told tell(IRBuilderBase &B, ArrayRef<WordSum> Words, unsigned Least);
  void addByWarp(IRBuilderBase &B, ArrayRef<WordSum> Words, Accumulation Kind);
  void addByBlock(IRBuilderBase &B, ArrayRef<WordSum> Words);
  void addColumns(IRBuilderBase &B, ArrayRef<WordSum> Words);
  void addByRows(IRBuilderBase &B, ArrayRef<WordSum> Words);
  void addNeighbours(CallInst &CI, ArrayRef<WordSum> Words);
  void addRun(IRBuilderBase &B, const std::map<int64_t, WordSum> &Run);
  void addEach(CallInst &CI, ArrayRef<WordSum> Words);
  Value *inArray(IRBuilderBase &B, ArrayRef<Value *> Elements, Value *Padding,
                 unsigned Count);
  CallInst *call(IRBuilderBase &B, const Twine &Name, Type *Result,
                 ArrayRef<Value *> Args);
  void linkRuntime();

  Module &M;
  SmallVector<CallInst *, 16> Calls; ///< Of the runtime.
  /// For the sums over a block's rows, by type.
  SmallDenseMap<Type *, GlobalVariable *, 2> SharedRows;
};

} // namespace

CallInst *SumLowering::call(IRBuilderBase &B, const Twine &Name, Type *Result,
                            ArrayRef<Value *> Args) {
  Calls.push_back(createRuntimeCall(B, Name.str(), Result, Args));
  return Calls.back();
}

/// \p Elements, filled up to \p Count by \p Padding, in a local array.
Value *SumLowering::inArray(IRBuilderBase &B, ArrayRef<Value *> Elements,
                            Value *Padding, unsigned Count) {
  Type *T = Padding->getType();
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  Value *Array = IRBuilder<>(&Entry, Entry.begin())
                     .CreateAlloca(ArrayType::get(T, Count), nullptr, "words");
  for (unsigned K = 0; K != Count; ++K)
    B.CreateStore(K < Elements.size() ? Elements[K] : Padding,
                  B.CreateConstInBoundsGEP1_32(T, Array, K));
  return Array;
}

namespace {

/// An address as a pointer, multiples of variable indices, and a constant.
struct Place {
  Value *Root;
  SmallMapVector<Value *, APInt, 4> Indices;
  APInt Distance;

  Place(Value *Address, const DataLayout &DL);
  bool isBeside(const Place &Other) const;
};

} // namespace

Place::Place(Value *Address, const DataLayout &DL)
    : Root(Address),
      Distance(DL.getIndexTypeSizeInBits(Address->getType()), 0) {
  while (auto *GEP = dyn_cast<GEPOperator>(Root)) {
    auto More = Indices;
    APInt Constant = Distance;
    if (!GEP->collectOffset(DL, Distance.getBitWidth(), More, Constant))
      return;
    Indices = std::move(More);
    Distance = Constant;
    Root = GEP->getPointerOperand();
  }
}

/// True if the two are a constant apart, so that where one is the same for all
/// lanes, so is the other.
bool Place::isBeside(const Place &Other) const {
  return Root == Other.Root &&
         Distance.getBitWidth() == Other.Distance.getBitWidth() &&
         Indices.size() == Other.Indices.size() &&
         all_of(Indices, [&](auto &Each) {
           auto It = Other.Indices.find(Each.first);
           return It != Other.Indices.end() && It->second == Each.second;
         });
}

/// How the device runtime calls sums over all or some lanes of a warp.
static StringRef nameOf(Accumulation Kind) {
  switch (Kind) {
  case Accumulation::RowUniform:
  case Accumulation::Rows:
    return "rows";
  case Accumulation::AcrossRows:
  case Accumulation::BlockRows: // Without room.
    return "across";
  default:
    return "warp";
  }
}

/// Describes \p Words to the runtime, at least \p Least of them.
SumLowering::Told SumLowering::tell(IRBuilderBase &B, ArrayRef<WordSum> Words,
                                    unsigned Least) {
  Type *T = Words.front().Value->getType();
  SmallVector<Value *, 32> Addresses, Distances, Values;
  // Of the words a constant apart, the first stands for all.
  SmallVector<std::pair<Place, Value *>, 4> Bases;
  bool AreNear = true; // As far as 32 bits tell.
  for (const WordSum &Word : Words) {
    Place Here(Word.Shadow, M.getDataLayout());
    auto Base =
        find_if(Bases, [&](auto &Each) { return Each.first.isBeside(Here); });
    if (Base == Bases.end()) {
      Bases.push_back({Here, Word.Shadow});
      Base = std::prev(Bases.end());
    }
    int64_t Distance = (Here.Distance - Base->first.Distance).getSExtValue();
    AreNear &= isInt<32>(Distance);
    Addresses.push_back(B.CreateAddrSpaceCast(Word.Shadow, B.getPtrTy()));
    Distances.push_back(B.getInt32(static_cast<uint32_t>(Distance)));
    Values.push_back(Word.Value);
  }
  unsigned Count = std::max<unsigned>(PowerOf2Ceil(Words.size()), Least);
  bool HasBase = Bases.size() == 1 && AreNear;
  Told Result;
  for (Value *Base : make_second_range(Bases))
    Result.Bases.push_back(B.CreateAddrSpaceCast(Base, B.getPtrTy()));
  Result.Base =
      HasBase ? Result.Bases.front() : ConstantPointerNull::get(B.getPtrTy());
  ArrayRef<Value *> Places = HasBase ? Distances : Addresses;
  Result.Words = inArray(B, Places, Places.front(), Count);
  Result.Values = inArray(B, Values, ConstantFP::getNegativeZero(T), Count);
  Result.Variant =
      ((HasBase ? "_from_" : "_") + nameOf(T) + "_" + Twine(Count)).str();
  return Result;
}

void SumLowering::addByWarp(IRBuilderBase &B, ArrayRef<WordSum> Words,
                            Accumulation Kind) {
  Told Here = tell(B, Words, 1);
  Value *Mask = call(B, "__kd_lanes_together", B.getInt32Ty(), {});
  Value *Same = nullptr;
  if (Kind == Accumulation::Rows)
    Same = call(B, "__kd_lanes_of_row", B.getInt32Ty(), {Mask});
  for (Value *Base : Here.Bases) {
    if (Kind == Accumulation::Rows)
      break;
    Value *Lanes =
        call(B, "__kd_same_word_" + nameOf(Kind), B.getInt32Ty(), {Mask, Base});
    Same = Same ? B.CreateBinaryIntrinsic(Intrinsic::umin, Same, Lanes) : Lanes;
  }
  call(B, "__kd_add_" + nameOf(Kind) + Here.Variant, B.getVoidTy(),
       {Here.Base, Here.Words, Here.Values, Mask, Same});
}

/// Two arrays for the warps' sums take turns: who reads one is past it when its
/// turn comes again, since a barrier is in between.
void SumLowering::addByBlock(IRBuilderBase &B, ArrayRef<WordSum> Words) {
  Type *T = Words.front().Value->getType();
  GlobalVariable *Rows[2] = {};
  for (unsigned Turn = 0; !Words.empty(); ++Turn) {
    ArrayRef<WordSum> Now = Words.take_front(MaxTogether);
    Words = Words.drop_front(Now.size());
    unsigned Count = PowerOf2Ceil(Now.size());
    GlobalVariable *&Mine = Rows[Turn % 2];
    if (!Mine)
      Mine = createShared(M, "kdiff.sums", T, MaxWarps * Count);
    SmallVector<Value *, 32> Addresses, Values;
    for (const WordSum &Word : Now) {
      Addresses.push_back(B.CreateAddrSpaceCast(Word.Shadow, B.getPtrTy()));
      Values.push_back(Word.Value);
    }
    call(B, "__kd_add_block_" + nameOf(T) + "_" + Twine(Count), B.getVoidTy(),
         {inArray(B, Addresses, Addresses.front(), Count),
          inArray(B, Values, ConstantFP::getNegativeZero(T), Count), Mine,
          B.getInt32(Turn)});
  }
}

/// One array does for all: before it is written again, all threads have met to
/// compare addresses.
void SumLowering::addColumns(IRBuilderBase &B, ArrayRef<WordSum> Words) {
  Type *T = Words.front().Value->getType();
  unsigned Most = PowerOf2Ceil(std::min<size_t>(Words.size(), MaxColumns));
  GlobalVariable *Rows = createShared(M, "kdiff.columns", T, Most * WarpSize);
  GlobalVariable *First =
      createShared(M, "kdiff.columns.of", B.getPtrTy(), WarpSize);
  while (!Words.empty()) {
    ArrayRef<WordSum> Now = Words.take_front(Most);
    Words = Words.drop_front(Now.size());
    SmallVector<Value *, MaxColumns> Addresses, Values;
    for (const WordSum &Word : Now) {
      Addresses.push_back(B.CreateAddrSpaceCast(Word.Shadow, B.getPtrTy()));
      Values.push_back(Word.Value);
    }
    unsigned Count = PowerOf2Ceil(Now.size());
    call(B, "__kd_add_columns_" + nameOf(T) + "_" + Twine(Count), B.getVoidTy(),
         {inArray(B, Addresses, Addresses.front(), Count),
          inArray(B, Values, ConstantFP::getNegativeZero(T), Count), Rows,
          First});
  }
}

/// One array does for all: before it is written again, all threads have met.
void SumLowering::addByRows(IRBuilderBase &B, ArrayRef<WordSum> Words) {
  Type *T = Words.front().Value->getType();
  GlobalVariable *&Rows = SharedRows[T];
  if (!Rows)
    Rows = createShared(M, "kdiff.rows", T, RowsOfExchange * WarpSize);
  while (!Words.empty()) {
    ArrayRef<WordSum> Now =
        Words.take_front(std::min<size_t>(Words.size(), MaxOfRows));
    Words = Words.drop_front(Now.size());
    Told Here = tell(B, Now, MinOfRows);
    call(B, "__kd_add_block_rows" + Here.Variant, B.getVoidTy(),
         {Here.Base, Here.Words, Here.Values, Rows});
  }
}

/// Words that lie in a run, by their distances: those that are missing count as
/// neutral.
void SumLowering::addRun(IRBuilderBase &B,
                         const std::map<int64_t, WordSum> &Run) {
  auto &[First, Lowest] = *Run.begin();
  Type *T = Lowest.Value->getType();
  int64_t Size = M.getDataLayout().getTypeStoreSize(T);
  unsigned Count = unsigned((Run.rbegin()->first - First) / Size) + 1;
  SmallVector<Value *, 8> Values(Count, ConstantFP::getNegativeZero(T));
  for (auto &[Distance, Word] : Run)
    Values[(Distance - First) / Size] = Word.Value;
  call(B, "__kd_add_neighbours_" + nameOf(T) + "_" + Twine(Count),
       B.getVoidTy(),
       {B.CreateAddrSpaceCast(Lowest.Shadow, B.getPtrTy()),
        inArray(B, Values, ConstantFP::getNegativeZero(T), Count)});
}

/// Words a constant apart are added in runs that lanes may share.
void SumLowering::addNeighbours(CallInst &CI, ArrayRef<WordSum> Words) {
  Type *T = Words.front().Value->getType();
  int64_t Size = M.getDataLayout().getTypeStoreSize(T);
  SmallVector<std::pair<Place, std::map<int64_t, WordSum>>, 4> Bases;
  for (const WordSum &Word : Words) {
    Place Here(Word.Shadow, M.getDataLayout());
    auto Base =
        find_if(Bases, [&](auto &Each) { return Each.first.isBeside(Here); });
    if (Base == Bases.end()) {
      Bases.push_back({Here, {}});
      Base = std::prev(Bases.end());
    }
    int64_t Distance = (Here.Distance - Base->first.Distance).getSExtValue();
    Base->second.insert({Distance, Word});
  }
  SmallVector<WordSum, 4> Alone;
  for (auto &[Base, ByDistance] : Bases) {
    int64_t Span = ByDistance.rbegin()->first - ByDistance.begin()->first;
    if (Span == 0 || Span % Size != 0 || Span / Size >= MaxRun) {
      for (auto &[Distance, Word] : ByDistance)
        Alone.push_back(Word);
      continue;
    }
    IRBuilder<> B(&CI);
    addRun(B, ByDistance);
  }
  addEach(CI, Alone);
}

/// Each word for itself, unless nothing was added to its sum.
void SumLowering::addEach(CallInst &CI, ArrayRef<WordSum> Words) {
  for (const WordSum &Word : Words) {
    IRBuilder<> B(&CI);
    Type *Bits = B.getIntNTy(Word.Value->getType()->getPrimitiveSizeInBits());
    Value *IsSum = B.CreateICmpNE(
        B.CreateBitCast(Word.Value, Bits),
        ConstantInt::get(Bits, APInt::getSignMask(Bits->getIntegerBitWidth())));
    B.SetInsertPoint(SplitBlockAndInsertIfThen(IsSum, &CI, false));
    B.SetCurrentDebugLocation(CI.getDebugLoc());
    createAccumulate(B, Word.Shadow, Word.Value, Accumulation::Contended);
  }
}

/// Bytes of the arrays for the sums over the block of words of type \p T.
static uint64_t blockBytes(const Type *T, size_t Words) {
  uint64_t Row = PowerOf2Ceil(std::min<size_t>(Words, MaxTogether));
  uint64_t Rows = Words > MaxTogether ? 2 * MaxTogether : Row;
  return Rows * MaxWarps * T->getPrimitiveSizeInBits() / 8;
}

/// The same of those over the warps' columns.
static uint64_t columnBytes(const Type *T, size_t Words) {
  uint64_t Most = PowerOf2Ceil(std::min<size_t>(Words, MaxColumns));
  return WarpSize * (Most * T->getPrimitiveSizeInBits() / 8 + sizeof(uint64_t));
}

/// The same of those over the block's rows.
static uint64_t rowBytes(const Type *T) {
  return RowsOfExchange * WarpSize * T->getPrimitiveSizeInBits() / 8;
}

void SumLowering::expandAll(CallInst &CI) {
  auto Kind =
      Accumulation(cast<ConstantInt>(CI.getArgOperand(0))->getZExtValue());
  SmallVector<WordSum, 16> Words;
  for (unsigned K = 1; K != CI.arg_size(); K += 2)
    Words.push_back({CI.getArgOperand(K), CI.getArgOperand(K + 1)});
  Type *T = Words.front().Value->getType();
  IRBuilder<> B(&CI);
  if (Kind == Accumulation::BlockUniform &&
      hasSharedRoom(M, blockBytes(T, Words.size())))
    addByBlock(B, Words);
  else if (Kind == Accumulation::Columns &&
           hasSharedRoom(M, columnBytes(T, Words.size())))
    addColumns(B, Words);
  else if (Kind == Accumulation::Neighbours)
    addNeighbours(CI, Words);
  else if (Kind == Accumulation::BlockRows &&
           (SharedRows.contains(T) || hasSharedRoom(M, rowBytes(T))))
    addByRows(B, Words);
  else if (Kind == Accumulation::Contended || Kind == Accumulation::Columns)
    addEach(CI, Words);
  else
    for (ArrayRef<WordSum> Rest = Words; !Rest.empty();
         Rest = Rest.drop_front(std::min<size_t>(Rest.size(), MaxTogether)))
      addByWarp(B, Rest.take_front(MaxTogether), Kind);
  CI.eraseFromParent();
}

/// A single addition that lanes of a warp share; others are left to be atomics.
void SumLowering::addOne(CallInst &CI) {
  auto Kind =
      Accumulation(cast<ConstantInt>(CI.getArgOperand(2))->getZExtValue());
  Type *T = CI.getArgOperand(1)->getType();
  if ((Kind != Accumulation::WarpUniform && Kind != Accumulation::RowUniform &&
       Kind != Accumulation::AcrossRows) ||
      !(T->isFloatTy() || T->isDoubleTy()))
    return;
  IRBuilder<> B(&CI);
  addByWarp(B, WordSum{CI.getArgOperand(0), CI.getArgOperand(1)}, Kind);
  CI.eraseFromParent();
}

void SumLowering::linkRuntime() {
  linkInlined(M, readRuntime(RuntimeBytes, "sums.bc", M.getContext()), Calls);
}

void SumLowering::run() {
  for (Function &F : make_early_inc_range(M)) {
    AbstractOp Op = abstractOp(F);
    if (Op != AbstractOp::AccumulateAll && Op != AbstractOp::Accumulate)
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (Op == AbstractOp::AccumulateAll)
        expandAll(*cast<CallInst>(U));
      else
        addOne(*cast<CallInst>(U));
    if (Op == AbstractOp::AccumulateAll)
      F.eraseFromParent();
  }
  if (!Calls.empty())
    linkRuntime();
}

void kdiff::lowerSums(Module &M) { SumLowering(M).run(); }
