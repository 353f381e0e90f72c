//===- Supported.cpp - What can be differentiated, and what not -----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Supported.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Supported.h"
#include "analysis/Atomics.h"
#include "analysis/Claims.h"
#include "analysis/Messages.h"
#include "analysis/Origins.h"
#include "analysis/Punning.h"
#include "rules/Custom.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "target/Ptx.h"
#include "target/Sync.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace kdiff {

namespace {

/// The hardware feature that an intrinsic belongs to; null for none.
const nvptx::Feature *knownFeature(const CallBase &CB) {
  StringRef Name =
      CB.getCalledFunction() ? CB.getCalledFunction()->getName() : "";
  return Name.consume_front("llvm.nvvm.") ? nvptx::featureOf(Name) : nullptr;
}

class Checker {
public:
  Checker(const Function &F, const Activity &A, Mode M, Left Memory)
      : F(F), A(A), M(M), IsCallee(Memory == Left::Shared),
        IsSplit(Memory == Left::Global) {}

  bool run() {
    for (const Instruction &I : instructions(F))
      visit(I);
    if (M == Mode::Reverse)
      Supported &= checkMessages(F, A);
    return Supported & checkClaims(F, A);
  }

private:
  void refuse(const Instruction &I, const Twine &What, const Twine &Remedy) {
    reportUnsupported(I, What, Remedy);
    Supported = false;
  }
  /// Names the hardware feature that \p CB belongs to, else the intrinsic.
  void refuseByName(const CallBase &CB, const Twine &What,
                    const Twine &Remedy) {
    if (const nvptx::Feature *Known = knownFeature(CB))
      refuse(CB, Known->What, Known->Remedy);
    else
      refuse(CB, What + " (" + CB.getCalledFunction()->getName() + ")", Remedy);
  }
  void refuseTexture(const CallBase &CB) {
    refuse(
        CB,
        "a texture or surface access at a differentiated coordinate, or of a "
        "differentiated value",
        "keep the data in global memory");
  }
  bool touchesActive(const CallBase &CB) const {
    return any_of(CB.args(), [&](const Use &Arg) {
      return A.isVaried(Arg) || A.isDerivedFromBits(Arg) ||
             (Arg->getType()->isPointerTy() && A.isActivePointer(Arg));
    });
  }
  void visit(const Instruction &I);
  void visitCall(const CallBase &CB);
  void visitOpaqueCall(const CallBase &CB, const Twine &What,
                       const Twine &Remedy);
  void visitAsm(const CallBase &CB);
  void visitCopy(const MemTransferInst &Copy);
  void visitWarp(const CallBase &CB);
  void visitInactive(const CallBase &CB);
  void visitRecursion(const CallBase &CB);
  void visitLoad(const LoadInst &Load);
  void visitStore(const StoreInst &Store);
  void visitStoreToInactive(const StoreInst &Store);
  void visitAtomic(const Instruction &I);
  void visitBits(const Instruction &I);
  void visitOther(const Instruction &I);
  void checkShared(const Instruction &I, const Value *Pointer);

  const Function &F;
  const Activity &A;
  Mode M;
  bool IsCallee, IsSplit;
  bool Supported = true;
};

} // namespace

/// A call of which nothing is known but its operands.
void Checker::visitOpaqueCall(const CallBase &CB, const Twine &What,
                              const Twine &Remedy) {
  bool MayHide = !CB.doesNotAccessMemory() || containsPointer(CB.getType());
  if (touchesActive(CB) || MayHide)
    refuse(CB, What, Remedy);
}

void Checker::visitAsm(const CallBase &CB) {
  auto *Asm = cast<InlineAsm>(CB.getCalledOperand());
  if (const nvptx::Feature *Known = nvptx::featureIn(Asm->getAsmString()))
    return refuse(CB, Known->What, Known->Remedy);
  bool Memory = StringRef(Asm->getConstraintString()).contains("{memory}") ||
                any_of(CB.args(), [](const Use &Arg) {
                  return Arg->getType()->isPointerTy();
                });
  if (touchesActive(CB) && nvptx::accessesTexture(Asm->getAsmString()))
    refuseTexture(CB);
  else if (touchesActive(CB) ||
           any_of(CB.args(), [&](const Use &Arg) { return A.isOpaque(Arg); }))
    refuse(CB, "inline assembly (asm) on a differentiated value",
           "write the operation in CUDA C++");
  else if (Memory)
    refuse(CB, "inline assembly (asm) that may access memory",
           "write the access in CUDA C++");
}

