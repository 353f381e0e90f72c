//===- WarpSums.cpp - Iterations sum over the warp together ---------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the sums over the lanes that several
// iterations of a loop make become one transposition?
//
// The loop is unrolled. Step by step a lane passes on half of the sums that it
// still has and keeps the other half, by the distances of the single sum and in
// their order: so it adds the same pairs, and each sum has the same bits. In
// the end some lanes have the sum of an iteration and tell it to all.
//
//===----------------------------------------------------------------------===//

#include "target/WarpSums.h"
#include "lower/Abstract.h"
#include "lower/Batch.h"
#include "lower/Steps.h"
#include "lower/Unroll.h"
#include "lower/WarpUniform.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace kdiff;
using nvptx::WarpSum;

/// Numbers the instructions of a loop, for their copies: !{i32 number}.
static constexpr StringLiteral Mark = "kdiff.copy.of";

static unsigned togetherOf(const Loop &L) {
  return getOptionalIntLoopAttribute(&L, TogetherAttribute).value_or(0);
}

/// The adjoint of an exchange is one.
static std::optional<nvptx::Exchange> exchangeBack(Value *V) {
  if (auto E = nvptx::exchangeOf(V))
    return E;
  auto *CB = dyn_cast<CallBase>(V);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  if (!Callee || abstractOp(*Callee) != AbstractOp::ShuffleBack)
    return std::nullopt;
  auto Is = [&](unsigned K, uint64_t Number) {
    auto *C = dyn_cast<ConstantInt>(CB->getArgOperand(K));
    return C && C->getZExtValue() == Number;
  };
  auto *Distance = dyn_cast<ConstantInt>(CB->getArgOperand(3));
  if (!Is(0, unsigned(nvptx::ShuffleKind::Butterfly)) || !Is(1, ~0u) ||
      !Is(4, nvptx::WarpSize - 1) || !Distance)
    return std::nullopt;
  return nvptx::Exchange{CB->getArgOperand(2),
                         unsigned(Distance->getZExtValue())};
}

unsigned Batch::laneOf(unsigned Iteration) const {
  unsigned Lane = 0;
  for (unsigned Distance : reverse(Distances)) {
    Lane |= Iteration & 1 ? Distance : 0;
    Iteration >>= 1;
  }
  return Lane;
}

Value *Batch::isUpper(IRBuilderBase &B, unsigned Bit) const {
  Value *Lane = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  return B.CreateIsNotNull(B.CreateAnd(Lane, Distances[Bit]));
}

namespace {

/// One loop.
class Together {
public:
  Together(Loop &L, unsigned Iterations, Function &F,
           FunctionAnalysisManager &FAM,
           const DenseSet<const Value *> &Arguments)
      : L(L), F(F), FAM(FAM), Arguments(Arguments) {
    Of.Iterations = Iterations;
  }
  void run();

private:
  bool canReorder();
  bool findSums();
  void number();
  bool unroll();
  WarpSum leading() const;
  void merge(ArrayRef<WarpSum> Copies);
  void reorder();

  Loop &L;
  Function &F;
  FunctionAnalysisManager &FAM;
  const DenseSet<const Value *> &Arguments;
  SmallVector<Instruction *, 2> Sums;
  SmallVector<unsigned, 2> Numbers; ///< Of Sums.
  Batch Of;
};

} // namespace

/// True if \p I may change places with what does not depend on it, unless
/// memory does: all lanes make the same exchanges, whatever their order.
static bool isMovable(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB)
    return !I.isVolatile() && !I.isAtomic();
  const Function *Callee = CB->getCalledFunction();
  AbstractOp Op = Callee ? abstractOp(*Callee) : AbstractOp::None;
  if (Op == AbstractOp::Accumulate || Op == AbstractOp::AccumulateAll)
    return true;
  if (exchangeBack(const_cast<Instruction *>(&I)))
    return true;
  if (auto S = nvptx::shuffleOf(*CB))
    return isa<ConstantInt>(CB->getArgOperand(S->Mask));
  CallClass Class = classify(*CB);
  return Class == CallClass::Rule || Class == CallClass::Pure ||
         Class == CallClass::Ignorable;
}

/// A call that writes no memory that a load could read.
static bool isExchange(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return CB &&
         (nvptx::shuffleOf(*CB) || exchangeBack(const_cast<Instruction *>(&I)));
}

static bool writes(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  CallClass Class = CB ? classify(*CB) : CallClass::Unknown;
  return I.mayWriteToMemory() && !isExchange(I) && Class != CallClass::Rule &&
         Class != CallClass::Pure && Class != CallClass::Ignorable;
}

/// True if loads may be made earlier, before the writes of other iterations.
bool Together::canReorder() {
  auto &AA = FAM.getResult<AAManager>(F);
  BasicBlock &B = *L.getHeader();
  return all_of(B, [&](Instruction &I) {
    if (isa<PHINode>(I) || I.isTerminator())
      return true;
    if (!isMovable(I) || (writes(I) && !I.use_empty()))
      return false;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load)
      return !I.mayReadFromMemory() || isa<CallBase>(I);
    MemoryLocation From = MemoryLocation::get(Load);
    // An address in a loop stands for many: whole objects are compared.
    From.Size = LocationSize::beforeOrAfterPointer();
    return none_of(B, [&](Instruction &Other) {
      return writes(Other) && isModSet(AA.getModRefInfo(&Other, From));
    });
  });
}

