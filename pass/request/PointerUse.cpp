//===- PointerUse.cpp - What a pointer parameter leads to -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does the memory that a pointer parameter leads
// to hold floating-point numbers?
//
// Facts are propagated over the functions that can be reached, without regard
// to the order of instructions or to the calling context. So a pointer may be
// taken for one to floating-point numbers too often, never too rarely.
//
//===----------------------------------------------------------------------===//

#include "request/PointerUse.h"
#include "request/Cleaner.h"
#include "request/Spelling.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// What is known of a value.
enum class Role : unsigned {
  Address,      ///< Points into the memory, or holds such a pointer.
  Word,         ///< Integer that was read from the memory, unchanged.
  DerivedWord,  ///< Integer that was calculated from such a one.
  Source,       ///< Integer that is written to the memory, unchanged.
  DerivedSource ///< Integer from which such a one is calculated.
};

bool isForward(Role R) { return R <= Role::DerivedWord; }

/// A place in a local object, or in one that a parameter points to.
struct Place {
  Value *Base;
  int64_t Offset; ///< Anywhere if it is not constant.
};
constexpr int64_t Anywhere = INT64_MIN;

class Explorer {
public:
  explicit Explorer(Argument &A)
      : Primal(*A.getParent()), DL(A.getParent()->getDataLayout()) {
    add(&A, Role::Address);
  }
  Pointee run();

private:
  using Fact = std::pair<Value *, Role>;
  using PlaceFact = std::pair<std::pair<Value *, int64_t>, Role>;

  void add(Value *V, Role R) { Facts.insert({V, R}); }
  void foundInteger(Value *Read, Role R) {
    Integer = true;
    add(Read, R);
  }

  void visitUse(const Use &U, Role R);
  void visitAddressUse(const Use &U);
  void visitWordUse(const Use &U, Role R);
  void visitSource(Value *V, Role R);
  void visitSourceCall(CallBase &Call, Role R);
  void visitCallUse(CallBase &Call, const Use &U, Role R);
  void visitDeclarationUse(CallBase &Call, const Use &U, Role R);
  void visitReturn(Function &F, Role R);

  Place placeOf(Value *Pointer) const;
  bool isTracked(const Place &P) const;
  void addPlace(Value *Pointer, Role R);
  void visitPlace(Place P, Role R);
  void visitPlaceUse(const Use &U, int64_t Delta, Place P, Role R);
  void read(Type *T, Value *Read);
  void written(Value *V);

  Function &Primal;
  const DataLayout &DL;
  SetVector<Fact> Facts;
  SetVector<PlaceFact> Places;
  bool Float = false, Integer = false, Hidden = false;
};

} // namespace

static bool holdsFloat(const Type *T) {
  if (T->isFPOrFPVectorTy())
    return true;
  return any_of(T->subtypes(), holdsFloat);
}

/// Instructions that pass an operand on as it is.
static bool isMove(const Instruction &I) {
  return isa<PHINode, FreezeInst, InsertValueInst, ExtractValueInst,
             InsertElementInst, ExtractElementInst, ShuffleVectorInst>(I);
}

/// Offsets that grow with the depth of a recursion would be endless.
constexpr unsigned MaxPlaces = 1000;

Pointee Explorer::run() {
  unsigned NextFact = 0, NextPlace = 0;
  while (!Float) {
    if (Places.size() > MaxPlaces)
      return Pointee::Unknown;
    if (NextFact != Facts.size()) {
      auto [V, R] = Facts[NextFact++];
      if (!isForward(R))
        visitSource(V, R);
      else
        for (const Use &U : V->uses())
          visitUse(U, R);
    } else if (NextPlace != Places.size()) {
      auto [P, R] = Places[NextPlace++];
      visitPlace({P.first, P.second}, R);
    } else {
      break;
    }
  }
  if (Float)
    return Pointee::FloatingPoint;
  return Integer && !Hidden ? Pointee::Integer : Pointee::Unknown;
}

/// A value of type \p T was read from the memory.
void Explorer::read(Type *T, Value *Read) {
  if (holdsFloat(T))
    Float = true;
  else if (T->isIntOrIntVectorTy())
    foundInteger(Read, Role::Word);
  else
    add(Read, Role::Address); // A pointer, or an aggregate of pointers.
}

/// \p V is written to the memory.
void Explorer::written(Value *V) {
  if (holdsFloat(V->getType()))
    Float = true;
  else if (V->getType()->isIntOrIntVectorTy())
    foundInteger(V, Role::Source);
}