/// A call that stays a call: its numbers cross in registers, its derivative is
/// a function of its own.
void Checker::visitRecursion(const CallBase &CB) {
  auto Refuse = [&](const Twine &What) {
    refuse(CB,
           "recursion (a call of '" + CB.getCalledFunction()->getName() +
               "') " + What,
           "write a loop");
  };
  for (const Use &Arg : CB.args()) {
    Type *T = Arg->getType();
    bool Number = T->isFloatingPointTy();
    if ((A.isVaried(Arg) && !Number) || A.isDerivedFromBits(Arg))
      return Refuse("with a differentiated argument that is no "
                    "floating-point number");
    if (!T->isPointerTy() || !A.isActivePointer(Arg))
      continue;
    bool Local = any_of(underlyingObjects(Arg), [](const Value *Object) {
      return isa<AllocaInst>(Object);
    });
    if (Local && IsCallee && M == Mode::Reverse)
      return Refuse(
          "with the address of a local array of a recursive function");
    if (IsSplit && endsWithLaunch(Arg))
      return Refuse("with the address of local or shared memory in split mode");
    if (A.isMixedPointer(Arg))
      return Refuse("with a pointer that may lack a shadow");
  }
  if (A.isVaried(&CB) && !CB.getType()->isFloatingPointTy())
    Refuse("with a differentiated result that is no floating-point number");
}

/// A shuffle that nobody wants the derivative of loses nothing.
void Checker::visitWarp(const CallBase &CB) {
  auto S = nvptx::shuffleOf(CB);
  if ((S && A.isActive(&CB)) || nvptx::blockSumOf(CB))
    return;
  bool Loses = S ? A.isDerivedFromBits(CB.getArgOperand(S->Value)) ||
                       A.isOpaque(CB.getArgOperand(S->Value))
                 : A.isVaried(&CB);
  if (Loses || (CB.getType()->isStructTy() && touchesActive(CB)))
    refuse(CB,
           "a warp operation (" + CB.getCalledFunction()->getName() +
               ") on a differentiated value",
           "use shuffles of float or double");
}

/// A function that the user calls inactive: what it returns is a constant, and
/// so would be what it writes, whose shadow it does not clear.
void Checker::visitInactive(const CallBase &CB) {
  if (!custom::isInactive(*CB.getCalledFunction()))
    return;
  bool LeadsThere = touchesActive(CB);
  if (mayWrite(CB, [&](const Value *Object) {
        if (isa<GlobalVariable>(Object))
          return A.isActivePointer(Object);
        return LeadsThere && !isa<AllocaInst>(Object);
      }))
    refuse(CB, "an inactive function that may overwrite differentiated memory",
           "give it rules (KDIFF_REVERSE_RULE, KDIFF_FORWARD_RULE), or pass "
           "memory without shadow");
}

void Checker::visitCopy(const MemTransferInst &Copy) {
  const Value *To = Copy.getRawDest(), *From = Copy.getRawSource();
  if (A.isActivePointer(From) && !A.isActivePointer(To))
    return refuse(Copy,
                  "a copy from differentiated memory to memory without shadow",
                  "give the target a shadow, or mark the source kd_const");
  if (!A.isActivePointer(From) || !A.isActivePointer(To))
    return;
  if (A.isMixedPointer(From) || (A.isMixedPointer(To) && M == Mode::Reverse))
    return refuse(Copy, "a block copy whose operands may lack a shadow",
                  "copy element by element");
  if (M == Mode::Reverse && !A.places().onlyTypeOf(To) &&
      !A.places().onlyTypeOf(From))
    refuse(Copy, "a block copy (memcpy) of memory whose type is not known",
           "copy element by element, or assign the structure");
}

/// A callee's caller does not know which shared shadows it must clear.
void Checker::checkShared(const Instruction &I, const Value *Pointer) {
  if (!IsCallee)
    return;
  for (const Value *Object : underlyingObjects(Pointer))
    if (auto *G = dyn_cast<GlobalVariable>(Object))
      if (G->getAddressSpace() == nvptx::Shared && A.isActiveObject(G))
        refuse(I, "shared memory that a recursive function uses",
               "pass its address as an argument");
}

void Checker::visitLoad(const LoadInst &Load) {
  const Value *Pointer = Load.getPointerOperand();
  if (!A.isActivePointer(Pointer))
    return;
  checkShared(Load, Pointer);
  if (!A.isActive(&Load))
    return;
  if (Load.getType()->isAggregateType())
    refuse(Load, "a load of a whole aggregate", "load its members");
  if (Load.isAtomic())
    refuse(Load, "an atomic load of a differentiated value",
           "load it without atomics");
}

