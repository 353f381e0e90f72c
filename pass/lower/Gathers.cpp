//===- Gathers.cpp - Sums that a thread makes alone become code -----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do additions that one thread makes for its
// row or column of the block (plan/Gather.h) become code of the device runtime
// (runtime/device/gather.cpp)?
//
// Seeds that do not change in a loop are put into shared memory, and a line's
// into registers, before the loop. A block that is not whole makes the
// additions as their kind says.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/SharedRoom.h"
#include "lower/Steps.h"
#include "target/NVPTX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace kdiff;

/// runtime/device/gather.cpp, compiled.
static constexpr unsigned char RuntimeBytes[] = {
#include "GatherRuntime.inc"
};

/// Threads of the largest block.
static constexpr unsigned MaxThreads = 1024;
/// Lanes of a warp.
static constexpr unsigned WarpSize = 32;
/// Seeds that are kept in registers.
static constexpr unsigned MaxKept = 16;
/// What a vector access of shared memory wants.
static constexpr uint64_t VectorBytes = 16;

/// Words whose sums have code without loops.
static bool isUnrolled(unsigned Words) {
  return isPowerOf2_32(Words) && Words >= 4 && Words <= 32;
}

namespace {

/// An operation.
struct Work {
  CallInst *CI;
  Gathering How;
  GlobalVariable *Array = nullptr; ///< Of all threads' seeds.
  Value *IsFit = nullptr;          ///< Whether a thread can make the sums.
  Value *Kept = nullptr;           ///< The line's seeds.
  unsigned Lines = 1;              ///< Of a warp, whose lanes share the work.
  std::string Line{}, Variant{};   ///< In names of the runtime.

  unsigned count() const { return How.Count; }
};

/// Replaces the operations of one function.
class GatherLowering {
public:
  GatherLowering(Function &F, SmallVectorImpl<CallInst *> &Calls)
      : M(*F.getParent()), LI(DominatorTree(F)), Calls(Calls) {}

  void expand(ArrayRef<CallInst *> Found);

private:
  CallInst *call(IRBuilderBase &B, const Twine &Name, Type *Result,
                 ArrayRef<Value *> Args);
  Work workOf(CallInst &CI) const;
  bool share(MutableArrayRef<Work> Together);
  Value *prepare(MutableArrayRef<Work> Together, Loop *L);
  void keepSeeds(Work &Here, Instruction *At);
  void addOwn(const Work &Here, Instruction *At);
  Value *makeFast(Work &Here, Instruction *At);
  void expand(Work &Here, Value *Doubt);
  void giveUp(Work &Here);

  Module &M;
  LoopInfo LI;
  SmallVectorImpl<CallInst *> &Calls; ///< Of the runtime.
};

} // namespace

CallInst *GatherLowering::call(IRBuilderBase &B, const Twine &Name,
                               Type *Result, ArrayRef<Value *> Args) {
  Calls.push_back(createRuntimeCall(B, Name.str(), Result, Args));
  return Calls.back();
}

static StringRef nameOf(const Type *T) {
  return T->isFloatTy() ? "f32" : "f64";
}

/// A value that is the same in all iterations of loops may be phis of each
/// other, and of one other value: that one.
static Value *withoutLoops(Value *Seed) {
  SmallVector<Value *, 4> Work{Seed};
  SmallPtrSet<Value *, 8> Seen;
  Value *Only = nullptr;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (auto *Phi = dyn_cast<PHINode>(V))
      append_range(Work, Phi->incoming_values());
    else if (Only)
      return Seed;
    else
      Only = V;
  }
  return Only;
}

/// Whether the factors lie in an array that can be aligned for vectors, which
/// is done.
static bool alignArray(Value *Factor) {
  auto *Array = dyn_cast<GlobalVariable>(getUnderlyingObject(Factor, 0));
  if (!Array || Array->isDeclaration() || !Array->hasLocalLinkage())
    return false;
  Array->setAlignment(
      std::max(Array->getAlign().valueOrOne(), Align(VectorBytes)));
  return true;
}

/// How long rows of the block are (likely those of columns, as far as words
/// differ), if that is a part of a warp of which the runtime has code.
static unsigned rowLength(const Gathering &How) {
  return How.AlongY ? bit_floor(How.MaxOther) : How.Count;
}

