//===- Instrument.cpp - Calls of the checks -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does code call the checks?
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace kdiff::simt;

static constexpr char NamePrefix[] = "kdiff_simt_name";

//===--- Local variables --------------------------------------------------===//

/// Whether each use of \p A is an access at a constant place within it.
static bool isSafe(const AllocaInst &A, const DataLayout &DL) {
  auto Size = A.getAllocationSize(DL);
  if (!Size)
    return false;
  SmallVector<std::pair<const Value *, int64_t>, 8> Work = {{&A, 0}};
  auto inside = [&](int64_t Offset, uint64_t Bytes) {
    return Offset >= 0 && Offset + Bytes <= Size->getFixedValue();
  };
  while (!Work.empty()) {
    auto [V, Offset] = Work.pop_back_val();
    for (const User *U : V->users()) {
      if (auto *Load = dyn_cast<LoadInst>(U)) {
        if (!inside(Offset, DL.getTypeStoreSize(Load->getType())))
          return false;
      } else if (auto *Store = dyn_cast<StoreInst>(U)) {
        uint64_t Bytes =
            DL.getTypeStoreSize(Store->getValueOperand()->getType());
        if (Store->getValueOperand() == V || !inside(Offset, Bytes))
          return false;
      } else if (auto *Gep = dyn_cast<GetElementPtrInst>(U)) {
        APInt Step(DL.getIndexTypeSizeInBits(Gep->getType()), 0);
        if (!Gep->accumulateConstantOffset(DL, Step))
          return false;
        Work.emplace_back(Gep, Offset + Step.getSExtValue());
      } else if (isa<AddrSpaceCastInst>(U)) {
        Work.emplace_back(U, Offset);
      } else if (auto *Mem = dyn_cast<MemIntrinsic>(U)) {
        auto *Length = dyn_cast<ConstantInt>(Mem->getLength());
        if (!Length || !inside(Offset, Length->getZExtValue()))
          return false;
      } else if (auto *Call = dyn_cast<IntrinsicInst>(U)) {
        if (!Call->isLifetimeStartOrEnd())
          return false;
      } else {
        return false;
      }
    }
  }
  return true;
}

/// \p A with a red zone behind it, and a place of its own: where lifetimes
/// end, code generation lets variables share places.
static AllocaInst &widen(AllocaInst &A) {
  LLVMContext &C = A.getContext();
  Type *Zone = ArrayType::get(Type::getInt8Ty(C), RedZone);
  Type *Old = A.getAllocatedType();
  for (User *U : make_early_inc_range(A.users()))
    if (auto *Marker = dyn_cast<LifetimeIntrinsic>(U))
      Marker->eraseFromParent();
  if (A.isArrayAllocation())
    Old = ArrayType::get(Old,
                         cast<ConstantInt>(A.getArraySize())->getZExtValue());
  auto *New =
      new AllocaInst(StructType::get(C, {Old, Zone}), A.getAddressSpace(),
                     nullptr, A.getAlign(), "", A.getIterator());
  New->takeName(&A);
  New->setDebugLoc(A.getDebugLoc());
  A.replaceAllUsesWith(New);
  A.eraseFromParent();
  return *New;
}