/// Differentiated values that go to memory without a shadow lose their
/// derivative: fine for results nobody asked about, wrong if they come back.
void Checker::visitStoreToInactive(const StoreInst &Store) {
  const Value *V = Store.getValueOperand();
  bool Leads = V->getType()->isPointerTy() && A.isActivePointer(V);
  if (!A.isVaried(V) && !A.isDerivedFromBits(V) && !Leads)
    return;
  for (const Value *Object : underlyingObjects(Store.getPointerOperand())) {
    if (A.isActiveObject(Object) || isNowhere(Object))
      continue;
    if (Leads)
      refuse(Store,
             "a pointer to differentiated memory stored to memory without a "
             "shadow",
             "mark the memory kd_dup and give it a shadow");
    else if (isa<GlobalVariable>(Object))
      refuse(Store,
             "a differentiated value stored to the __device__ variable '" +
                 Object->getName() + "', which has no shadow",
             "pass the memory as an argument with a shadow");
    else if (isReadAsFloat(Object, F, A))
      refuse(Store,
             "a differentiated value stored to memory without a shadow "
             "that is read again",
             "mark the memory kd_dup and give it a shadow");
  }
}

void Checker::visitStore(const StoreInst &Store) {
  const Value *V = Store.getValueOperand();
  const Value *Pointer = Store.getPointerOperand();
  visitStoreToInactive(Store);
  if (!A.isActivePointer(Pointer))
    return;
  checkShared(Store, Pointer);
  // The reverse function of a callee has a fresh copy of its locals' shadows.
  if (V->getType()->isPointerTy() && IsCallee && M == Mode::Reverse &&
      any_of(underlyingObjects(Pointer),
             [](const Value *Object) { return isa<AllocaInst>(Object); }))
    refuse(Store, "a local array of pointers in a recursive function",
           "pass the pointers as arguments");
  if (V->getType()->isPointerTy() && IsSplit && A.isActivePointer(V) &&
      endsWithLaunch(V))
    refuse(Store,
           "the address of local or shared memory, kept in memory from one "
           "launch of split mode to the other",
           "keep an index instead, or use __kd_autodiff");
  // Nothing tells what such a copy moves: integers, or floating point as bits.
  if (A.isOpaque(V) && all_of(underlyingObjects(Pointer), [&](const Value *O) {
        return isa<Argument>(O) && !A.places().hasFloat(O);
      }))
    return refuse(
        Store,
        "a copy between differentiated memories as integers, of which "
        "none is accessed as floating point",
        "copy floating-point numbers, or mark integers kd_const");
  if (!A.isActiveStore(V, Pointer)) {
    // Its place may be read as the bits of floating point.
    if (A.isDerivedFromBits(V) && isReadAsFloat(Pointer, F, A))
      refuse(Store, "integer arithmetic on the bits of a floating-point value",
             "use floating-point operations");
    return;
  }
  if (A.isDerivedFromBits(V))
    refuse(Store, "integer arithmetic on the bits of a floating-point value",
           "use floating-point operations");
  if (V->getType()->isAggregateType())
    refuse(Store, "a store of a whole aggregate", "store its members");
  if (Store.isAtomic())
    refuse(Store, "an atomic store of a differentiated value",
           "store it without atomics");
}

void Checker::visitAtomic(const Instruction &I) {
  if (std::optional<Refusal> R = refuseAtomic(I, A))
    return refuse(I, R->What, R->Remedy);
  if (A.isActivePointer(I.getOperand(0)))
    checkShared(I, I.getOperand(0));
}

/// Moves of bits: only those whose every element is known.
void Checker::visitBits(const Instruction &I) {
  Type *To = A.adjointType(&I);
  for (const Value *V : I.operand_values()) {
    Type *From = A.adjointType(V);
    if (!A.isVaried(V) || !From)
      continue;
    if (To && From->getScalarType() != To->getScalarType())
      return refuse(I, "a bitcast between floating-point types",
                    "keep the bits in one type");
  }
  if (I.getOpcode() != Instruction::Or)
    return;
  unsigned Element = To->getScalarSizeInBits();
  KnownBits L = computeKnownBits(I.getOperand(0), I.getDataLayout());
  KnownBits R = computeKnownBits(I.getOperand(1), I.getDataLayout());
  for (unsigned Bit = 0; Bit < L.getBitWidth(); Bit += Element)
    if (!L.Zero.extractBits(Element, Bit).isAllOnes() &&
        !R.Zero.extractBits(Element, Bit).isAllOnes())
      return refuse(I,
                    "integer arithmetic (or) on the bits of a "
                    "floating-point value",
                    "use floating-point operations");
}