void Explorer::visitUse(const Use &U, Role R) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return add(U.getUser(), R); // A constant expression of a variable.
  if (auto *Select = dyn_cast<SelectInst>(I)) {
    if (U.getOperandNo() != 0)
      add(Select, R);
    return;
  }
  if (isMove(*I) && !(isa<ExtractElementInst>(I) && U.getOperandNo() == 1))
    return add(I, R);
  if (auto *Call = dyn_cast<CallBase>(I))
    return visitCallUse(*Call, U, R);
  if (isa<ReturnInst>(I))
    return visitReturn(*I->getFunction(), R);
  if (R == Role::Address)
    return visitAddressUse(U);
  visitWordUse(U, R);
}

void Explorer::visitAddressUse(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(I))
    return add(I, Role::Address);
  if (isa<ICmpInst>(I))
    return;
  if (isa<PtrToIntInst, PtrToAddrInst>(I))
    return add(I, Role::DerivedWord);
  if (auto *Load = dyn_cast<LoadInst>(I))
    return read(Load->getType(), Load);
  if (auto *Store = dyn_cast<StoreInst>(I)) {
    if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
      return written(Store->getValueOperand());
    return addPlace(Store->getPointerOperand(), Role::Address);
  }
  if (auto *RMW = dyn_cast<AtomicRMWInst>(I)) {
    if (U.getOperandNo() != AtomicRMWInst::getPointerOperandIndex())
      return addPlace(RMW->getPointerOperand(), Role::Address);
    written(RMW->getValOperand());
    return read(RMW->getType(), RMW);
  }
  if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(I)) {
    if (U.getOperandNo() != AtomicCmpXchgInst::getPointerOperandIndex())
      return addPlace(Swap->getPointerOperand(), Role::Address);
    written(Swap->getNewValOperand());
    return read(Swap->getNewValOperand()->getType(), Swap);
  }
  Hidden = true;
}

void Explorer::visitWordUse(const Use &U, Role R) {
  auto *I = cast<Instruction>(U.getUser());
  if (auto *Cast = dyn_cast<CastInst>(I)) {
    if (isa<BitCastInst>(Cast) && holdsFloat(Cast->getType()))
      Float = true;
    else if (Cast->getType()->isPtrOrPtrVectorTy())
      add(Cast, Role::Address); // An address that is kept as an integer.
    else if (Cast->getType()->isIntOrIntVectorTy())
      add(Cast, R);
    return;
  }
  if (auto *Operator = dyn_cast<BinaryOperator>(I))
    // Shifts and `or` put halves of a word together.
    return add(Operator,
               Operator->isShift() || Operator->getOpcode() == Instruction::Or
                   ? R
                   : Role::DerivedWord);
  Value *Pointer = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(I);
      Store && U.getOperandNo() != StoreInst::getPointerOperandIndex())
    Pointer = Store->getPointerOperand();
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(I);
           RMW && RMW->getOperation() == AtomicRMWInst::Xchg)
    Pointer = RMW->getPointerOperand();
  if (!Pointer)
    return; // A comparison, an index, a switch: a number.
  if (isTracked(placeOf(Pointer)))
    addPlace(Pointer, R);
  else if (R == Role::Word)
    Hidden = true;
}