void Emitter::enterLocals(Function &F) {
  if (!Checked)
    return;
  const DataLayout &DL = M.getDataLayout();
  SmallVector<AllocaInst *, 16> Locals;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Locals.push_back(A);
  auto enter = [&](Value *Variable, Value *Bytes, Instruction &Behind) {
    startAt(*Behind.getNextNode());
    // The thread is known from the entry on, behind the first variables.
    if (auto *T = thread(); T->getParent() == B.GetInsertBlock() &&
                            !T->comesBefore(&*B.GetInsertPoint()))
      B.SetInsertPoint(T->getNextNode());
    StringRef Name = Variable->hasName() ? Variable->getName() : "a variable";
    auto *Text = B.CreateGlobalString(Name, NamePrefix);
    callRuntime(
        "kdiff_simt_enter_local", B.getVoidTy(),
        {thread(), B.CreateAddrSpaceCast(Variable, B.getPtrTy()), Bytes, Text})
        ->setNoSanitizeMetadata();
  };
  for (AllocaInst *A : Locals) {
    if (isSafe(*A, DL)) {
      SafeLocals.insert(A);
    } else if (auto Size = A->getAllocationSize(DL)) {
      AllocaInst &Wide = widen(*A);
      enter(&Wide, B.getInt64(Size->getFixedValue()), Wide);
    } else {
      startAt(*A->getNextNode());
      Value *Count = B.CreateZExt(A->getArraySize(), B.getInt64Ty());
      Value *Bytes = B.CreateMul(
          Count, B.getInt64(DL.getTypeAllocSize(A->getAllocatedType())));
      enter(A, Bytes, *B.GetInsertPoint()->getPrevNode());
    }
  }
  for (Argument &A : F.args())
    if (A.hasByValAttr()) {
      startAt(*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      Instruction *T = thread();
      enter(&A, B.getInt64(DL.getTypeAllocSize(A.getParamByValType())), *T);
    }
}

//===--- Calls ------------------------------------------------------------===//

void Emitter::access(Value *Pointer, Value *Bytes, AccessKind Kind) {
  auto *Local =
      dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
  if (!Checked || (Local && SafeLocals.contains(Local)))
    return;
  Value *Address = B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
  callRuntime(
      "kdiff_simt_access", B.getVoidTy(),
      {thread(), Address, Bytes, B.getInt32(bit_cast<uint32_t>(Kind)), site()})
      ->setNoSanitizeMetadata();
}

void Emitter::access(Value *Pointer, Type *Ty, AccessKind Kind) {
  access(Pointer, B.getInt64(M.getDataLayout().getTypeStoreSize(Ty)), Kind);
}

void Emitter::stored(Value *Pointer, Type *Ty) {
  if (!Checked || isa<AllocaInst>(getUnderlyingObject(Pointer)))
    return;
  Value *Bytes = B.getInt64(M.getDataLayout().getTypeStoreSize(Ty));
  callRuntime(
      "kdiff_simt_stored", B.getVoidTy(),
      {thread(), B.CreateAddrSpaceCast(Pointer, B.getPtrTy()), Bytes, site()})
      ->setNoSanitizeMetadata();
}

void Emitter::fence(SyncReach Reach) {
  if (Checked)
    callRuntime("kdiff_simt_fence", B.getVoidTy(),
                {thread(), B.getInt32(static_cast<uint32_t>(Reach))})
        ->setNoSanitizeMetadata();
}

static bool isOfBlock(LLVMContext &C, SyncScope::ID Scope) {
  SmallVector<StringRef, 8> Names;
  C.getSyncScopeNames(Names);
  return Names[Scope] == "block";
}

/// Of an atomic with ordering \p O. Those that CUDA's functions become
/// (atomicAdd, ...) have an order in IR that the language does not give them.
static AccessKind atomicKind(LLVMContext &C, SyncScope::ID Scope,
                             AtomicOrdering O) {
  AccessKind K;
  K.Atomic = 1;
  K.BlockScope = isOfBlock(C, Scope);
  bool Given =
      O != AtomicOrdering::SequentiallyConsistent || Scope != SyncScope::System;
  K.Acquires = Given && isAcquireOrStronger(O);
  K.Releases = Given && isReleaseOrStronger(O);
  return K;
}

/// Whether \p Load only guesses what a compare-and-swap will find: it may read
/// anything, as the swap fails if the guess is wrong (CUDA C++ Programming
/// Guide, "Atomic Functions", makes other atomics so).
static bool isGuess(const LoadInst &Load) {
  auto place = [](const Value *Pointer) {
    return getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  };
  SmallPtrSet<const User *, 8> Seen;
  SmallVector<const Value *, 8> Work = {&Load};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const User *U : V->users()) {
      if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(U))
        if (Swap->getCompareOperand() == V &&
            place(Swap->getPointerOperand()) == place(Load.getPointerOperand()))
          return true;
      if (isa<PHINode, CastInst, FreezeInst>(U) && Seen.insert(U).second)
        Work.push_back(U);
    }
  }
  return false;
}

void kdiff::simt::instrument(Instruction &I, Emitter &E) {
  LLVMContext &C = I.getContext();
  auto behind = [&](Value *Pointer, Type *Ty) {
    E.B.SetInsertPoint(I.getNextNode());
    E.stored(Pointer, Ty);
    E.B.SetInsertPoint(&I);
  };
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    AccessKind K;
    if (Load->isAtomic())
      K = atomicKind(C, Load->getSyncScopeID(), Load->getOrdering());
    K.Atomic |= Load->isVolatile() || isGuess(*Load);
    K.Read = 1;
    K.LogAlign = Log2(Load->getAlign());
    E.access(Load->getPointerOperand(), Load->getType(), K);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    AccessKind K;
    if (Store->isAtomic())
      K = atomicKind(C, Store->getSyncScopeID(), Store->getOrdering());
    K.Atomic |= Store->isVolatile();
    K.Write = 1;
    K.LogAlign = Log2(Store->getAlign());
    Type *Ty = Store->getValueOperand()->getType();
    E.access(Store->getPointerOperand(), Ty, K);
    if (!isa<UndefValue>(Store->getValueOperand()))
      behind(Store->getPointerOperand(), Ty);
  } else if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I)) {
    AccessKind K = atomicKind(C, Rmw->getSyncScopeID(), Rmw->getOrdering());
    K.Read = K.Write = 1;
    K.LogAlign = Log2(Rmw->getAlign());
    E.access(Rmw->getPointerOperand(), Rmw->getType(), K);
    behind(Rmw->getPointerOperand(), Rmw->getType());
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    AccessKind K = atomicKind(C, Exchange->getSyncScopeID(),
                              Exchange->getSuccessOrdering());
    K.Read = K.Write = 1;
    K.LogAlign = Log2(Exchange->getAlign());
    E.access(Exchange->getPointerOperand(),
             Exchange->getNewValOperand()->getType(), K);
  } else if (auto *Fence = dyn_cast<FenceInst>(&I)) {
    if (Fence->getSyncScopeID() != SyncScope::SingleThread)
      E.fence(isOfBlock(C, Fence->getSyncScopeID()) ? SyncReach::Block
                                                    : SyncReach::Device);
  } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
    Value *Bytes = E.B.CreateZExt(Mem->getLength(), E.B.getInt64Ty());
    AccessKind K;
    if (auto *Transfer = dyn_cast<MemTransferInst>(Mem)) {
      K.Read = 1;
      K.LogAlign = Log2(Transfer->getSourceAlign().valueOrOne());
      E.access(Transfer->getRawSource(), Bytes, K);
    }
    K.Read = 0;
    K.Write = 1;
    K.LogAlign = Log2(Mem->getDestAlign().valueOrOne());
    E.access(Mem->getRawDest(), Bytes, K);
  }
}