/// How many lines of a warp share the work. Rows do if they have the same
/// factors, columns since they have the same seeds.
static unsigned linesOf(const Gathering &How) {
  unsigned Length = rowLength(How);
  if (Length != WarpSize / 2 && Length != WarpSize / 4)
    return 1;
  unsigned Lines = WarpSize / Length;
  return (How.AlongY || How.IsCommon) && How.Count >= Lines ? Lines : 1;
}

Work GatherLowering::workOf(CallInst &CI) const {
  Work Here{&CI, gatheringOf(CI)};
  Here.How.Seed = withoutLoops(Here.How.Seed);
  StringRef Type = nameOf(Here.How.Seed->getType());
  Here.Line = ((Here.How.AlongY ? "column_" : "row_") + Type).str();
  if (!isUnrolled(Here.count()))
    return Here;
  Here.Lines = linesOf(Here.How);
  int64_t InRow = Here.How.AlongY && Here.Lines > 1 ? Here.How.FactorStep
                                                    : Here.How.FactorStride;
  bool IsAligned = Here.How.IsAligned &&
                   InRow == int64_t(M.getDataLayout().getTypeStoreSize(
                                Here.How.Seed->getType())) &&
                   alignArray(Here.How.Factor);
  Here.Variant = ((IsAligned ? "aligned_" : "") + Here.Line + "_" +
                  Twine(Here.count()) + "_" + Twine(Here.Lines))
                     .str();
  return Here;
}

/// Gives each seed of \p Together its array. False if there is no room.
bool GatherLowering::share(MutableArrayRef<Work> Together) {
  MapVector<Value *, GlobalVariable *> Arrays;
  for (const Work &Here : Together)
    Arrays[Here.How.Seed] = nullptr;
  Type *T = Together.front().How.Seed->getType();
  if (!hasSharedRoom(M, Arrays.size() * MaxThreads *
                            M.getDataLayout().getTypeStoreSize(T)))
    return false;
  for (auto &[Seed, Array] : Arrays)
    Array = createShared(M, "kdiff.seeds", Seed->getType(), MaxThreads);
  for (Work &Here : Together)
    Here.Array = Arrays.lookup(Here.How.Seed);
  return true;
}

/// The seeds of the line in an array of the thread, which become registers.
void GatherLowering::keepSeeds(Work &Here, Instruction *At) {
  BasicBlock &Entry = At->getFunction()->getEntryBlock();
  Type *T = ArrayType::get(Here.How.Seed->getType(), Here.count());
  Here.Kept =
      IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(T, nullptr, "seeds");
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(Here.CI->getDebugLoc());
  call(B, "__kd_gather_seeds_" + Here.Variant, B.getVoidTy(),
       {Here.Array, B.getInt32(unsigned(Here.How.FactorStep)), Here.Kept});
}

/// Whether the code without loops is for blocks of these \p Extents.
static Value *isFast(IRBuilderBase &B, const Work &Here,
                     ArrayRef<Value *> Extents) {
  if (!isUnrolled(Here.count()))
    return B.getFalse();
  bool AlongY = Here.How.AlongY;
  Value *Is = B.CreateICmpEQ(Extents[AlongY], B.getInt32(Here.count()));
  if (Here.Lines == 1)
    return Is;
  Value *Other = Extents[!AlongY];
  // Rows of a part of a warp, and warps that are full.
  Value *AreFull =
      AlongY ? B.CreateICmpEQ(Other, B.getInt32(rowLength(Here.How)))
             : B.CreateICmpEQ(B.CreateURem(Other, B.getInt32(Here.Lines)),
                              B.getInt32(0));
  return B.CreateAnd(Is, AreFull);
}

