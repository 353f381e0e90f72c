//===- Tiles.cpp - What shared memory holds in the reverse sweep ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Tiles.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Tiles.h"
#include "analysis/Memory.h"
#include "plan/Once.h"
#include "plan/Plan.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// Calls that touch no shared memory but by their pointer operands.
static bool isKnown(const CallBase &CB) {
  switch (classify(CB)) {
  case CallClass::Defined:
  case CallClass::Indirect:
  case CallClass::Unknown:
  case CallClass::Asm:
    return false;
  case CallClass::Inactive:
    return CB.getCalledFunction()->isDeclaration();
  default:
    return true;
  }
}

Tiles::Tiles(const Subject &S, const Activity &A, const Shadows &Sh,
             ArrayRef<Need> Needs, std::function<bool(Value *)> IsFree,
             FunctionAnalysisManager &FAM)
    : S(S), Sh(Sh), F(*S.P.F), IsFree(std::move(IsFree)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)) {
  // Who else uses the arrays of a function is not known.
  if (!S.IsKernel)
    return;
  for (Instruction &I : instructions(F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    if (CB && !isKnown(*CB))
      return;
    if (!ordersThreads(I))
      continue;
    bool IsBarrier = CB && nvptx::isBlockBarrier(*CB);
    (IsBarrier ? Barriers : OtherSync).push_back(&I);
    if (IsBarrier && A.isMirrored(*CB))
      Mirrored.push_back(&I);
  }
  for (const Need &N : Needs)
    Readers[N.V].push_back(N.NeededBy);
  for (GlobalVariable &G : F.getParent()->globals())
    if (G.getAddressSpace() == nvptx::Shared)
      collect(G);
  // Arrays of dynamic size lie in the same place.
  auto IsDynamic = [](auto &Entry) {
    return cast<GlobalVariable>(Entry.first)->isDeclaration();
  };
  if (count_if(Arrays, IsDynamic) > 1)
    Arrays.remove_if(IsDynamic);
}

/// Adds \p G to the known arrays, if all of its uses are followed.
void Tiles::collect(GlobalVariable &G) {
  Array Found;
  SmallVector<Value *, 8> Work{&G};
  while (!Work.empty()) {
    Value *Pointer = Work.pop_back_val();
    for (User *U : Pointer->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (I && I->getFunction() != &F)
        continue;
      auto *CB = dyn_cast<CallBase>(U);
      auto *Load = dyn_cast<LoadInst>(U);
      auto *Store = dyn_cast<StoreInst>(U);
      if (isa<ConstantExpr, GetElementPtrInst, AddrSpaceCastInst, FreezeInst>(
              U))
        Work.push_back(U);
      else if (Load && Load->isSimple())
        Found.Loads.push_back(Load);
      else if (Store && Store->isSimple() &&
               Store->getValueOperand() != Pointer &&
               !nvptx::isMarkedAsContent(*Store))
        Found.Stores.push_back(Store);
      else if (!isa<ICmpInst>(U) &&
               !(CB && classify(*CB) == CallClass::Ignorable))
        return;
    }
  }
  if (!Found.Loads.empty())
    Arrays.insert({&G, std::move(Found)});
}

bool Tiles::mayReach(const Instruction &From, const Instruction &To) const {
  return isPotentiallyReachable(&From, &To, nullptr, &DT, &LI);
}

/// True if \p B may run behind \p A in the same iteration of \p L.
static bool comesBehind(const Instruction &A, const Instruction &B,
                        const Loop &L) {
  if (A.getParent() == B.getParent() && A.comesBefore(&B))
    return true;
  SmallVector<const BasicBlock *, 8> Work{A.getParent()};
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty())
    for (const BasicBlock *Next : successors(Work.pop_back_val())) {
      if (Next == L.getHeader() || !L.contains(Next) ||
          !Seen.insert(Next).second)
        continue;
      if (Next == B.getParent())
        return true;
      Work.push_back(Next);
    }
  return false;
}

/// Nobody stores to the word behind the load.
bool Tiles::isSettled(const LoadInst &Load, const Array &A) const {
  return S.S == Shape::Request && OtherSync.empty() &&
         all_of(A.Stores, [&](const StoreInst *Store) {
           return mayReach(*Store, Load) && !mayReach(Load, *Store);
         });
}