//===--- The whole module -------------------------------------------------===//

void kdiff::simt::inlineHeaders(Module &M) {
  SmallPtrSet<const DIFile *, 4> Files;
  for (const Function &F : M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel && F.getSubprogram())
      Files.insert(F.getSubprogram()->getFile());
  for (Function &F : M) {
    if (F.isDeclaration() || !F.getSubprogram() ||
        Files.contains(F.getSubprogram()->getFile()))
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.addFnAttr(Attribute::AlwaysInline);
  }
}

void kdiff::simt::exposeVariables(Module &M, StringMap<size_t> &Objects) {
  const DataLayout &DL = M.getDataLayout();
  SmallVector<GlobalVariable *, 16> Variables;
  for (GlobalVariable &G : M.globals())
    if (G.hasInitializer() && !G.getName().starts_with("llvm.") &&
        !G.getName().starts_with(NamePrefix))
      Variables.push_back(&G);
  auto *Zone = ArrayType::get(Type::getInt8Ty(M.getContext()), RedZone);
  for (GlobalVariable *G : Variables) {
    Constant *Parts[] = {G->getInitializer(), Constant::getNullValue(Zone)};
    auto *Wide = ConstantStruct::getAnon(Parts);
    auto *New = new GlobalVariable(
        M, Wide->getType(), G->isConstant(), GlobalValue::ExternalLinkage, Wide,
        "", G, GlobalValue::NotThreadLocal, G->getAddressSpace());
    New->setAlignment(DL.getPreferredAlign(G));
    New->takeName(G);
    if (!New->hasName())
      New->setName("constant");
    Objects[New->getName()] = DL.getTypeAllocSize(G->getValueType());
    G->replaceAllUsesWith(New);
    G->eraseFromParent();
  }
}

void kdiff::simt::letFollowUndefined(Function &F) {
  F.addFnAttr(Attribute::SanitizeMemory);
  auto *Generic = PointerType::get(F.getContext(), 0);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Mem = dyn_cast<MemIntrinsic>(&I);
    if (!Mem)
      continue;
    IRBuilder<> B(Mem);
    SmallVector<Value *, 4> Args;
    for (Value *A : Mem->args())
      Args.push_back(
          A->getType()->isPointerTy() ? B.CreateAddrSpaceCast(A, Generic) : A);
    SmallVector<Type *, 3> Types;
    Types.push_back(Generic);
    if (isa<MemTransferInst>(Mem))
      Types.push_back(Generic);
    Types.push_back(Mem->getLength()->getType());
    Mem->setCalledFunction(Intrinsic::getOrInsertDeclaration(
        F.getParent(), Mem->getIntrinsicID(), Types));
    for (auto [N, A] : enumerate(Args))
      Mem->setArgOperand(N, A);
  }
}

void kdiff::simt::castByIntegers(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Cast = dyn_cast<AddrSpaceCastInst>(&I);
      if (!Cast || Cast->getType()->isVectorTy())
        continue;
      IRBuilder<> B(Cast);
      Value *Bits = B.CreatePtrToInt(Cast->getPointerOperand(), B.getInt64Ty());
      Cast->replaceAllUsesWith(B.CreateIntToPtr(Bits, Cast->getType()));
      Cast->eraseFromParent();
    }
}

/// \p I, or one before it on every way there, that has a place in the source.
static Instruction &nearestWithPlace(Instruction &I) {
  for (BasicBlock *BB = I.getParent(); BB; BB = BB->getSinglePredecessor()) {
    Instruction *At = BB == I.getParent() ? &I : BB->getTerminator();
    for (; At; At = At->getPrevNode())
      if (At->getDebugLoc())
        return *At;
    if (BB->getSinglePredecessor() == I.getParent())
      break; // Round and round.
  }
  return I;
}

void kdiff::simt::numberReports(Module &M, SiteTable &Sites) {
  Function *Warning = M.getFunction("__msan_warning");
  if (!Warning)
    return;
  for (User *U : Warning->users()) {
    auto *Call = cast<CallInst>(U);
    auto *Number = ConstantInt::get(Call->getArgOperand(0)->getType(),
                                    Sites.number(nearestWithPlace(*Call)));
    Call->setArgOperand(0, Number);
  }
}