/// Puts the seeds where all threads of the block find them, before \p L or (if
/// that is null) where they are used. Returns whether not all of \p Together
/// can be made by code without loops.
Value *GatherLowering::prepare(MutableArrayRef<Work> Together, Loop *L) {
  Instruction *At =
      L ? L->getLoopPreheader()->getTerminator() : Together.front().CI;
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(Together.front().CI->getDebugLoc());
  Value *IsWhole = call(B, "__kd_gather_is_whole", B.getInt1Ty(), {});
  Value *Extents[] = {
      B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}),
      B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_y, {})};
  Value *AllFast = B.getTrue();
  for (Work &Here : Together) {
    const Gathering &How = Here.How;
    Here.IsFit =
        B.CreateAnd(IsWhole, B.CreateICmpULE(Extents[!How.AlongY],
                                             B.getInt32(How.MaxOther)));
    AllFast =
        B.CreateAnd(AllFast, B.CreateAnd(Here.IsFit, isFast(B, Here, Extents)));
  }
  Value *Doubt = B.CreateNot(AllFast);
  if (L)
    Doubt = createDoubt(B, Doubt);
  Instruction *Then =
      SplitBlockAndInsertIfThen(IsWhole, At, false, nullptr, nullptr, &LI);
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Together.front().CI->getDebugLoc());
  SmallPtrSet<const GlobalVariable *, 4> Shared;
  for (const Work &Here : Together)
    if (Shared.insert(Here.Array).second)
      call(B, "__kd_gather_share_" + nameOf(Here.How.Seed->getType()),
           B.getVoidTy(), {Here.How.Seed, Here.Array});
  Then = SplitBlockAndInsertIfThen(AllFast, At, false, nullptr, nullptr, &LI);
  for (Work &Here : Together)
    if (isUnrolled(Here.count()) && Here.count() <= MaxKept)
      keepSeeds(Here, Then);
  return Doubt;
}

/// Each thread adds its own part, a word after the other: this is rarely done.
void GatherLowering::addOwn(const Work &Here, Instruction *At) {
  const Gathering &How = Here.How;
  BasicBlock *Before = At->getParent();
  BasicBlock *After =
      SplitBlock(Before, At, static_cast<DominatorTree *>(nullptr), &LI);
  BasicBlock *Body =
      BasicBlock::Create(M.getContext(), "own", Before->getParent(), After);
  IRBuilder<> B(Body);
  B.SetCurrentDebugLocation(Here.CI->getDebugLoc());
  Type *T = How.Seed->getType(), *I64 = B.getInt64Ty();
  PHINode *K = B.CreatePHI(I64, 2, "word");
  K->addIncoming(ConstantInt::get(I64, 0), Before);
  auto Place = [&](Value *First, int64_t Step) {
    return B.CreatePtrAdd(First,
                          B.CreateMul(K, ConstantInt::getSigned(I64, Step)));
  };
  Constant *Zero = ConstantFP::getZero(T);
  Value *Factor = B.CreateLoad(T, Place(How.Factor, How.FactorStep));
  Value *Part = B.CreateFMul(
      How.Seed, B.CreateSelect(B.CreateFCmpOEQ(How.Seed, Zero), Zero, Factor));
  createAccumulateAll(B, {{Place(How.Word, How.WordStep), Part}}, How.Kind);
  Value *Next = B.CreateAdd(K, ConstantInt::get(I64, 1));
  K->addIncoming(Next, Body);
  B.CreateCondBr(B.CreateICmpEQ(Next, ConstantInt::get(I64, Here.count())),
                 After, Body);
  Before->getTerminator()->setSuccessor(0, Body);
}

/// The sum for the thread's word, by code without loops: handed on, or added.
Value *GatherLowering::makeFast(Work &Here, Instruction *At) {
  const Gathering &How = Here.How;
  if (!Here.Kept)
    keepSeeds(Here, At);
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(Here.CI->getDebugLoc());
  Type *T = How.Seed->getType();
  Value *Sum =
      call(B, "__kd_gather_" + Here.Variant, T,
           {How.Factor, B.getInt32(unsigned(How.FactorStep)),
            B.getInt32(unsigned(How.FactorStride)), Here.Array, Here.Kept});
  if (How.IsHanded)
    return Sum;
  Value *Place =
      B.CreateIntrinsic(How.AlongY ? Intrinsic::nvvm_read_ptx_sreg_tid_y
                                   : Intrinsic::nvvm_read_ptx_sreg_tid_x,
                        {});
  Value *Word = B.CreatePtrAdd(
      How.Word,
      B.CreateMul(B.CreateZExt(Place, B.getInt64Ty()),
                  ConstantInt::getSigned(B.getInt64Ty(), How.WordStep)));
  B.CreateStore(B.CreateFAdd(B.CreateLoad(T, Word), Sum), Word);
  return ConstantFP::getNegativeZero(T);
}

