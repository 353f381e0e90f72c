//===- Versions.cpp - Two versions of code ----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a loop or block that rarely has to be
// careful pay nothing for that?
//
// The careful version is a copy, which is not unrolled if it is a loop: it is
// for the rare case, and code costs compile time. LLVM would unswitch a loop by
// itself if it were small.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "rules/Rules.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace kdiff;

/// Code with fewer selections than this has one version, the careful one.
static constexpr unsigned LeastSelections = 3;

/// The outermost loop that \p Doubt is before and all of its users are in; null
/// if they are in none, or in several.
static Loop *findLoop(const CallInst &Doubt, LoopInfo &LI) {
  Loop *Found = nullptr;
  for (const User *U : Doubt.users()) {
    Loop *L = LI.getLoopFor(cast<Instruction>(U)->getParent());
    while (L && L->getParentLoop() &&
           !L->getParentLoop()->contains(Doubt.getParent()))
      L = L->getParentLoop();
    if (!L || L->contains(Doubt.getParent()) || (Found && L != Found))
      return nullptr;
    Found = L;
  }
  return Found && Found->isLoopSimplifyForm() ? Found : nullptr;
}

/// What \p Doubt decides in \p Blocks is decided: it is \p IsTrue there.
static void decide(CallInst &Doubt, ArrayRef<BasicBlock *> Blocks,
                   bool IsTrue) {
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      I.replaceUsesOfWith(&Doubt, ConstantInt::getBool(I.getContext(), IsTrue));
}

/// \p Array and its casts to other address spaces, if all other uses are within
/// the loop or its copy; else empty.
static SmallVector<Instruction *, 2>
namesWithin(AllocaInst &Array, function_ref<bool(const Use &)> IsWithin) {
  SmallVector<Instruction *, 2> Names{&Array};
  for (User *U : Array.users())
    if (isa<AddrSpaceCastInst>(U))
      Names.push_back(cast<Instruction>(U));
  for (Instruction *Name : Names)
    for (const Use &U : Name->uses())
      if (!IsWithin(U) && !is_contained(Names, U.getUser()) &&
          !cast<Instruction>(U.getUser())->isLifetimeStartOrEnd())
        return {};
  return Names;
}

/// Arrays that only the loop uses: the copy has its own, so that indices that
/// are unknown there alone do not keep the others in memory.
static void splitArrays(const Loop &L, ArrayRef<BasicBlock *> Copies) {
  BasicBlock &Entry = L.getHeader()->getParent()->getEntryBlock();
  SmallPtrSet<const BasicBlock *, 32> Copied(Copies.begin(), Copies.end());
  auto InCopy = [&](const Use &U) {
    return Copied.contains(cast<Instruction>(U.getUser())->getParent());
  };
  auto IsWithin = [&](const Use &U) {
    return InCopy(U) || L.contains(cast<Instruction>(U.getUser()));
  };
  for (Instruction &I : make_early_inc_range(Entry)) {
    auto *Array = dyn_cast<AllocaInst>(&I);
    if (!Array)
      continue;
    ValueToValueMapTy Own;
    for (Instruction *Name : namesWithin(*Array, IsWithin)) {
      Instruction *Copy = Name->clone();
      Copy->insertAfter(Name->getIterator());
      if (Name != Array)
        Copy->setOperand(0, Own.lookup(Array));
      Own[Name] = Copy;
      Name->replaceUsesWithIf(Copy, InCopy);
    }
  }
}

static void forbidUnrolling(Loop &Copy) {
  LLVMContext &Context = Copy.getHeader()->getContext();
  for (Loop *L : Copy.getLoopsInPreorder()) {
    if (!getBooleanLoopAttribute(L, UnrollAttribute))
      continue;
    MDNode *Choice = MDNode::get(
        Context, MDString::get(Context, "llvm.loop.unroll.disable"));
    MDNode *Id = MDNode::getDistinct(Context, {nullptr, Choice});
    Id->replaceOperandWith(0, Id);
    L->setLoopID(Id);
  }
}

