//===- Facts.cpp - What the host must know of a derivative ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Facts.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Facts.h"
#include "analysis/Memory.h"
#include "kdiff/KernelFacts.h"
#include "kdiff/TapeLayout.h"
#include "lower/Abstract.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

namespace {
class Reader {
public:
  Reader(const Function &F, const Request &R);
  void read();
  KernelFacts Facts = {};

private:
  void visit(const Instruction &I);
  void visitCall(const CallBase &Call);
  void visitOperation(const CallInst &Call, AbstractOp Op);
  void visitAtomic(const Instruction &I, const Value *Pointer, bool IsFloat);
  void load(const Value *Pointer);
  void access(const Value *Pointer, unsigned Kind);
  void accessArguments(const CallBase &Call, unsigned Kind);
  void assumeAll(const CallBase &Call);
  bool isAlone(const Value *Object, unsigned Kind);

  const Function &F;
  DominatorTree DT;
  LoopInfo LI;
  /// The arguments that lead to the primal's memory.
  SmallDenseMap<const Value *, unsigned> Primal;
  SmallPtrSet<const Value *, 8> Loaded, Summed; ///< Objects.
};
} // namespace

Reader::Reader(const Function &F, const Request &R)
    : F(F), DT(const_cast<Function &>(F)), LI(DT) {
  unsigned Next = 0;
  for (auto [K, Arg] : enumerate(R.Args)) {
    Primal[F.getArg(Next)] = K;
    Next += hasShadow(Arg.Activity) ? 1 + R.Width : 1;
  }
  Facts.Version = KernelFactsVersion;
}

void Reader::read() {
  for (const Instruction &I : instructions(F))
    visit(I);
  if (any_of(Summed, [&](const Value *Object) { return Loaded.count(Object); }))
    Facts.Flags |= NotDeterministic;
}

/// True if the content in the end is the same in whichever order threads come
/// (but for the rounding of sums): not where the last or the luckiest wins.
static bool isOrderless(const AtomicRMWInst &RMW) {
  switch (RMW.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return true;
  default:
    return false;
  }
}

void Reader::visit(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!Load->isSimple())
      Facts.Flags |= NotDeterministic;
    load(Load->getPointerOperand());
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    access(Store->getPointerOperand(), Writes);
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    if (!isOrderless(*RMW))
      Facts.Flags |= NotDeterministic;
    visitAtomic(I, RMW->getPointerOperand(), RMW->isFloatingPointOperation());
  } else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Facts.Flags |= NotDeterministic;
    visitAtomic(I, Swap->getPointerOperand(), false);
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    visitCall(*Call);
  }
}

/// Sums of whole numbers round nothing.
void Reader::visitAtomic(const Instruction &I, const Value *Pointer,
                         bool IsFloat) {
  if (!I.use_empty())
    Facts.Flags |= NotDeterministic;
  access(Pointer, Reads | Writes);
  if (IsFloat)
    for (const Value *Object : underlyingObjects(Pointer))
      Summed.insert(Object);
}

void Reader::load(const Value *Pointer) {
  for (const Value *Object : underlyingObjects(Pointer))
    Loaded.insert(Object);
  access(Pointer, Reads);
}

void Reader::visitCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  AbstractOp Op = Callee ? abstractOp(*Callee) : AbstractOp::None;
  if (Op != AbstractOp::None)
    return visitOperation(cast<CallInst>(Call), Op);
  switch (classify(Call)) {
  case CallClass::Rule:
  case CallClass::Pure:
  case CallClass::Ignorable:
  case CallClass::Barrier:
  case CallClass::Fence:
  case CallClass::Bits:
  case CallClass::Claim:
    return;
  case CallClass::Warp: // Which lanes happen to be at hand may differ.
    if (Callee->getName().contains("activemask"))
      Facts.Flags |= NotDeterministic;
    return;
  case CallClass::OutPointer:
    return accessArguments(Call, Writes);
  case CallClass::LoadLike:
    return load(Call.getArgOperand(0));
  case CallClass::Memory:
    if (auto *Set = dyn_cast<AnyMemIntrinsic>(&Call)) {
      access(Set->getRawDest(), Writes);
      if (auto *Copy = dyn_cast<AnyMemTransferInst>(&Call))
        load(Copy->getRawSource());
      return;
    }
    return assumeAll(Call);
  case CallClass::Atomic:
    Facts.Flags |= NotDeterministic;
    return accessArguments(Call, Reads | Writes);
  case CallClass::Inactive:
  case CallClass::Allocation:
  case CallClass::Asm:
  case CallClass::Texture:
  case CallClass::Exit:
  case CallClass::Defined:
  case CallClass::Indirect:
  case CallClass::Unknown:
    return assumeAll(Call);
  }
}