/// The innermost loop around the load that stores to the array.
const Loop *Tiles::fillingLoop(const LoadInst &Load, const Array &A) const {
  const Loop *L = LI.getLoopFor(Load.getParent());
  while (L && none_of(A.Stores, [&](const StoreInst *Store) {
           return L->contains(Store);
         }))
    L = L->getParentLoop();
  return L;
}

/// All threads of the block make every iteration together.
bool Tiles::isRunTogether(const Loop &L) const {
  const BasicBlock *Latch = L.getLoopLatch();
  return Latch &&
         any_of(Barriers,
                [&](const Instruction *Barrier) {
                  return L.contains(Barrier) &&
                         DT.dominates(Barrier->getParent(), Latch);
                }) &&
         none_of(OtherSync,
                 [&](const Instruction *Sync) { return L.contains(Sync); });
}

/// True if \p V is a thread's own constant, whatever iteration of the loops in
/// \p Outermost it is in; \p But, if it depends on that, is taken to be one.
bool Tiles::isSameForever(const Value *V, const Loop &Outermost,
                          const Value *But) const {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen{But};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Outermost.contains(I) || !Seen.insert(I).second)
      continue;
    auto *CB = dyn_cast<CallBase>(I);
    bool IsPure = CB ? classify(*CB) == CallClass::Pure
                     : isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst,
                           SelectInst, FreezeInst>(I);
    if (!IsPure || findRule(*I))
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

/// The counter of the loop that makes the store, if there is one.
const Value *Tiles::counterOf(const FillStore &Fill) const {
  return Fill.Header ? S.P.Loops.find(Fill.Header)->second.Counter : nullptr;
}

/// Finds the loop within \p L that makes the store, if there is one. It has to
/// be the same every time, and what it stores may need no tape: the loop's
/// records are not at hand yet.
bool Tiles::findLoop(FillStore &Fill, const Loop &L) const {
  const BasicBlock *Here = Fill.Store->getParent();
  const Loop *Inner = LI.getLoopFor(Here);
  if (Inner == &L)
    return true;
  const BasicBlock *Exiting = Inner->getExitingBlock();
  auto *Branch =
      Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  if (Inner->getParentLoop() != &L || !Branch || !Branch->isConditional() ||
      !DT.dominates(Here, Exiting))
    return false;
  Fill.Header = Inner->getHeader();
  Fill.Goes = Branch->getCondition();
  Fill.GoesIf = Inner->contains(Branch->getSuccessor(0));
  return isSameForever(Fill.Goes, *L.getOutermostLoop(), counterOf(Fill)) &&
         IsFree(Fill.Store->getValueOperand());
}

/// True if an iteration of \p L may come from \p From to \p To without \p B.
static bool mayPassBy(const BasicBlock &B, const BasicBlock &From,
                      const BasicBlock &To, const Loop &L) {
  SmallVector<const BasicBlock *, 8> Work{&From};
  SmallPtrSet<const BasicBlock *, 16> Seen{&B, L.getHeader()};
  while (!Work.empty())
    for (const BasicBlock *Next : successors(Work.pop_back_val())) {
      if (!L.contains(Next) || !Seen.insert(Next).second)
        continue;
      if (Next == &To)
        return true;
      Work.push_back(Next);
    }
  return false;
}

/// Finds on which conditions an iteration that comes to \p End has made the
/// store, from where it is up to a block that is always run.
bool Tiles::findGuards(FillStore &Fill, const Loop &L, BasicBlock &End) const {
  BasicBlock *B = Fill.Header ? LI.getLoopFor(Fill.Header)->getLoopPreheader()
                              : Fill.Store->getParent();
  while (!DT.dominates(B, &End)) {
    BasicBlock *Above = DT.getNode(B)->getIDom()->getBlock();
    if (!L.contains(Above) || LI.getLoopFor(Above) != &L)
      return false;
    if (mayPassBy(*B, *Above, End, L)) {
      auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
      if (B->getSinglePredecessor() != Above || !Branch ||
          !isSameForever(Branch->getCondition(), *L.getOutermostLoop()))
        return false;
      Fill.Guards.insert(Fill.Guards.begin(), {Branch->getCondition(),
                                               Branch->getSuccessor(0) == B});
    }
    B = Above;
  }
  return true;
}

