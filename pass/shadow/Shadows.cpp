//===- Shadows.cpp - The twin of every active pointer ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Shadows.h.
//
//===----------------------------------------------------------------------===//

#include "shadow/Shadows.h"
#include "kdiff/DynamicShared.h"
#include "rules/Custom.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

/// The type of the twin of a pointer of type \p T: what shadows constant
/// memory lies in global memory, since it is written.
static Type *twinType(Type *T) {
  return T->isPointerTy() && T->getPointerAddressSpace() == nvptx::Constant
             ? PointerType::get(T->getContext(), nvptx::Global)
             : T;
}

static Constant *nullLike(const Value *Pointer) {
  return Constant::getNullValue(twinType(Pointer->getType()));
}

Shadows::Shadows(Subject &S, const Activity &A)
    : S(S), A(A), Begin(&*S.P.F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca()),
      Twins(S.Width) {
  // A snapshot: twins are inserted while we look.
  SmallVector<Instruction *, 64> Primal;
  for (Instruction &I : instructions(*S.P.F))
    Primal.push_back(&I);
  for (Lane = 0; Lane != S.Width && Complete; ++Lane) {
    for (const Formal &Arg : S.Formals)
      if (!Arg.Shadows.empty() && Arg.Primal->getType()->isPointerTy())
        Twins[Lane][Arg.Primal] = Arg.Shadows[Lane];
    for (Instruction *I : Primal)
      mirrorAccesses(*I);
  }
  // Zeroed once, at entry: the forward sweep writes shadow pointers into
  // them, only the reverse sweep touches floating point.
  IRBuilder<> B(&*S.P.F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  clearLocals(B);
}

void Shadows::clearLocals(IRBuilderBase &B) const {
  const DataLayout &DL = S.P.F->getDataLayout();
  for (AllocaInst *Local : Locals)
    B.CreateMemSet(Local, B.getInt8(0),
                   Local->getAllocationSize(DL)->getFixedValue(),
                   Local->getAlign());
}

/// Makes the twins of all addresses that the derivative of \p I uses, and the
/// twin of a store that puts a pointer into memory with a shadow.
void Shadows::mirrorAccesses(Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Value *Stored = Store->getValueOperand();
    if (Stored->getType()->isPointerTy() &&
        A.isActivePointer(Store->getPointerOperand())) {
      Value *To = twin(Store->getPointerOperand());
      auto *Twin = cast<StoreInst>(Store->clone());
      Twin->insertAfter(Store->getIterator());
      Twin->setOperand(0, twin(Stored));
      Twin->setOperand(1, To);
      return;
    }
  }
  bool Touches =
      isa<LoadInst>(I) ? A.isActive(&I) : accessedPointer(I) != nullptr;
  if (Touches) {
    auto *Pointer = const_cast<Value *>(accessedPointer(I));
    if (A.isActivePointer(Pointer))
      twin(Pointer);
    return;
  }
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB || findRule(I))
    return;
  CallClass Class = classify(*CB);
  if (Class == CallClass::Ignorable || Class == CallClass::Inactive ||
      Class == CallClass::Pure)
    return;
  for (Value *Arg : CB->args())
    if (Arg->getType()->isPointerTy() && A.isActivePointer(Arg))
      twin(Arg);
}

Value *Shadows::twin(Value *Pointer) {
  if (!A.isActivePointer(Pointer))
    return nullLike(Pointer);
  if (Value *Known = Twins[Lane].lookup(Pointer))
    return Known;
  if (auto *Array = dyn_cast<GlobalVariable>(Pointer)) {
    GlobalVariable *All = custom::shadow(*Array);
    Value *Twin = All ? registered(*Array, *All) : twinOfShared(*Array);
    return Twins[Lane][Pointer] = Twin;
  }
  auto *I = dyn_cast<Instruction>(Pointer);
  if (!I) {
    // A constant expression: as an instruction at the function's entry.
    auto *Expr = cast<ConstantExpr>(Pointer);
    for (Value *Operand : Expr->operands())
      if (Operand->getType()->isPointerTy())
        twin(Operand); // In front of what uses it.
    I = Expr->getAsInstruction();
    I->insertBefore(Begin->getIterator());
    Value *Twin = twinOfInstruction(*I);
    I->eraseFromParent();
    return Twins[Lane][Pointer] = Twin;
  }
  Value *Twin = twinOfInstruction(*I);
  Twins[Lane][Pointer] = Twin;
  return Twin;
}

Value *Shadows::twinOfPhi(PHINode &Phi) {
  auto *Twin =
      PHINode::Create(twinType(Phi.getType()), Phi.getNumIncomingValues(),
                      "d." + Phi.getName(), Phi.getIterator());
  Twin->setDebugLoc(Phi.getDebugLoc());
  Twins[Lane][&Phi] = Twin; // Before its operands: the phi may feed itself.
  for (unsigned K = 0; K != Phi.getNumIncomingValues(); ++K)
    Twin->addIncoming(twin(Phi.getIncomingValue(K)), Phi.getIncomingBlock(K));
  return Twin;
}

Value *Shadows::twinOfAlloca(AllocaInst &Alloca) {
  auto *Twin = cast<AllocaInst>(Alloca.clone());
  Twin->setName("d." + Alloca.getName());
  Twin->insertAfter(Alloca.getIterator());
  Locals.push_back(Twin);
  return Twin;
}

