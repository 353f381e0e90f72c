//===- Stencils.cpp - Threads add what others would add
//--------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do threads add to their own words what
// others would add there?
//
// At the end a thread computes what each thread that may add to its own word
// would add, if there is such a thread; the other one leaves that addition out,
// if there is the thread whose own word it is.
//
// Two neighbours often read each other's word, and so the same of both: what
// the neighbour would add is computed where the thread reads the neighbour's
// word, if it does, and at the end if not.
//
//===----------------------------------------------------------------------===//

#include "lower/Stencils.h"
#include "emit/Adjoints.h"
#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace llvm;
using namespace kdiff;

void kdiff::addToSum(IRBuilderBase &B, AllocaInst *Sum, Value *Addend) {
  Value *Old = B.CreateLoad(Addend->getType(), Sum);
  B.CreateStore(B.CreateFAdd(Old, Addend), Sum);
}

namespace {

/// What the threads at one distance add to the own words of this one.
struct Neighbour {
  Function *Copy = nullptr;
  /// Where this thread reads that one's words; null if there is no one such
  /// place.
  BasicBlock *At = nullptr;
  AllocaInst *IsDone = nullptr; ///< If At: what it would add is added.
  /// The branch that alone leads to At, if there is one, by one side; nothing
  /// is read of that thread on the other.
  BranchInst *Branch = nullptr;
  unsigned Otherwise = 0; ///< The number of that side.
};

class Gatherer {
public:
  Gatherer(Function &F, FunctionAnalysisManager &FAM) : G{F}, FAM(FAM) {}
  void run();

private:
  void prove(StencilRead &R) const;
  bool areOpposite(const Away &One, const Away &Other) const;
  void findPlace(const Away &Distance, Neighbour &N);
  Value *exists(IRBuilderBase &B, const Away &Distance, bool Backwards) const {
    return existsInLaunch(B, G, Distance, Backwards);
  }
  Value *ownWord(IRBuilderBase &B, const OwnWord &Own, const Away &Distance);
  void addHere(const StencilRead &R);
  void leaveToOwners(ArrayRef<const StencilRead *> Reads);
  void gather(IRBuilderBase &B, const Away &Distance, Function &Copy);
  void gatherIfExists(Instruction &Before, const Away &Distance,
                      const Neighbour &N);
  void gatherElsewhere();
  void finish(const OwnWord &Own);

  Stencil G;
  FunctionAnalysisManager &FAM;
  MapVector<Away, Neighbour, std::map<Away, unsigned>> Neighbours;
};

} // namespace

//===--- Own words --------------------------------------------------------===//

void Gatherer::prove(StencilRead &R) const {
  Unknowns Names(Unknowns::Trust::Defined);
  const DataLayout &DL = G.F.getDataLayout();
  const Value *There, *Here;
  Polynomial Read = Names.ofAddress(R.Shadow, DL, There);
  Polynomial Own =
      Names.ofAddress(G.Words.find(R.Group)->second.Address, DL, Here);
  Unknowns::Shift By;
  for (unsigned D = 0; D != Dimensions; ++D)
    By[D] = Names.of(R.Distance[D]);
  std::array<bool, Dimensions> Differs;
  for (unsigned D = 0; D != Dimensions; ++D)
    Differs[D] = !isZeroDistance(R.Distance[D]);
  R.IsProven = There == Here && isSameForThreads(Here, Differs) &&
               (Names.shifted(Own, By, /*Splits=*/false) == Read ||
                Names.shifted(Own, By, /*Splits=*/true) == Read);
}

/// \p V where \p Known are other values. Nothing is promised of it: there may
/// be no such thread.
static Value *valueFor(IRBuilderBase &B, Value *V,
                       SmallDenseMap<Value *, Value *> &Known) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  if (Value *There = Known.lookup(V))
    return There;
  Instruction *Again = I->clone();
  Again->dropPoisonGeneratingFlags();
  if (!isa<CallInst>(I))
    for (Use &Operand : Again->operands())
      Operand.set(valueFor(B, Operand.get(), Known));
  Known[V] = Again;
  return B.Insert(Again);
}

/// The own word of the thread \p Distance away.
Value *Gatherer::ownWord(IRBuilderBase &B, const OwnWord &Own,
                         const Away &Distance) {
  SmallDenseMap<Value *, Value *> Known;
  for (unsigned D = 0; D != Dimensions; ++D)
    if (G.Index[D])
      Known[G.Index[D]] = B.CreateAdd(G.Index[D], Distance[D]);
  return valueFor(B, Own.Address, Known);
}

//===--- What the thread itself adds --------------------------------------===//

static void addAtomically(IRBuilderBase &B, const StencilRead &R) {
  B.SetCurrentDebugLocation(R.Call->getDebugLoc());
  createAccumulate(B, R.Shadow, R.Addend, Accumulation::Contended);
}