void Checker::visitCall(const CallBase &CB) {
  switch (classify(CB)) {
  case CallClass::Rule:
  case CallClass::Ignorable:
  case CallClass::Claim: // checkClaims sees to those.
    return;
  case CallClass::OutPointer:
    for (unsigned K : outPointers(*findOutRule(CB)))
      if (A.isVaried(CB.getArgOperand(inputs(*findOutRule(CB)).front())) &&
          !A.isActivePointer(CB.getArgOperand(K)) &&
          isReadAsFloat(CB.getArgOperand(K), F, A))
        refuse(CB,
               "a result stored to memory without a shadow that is read "
               "again",
               "mark the memory kd_dup and give it a shadow");
    return;
  case CallClass::Pure:
    if (A.canBeVaried(&CB) && touchesActive(CB))
      refuse(CB, "a call without a derivative rule", "use another function");
    return;
  case CallClass::Exit:
    if (M == Mode::Reverse)
      refuse(CB, "an exit of the thread, behind which no reverse sweep runs",
             "return from the kernel");
    return;
  case CallClass::Inactive:
    return visitInactive(CB);
  case CallClass::LoadLike: // prepare makes loads of those it knows.
    if (touchesActive(CB))
      refuse(CB, "a special load of a differentiated value", "load it plainly");
    return;
  case CallClass::Bits:
    if (touchesActive(CB))
      refuse(CB, "integer access to the bits of a floating-point value",
             "use floating-point operations");
    return;
  case CallClass::Memory:
    if (auto *Copy = dyn_cast<MemTransferInst>(&CB))
      visitCopy(*Copy);
    return;
  case CallClass::Allocation:
    if (A.isActiveObject(&CB))
      refuse(CB, "device memory from malloc that holds differentiated values",
             "pass the memory as an argument with a shadow");
    return;
  case CallClass::Barrier:
    if (M == Mode::Reverse && nvptx::mirrorOf(CB) == nvptx::Mirror::None)
      refuseByName(CB, "a synchronisation that has no reverse",
                   "split the kernel there");
    return;
  case CallClass::Fence:
    if (!nvptx::isFence(CB))
      refuseByName(CB, "a memory fence of this kind",
                   "use __threadfence() or __threadfence_block()");
    return;
  case CallClass::Warp:
    return visitWarp(CB);
  case CallClass::Asm:
    return visitAsm(CB);
  case CallClass::Texture:
    if (touchesActive(CB))
      refuseTexture(CB);
    return;
  case CallClass::Atomic:
    return visitOpaqueCall(CB, "an atomic operation on differentiated memory",
                           "use atomicAdd of a device scope");
  case CallClass::Defined:
    return visitRecursion(CB);
  case CallClass::Indirect:
    return visitOpaqueCall(CB, "an indirect call through a function pointer",
                           "call the function by name");
  case CallClass::Unknown:
    if (const nvptx::Feature *Known = knownFeature(CB))
      return visitOpaqueCall(CB, Known->What, Known->Remedy);
    const Function &Callee = *CB.getCalledFunction();
    bool IsWeak = Callee.isInterposable() && !Callee.isDeclaration();
    return visitOpaqueCall(
        CB,
        "a call of '" + Callee.getName() +
            (IsWeak ? "', a weak function that another file may define"
                    : "', whose derivative is not known"),
        IsWeak ? "do not make it weak"
               : "give the function a body in this file, or a rule "
                 "(kdiff/rules.h)");
  }
}

/// Everything else: varied operands need an emitter for the instruction.
void Checker::visitOther(const Instruction &I) {
  if (findRule(I) || isa<CmpInst>(I) || I.isTerminator())
    return;
  if (I.getType()->isFPOrFPVectorTy() &&
      any_of(I.operands(), [&](const Use &U) {
        // The condition of a select carries nothing.
        return (A.isDerivedFromBits(U) &&
                !(isa<SelectInst>(I) && U.getOperandNo() == 0)) ||
               (isa<CastInst>(I) && !isa<BitCastInst>(I) &&
                U->getType()->isIntOrIntVectorTy() && A.isVaried(U));
      }))
    return refuse(I,
                  "integer arithmetic on the bits of a floating-point "
                  "value (bitcast, xor, shifts)",
                  "use floating-point operations");
  if (!A.isActive(&I))
    return;
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return;
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    if (Type *T = A.bits().carried(&I);
        T && T->getScalarSizeInBits() != I.getType()->getScalarSizeInBits())
      refuse(I, "vectors of packed floating-point bits",
             "use vectors of floating-point type");
    return;
  case Instruction::BitCast:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::Or:
    return visitBits(I);
  default:
    refuse(I,
           "the instruction " + Twine(I.getOpcodeName()) +
               " on a differentiated value",
           "use another operation");
  }
}

void Checker::visit(const Instruction &I) {
  if (!checkPointers(I, A) || !checkPunning(I, A))
    Supported = false;
  if (auto *CB = dyn_cast<CallBase>(&I))
    return visitCall(*CB);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return visitLoad(*Load);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return visitStore(*Store);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return visitAtomic(I);
  if (!isa<FenceInst>(I)) // checkMessages sees to those.
    visitOther(I);
}

bool checkSupported(const Function &F, const Activity &A, Mode M, Left Memory) {
  return Checker(F, A, M, Memory).run();
}

} // namespace kdiff