/// The shadow of \p V in this lane within \p All, the registered variable: an
/// array of as many as there are lanes.
Value *Shadows::registered(GlobalVariable &V, GlobalVariable &All) {
  const DataLayout &DL = V.getDataLayout();
  uint64_t Bytes = DL.getTypeAllocSize(V.getValueType());
  bool KeepsAlignment =
      S.Width == 1 || isAligned(V.getAlign().valueOrOne(), Bytes);
  if (DL.getTypeAllocSize(All.getValueType()) < Bytes * S.Width ||
      !KeepsAlignment) {
    reportUnsupported(*S.P.F,
                      "with " + Twine(S.Width) + " derivatives at once of '" +
                          V.getName() + "', whose shadow '" + All.getName() +
                          "' is no array of " + Twine(S.Width) +
                          " such variables",
                      "make it one, or ask for one derivative at a time");
    Complete = false;
  }
  LLVMContext &C = V.getContext();
  Constant *Offset = ConstantInt::get(Type::getInt64Ty(C), Lane * Bytes);
  return Lane ? ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(C), &All,
                                                       Offset)
              : &All;
}

/// A static array has a twin of its own for each lane. Dynamic shared memory is
/// launched as kdiff/DynamicShared.h says: after the primal's share comes each
/// lane's shadow of it.
Value *Shadows::twinOfShared(GlobalVariable &Array) {
  Module &M = *Array.getParent();
  SharedShadow New;
  New.Primal = &Array;
  IRBuilder<> B(Begin);
  if (Array.isDeclaration()) {
    Value *Total =
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size, {});
    Value *Share = B.CreateUDiv(Total, B.getInt32(S.Width + 1));
    New.Bytes = B.CreateAnd(Share, ~uint64_t(DynamicSharedAlignment - 1),
                            "dynamic.shadow");
    Value *Offset = B.CreateZExt(New.Bytes, B.getInt64Ty());
    if (Lane)
      Offset = B.CreateMul(Offset, B.getInt64(Lane + 1));
    New.Address = B.CreatePtrAdd(&Array, Offset, "d." + Array.getName());
  } else {
    std::string Name = ("kdiff.shadow." + Array.getName()).str();
    if (Lane)
      Name += "." + std::to_string(Lane);
    GlobalVariable *Twin = M.getNamedGlobal(Name);
    if (!Twin) {
      Twin = new GlobalVariable(M, Array.getValueType(), false,
                                GlobalValue::InternalLinkage,
                                PoisonValue::get(Array.getValueType()), Name,
                                &Array, GlobalValue::NotThreadLocal, 3);
      Twin->setAlignment(Array.getAlign().value_or(Align(16)));
    }
    New.Address = Twin;
    New.Bytes =
        B.getInt32(M.getDataLayout().getTypeAllocSize(Array.getValueType()));
  }
  Shared.push_back(New);
  return New.Address;
}

Value *Shadows::twinOfInstruction(Instruction &I) {
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return twinOfPhi(*Phi);
  if (auto *Alloca = dyn_cast<AllocaInst>(&I))
    return twinOfAlloca(*Alloca);
  bool Mirrors = isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst,
                     SelectInst, FreezeInst, LoadInst>(I);
  if (!Mirrors || !I.getType()->isPointerTy()) {
    reportUnsupported(I,
                      "a pointer to differentiated memory that comes from " +
                          Twine(I.getOpcodeName()),
                      "derive the pointer from a kernel argument by indexing");
    Complete = false;
    return nullLike(&I);
  }
  Instruction *Twin = I.clone();
  Twin->mutateType(twinType(I.getType()));
  if (!I.getName().empty())
    Twin->setName("d." + I.getName());
  Twin->insertAfter(I.getIterator());
  // A shadow that is null beside a primal that is not must stay null: no
  // inbounds promise is made about it.
  if (auto *GEP = dyn_cast<GetElementPtrInst>(Twin))
    GEP->setNoWrapFlags(GEPNoWrapFlags::none());
  if (auto *Load = dyn_cast<LoadInst>(Twin)) {
    Load->dropUnknownNonDebugMetadata();
    Mirrored[Load] = cast<LoadInst>(&I);
  }
  for (Use &Op : Twin->operands())
    if (Op->getType()->isPointerTy())
      Op.set(twin(Op.get()));
  return Twin;
}

Value *Shadows::of(Value *Pointer, unsigned Of) const {
  if (!A.isActivePointer(Pointer))
    return nullLike(Pointer);
  Value *Twin = Twins[Of].lookup(Pointer);
  assert(Twin && "not the address of an active access");
  return Twin;
}

LaneValues Shadows::inLanes(Value *Pointer) const {
  LaneValues All;
  for (unsigned K = 0; K != S.Width; ++K)
    All.push_back(of(Pointer, K));
  return All;
}

const LoadInst *Shadows::mirrored(const LoadInst *Twin) const {
  return Mirrored.lookup(Twin);
}

bool Shadows::isPrivate(const Value *Pointer) const {
  return all_of(underlyingObjects(Pointer), [&](const Value *Object) {
    if (isa<AllocaInst>(Object))
      return true;
    return any_of(S.Formals, [&](const Formal &Arg) {
      return Arg.Primal == Object && Arg.PrivateShadow;
    });
  });
}

} // namespace kdiff