/// Replaces \p R, likely of the thread's own word.
void Gatherer::addHere(const StencilRead &R) {
  const OwnWord &Own = G.Words.find(R.Group)->second;
  IRBuilder<> B(R.Call);
  if (R.IsProven) {
    addToSum(B, Own.Sum, R.Addend);
  } else {
    Instruction *Made, *Left;
    SplitBlockAndInsertIfThenElse(
        B.CreateICmpEQ(R.Shadow, ownWord(B, Own, R.Distance)), R.Call, &Made,
        &Left);
    B.SetInsertPoint(Made);
    addToSum(B, Own.Sum, R.Addend);
    B.SetInsertPoint(Left);
    addAtomically(B, R);
  }
  R.Call->eraseFromParent();
}

/// Replaces \p Reads of one block, of the words of one other thread.
void Gatherer::leaveToOwners(ArrayRef<const StencilRead *> Reads) {
  const Away &Distance = Reads.front()->Distance;
  Instruction *End = Reads.front()->Call->getParent()->getTerminator();
  BasicBlock *Block = End->getParent();
  IRBuilder<> B(End);
  Value *Exists = exists(B, Distance, /*Backwards=*/false);
  for (const StencilRead *R : Reads) {
    if (R->IsProven)
      continue;
    Value *Own = ownWord(B, G.Words.find(R->Group)->second, Distance);
    Value *IsLeft = B.CreateLogicalAnd(Exists, B.CreateICmpEQ(R->Shadow, Own));
    B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateNot(IsLeft), End,
                                               /*Unreachable=*/false));
    addAtomically(B, *R);
    B.SetInsertPoint(End);
  }
  auto Paired = find_if(Neighbours, [&](auto &N) {
    return N.second.At == Block && areOpposite(N.first, Distance);
  });
  if (Paired != Neighbours.end())
    B.CreateStore(B.getTrue(), Paired->second.IsDone);
  Instruction *There, *Nowhere;
  SplitBlockAndInsertIfThenElse(Exists, End, &There, &Nowhere);
  B.SetInsertPoint(Nowhere);
  for (const StencilRead *R : Reads)
    if (R->IsProven)
      addAtomically(B, *R);
  B.SetInsertPoint(There);
  if (Paired != Neighbours.end())
    gather(B, Paired->first, *Paired->second.Copy);
  for (const StencilRead *R : Reads)
    R->Call->eraseFromParent();
}

//===--- What others would add --------------------------------------------===//

bool Gatherer::areOpposite(const Away &One, const Away &Other) const {
  Unknowns Names(Unknowns::Trust::Exact);
  for (unsigned D = 0; D != Dimensions; ++D)
    if (!sum(Names.of(One[D]), Names.of(Other[D])).Terms.empty())
      return false;
  return true;
}

