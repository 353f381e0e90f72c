//===- Specimen.cpp - Operations to test the table on ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which spellings of operations exist?
//
//===----------------------------------------------------------------------===//
#include "Specimen.h"
#include "rules/Ptx.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"
#include <algorithm>
#include <iterator>

using namespace llvm;

namespace kdiff::test {

bool Specimen::isDifferentiable(unsigned K) const {
  return R ? kdiff::isDifferentiable(*R, K)
           : kdiff::isDifferentiable(*Out, Output, K);
}

Domain Specimen::domain(unsigned K) const {
  if (Out)
    return Out->R->D;
  // Domains count floating-point operands.
  unsigned Index = 0;
  for (unsigned I = 0; I != K; ++I)
    Index += Operands[I]->isFloatingPointTy();
  if (R->R->NumDomains == 0)
    return Domain();
  return R->R->Domains[std::min(Index, R->R->NumDomains - 1)];
}

std::string libdevicePath() { return KDIFF_TEST_LIBDEVICE; }

std::unique_ptr<Module> loadLibdevice(LLVMContext &C) {
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseIRFile(libdevicePath(), Error, C);
  if (!M)
    report_fatal_error("cannot read " + Twine(libdevicePath()));
  return M;
}

static IRBuilder<> beginFunction(Module &M, ArrayRef<Type *> Params) {
  LLVMContext &C = M.getContext();
  Function *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Params, false),
                       Function::InternalLinkage, "scratch", M);
  return IRBuilder<>(BasicBlock::Create(C, "", F));
}

static std::vector<Value *> argumentsOf(Function &F) {
  std::vector<Value *> Args;
  for (Argument &A : F.args())
    Args.push_back(&A);
  return Args;
}

CallInst *callOf(Function &F, Module &Scratch) {
  IRBuilder<> B = beginFunction(Scratch, F.getFunctionType()->params());
  FunctionCallee Callee = &F;
  if (F.getParent() != &Scratch)
    Callee = Scratch.getOrInsertFunction(F.getName(), F.getFunctionType(),
                                         F.getAttributes());
  return B.CreateCall(Callee, argumentsOf(*B.GetInsertBlock()->getParent()));
}

std::vector<Function *> declareNvvm(Module &M, ArrayRef<Type *> Types) {
  std::vector<Function *> Result;
  for (Intrinsic::ID Id = 1; Id != Intrinsic::num_intrinsics; ++Id) {
    if (!Intrinsic::getBaseName(Id).starts_with("llvm.nvvm."))
      continue;
    if (!Intrinsic::isOverloaded(Id)) {
      Result.push_back(Intrinsic::getOrInsertDeclaration(&M, Id));
      continue;
    }
    SmallVector<Intrinsic::IITDescriptor, 8> Table;
    Intrinsic::getIntrinsicInfoTableEntries(Id, Table);
    for (Type *Ty : Types) {
      SmallVector<Type *, 4> Overloads;
      ArrayRef<Intrinsic::IITDescriptor> Rest = Table;
      auto *FTy = FunctionType::get(Ty, {Ty}, false);
      if (Intrinsic::matchIntrinsicSignature(FTy, Rest, Overloads) ==
              Intrinsic::MatchIntrinsicTypes_Match &&
          Rest.empty())
        Result.push_back(Intrinsic::getOrInsertDeclaration(&M, Id, Overloads));
    }
  }
  return Result;
}

namespace {

class Collector {
public:
  explicit Collector(LLVMContext &C) : C(C) {}

  void instructions();
  void functions(const Module &Libdevice);
  void norms();
  void nvvm();
  void ptx();
  void halves();
  std::vector<Specimen> take();

private:
  /// Adds one specimen an output, if there is a row.
  void add(std::string Label, std::vector<Type *> Operands, BuildFn Build);
  static bool runs(Type *Ty) {
    return Ty->isFloatTy() || Ty->isDoubleTy() || Ty->isIntegerTy(32) ||
           Ty->isPointerTy();
  }