/// Additions touch shadows alone.
void Reader::visitOperation(const CallInst &Call, AbstractOp Op) {
  if (Op == AbstractOp::TapeOpen || Op == AbstractOp::TapeBegin ||
      Op == AbstractOp::TapeResume)
    Facts.Flags |= UsesTape;
  bool Pushes = Op == AbstractOp::TapePush || Op == AbstractOp::TapeClaim;
  if (!Pushes || Facts.TapeBytes == UnknownTapeBytes)
    return;
  if (LI.getLoopFor(Call.getParent()))
    Facts.TapeBytes = UnknownTapeBytes;
  else
    Facts.TapeBytes +=
        Op == AbstractOp::TapeClaim
            ? TapeClaimBytes
            : cast<ConstantInt>(Call.getArgOperand(1))->getZExtValue();
}

void Reader::accessArguments(const CallBase &Call, unsigned Kind) {
  for (const Use &Arg : Call.args())
    if (Arg->getType()->isPointerTy())
      access(Arg, Kind);
}

void Reader::assumeAll(const CallBase &Call) {
  accessArguments(Call, Reads | Writes);
  Facts.Flags |= ReadsElsewhere | WritesElsewhere | NotDeterministic;
  if (classify(Call) == CallClass::Defined)
    Facts.TapeBytes = UnknownTapeBytes;
}

/// True if \p Object is this launch's own, or never changes.
bool Reader::isAlone(const Value *Object, unsigned Kind) {
  if (isNowhere(Object) || isa<AllocaInst>(Object))
    return true;
  if (auto *Arg = dyn_cast<Argument>(Object)) // Else a shadow or the tape.
    return !Primal.count(Arg) || Arg->hasByValAttr();
  if (auto *Call = dyn_cast<CallInst>(Object))
    if (const Function *Callee = Call->getCalledFunction())
      return abstractOp(*Callee) != AbstractOp::None;
  auto *Variable = dyn_cast<GlobalVariable>(Object);
  if (!Variable)
    return false;
  if (Variable->getAddressSpace() == nvptx::Shared)
    return true;
  return Kind == Reads && Variable->isConstant() &&
         !Variable->isExternallyInitialized();
}

void Reader::access(const Value *Pointer, unsigned Kind) {
  for (const Value *Object : underlyingObjects(Pointer)) {
    if (isAlone(Object, Kind))
      continue;
    auto It = Primal.find(Object);
    if (It != Primal.end() && It->second < MaxFactArgs) {
      Facts.Args[It->second] |= Kind;
      continue;
    }
    Facts.Flags |= (Kind & Reads ? ReadsElsewhere : 0) |
                   (Kind & Writes ? WritesElsewhere : 0);
  }
}

void describe(const Function &Derivative, const Request &R) {
  Reader Found(Derivative, R);
  Found.read();
  const KernelFacts &Facts = Found.Facts;
  auto *T = cast<StructType>(R.Facts->getValueType());
  LLVMContext &C = T->getContext();
  auto Number = [&](unsigned Member, uint64_t Value) {
    return ConstantInt::get(T->getElementType(Member), Value);
  };
  R.Facts->setInitializer(ConstantStruct::get(
      T, Number(0, Facts.Version), Number(1, Facts.Flags),
      Number(2, Facts.TapeBytes),
      ConstantDataArray::get(C, ArrayRef<uint8_t>(Facts.Args))));
}

} // namespace kdiff