/// A thread makes its sums where \p Doubt is false, by loops where it fits, and
/// else adds its own part.
void GatherLowering::expand(Work &Here, Value *Doubt) {
  const Gathering &How = Here.How;
  Instruction *Careful, *Fast, *ByLoops, *Own;
  SplitBlockAndInsertIfThenElse(Doubt, Here.CI, &Careful, &Fast, nullptr,
                                nullptr, &LI);
  SplitBlockAndInsertIfThenElse(Here.IsFit, Careful, &ByLoops, &Own, nullptr,
                                nullptr, &LI);
  Value *Sum = isUnrolled(Here.count())
                   ? makeFast(Here, Fast)
                   : ConstantFP::getNegativeZero(How.Seed->getType());
  IRBuilder<> B(ByLoops);
  B.SetCurrentDebugLocation(Here.CI->getDebugLoc());
  call(B, "__kd_gather_" + Here.Line, B.getVoidTy(),
       {How.Word, B.getInt32(unsigned(How.WordStep)), How.Factor,
        B.getInt32(unsigned(How.FactorStep)),
        B.getInt32(unsigned(How.FactorStride)), B.getInt32(Here.count()),
        Here.Array});
  addOwn(Here, Own);
  B.SetInsertPoint(&Here.CI->getParent()->front());
  auto Join = [&](Value *IfFast, Constant *Else) {
    PHINode *Phi = B.CreatePHI(Else->getType(), 2);
    Phi->addIncoming(IfFast, Fast->getParent());
    Phi->addIncoming(Else, Careful->getParent());
    return Phi;
  };
  Value *Made = Join(Sum, ConstantFP::getNegativeZero(How.Seed->getType()));
  Value *IsMade = Join(B.getInt1(How.IsHanded), B.getFalse());
  for (User *U : make_early_inc_range(Here.CI->users())) {
    auto *Part = cast<ExtractValueInst>(U);
    Part->replaceAllUsesWith(Part->getIndices()[0] == 0 ? Made : IsMade);
    Part->eraseFromParent();
  }
}

/// Where there is no room, nothing is handed on.
void GatherLowering::giveUp(Work &Here) {
  for (User *U : make_early_inc_range(Here.CI->users())) {
    auto *Part = cast<ExtractValueInst>(U);
    Part->replaceAllUsesWith(Part->getIndices()[0] == 0
                                 ? ConstantFP::getNegativeZero(Part->getType())
                                 : ConstantInt::getFalse(Part->getType()));
    Part->eraseFromParent();
  }
  addOwn(Here, Here.CI);
}

/// What is made in one loop with seeds from outside is prepared together.
void GatherLowering::expand(ArrayRef<CallInst *> Found) {
  MapVector<std::pair<Loop *, CallInst *>, SmallVector<Work, 2>> Groups;
  for (CallInst *CI : Found) {
    Work Here = workOf(*CI);
    Loop *L = LI.getLoopFor(CI->getParent());
    bool IsBefore =
        L && L->getLoopPreheader() && L->isLoopInvariant(Here.How.Seed);
    Groups[{IsBefore ? L : nullptr, IsBefore ? nullptr : CI}].push_back(Here);
  }
  for (auto &[Where, Together] : Groups) {
    bool HasRoom = share(Together);
    Value *Doubt = HasRoom ? prepare(Together, Where.first) : nullptr;
    for (Work &Here : Together) {
      if (HasRoom)
        expand(Here, Doubt);
      else
        giveUp(Here);
      Here.CI->eraseFromParent();
    }
  }
}

static SmallVector<CallInst *, 4> gathersIn(Function &F) {
  SmallVector<CallInst *, 4> Found;
  for (Instruction &I : instructions(F))
    if (auto *CI = dyn_cast<CallInst>(&I);
        CI && CI->getCalledFunction() &&
        abstractOp(*CI->getCalledFunction()) == AbstractOp::AccumulateGathered)
      Found.push_back(CI);
  return Found;
}

void kdiff::lowerGathers(Module &M) {
  SmallVector<CallInst *, 16> Calls;
  for (Function &F : M) {
    if (SmallVector<CallInst *, 4> Found = gathersIn(F); !Found.empty())
      GatherLowering(F, Calls).expand(Found);
  }
  for (Function &F : make_early_inc_range(M))
    if (abstractOp(F) == AbstractOp::AccumulateGathered)
      F.eraseFromParent();
  if (Calls.empty())
    return;
  linkInlined(M, readRuntime(RuntimeBytes, "gather.bc", M.getContext()), Calls);
}