/// What depends on \p From within \p L, also in later iterations.
static DenseSet<const Value *> dependents(const Instruction &From,
                                          const Loop &L) {
  DenseSet<const Value *> Found;
  SmallVector<const Instruction *, 16> Work{&From};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (L.contains(I) && Found.insert(I).second)
        Work.push_back(I);
    }
  return Found;
}

bool Together::findSums() {
  for (Instruction &I : *L.getHeader()) {
    std::optional<WarpSum> Sum = nvptx::matchWarpSum(I, exchangeBack);
    if (Sum && !dependents(I, L).contains(Sum->Input))
      Sums.push_back(&I);
  }
  return !Sums.empty();
}

static std::optional<unsigned> numberOf(const Instruction &I) {
  const MDNode *Number = I.getMetadata(Mark);
  if (!Number)
    return std::nullopt;
  return mdconst::extract<ConstantInt>(Number->getOperand(0))->getZExtValue();
}

/// What all lanes of \p F have from all, or from one: sums over the warp, and
/// what was told.
static DenseSet<const Value *> allShared(Function &F) {
  DenseSet<const Value *> Found;
  for (Instruction &I : instructions(F))
    if (nvptx::isBroadcast(I) || nvptx::matchWarpSum(I, exchangeBack))
      Found.insert(&I);
  return Found;
}

/// Numbers what is copied, and notes what is known of it.
void Together::number() {
  DenseSet<const Value *> All = allShared(F);
  WarpUniform Known(F, FAM.getResult<LoopAnalysis>(F),
                    FAM.getResult<DominatorTreeAnalysis>(F), Arguments, All);
  LLVMContext &C = F.getContext();
  unsigned Number = 0;
  for (Instruction &I : *L.getHeader()) {
    for (const Value *Operand : I.operands())
      if (L.isLoopInvariant(Operand) && Known.isUniform(Operand))
        Of.Invariants.insert(Operand);
    I.setMetadata(Mark, MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(
                                           Type::getInt32Ty(C), Number))));
    if (Known.isUniform(&I))
      Of.Uniform.insert(Number);
    if (dependents(I, L).contains(&I))
      Of.Carried.insert(Number);
    if (is_contained(Sums, &I))
      Numbers.push_back(Number);
    ++Number;
  }
}

/// False if the iterations are no copies in one block.
bool Together::unroll() {
  if (!unrollWithRest(L, Of.Iterations, F, FAM) || L.getNumBlocks() != 1)
    return false;
  Of.Body = L.getHeader();
  for (Instruction &I : *Of.Body)
    if (auto Number = numberOf(I))
      Of.Copies[*Number].push_back(&I);
  return true;
}

/// The sums that lanes have when they have shared those of all \p Inputs.
static Value *transpose(IRBuilderBase &B, const Batch &Of,
                        ArrayRef<unsigned> Distances, ByIteration Inputs) {
  for (unsigned Distance : Distances) {
    if (Inputs.size() == 1) {
      Inputs[0] = B.CreateFAdd(Inputs[0],
                               nvptx::createExchange(B, Inputs[0], Distance));
      continue;
    }
    Value *IsUpper =
        Of.isUpper(B, find(Of.Distances, Distance) - Of.Distances.begin());
    unsigned Half = Inputs.size() / 2;
    for (unsigned K = 0; K != Half; ++K) {
      Value *Low = Inputs[K], *High = Inputs[K + Half];
      Value *Kept = B.CreateSelect(IsUpper, High, Low);
      Value *Passed = B.CreateSelect(IsUpper, Low, High);
      Inputs[K] =
          B.CreateFAdd(Kept, nvptx::createExchange(B, Passed, Distance));
    }
    Inputs.truncate(Half);
  }
  return Inputs[0];
}

/// Replaces \p Copies, of one sum, by order of iterations.
void Together::merge(ArrayRef<WarpSum> Copies) {
  Instruction &First = *Copies.front().Steps.front();
  IRBuilder<> B(Of.Body->getTerminator());
  B.SetCurrentDebugLocation(First.getDebugLoc());
  B.setFastMathFlags(First.getFastMathFlags());
  SmallVector<unsigned, 5> Distances = Copies.front().Distances;
  ByIteration Inputs;
  for (const WarpSum &Sum : Copies)
    Inputs.push_back(Sum.Input);
  PackedSum Sum;
  Sum.Packed = transpose(B, Of, Distances, Inputs);
  for (unsigned K = 0; K != Of.Iterations; ++K) {
    Sum.Words.push_back(nvptx::createBroadcast(B, Sum.Packed, Of.laneOf(K)));
    Copies[K].Steps.front()->replaceAllUsesWith(Sum.Words.back());
    for (Instruction *Step : Copies[K].Steps) {
      if (auto Number = numberOf(*Step))
        Of.Copies.erase(*Number);
      Step->eraseFromParent();
    }
  }
  Of.Sums.push_back(std::move(Sum));
}