/// Where does \p V, which is written to the memory, come from?
void Explorer::visitSource(Value *V, Role R) {
  if (auto *A = dyn_cast<Argument>(V)) {
    if (A->getParent() == &Primal)
      return;
    for (User *U : A->getParent()->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        if (Call->getCalledFunction() == A->getParent())
          add(Call->getArgOperand(A->getArgNo()), R);
    return;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return;
  if (auto *Cast = dyn_cast<CastInst>(I)) {
    if (isa<BitCastInst>(Cast) && holdsFloat(Cast->getSrcTy()))
      Float = true;
    else if (Cast->getSrcTy()->isIntOrIntVectorTy())
      add(Cast->getOperand(0), R);
  } else if (auto *Load = dyn_cast<LoadInst>(I)) {
    if (isTracked(placeOf(Load->getPointerOperand())))
      addPlace(Load->getPointerOperand(), R);
    else if (R == Role::Source)
      Hidden = true;
  } else if (auto *Call = dyn_cast<CallBase>(I)) {
    visitSourceCall(*Call, R);
  } else if (isa<BinaryOperator>(I) || isa<SelectInst>(I) || isMove(*I)) {
    if (isa<BinaryOperator>(I) && !I->isShift() &&
        I->getOpcode() != Instruction::Or)
      R = Role::DerivedSource;
    for (Value *Operand : drop_begin(I->operands(), isa<SelectInst>(I)))
      if (holdsFloat(Operand->getType()))
        Float = true;
      else if (!Operand->getType()->isPtrOrPtrVectorTy())
        add(Operand, R);
  }
}

/// True if \p Name is a libdevice function that reinterprets bits.
static bool isReinterpretation(StringRef Name) {
  return Name.contains("_as_") || Name.contains("hiloint2double") ||
         Name.contains("double2hiint") || Name.contains("double2loint");
}

void Explorer::visitSourceCall(CallBase &Call, Role R) {
  Function *Callee = calledFunction(Call);
  if (!Callee) {
    Hidden = true;
    return;
  }
  if (!Callee->isDeclaration()) {
    for (Instruction &I : instructions(Callee))
      if (auto *Return = dyn_cast<ReturnInst>(&I))
        if (Value *V = Return->getReturnValue())
          add(V, R);
    return;
  }
  if (isReinterpretation(Callee->getName())) {
    Float = true;
    return;
  }
  // A shuffle, a byte swap, a funnel shift, or a number.
  for (Value *Operand : Call.args())
    if (Operand->getType()->isIntOrIntVectorTy())
      add(Operand, R);
}

void Explorer::visitCallUse(CallBase &Call, const Use &U, Role R) {
  Function *Callee = calledFunction(Call);
  if (!Callee || !Call.isArgOperand(&U)) { // Assembly, or called itself.
    Hidden = true;
    return;
  }
  unsigned ArgNo = Call.getArgOperandNo(&U);
  if (Callee->isDeclaration() || findOutRule(Call))
    return visitDeclarationUse(Call, U, R);
  if (ArgNo < Callee->arg_size())
    add(Callee->getArg(ArgNo), R);
}

/// A use in a call whose callee's body is not looked at.
void Explorer::visitDeclarationUse(CallBase &Call, const Use &U, Role R) {
  if (isa<MemTransferInst>(Call)) {
    if (R != Role::Address || U.getOperandNo() > 1)
      return;
    // What holds a copy is as good as the memory itself.
    Value *Other = Call.getArgOperand(1 - U.getOperandNo());
    add(Other, Role::Address);
    Place P = placeOf(Other);
    if (isTracked(P))
      add(P.Base, Role::Address);
    return;
  }
  if (R != Role::Address) {
    if (isReinterpretation(calledFunction(Call)->getName()))
      Float = true;
    else if (Call.getType()->isIntOrIntVectorTy())
      add(&Call, R);
    return;
  }
  if (const OutRule *Rule = findOutRule(Call)) {
    if (is_contained(outPointers(*Rule), Call.getArgOperandNo(&U)))
      Float = true;
    else
      Integer = true;
    return;
  }
  switch (classify(Call)) {
  case CallClass::Ignorable:
  case CallClass::Inactive:
  case CallClass::Allocation:
    return;
  case CallClass::Pure:
    if (Call.getType()->isPointerTy())
      add(&Call, Role::Address);
    return;
  case CallClass::LoadLike:
  case CallClass::Atomic:
    if (Call.getType()->isSized())
      read(Call.getType(), &Call);
    for (Value *Operand : Call.args())
      if (!Operand->getType()->isPointerTy() && !isa<Constant>(Operand))
        written(Operand);
    return;
  default:
    if (!isa<MemSetInst>(Call))
      Hidden = true;
  }
}

void Explorer::visitReturn(Function &F, Role R) {
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (Call->getCalledFunction() == &F)
        add(Call, R);
}

Place Explorer::placeOf(Value *Pointer) const {
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  Value *Object = getUnderlyingObject(Base, /*MaxLookup=*/0);
  return {Object, Object == Base ? Offset.getSExtValue() : Anywhere};
}

/// True if all accesses to the object are in view: a local variable, a shared
/// or internal one, or what a callee's parameter points to.
bool Explorer::isTracked(const Place &P) const {
  if (auto *A = dyn_cast<Argument>(P.Base))
    return A->getParent() != &Primal;
  if (auto *Variable = dyn_cast<GlobalVariable>(P.Base))
    return Variable->hasLocalLinkage() ||
           Variable->getAddressSpace() == nvptx::Shared;
  return isa<AllocaInst>(P.Base);
}

/// What is stored at \p Pointer has, or what is loaded from it gets, role
/// \p R.
void Explorer::addPlace(Value *Pointer, Role R) {
  Place P = placeOf(Pointer);
  if (isTracked(P))
    Places.insert({{P.Base, P.Offset}, R});
  else if (R == Role::Address)
    Hidden = true; // The pointer is kept where nobody can follow it.
}

/// Follows the accesses to \p P within the object.
void Explorer::visitPlace(Place P, Role R) {
  SetVector<std::pair<Value *, int64_t>> Pointers;
  Pointers.insert({P.Base, 0});
  for (unsigned K = 0; K != Pointers.size(); ++K) {
    auto [Pointer, Delta] = Pointers[K];
    for (const Use &U : Pointer->uses()) {
      if (auto *GEP = dyn_cast<GEPOperator>(U.getUser())) {
        APInt Offset(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        bool Constant =
            Delta != Anywhere && GEP->accumulateConstantOffset(DL, Offset);
        Pointers.insert(
            {GEP, Constant ? Delta + Offset.getSExtValue() : Anywhere});
      } else if (isa<AddrSpaceCastOperator, BitCastOperator>(U.getUser())) {
        Pointers.insert({U.getUser(), Delta});
      } else if (isa<PHINode, SelectInst>(U.getUser())) {
        Pointers.insert({U.getUser(), Anywhere});
      } else {
        visitPlaceUse(U, Delta, P, R);
      }
    }
  }
  auto *A = dyn_cast<Argument>(P.Base);
  if (!A)
    return;
  for (User *U : A->getParent()->users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && Call->getCalledFunction() == A->getParent()) {
      Place Q = placeOf(Call->getArgOperand(A->getArgNo()));
      if (Q.Offset != Anywhere && P.Offset != Anywhere)
        Q.Offset += P.Offset;
      else
        Q.Offset = Anywhere;
      if (isTracked(Q))
        Places.insert({{Q.Base, Q.Offset}, R});
      else if (R == Role::Address || R == Role::Word || R == Role::Source)
        Hidden = true;
    }
}

/// \p U uses a pointer that is \p Delta behind the base of \p P.
void Explorer::visitPlaceUse(const Use &U, int64_t Delta, Place P, Role R) {
  // Does an access of type T at Delta touch P.Offset?
  auto Touches = [&](Type *T) {
    return Delta == Anywhere || P.Offset == Anywhere ||
           (Delta <= P.Offset &&
            P.Offset < Delta + int64_t(DL.getTypeStoreSize(T)));
  };
  if (auto *Load = dyn_cast<LoadInst>(U.getUser())) {
    if (!isForward(R) || !Touches(Load->getType()))
      return;
    if (R != Role::Address && holdsFloat(Load->getType()))
      Float = true;
    else if ((R == Role::Address) != Load->getType()->isIntOrIntVectorTy())
      add(Load, R);
  } else if (auto *Store = dyn_cast<StoreInst>(U.getUser())) {
    Value *V = Store->getValueOperand();
    if (isForward(R) ||
        U.getOperandNo() != StoreInst::getPointerOperandIndex() ||
        !Touches(V->getType()))
      return;
    if (holdsFloat(V->getType()))
      Float = true;
    else
      add(V, R);
  } else if (auto *Copy = dyn_cast<MemTransferInst>(U.getUser())) {
    // Values flow from the second operand to the first.
    if (U.getOperandNo() != (isForward(R) ? 1u : 0u))
      return;
    Place Q = placeOf(Copy->getArgOperand(1 - U.getOperandNo()));
    if (Q.Offset != Anywhere && P.Offset != Anywhere && Delta != Anywhere)
      Q.Offset += P.Offset - Delta;
    else
      Q.Offset = Anywhere;
    if (isTracked(Q))
      Places.insert({{Q.Base, Q.Offset}, R});
    else if (R == Role::Address || R == Role::Word || R == Role::Source)
      Hidden = true;
  } else if (auto *Call = dyn_cast<CallBase>(U.getUser())) {
    Function *Callee = calledFunction(*Call);
    if (!Callee || Callee->isDeclaration() || !Call->isArgOperand(&U) ||
        Call->getArgOperandNo(&U) >= Callee->arg_size())
      return;
    bool Constant = P.Offset != Anywhere && Delta != Anywhere;
    Places.insert({{Callee->getArg(Call->getArgOperandNo(&U)),
                    Constant ? P.Offset - Delta : Anywhere},
                   R});
  }
}

PointerUse::~PointerUse() = default;

/// Makes values of the local variables of what \p F, in the copy, reaches, so
/// that facts need not be followed through each of them.
void PointerUse::cleanReachable(Function &F) {
  Cleaner TheCleaner;
  SetVector<Function *> Worklist;
  Worklist.insert(&F);
  for (unsigned I = 0; I != Worklist.size(); ++I) {
    Function &Reached = *Worklist[I];
    for (Instruction &Inst : instructions(Reached))
      if (auto *Call = dyn_cast<CallBase>(&Inst))
        if (Function *Callee = calledFunction(*Call))
          if (!Callee->isDeclaration() && !hasRule(*Callee))
            Worklist.insert(Callee);
    if (Cleaned.insert(&Reached).second)
      TheCleaner.clean(Reached);
  }
}

Pointee PointerUse::classify(const Argument &A) {
  if (!Copy)
    Copy = CloneModule(M, Map);
  auto *Mapped = cast<Argument>(Map.lookup(&A));
  cleanReachable(*Mapped->getParent());
  return Explorer(*Mapped).run();
}