/// True if the reverse sweep can make the store again at the start of an
/// iteration of \p L: nothing there may need a tile that is filled with it.
bool Tiles::isComputable(const FillStore &Fill, const Loop &L,
                         bool &IsExact) const {
  SmallVector<const Value *, 8> Work{Fill.Store->getValueOperand()};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.getOutermostLoop()->contains(I) || !Seen.insert(I).second ||
        (isa<PHINode>(I) && LI.isLoopHeader(I->getParent())))
      continue;
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load && L.contains(Load) &&
        any_of(underlyingObjects(Load->getPointerOperand()),
               [&](const Value *Object) {
                 auto It = Arrays.find(Object);
                 return It != Arrays.end() &&
                        fillingLoop(*Load, It->second) == &L;
               }))
      return false;
    IsExact &= !findRule(*I);
    append_range(Work, I->operands());
  }
  return true;
}

/// How \p Store is made again, if it touches the same words each time.
std::optional<FillStore> Tiles::fill(StoreInst &Store, const Loop &L,
                                     BasicBlock &End) const {
  FillStore Fill;
  Fill.Store = &Store;
  if (comesBehind(*End.getTerminator(), Store, L) || !findLoop(Fill, L) ||
      !findGuards(Fill, L, End))
    return std::nullopt;
  if (!isSameForever(Store.getPointerOperand(), *L.getOutermostLoop(),
                     counterOf(Fill)))
    return std::nullopt;
  return Fill;
}

/// True if the reverse of something that comes behind \p Point in the same
/// iteration of \p L may compute what it reads from \p Load again.
bool Tiles::isUsedBehind(const LoadInst &Load, const Instruction &Point,
                         const Loop &L) const {
  SmallVector<const Instruction *, 8> Work{&Load};
  SmallPtrSet<const Instruction *, 32> Seen;
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    bool IsCarried = isa<PHINode>(I) && I->getParent() == L.getHeader();
    if (!L.contains(I) || IsCarried || !Seen.insert(I).second)
      continue;
    if (any_of(Readers.lookup(I), [&](const Instruction *Reader) {
          return comesBehind(Point, *Reader, L);
        }))
      return true;
    for (const User *U : I->users())
      Work.push_back(cast<Instruction>(U));
  }
  return false;
}

/// The stores of the iteration's tile, if every store that may come behind the
/// load is one of a later iteration's; else none.
SmallVector<StoreInst *, 2> Tiles::fillOf(const LoadInst &Load, const Loop &L,
                                          const Array &A) const {
  SmallVector<StoreInst *, 2> Fill;
  for (StoreInst *Store : A.Stores) {
    if (L.contains(Store) ? comesBehind(Load, *Store, L)
                          : S.S != Shape::Request || mayReach(Load, *Store))
      return {};
    if (L.contains(Store))
      Fill.push_back(Store);
  }
  // The order of the stores of different threads would have to be kept.
  for (const StoreInst *First : Fill)
    for (const StoreInst *Second : Fill)
      if (any_of(Barriers, [&](const Instruction *Barrier) {
            return L.contains(Barrier) && comesBehind(*First, *Barrier, L) &&
                   comesBehind(*Barrier, *Second, L);
          }))
        return {};
  return Fill;
}

/// The block that ends the part of an iteration that fills and reads the tile,
/// whether the loop is left behind it or goes on: an iteration comes to it if
/// it makes any of that. Null if there is none.
BasicBlock *Tiles::endOfUse(const LoadInst &Load, const Loop &L,
                            ArrayRef<StoreInst *> Fill) const {
  BasicBlock *End = L.getLoopLatch();
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *Exit : Exiting) {
    auto IsBehind = [&](const Instruction *I) {
      return I->getParent() == Exit ||
             comesBehind(*I, *Exit->getTerminator(), L);
    };
    if (IsBehind(&Load) || any_of(Fill, IsBehind))
      End = DT.findNearestCommonDominator(End, Exit);
  }
  return LI.getLoopFor(End) == &L &&
                 !isUsedBehind(Load, *End->getTerminator(), L)
             ? End
             : nullptr;
}

/// True if a barrier lies between the reads of one iteration's tile and the
/// fill of the next, which in the reverse sweep is that of the iteration
/// before, so that it is the barrier in front of the reads.
bool Tiles::waitsBefore(const Loop &L, const Array &A) const {
  // The first fill comes behind the barriers at which the shadows are zeroed.
  return !Sh.shared().empty() && all_of(A.Loads, [&](const LoadInst *Load) {
    if (!L.contains(Load))
      return !mayReach(L.getHeader()->front(), *Load);
    return any_of(Mirrored, [&](const Instruction *Barrier) {
      return L.contains(Barrier) && DT.dominates(Barrier, Load);
    });
  });
}