/// Makes a copy of \p L for where \p Doubt is true.
static void version(CallInst &Doubt, Loop &L, LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Fork = L.getLoopPreheader();
  BasicBlock *Before = SplitBlock(Fork, Fork->getTerminator(), &DT, &LI);
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 32> Copies;
  Loop *Copy =
      cloneLoopWithPreheader(Before, Fork, &L, Map, ".doubt", &LI, &DT, Copies);
  remapInstructionsInBlocks(Copies, Map);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned K = 0, N = Phi.getNumIncomingValues(); K != N; ++K) {
        Value *V = Phi.getIncomingValue(K);
        Value *Copied = Map.lookup(V);
        Phi.addIncoming(Copied ? Copied : V,
                        cast<BasicBlock>(Map.lookup(Phi.getIncomingBlock(K))));
      }
  Instruction *Way = Fork->getTerminator();
  BranchInst::Create(Copy->getLoopPreheader(), Before, Doubt.getArgOperand(0),
                     Way->getIterator())
      ->setDebugLoc(Way->getDebugLoc());
  Way->eraseFromParent();
  decide(Doubt, Copies, true);
  decide(Doubt, L.getBlocks(), false);
  splitArrays(L, Copies);
  forbidUnrolling(*Copy);
}

/// True if \p I computes a value, and does nothing else, of its operands alone.
/// (Nothing says so of libdevice's functions at this point.)
static bool isFunctionOfOperands(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    if (CallClass Class = classify(*Call);
        Class == CallClass::Rule || Class == CallClass::Pure)
      return true;
  return !I.mayHaveSideEffects() && !I.mayReadFromMemory();
}

/// True if other threads may wait at \p I for this one, or much else happens
/// there: there is one version of it.
static bool isForBoth(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isFunctionOfOperands(I) &&
         (Call->isConvergent() || Call->mayHaveSideEffects());
}

/// Instructions of a block, the first and the last of a part.
using Part = SmallVector<Instruction *, 8>;

/// What \p Doubt decides behind it in its block: conditions, and selections by
/// them; in parts between which there is code for both versions.
static SmallVector<Part, 2> partsOf(CallInst &Doubt) {
  SmallVector<Part, 2> Parts(1);
  SmallPtrSet<const Value *, 16> Conditions{&Doubt};
  unsigned Selections = 0;
  auto EndPart = [&] {
    if (Selections < LeastSelections)
      Parts.pop_back();
    Parts.emplace_back();
    Selections = 0;
  };
  for (Instruction &I :
       make_range(std::next(Doubt.getIterator()), Doubt.getParent()->end())) {
    if (isForBoth(I)) {
      EndPart();
      continue;
    }
    if (I.isTerminator() || none_of(I.operands(), [&](const Value *V) {
          return Conditions.contains(V);
        }))
      continue;
    Parts.back().push_back(&I);
    Selections += isa<SelectInst>(I);
    if (I.getType()->isIntegerTy(1))
      Conditions.insert(&I);
  }
  EndPart();
  Parts.pop_back();
  return Parts;
}

/// What \p Block, of \p Copied, defines is one of two values behind it.
static void joinVersions(BasicBlock &Block, BasicBlock &Copy,
                         BasicBlock &Behind, ValueToValueMapTy &Copied) {
  for (Instruction &I : Block) {
    if (!I.isUsedOutsideOfBlock(&Block))
      continue;
    PHINode *Phi = PHINode::Create(I.getType(), 2, I.getName(), Behind.begin());
    I.replaceUsesOutsideBlock(Phi, &Block);
    Phi->addIncoming(&I, &Block);
    Phi->addIncoming(Copied.lookup(&I), &Copy);
  }
}

/// Has what both versions of \p P would do alike done in front of them: above
/// all loads, which would only begin when the doubt is decided.
static void hoistCommon(const Part &P) {
  SmallPtrSet<const Value *, 32> Behind;
  bool Writes = false;
  for (Instruction &I : make_early_inc_range(
           make_range(P.front()->getIterator(), P.back()->getIterator()))) {
    bool IsFunction = isFunctionOfOperands(I);
    bool Moves =
        !isa<FCmpInst, PHINode>(I) && !is_contained(P, &I) &&
        (IsFunction || (!I.mayHaveSideEffects() && !Writes)) &&
        none_of(I.operands(), [&](Value *V) { return Behind.contains(V); });
    Writes |= !IsFunction && I.mayWriteToMemory();
    if (Moves)
      I.moveBefore(P.front()->getIterator());
    else
      Behind.insert(&I);
  }
}