/// Where the thread reads the words of the one \p Distance before it.
void Gatherer::findPlace(const Away &Distance, Neighbour &N) {
  BasicBlock *At = nullptr;
  for (const StencilRead &R : G.Reads) {
    if (!areOpposite(R.Distance, Distance))
      continue;
    if (At && At != R.Call->getParent())
      return;
    At = R.Call->getParent();
  }
  if (!At)
    return;
  IRBuilder<> B(&G.F.getEntryBlock(), G.F.getEntryBlock().begin());
  N.At = At;
  N.IsDone = B.CreateAlloca(B.getInt1Ty(), nullptr, "done");
  B.CreateStore(B.getFalse(), N.IsDone);
  BasicBlock *Side = At, *Fork = At->getSinglePredecessor();
  while (Fork && Fork->getSingleSuccessor()) {
    Side = Fork;
    Fork = Fork->getSinglePredecessor();
  }
  auto *Branch = Fork ? dyn_cast<BranchInst>(Fork->getTerminator()) : nullptr;
  if (!Branch || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return;
  N.Branch = Branch;
  N.Otherwise = Branch->getSuccessor(0) == Side ? 1 : 0;
}

/// Adds what the thread \p Distance before this one, which exists, would add to
/// the own words of this one.
void Gatherer::gather(IRBuilderBase &B, const Away &Distance, Function &Copy) {
  SmallVector<Value *, 16> Args(make_pointer_range(G.F.args()));
  for (unsigned D = 0; D != Dimensions; ++D) {
    if (!G.Index[D]) {
      Args.push_back(B.getInt32(0));
      continue;
    }
    B.CreateAssumption(B.CreateICmpSGE(G.Index[D], B.getInt32(0)));
    B.CreateAssumption(B.CreateICmpSLT(G.Index[D], G.Size[D]));
    Args.push_back(B.CreateNSWAdd(G.Index[D], B.CreateNSWNeg(Distance[D])));
  }
  for (const IndexDivision &Of : G.Divisions)
    for (Value *V : {Of.Quotient, Of.Rest})
      Args.push_back(V ? V : PoisonValue::get(B.getInt32Ty()));
  Away None;
  None.fill(B.getInt32(0));
  for (auto &[Group, Own] : G.Words)
    Args.push_back(ownWord(B, Own, None));
  CallInst *Call = B.CreateCall(&Copy, Args);
  for (auto [No, Word] : enumerate(G.Words))
    addToSum(B, Word.second.Sum, B.CreateExtractValue(Call, No));
  InlineFunctionInfo Info;
  [[maybe_unused]] InlineResult Inlined = InlineFunction(*Call, Info);
  assert(Inlined.isSuccess() && "a copy of the gradient can be inlined");
}

/// Does so at \p Before, if such a thread exists.
void Gatherer::gatherIfExists(Instruction &Before, const Away &Distance,
                              const Neighbour &N) {
  IRBuilder<> B(&Before);
  Value *Exists = exists(B, Distance, /*Backwards=*/true);
  B.SetInsertPoint(
      SplitBlockAndInsertIfThen(Exists, &Before, /*Unreachable=*/false));
  gather(B, Distance, *N.Copy);
}

/// Gathers from all neighbours where the thread does not read their words.
void Gatherer::gatherElsewhere() {
  IRBuilder<> B(G.Words.front().second.End);
  Value *AllDone = B.getTrue();
  for (auto &[Distance, N] : Neighbours) {
    if (!N.At) {
      AllDone = B.getFalse();
      continue;
    }
    if (N.Branch) {
      BasicBlock *Side =
          SplitEdge(N.Branch->getParent(), N.Branch->getSuccessor(N.Otherwise));
      IRBuilder<>(Side->getTerminator()).CreateStore(B.getTrue(), N.IsDone);
      gatherIfExists(*Side->getTerminator(), Distance, N);
    }
    AllDone = B.CreateAnd(AllDone, B.CreateLoad(B.getInt1Ty(), N.IsDone));
  }
  Instruction *Left = SplitBlockAndInsertIfThen(
      B.CreateNot(AllDone), G.Words.front().second.End, /*Unreachable=*/false);
  for (auto &[Distance, N] : Neighbours) {
    Instruction *Before = Left;
    if (N.At) {
      B.SetInsertPoint(Left);
      Before = SplitBlockAndInsertIfThen(
          B.CreateNot(B.CreateLoad(B.getInt1Ty(), N.IsDone)), Left,
          /*Unreachable=*/false);
    }
    gatherIfExists(*Before, Distance, N);
  }
}

/// Adds the sum to the own word, which may be no word where nobody adds to it.
void Gatherer::finish(const OwnWord &Own) {
  IRBuilder<> B(Own.End);
  Value *Sum = B.CreateLoad(Own.T, Own.Sum);
  Type *Bits = B.getIntNTy(Own.T->getScalarSizeInBits());
  Value *IsAny = B.CreateICmpNE(B.CreateBitCast(Sum, Bits),
                                B.CreateBitCast(neutralAdjoint(Own.T), Bits));
  B.SetInsertPoint(
      SplitBlockAndInsertIfThen(IsAny, Own.End, /*Unreachable=*/false));
  B.SetCurrentDebugLocation(Own.End->getDebugLoc());
  createAccumulate(B, Own.Address, Sum, Accumulation::Contended);
  Own.End->eraseFromParent();
}

void Gatherer::run() {
  if (!collectStencil(G))
    return;
  findLaunchIndices(G);
  branchByConditions(G.F);
  for (StencilRead &R : G.Reads)
    prove(R);
  for (const StencilRead &R : G.Reads)
    if (!R.isHere() && !Neighbours.count(R.Distance))
      Neighbours[R.Distance].Copy = copyForStencil(G, R.Distance, FAM);
  testUsual(G);
  for (auto &[Distance, N] : Neighbours)
    findPlace(Distance, N);
  IRBuilder<> B(&G.F.getEntryBlock(), G.F.getEntryBlock().begin());
  for (auto &[Group, Own] : G.Words) {
    Own.Sum = B.CreateAlloca(Own.T, nullptr, "own");
    B.CreateStore(neutralAdjoint(Own.T), Own.Sum);
  }
  using Place = std::pair<BasicBlock *, Away>;
  MapVector<Place, SmallVector<const StencilRead *, 4>,
            std::map<Place, unsigned>>
      Others;
  for (const StencilRead &R : G.Reads)
    if (!R.isHere())
      Others[{R.Call->getParent(), R.Distance}].push_back(&R);
  for (auto &[At, Reads] : Others)
    leaveToOwners(Reads);
  for (const StencilRead &R : G.Reads)
    if (R.isHere())
      addHere(R);
  gatherElsewhere();
  for (auto &[Group, Own] : G.Words)
    finish(Own);
  for (auto &[Distance, N] : Neighbours) {
    FAM.clear(*N.Copy, N.Copy->getName());
    N.Copy->eraseFromParent();
  }
  FAM.invalidate(G.F, PreservedAnalyses::none());
  FAM.invalidate(G.F, SROAPass(SROAOptions::ModifyCFG).run(G.F, FAM));
  joinSweeps(G.F, FAM);
  mergeIndices(G.F, FAM);
  FAM.invalidate(G.F, EarlyCSEPass().run(G.F, FAM));
  hoistLoads(G.F, FAM);
}

void kdiff::lowerStencils(Function &F, FunctionAnalysisManager &FAM) {
  Gatherer(F, FAM).run();
}
