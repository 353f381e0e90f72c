//===- Gradients.cpp - The pass on each operation -------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is each operation put before the pass?
//
//===----------------------------------------------------------------------===//
#include "Gradients.h"
#include "KDiffPass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace kdiff::test {

std::unique_ptr<TargetMachine> targetMachine(StringRef Cpu) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Triple T("nvptx64-nvidia-cuda");
  std::string Error;
  const Target *NVPTX = TargetRegistry::lookupTarget(T, Error);
  return std::unique_ptr<TargetMachine>(
      NVPTX->createTargetMachine(T, Cpu, "+ptx87", {}, std::nullopt));
}

namespace {

/// The analyses that LLVM's pass manager needs, for one run.
class Pipeline {
public:
  explicit Pipeline(TargetMachine &TM) : Builder(&TM) {
    Builder.registerModuleAnalyses(MAM);
    Builder.registerCGSCCAnalyses(CGAM);
    Builder.registerFunctionAnalyses(FAM);
    Builder.registerLoopAnalyses(LAM);
    Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
  void run(Module &M, ModulePassManager MPM) { MPM.run(M, MAM); }
  PassBuilder &builder() { return Builder; }

private:
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder Builder;
};

/// Writes one operation's primal and the requests for its derivatives.
class Requester {
public:
  Requester(Module &M, const Specimen &S, unsigned I)
      : M(M), S(S), I(I), B(M.getContext()) {}

  void build() {
    Function *Primal = function("p" + std::to_string(I), 2);
    Primal->setLinkage(Function::InternalLinkage);
    std::vector<Value *> Args;
    for (auto [K, Ty] : enumerate(S.Operands))
      Args.push_back(Ty->isPointerTy() ? B.CreateAlloca(B.getDoubleTy())
                                       : load(Ty, Primal->getArg(0), K));
    Value *Returned = S.Build(B, Args);
    Value *Result =
        S.Output < 0 ? Returned : B.CreateLoad(S.Result, Args[S.Output]);
    B.CreateStore(Result, Primal->getArg(1));
    B.CreateRetVoid();
    for (auto [Mode, Name] : {std::pair("__kd_autodiff", reverseKernel(I)),
                              std::pair("__kd_fwddiff", forwardKernel(I))}) {
      Function *Kernel = function(Name, 4);
      Kernel->setCallingConv(CallingConv::PTX_Kernel);
      FunctionCallee Request = M.getOrInsertFunction(
          Mode, FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, true));
      auto Marker = MetadataAsValue::get(
          M.getContext(), MDString::get(M.getContext(), "kd_dup"));
      B.CreateCall(Request,
                   {Primal, Marker, Kernel->getArg(0), Kernel->getArg(1),
                    Marker, Kernel->getArg(2), Kernel->getArg(3)});
      B.CreateRetVoid();
    }
  }

private:
  Function *function(const std::string &FunctionName, unsigned Pointers) {
    Function *F = Function::Create(
        FunctionType::get(B.getVoidTy(),
                          SmallVector<Type *>(Pointers, B.getPtrTy()), false),
        Function::ExternalLinkage, FunctionName, M);
    B.SetInsertPoint(BasicBlock::Create(M.getContext(), "", F));
    return F;
  }
  Value *load(Type *Ty, Value *From, unsigned K) {
    return B.CreateLoad(Ty, B.CreateConstGEP1_64(B.getInt8Ty(), From, 8 * K));
  }

  Module &M;
  const Specimen &S;
  unsigned I;
  IRBuilder<> B;
};

/// One specimen's module behind the pass.
std::unique_ptr<Module> differentiateOne(const Specimen &S, unsigned I,
                                         TargetMachine &TM, LLVMContext &C) {
  auto M = std::make_unique<Module>(S.Label, C);
  M->setTargetTriple(TM.getTargetTriple());
  M->setDataLayout(TM.createDataLayout());
  Requester(*M, S, I).build();
  ModulePassManager MPM;
  MPM.addPass(KDiffPass(Options{Stage::Lower, {libdevicePath()}}));
  Pipeline(TM).run(*M, std::move(MPM));
  std::string Error;
  raw_string_ostream OS(Error);
  EXPECT_FALSE(verifyModule(*M, &OS)) << S.Label << ": " << Error;
  for (Function &F : *M) // What libdevice gave stays with its module.
    if (!F.isDeclaration() && F.getCallingConv() != CallingConv::PTX_Kernel)
      F.setLinkage(Function::InternalLinkage);
  return M;
}

} // namespace

void optimize(Module &M, TargetMachine &TM) {
  Pipeline P(TM);
  P.run(M, P.builder().buildPerModuleDefaultPipeline(OptimizationLevel::O1));
}

std::unique_ptr<Module> differentiate(ArrayRef<Specimen> Specimens,
                                      TargetMachine &TM, LLVMContext &C) {
  auto All = std::make_unique<Module>("rules", C);
  All->setTargetTriple(TM.getTargetTriple());
  All->setDataLayout(TM.createDataLayout());
  Linker L(*All);
  for (auto [I, S] : enumerate(Specimens))
    EXPECT_FALSE(L.linkInModule(differentiateOne(S, I, TM, C))) << S.Label;
  return All;
}

std::string reverseKernel(unsigned I) { return "r" + std::to_string(I); }
std::string forwardKernel(unsigned I) { return "f" + std::to_string(I); }

} // namespace kdiff::test