/// Puts what the body computes before what needs it; else, and what writes, in
/// the order in which it was.
void Together::reorder() {
  SmallVector<Instruction *, 64> Order;
  SmallPtrSet<Instruction *, 32> Seen;
  auto Place = [&](auto &Self, Instruction &I) -> void {
    if (I.getParent() != Of.Body || isa<PHINode>(I) || !Seen.insert(&I).second)
      return;
    for (Value *Operand : I.operands())
      if (auto *Needed = dyn_cast<Instruction>(Operand))
        Self(Self, *Needed);
    Order.push_back(&I);
  };
  for (Instruction &I : *Of.Body)
    Place(Place, I);
  for (Instruction *I : Order)
    I->moveBefore(*Of.Body, Of.Body->end());
}

/// Erases the exchange that \p V is, with its casts, if nobody reads it.
static void eraseUnused(Value *V) {
  while (auto *I = dyn_cast<Instruction>(V)) {
    auto *CB = dyn_cast<CallBase>(I);
    std::optional<nvptx::Shuffle> S = CB ? nvptx::shuffleOf(*CB) : std::nullopt;
    if (!I->use_empty() || (!S && !isa<BitCastInst>(I)))
      return;
    V = I->getOperand(S ? S->Value : 0);
    I->eraseFromParent();
  }
}

/// The sums of the primal go first: their order is fixed, that of their
/// adjoints is not.
WarpSum Together::leading() const {
  for (Instruction *Sum : Sums)
    if (auto Of = nvptx::matchWarpSum(*Sum))
      return *Of;
  return *nvptx::matchWarpSum(*Sums.front(), exchangeBack);
}

void Together::run() {
  if (L.getNumBlocks() != 1 || !canReorder() || !findSums())
    return;
  number();
  WarpSum Leading = leading();
  if (!unroll())
    return;
  Of.Distances.assign(Leading.Distances.begin(),
                      Leading.Distances.begin() + Log2_32(Of.Iterations));
  for (unsigned Number : Numbers) {
    SmallVector<WarpSum, 8> Copies;
    for (Value *Copy : Of.Copies.lookup(Number))
      if (auto Sum =
              nvptx::matchWarpSum(*cast<Instruction>(Copy), exchangeBack)) {
        if (!nvptx::exchangeOf(Sum->Steps[1]))
          Sum->Distances = Leading.Distances;
        Copies.push_back(std::move(*Sum));
      }
    if (Copies.size() == Of.Iterations &&
        ArrayRef(Copies.front().Distances).take_front(Of.Distances.size()) ==
            ArrayRef(Of.Distances))
      merge(Copies);
  }
  packUniform(Of);
  for (PackedSum &Sum : Of.Sums)
    for (Value *Word : Sum.Words)
      eraseUnused(Word);
  reorder();
}

/// What \p V, in front-end code, was given: variables that are set once count
/// as what they are set to.
static const Value *withoutVariable(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Variable =
      Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  if (!Variable || Variable->getAllocatedType() != Load->getType())
    return V;
  const StoreInst *Only = nullptr;
  for (const User *U : Variable->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (isa<LoadInst>(U))
      continue;
    if (!Store || Only || Store->getValueOperand() == Variable)
      return V;
    Only = Store;
  }
  return Only ? Only->getValueOperand() : V;
}

DenseSet<const Value *> kdiff::uniformArguments(Module &M,
                                                ArrayRef<Emitted> Gradients) {
  DenseSet<const Value *> Found;
  for (Function &F : M)
    if (nvptx::isKernel(F))
      for (Argument &Arg : F.args())
        Found.insert(&Arg);
  for (const Emitted &E : Gradients) {
    unsigned K = 0;
    for (const ArgRequest &Arg : E.R.Args) {
      const Value *Given = withoutVariable(Arg.Primal);
      if (isa<Constant>(Given) || Found.contains(Given))
        Found.insert(E.Gradient->getArg(K));
      K += 1 + Arg.Shadows.size();
    }
  }
  return Found;
}

void kdiff::lowerWarpSums(Function &F, FunctionAnalysisManager &FAM,
                          const DenseSet<const Value *> &Arguments) {
  if (none_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(),
              [](const Loop *L) { return togetherOf(*L); }))
    return;
  FAM.invalidate(F, SROAPass(SROAOptions::PreserveCFG).run(F, FAM));
  FAM.invalidate(F, EarlyCSEPass().run(F, FAM));
  endLoopsAtLatches(F, FAM, togetherOf);
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (unsigned Iterations = togetherOf(*L)) {
      L->setLoopID(makePostTransformationMetadata(
          F.getContext(), L->getLoopID(), {TogetherAttribute}, {}));
      Together(*L, Iterations, F, FAM, Arguments).run();
    }
  for (Instruction &I : instructions(F))
    I.setMetadata(Mark, nullptr);
  FAM.invalidate(F, PreservedAnalyses::none());
}