/// The same for the barrier between a fill and the reads of its tile. These are
/// made again where the reverse sweep needs them.
bool Tiles::waitsBehind(const Loop &L, const BasicBlock &End,
                        const Array &A) const {
  return all_of(A.Loads, [&](const LoadInst *Load) {
    return !L.contains(Load) ||
           any_of(Mirrored, [&](const Instruction *Barrier) {
             return L.contains(Barrier) &&
                    DT.dominates(Barrier->getParent(), &End) &&
                    comesBehind(*Load, *Barrier, L) &&
                    !isUsedBehind(*Load, *Barrier, L);
           });
  });
}

std::optional<Tile> Tiles::find(const LoadInst &Load) const {
  auto Objects = underlyingObjects(Load.getPointerOperand());
  auto It = Objects.size() == 1 ? Arrays.find(Objects.front()) : Arrays.end();
  if (It == Arrays.end() || Load.getType()->isPointerTy())
    return std::nullopt;
  const Array &A = It->second;
  Tile Result;
  if (isSettled(Load, A))
    return Result;
  Result.L = fillingLoop(Load, A);
  if (!Result.L || S.S == Shape::Callee || !isRunTogether(*Result.L))
    return std::nullopt;
  SmallVector<StoreInst *, 2> Stores = fillOf(Load, *Result.L, A);
  Result.End = endOfUse(Load, *Result.L, Stores);
  if (Stores.empty() || !Result.End)
    return std::nullopt;
  for (StoreInst *Store : Stores) {
    std::optional<FillStore> Again = fill(*Store, *Result.L, *Result.End);
    if (!Again || !isComputable(*Again, *Result.L, Result.IsExact))
      return std::nullopt;
    Result.Stores.push_back(*Again);
  }
  Result.WaitBefore = !waitsBefore(*Result.L, A);
  Result.WaitBehind = !waitsBehind(*Result.L, *Result.End, A);
  return Result;
}

const Tile *Tiles::of(const LoadInst &Load) {
  auto It = Known.find(&Load);
  if (It == Known.end()) {
    std::optional<Tile> Found = find(Load);
    It = Known
             .insert({&Load, Found ? std::make_unique<Tile>(std::move(*Found))
                                   : nullptr})
             .first;
  }
  return It->second.get();
}

SmallVector<std::pair<Value *, bool>, 8> Tile::inputs() const {
  SmallVector<std::pair<Value *, bool>, 8> Inputs;
  for (const FillStore &Fill : Stores) {
    Inputs.push_back({Fill.Store->getPointerOperand(), true});
    Inputs.push_back({Fill.Store->getValueOperand(), IsExact});
    for (auto &[Condition, Wanted] : Fill.Guards)
      Inputs.push_back({Condition, true});
    if (Fill.Goes)
      Inputs.push_back({Fill.Goes, true});
  }
  return Inputs;
}

/// Where \p I is in its function, in an order in which what always comes first
/// is first.
static std::pair<unsigned, unsigned> placeIn(const Instruction &I) {
  ReversePostOrderTraversal<const Function *> Order(I.getFunction());
  unsigned Block = 0;
  for (const BasicBlock *B : Order) {
    if (B == I.getParent())
      break;
    ++Block;
  }
  return {Block, std::distance(I.getParent()->begin(), I.getIterator())};
}

static void addFill(Refill &Filled, const Tile &Again) {
  Filled.L = Again.L;
  Filled.WaitBefore |= Again.WaitBefore;
  Filled.WaitBehind |= Again.WaitBehind;
  for (const FillStore &Fill : Again.Stores)
    if (none_of(Filled.Stores,
                [&](auto &Other) { return Other.Store == Fill.Store; }))
      Filled.Stores.push_back(Fill);
  llvm::sort(Filled.Stores, [](const FillStore &A, const FillStore &B) {
    return placeIn(*A.Store) < placeIn(*B.Store);
  });
}

void fillTiles(Plan &P, function_ref<const Tile *(const Value *)> TileOf) {
  for (auto &[V, D] : P.Values) {
    const Tile *Again = D.From == Source::Reload ? TileOf(V) : nullptr;
    if (!Again)
      continue;
    remark("Reloaded", *cast<LoadInst>(V),
           Again->L ? "reloaded from the tile, which is filled again"
                    : "reloaded from the tile, which nobody overwrites");
    if (Again->L)
      addFill(P.Refills[Again->End], *Again);
  }
}

} // namespace kdiff