  LLVMContext &C;
  std::vector<Specimen> All;
};

void Collector::add(std::string Label, std::vector<Type *> Operands,
                    BuildFn Build) {
  if (!all_of(Operands, runs))
    return;
  Module Scratch("scratch", C);
  IRBuilder<> B = beginFunction(Scratch, Operands);
  auto *I = cast<Instruction>(
      Build(B, argumentsOf(*B.GetInsertBlock()->getParent())));
  Type *Ty = I->getType();
  if (const Rule *R = findRule(*I)) {
    if (runs(Ty))
      All.push_back({Label, Operands, Ty, Build, -1, R, nullptr});
    return;
  }
  auto *CB = dyn_cast<CallBase>(I);
  const OutRule *Out = CB ? findOutRule(*CB) : nullptr;
  if (!Out)
    return;
  if (!Ty->isVoidTy())
    All.push_back({Label, Operands, Ty, Build, -1, nullptr, Out});
  for (unsigned K : outPointers(*Out))
    All.push_back({Label + "[" + std::to_string(K) + "]", Operands, Operands[0],
                   Build, int(K), nullptr, Out});
}

void Collector::instructions() {
  Type *Float = Type::getFloatTy(C), *Double = Type::getDoubleTy(C);
  using Values = ArrayRef<Value *>;
  for (Type *Ty : {Double, Float}) {
    std::string Suffix = Ty->isFloatTy() ? " float" : " double";
    for (Instruction::BinaryOps Opcode :
         {Instruction::FAdd, Instruction::FSub, Instruction::FMul,
          Instruction::FDiv, Instruction::FRem})
      add(Instruction::getOpcodeName(Opcode) + Suffix, {Ty, Ty},
          [=](IRBuilderBase &B, Values X) {
            return B.CreateBinOp(Opcode, X[0], X[1]);
          });
    add("fneg" + Suffix, {Ty},
        [](IRBuilderBase &B, Values X) { return B.CreateFNeg(X[0]); });
    add("llvm.fma" + Suffix, {Ty, Ty, Ty}, [=](IRBuilderBase &B, Values X) {
      return B.CreateIntrinsic(Intrinsic::fma, {Ty}, X);
    });
    add("llvm.canonicalize" + Suffix, {Ty}, [=](IRBuilderBase &B, Values X) {
      return B.CreateIntrinsic(Intrinsic::canonicalize, {Ty}, X);
    });
  }
  add("fpext", {Float},
      [=](IRBuilderBase &B, Values X) { return B.CreateFPExt(X[0], Double); });
  add("fptrunc", {Double},
      [=](IRBuilderBase &B, Values X) { return B.CreateFPTrunc(X[0], Float); });
}

void Collector::functions(const Module &Libdevice) {
  for (const Function &F : Libdevice) {
    if (F.isIntrinsic() || F.isDeclaration() || F.hasLocalLinkage())
      continue;
    FunctionType *Ty = F.getFunctionType();
    add(F.getName().str(), Ty->params(),
        [Ty, Name = F.getName().str()](IRBuilderBase &B, ArrayRef<Value *> X) {
          Module &M = *B.GetInsertBlock()->getModule();
          return B.CreateCall(M.getOrInsertFunction(Name, Ty), X);
        });
  }
}

/// libdevice's norms of memory, of three elements: the same functions of them
/// as the norms that take numbers.
void Collector::norms() {
  for (Type *Ty : {Type::getDoubleTy(C), Type::getFloatTy(C)})
    for (bool IsReciprocal : {false, true}) {
      std::string Suffix = Ty->isFloatTy() ? "f" : "";
      std::string Name = (IsReciprocal ? "__nv_rnorm" : "__nv_norm") + Suffix;
      std::string Like =
          (IsReciprocal ? "__nv_rnorm3d" : "__nv_norm3d") + Suffix;
      Module Scratch("scratch", C);
      auto *Three = FunctionType::get(Ty, {Ty, Ty, Ty}, false);
      FunctionCallee Callee = Scratch.getOrInsertFunction(Like, Three);
      const Rule *R =
          findRule(*callOf(*cast<Function>(Callee.getCallee()), Scratch));
      auto Build = [=](IRBuilderBase &B, ArrayRef<Value *> X) {
        Value *Memory = B.CreateAlloca(ArrayType::get(Ty, 3));
        for (auto [K, V] : enumerate(X))
          B.CreateStore(V, B.CreateConstGEP1_64(Ty, Memory, K));
        return B.CreateCall(
            B.GetInsertBlock()->getModule()->getOrInsertFunction(
                Name, Ty, B.getInt32Ty(), B.getPtrTy()),
            {B.getInt32(3), Memory});
      };
      All.push_back({Name, {Ty, Ty, Ty}, Ty, Build, -1, R, nullptr});
    }
}

void Collector::nvvm() {
  Module Scratch("scratch", C);
  for (Function *F :
       declareNvvm(Scratch, {Type::getFloatTy(C), Type::getDoubleTy(C)})) {
    // In double, of the overloaded ones, the machine has fabs alone.
    if (Intrinsic::isOverloaded(F->getIntrinsicID()) &&
        F->getReturnType()->isDoubleTy() &&
        F->getIntrinsicID() != Intrinsic::nvvm_fabs)
      continue;
    FunctionType *Ty = F->getFunctionType();
    add(F->getName().str(), Ty->params(),
        [Ty, Name = F->getName().str()](IRBuilderBase &B, ArrayRef<Value *> X) {
          Module &M = *B.GetInsertBlock()->getModule();
          return B.CreateCall(M.getOrInsertFunction(Name, Ty), X);
        });
  }
}

/// Instructions of PTX in single and double precision.
void Collector::ptx() {
  for (StringRef Opcode : {"add.f32",
                           "add.rn.f64",
                           "sub.rn.ftz.f32",
                           "mul.f32",
                           "fma.rn.f32",
                           "neg.f32",
                           "abs.f32",
                           "min.f32",
                           "max.f32",
                           "div.full.f32",
                           "div.approx.ftz.f32",
                           "rcp.approx.f32",
                           "sqrt.approx.f32",
                           "rsqrt.approx.ftz.f32",
                           "ex2.approx.f32",
                           "lg2.approx.ftz.f32",
                           "sin.approx.f32",
                           "cos.approx.f32",
                           "tanh.approx.f32",
                           "add.sat.f32",
                           "sub.sat.f32",
                           "mul.sat.f32",
                           "fma.rn.sat.f32",
                           "cvt.sat.f32.f32",
                           "cvt.rn.f32.f64",
                           "cvt.f64.f32",
                           "cvt.rni.f32.f32"})
    for (unsigned Count : {1, 2, 3}) {
      std::optional<kdiff::ptx::Arithmetic> A =
          kdiff::ptx::arithmetic(C, Opcode, Count);
      if (A)
        add(Opcode.str(), std::vector<Type *>(Count, A->Operand),
            [A, Opcode](IRBuilderBase &B, ArrayRef<Value *> X) {
              return kdiff::ptx::createInstruction(B, Opcode, A->Result, X);
            });
    }
}

/// Rows that only half precision spells, on the same function in float.
void Collector::halves() {
  Type *Float = Type::getFloatTy(C);
  auto Rectified = [=](IRBuilderBase &B, Value *V) {
    return B.CreateMaxNum(V, ConstantFP::get(Float, 0));
  };
  auto Add = [&](Intrinsic::ID Id, std::vector<Type *> Operands,
                 BuildFn Build) {
    Module Scratch("scratch", C);
    Function *F = Intrinsic::getOrInsertDeclaration(&Scratch, Id);
    const Rule *R = findRule(*callOf(*F, Scratch));
    All.push_back({F->getName().str(), Operands, Float, Build, -1, R, nullptr});
  };
  Add(Intrinsic::nvvm_fma_rn_relu_f16, {Float, Float, Float},
      [=](IRBuilderBase &B, ArrayRef<Value *> X) {
        return Rectified(B, B.CreateIntrinsic(Intrinsic::fma, {Float}, X));
      });
  Add(Intrinsic::nvvm_f2f16_rn_relu, {Float},
      [=](IRBuilderBase &B, ArrayRef<Value *> X) {
        return Rectified(B, X[0]);
      });
}

std::vector<Specimen> Collector::take() {
  auto Rank = [](const Specimen &S) {
    bool IsDouble =
        all_of(S.Operands, [](Type *Ty) { return !Ty->isFloatTy(); });
    bool IsRough = StringRef(S.Label).contains("approx") ||
                   StringRef(S.Label).contains(".full.") ||
                   StringRef(S.Label).contains("rcp64h");
    return IsRough ? 2 : IsDouble ? 0 : 1;
  };
  std::vector<Specimen> Sorted;
  for (int Wanted : {0, 1, 2})
    copy_if(All, std::back_inserter(Sorted),
            [&](const Specimen &S) { return Rank(S) == Wanted; });
  return Sorted;
}

} // namespace

std::vector<Specimen> collectSpecimens(LLVMContext &C) {
  Collector All(C);
  All.instructions();
  All.functions(*loadLibdevice(C));
  All.norms();
  All.nvvm();
  All.ptx();
  All.halves();
  return All.take();
}

} // namespace kdiff::test