/// Makes a copy of all that is in \p P for where \p Doubt is true.
static void versionPart(CallInst &Doubt, const Part &P) {
  hoistCommon(P);
  BasicBlock *Before = P.front()->getParent();
  BasicBlock *Block = SplitBlock(Before, P.front());
  BasicBlock *Behind = SplitBlock(Block, P.back()->getNextNode());
  ValueToValueMapTy Copied;
  BasicBlock *Copy =
      CloneBasicBlock(Block, Copied, ".doubt", Before->getParent());
  remapInstructionsInBlocks(Copy, Copied);
  Instruction *Way = Before->getTerminator();
  BranchInst::Create(Copy, Block, Doubt.getArgOperand(0), Way->getIterator())
      ->setDebugLoc(Way->getDebugLoc());
  Way->eraseFromParent();
  decide(Doubt, Copy, true);
  decide(Doubt, Block, false);
  joinVersions(*Block, *Copy, *Behind, Copied);
}

static bool isDoubt(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() &&
         abstractOp(*Call->getCalledFunction()) == AbstractOp::Doubt;
}

/// The instructions between \p First and \p Doubt, behind it in its block, that
/// Doubt is computed from, in order. Nothing if they may not be moved in front
/// of First.
static std::optional<SmallVector<Instruction *, 16>>
basisOf(const CallInst &First, CallInst &Doubt) {
  SmallVector<Instruction *, 16> Basis;
  SmallPtrSet<const Value *, 16> Needed{Doubt.getArgOperand(0)};
  bool Reads = false, Writes = false;
  for (auto I = std::prev(Doubt.getIterator()); &*I != &First; --I) {
    bool IsFunction = isFunctionOfOperands(*I);
    Writes |= !IsFunction && I->mayWriteToMemory();
    if (!Needed.contains(&*I))
      continue;
    if (isDoubt(*I) || (!IsFunction && I->mayHaveSideEffects()))
      return std::nullopt;
    Reads |= !IsFunction;
    Basis.push_back(&*I);
    Needed.insert_range(I->operands());
  }
  if (Needed.contains(&First) || (Reads && Writes))
    return std::nullopt;
  std::reverse(Basis.begin(), Basis.end());
  return Basis;
}

/// Doubts of \p B, as of copies of a loop's body, become one where they can be
/// decided at the first: one pair of versions instead of many.
static void uniteDoubts(BasicBlock &B) {
  CallInst *First = nullptr;
  for (Instruction &I : make_early_inc_range(B)) {
    if (!isDoubt(I)) {
      if (isForBoth(I))
        First = nullptr;
      continue;
    }
    auto &Doubt = cast<CallInst>(I);
    auto Basis = First ? basisOf(*First, Doubt) : std::nullopt;
    if (!Basis) {
      First = &Doubt;
      continue;
    }
    for (Instruction *Each : *Basis)
      Each->moveBefore(First->getIterator());
    IRBuilder<> Builder(First);
    First->setArgOperand(
        0, Builder.CreateOr(First->getArgOperand(0), Doubt.getArgOperand(0)));
    Doubt.replaceAllUsesWith(First);
    Doubt.eraseFromParent();
  }
}

static CallInst *nextDoubt(Function &F) {
  for (Instruction &I : instructions(F))
    if (isDoubt(I))
      return cast<CallInst>(&I);
  return nullptr;
}

void kdiff::versionLoops(Function &F, FunctionAnalysisManager &FAM) {
  for (BasicBlock &B : F)
    uniteDoubts(B);
  while (CallInst *Doubt = nextDoubt(F)) {
    FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
    FAM.invalidate(F, LCSSAPass().run(F, FAM));
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    if (Loop *L = findLoop(*Doubt, LI))
      version(*Doubt, *L, LI, FAM.getResult<DominatorTreeAnalysis>(F));
    else
      for (const Part &P : partsOf(*Doubt))
        versionPart(*Doubt, P);
    // What has one version has the careful one.
    Doubt->replaceAllUsesWith(ConstantInt::getTrue(F.getContext()));
    Doubt->eraseFromParent();
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}
