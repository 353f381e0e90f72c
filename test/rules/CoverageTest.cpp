//===- CoverageTest.cpp - Nothing of the device's math is left out --------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does every function of libdevice and every
// intrinsic that touches floating point have a row or a class of its own, and
// does every name in the table exist?
//
//===----------------------------------------------------------------------===//
#include "Specimen.h"
#include "rules/Spelling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kdiff;
using namespace kdiff::test;

namespace {

bool isReal(Type *Ty) { return Ty->isFPOrFPVectorTy(); }

bool touchesReals(const Function &F) {
  FunctionType *Ty = F.getFunctionType();
  return isReal(Ty->getReturnType()) || any_of(Ty->params(), isReal);
}

/// Functions of libdevice that touch floating point and have no row.
const StringSet<> Moves = {
    "__nv_float_as_int",       "__nv_float_as_uint",     "__nv_int_as_float",
    "__nv_uint_as_float",      "__nv_half2float",        "__nv_float2half_rn",
    "__nv_hiloint2double",     "__nv_double2hiint",      "__nv_double2loint",
    "__nv_longlong_as_double", "__nv_double_as_longlong"};
const StringSet<> Norms = {"__nv_norm", "__nv_normf", "__nv_rnorm",
                           "__nv_rnormf"};

bool isIntegerToReal(StringRef Name) {
  return Name.contains("int2") || Name.contains("ll2");
}
bool returnsNoReal(const Function &F) { return !isReal(F.getReturnType()); }

TEST(Libdevice, EveryFunctionOfRealsHasARowOrAClass) {
  LLVMContext C;
  std::unique_ptr<Module> Libdevice = loadLibdevice(C);
  Module Scratch("scratch", C);
  unsigned Functions = 0;
  for (Function &F : *Libdevice) {
    if (F.isIntrinsic() || F.isDeclaration() || F.hasLocalLinkage())
      continue;
    ++Functions;
    // Called within libdevice, so that the callee has its body.
    CallClass Class = classify(*callOf(F, *Libdevice));
    CallClass Declared = classify(*callOf(F, Scratch));
    StringRef Name = F.getName();
    bool HasPointer = any_of(F.getFunctionType()->params(),
                             [](Type *Ty) { return Ty->isPointerTy(); });
    if (Norms.contains(Name)) {
      EXPECT_EQ(Class, CallClass::Unknown) << Name.str();
      EXPECT_TRUE(hasRule(F)) << Name.str();
    } else if (Moves.contains(Name)) {
      EXPECT_EQ(Class, CallClass::Defined) << Name.str();
      EXPECT_EQ(Declared, CallClass::Bits) << Name.str();
      EXPECT_FALSE(hasRule(F)) << Name.str();
    } else if (!touchesReals(F) || isIntegerToReal(Name)) {
      EXPECT_EQ(Class, Name.starts_with("__nv_nan") ? CallClass::Pure
                                                    : CallClass::Defined)
          << Name.str();
      EXPECT_EQ(Declared, CallClass::Pure) << Name.str();
    } else if (HasPointer && !Name.starts_with("__nv_nan")) {
      EXPECT_EQ(Class, CallClass::OutPointer) << Name.str();
      EXPECT_TRUE(hasRule(F)) << Name.str();
    } else if (returnsNoReal(F) || Name.starts_with("__nv_nan")) {
      EXPECT_EQ(Class, CallClass::Pure) << Name.str();
      EXPECT_TRUE(hasRule(F)) << Name.str();
    } else {
      EXPECT_EQ(Class, CallClass::Rule) << Name.str();
      EXPECT_TRUE(hasRule(F)) << Name.str();
    }
  }
  EXPECT_EQ(Functions, 349u); // 352 with three internal ones.
}

/// What each function of libdevice that gives reals is tested with; the four
/// norms of memory, whose derivatives prepare attaches, among them.
TEST(Libdevice, EveryFunctionThatGivesRealsIsMeasured) {
  LLVMContext C;
  StringSet<> Measured;
  for (const Specimen &S : collectSpecimens(C))
    Measured.insert(StringRef(S.Label).split('[').first);
  std::unique_ptr<Module> Libdevice = loadLibdevice(C);
  unsigned Functions = 0;
  for (Function &F : *Libdevice) {
    StringRef Name = F.getName();
    if (F.isIntrinsic() || F.isDeclaration() || F.hasLocalLinkage() ||
        !touchesReals(F) || Moves.contains(Name) || isIntegerToReal(Name) ||
        Name.starts_with("__nv_nan"))
      continue;
    bool Writes = F.getReturnType()->isVoidTy();
    if (!Writes && returnsNoReal(F))
      continue;
    ++Functions;
    EXPECT_TRUE(Measured.contains(Name)) << Name.str();
  }
  EXPECT_GE(Functions, 230u);
  for (const auto &Norm : Norms)
    EXPECT_TRUE(Measured.contains(Norm.getKey())) << Norm.getKey().str();
}

/// Every type that an intrinsic of NVVM may be overloaded on.
std::vector<Type *> realTypes(LLVMContext &C) {
  std::vector<Type *> Types{Type::getFloatTy(C), Type::getDoubleTy(C),
                            Type::getHalfTy(C), Type::getBFloatTy(C)};
  for (unsigned I : {2, 3})
    Types.push_back(FixedVectorType::get(Types[I], 2));
  return Types;
}

TEST(Nvvm, ArithmeticHasARowAndIsNeverSilentlyInactive) {
  LLVMContext C;
  Module M("m", C);
  unsigned Rows = 0;
  for (Function *F : declareNvvm(M, realTypes(C))) {
    if (!touchesReals(*F))
      continue;
    CallClass Class = classify(*callOf(*F, M));
    StringRef Name = F->getName();
    Rows += Class == CallClass::Rule;
    if (Class == CallClass::Inactive || Class == CallClass::Ignorable)
      ADD_FAILURE() << Name.str() << " is inactive";
    // Pure: to an integer or from one.
    if (Class == CallClass::Pure)
      EXPECT_TRUE(returnsNoReal(*F) ||
                  none_of(F->getFunctionType()->params(), isReal))
          << Name.str();
    // Real in, real out, no memory: has a row.
    if (isReal(F->getReturnType()) &&
        all_of(F->getFunctionType()->params(), isReal) &&
        !Name.contains("x2.r") && !Name.contains("satfinite"))
      EXPECT_EQ(Class, CallClass::Rule) << Name.str();
  }
  EXPECT_GE(Rows, 250u);
}

TEST(Table, EveryNameExists) {
  LLVMContext C;
  StringSet<> Device{"kd.attach"}, Nvvm;
  std::unique_ptr<Module> Libdevice = loadLibdevice(C);
  for (Function &F : *Libdevice)
    if (std::optional<Spelling> S = spellDevice(F))
      Device.insert(S->Stem);
  Module M("m", C);
  for (Function *F : declareNvvm(M, realTypes(C)))
    if (std::optional<Spelling> S = spellNvvm(F->getName()))
      Nvvm.insert(S->Stem);
  auto Check = [](StringRef Names, const StringSet<> &Known) {
    SmallVector<StringRef, 4> Words;
    Names.split(Words, ' ', -1, false);
    for (StringRef W : Words)
      EXPECT_TRUE(Known.contains(W)) << W.str();
  };
  for (const Row &R : rows()) {
    Check(R.Device, Device);
    Check(R.Nvvm, Nvvm);
  }
  for (const OutRow &R : outRows())
    Check(R.Device, Device);
}

/// Emits all partials of \p I behind it.
void emitAll(Instruction &I, const Rule &R) {
  IRBuilder<> B(I.getParent());
  auto Operands = isa<CallBase>(I) ? cast<CallBase>(I).args() : I.operands();
  std::vector<Value *> Args(Operands.begin(), Operands.end());
  for (unsigned K = 0; K != Args.size(); ++K)
    if (kdiff::isDifferentiable(R, K)) {
      Value *P = emitPartial(B, R, K, Args, &I, I.getType(), {});
      EXPECT_EQ(P->getType(), I.getType());
    }
}

void expectValid(Module &M) {
  for (Function &F : M)
    for (BasicBlock &BB : F)
      if (!BB.getTerminator())
        IRBuilder<>(&BB).CreateRetVoid();
  std::string Error;
  raw_string_ostream OS(Error);
  EXPECT_FALSE(verifyModule(M, &OS)) << Error;
}

TEST(Nvvm, PartialsOfEveryTypeAreValid) {
  LLVMContext C;
  Module M("m", C);
  for (Function *F : declareNvvm(M, realTypes(C))) {
    if (!isReal(F->getReturnType()))
      continue;
    CallInst *Call = callOf(*F, M);
    if (const Rule *R = findRule(*Call))
      emitAll(*Call, *R);
  }
  expectValid(M);
}

/// The overloads of \p Id for results of type \p Ty.
SmallVector<Type *, 2> overloads(Intrinsic::ID Id, Type *Ty) {
  Type *Int = Type::getInt32Ty(Ty->getContext());
  if (Id == Intrinsic::powi)
    return {Ty, Int};
  if (Id == Intrinsic::ldexp)
    return {Ty, Ty->isVectorTy() ? Ty->getWithNewType(Int) : Int};
  return {Ty};
}

TEST(Intrinsics, PartialsOfEveryTypeAreValid) {
  LLVMContext C;
  Module M("m", C);
  std::vector<Type *> Types = realTypes(C);
  Types.push_back(FixedVectorType::get(Types[0], 4));
  Types.push_back(FixedVectorType::get(Types[1], 2));
  for (const Row &R : rows())
    for (Intrinsic::ID Id : R.Ids)
      for (Type *Ty : Types) {
        // A metadata operand cannot be an argument; the row is fptrunc's.
        if (!Id || Id == Intrinsic::fptrunc_round)
          continue;
        Function *F =
            Intrinsic::getOrInsertDeclaration(&M, Id, overloads(Id, Ty));
        CallInst *Call = callOf(*F, M);
        const Rule *Found = findRule(*Call);
        ASSERT_TRUE(Found) << F->getName().str();
        EXPECT_EQ(name(*Found), R.Name);
        emitAll(*Call, *Found);
      }
  expectValid(M);
}

} // namespace
