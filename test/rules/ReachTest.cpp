//===- ReachTest.cpp - Every row's gradient becomes machine code ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does the gradient of each operation, alone in
// a module, reach ptxas for every architecture?
//
// Each operation is differentiated in a module of its own, in both modes, so
// that a function which only the derivative needs must be found. The results
// are then linked together, because starting ptxas takes longer than its work.
//
//===----------------------------------------------------------------------===//
#include "KDiffPass.h"
#include "Specimen.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kdiff;
using namespace kdiff::test;

namespace {

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

void optimize(Module &M, TargetMachine &TM, bool Differentiate) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(&TM);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  if (Differentiate)
    MPM.addPass(KDiffPass(Options{Stage::Lower, {libdevicePath()}}));
  else
    MPM = PB.buildPerModuleDefaultPipeline(OptimizationLevel::O1);
  MPM.run(M, MAM);
}

/// Writes one operation's primal and the requests for its derivatives.
class Requester {
public:
  Requester(Module &M, const Specimen &S, const std::string &Name)
      : M(M), S(S), Name(Name), B(M.getContext()) {}

  void build() {
    Function *Primal = function(Name + ".primal", 2);
    Primal->setLinkage(Function::InternalLinkage);
    std::vector<Value *> Args;
    for (auto [K, Ty] : enumerate(S.Operands))
      Args.push_back(Ty->isPointerTy() ? B.CreateAlloca(B.getDoubleTy())
                                       : load(Ty, Primal->getArg(0), K));
    Value *Returned = S.Build(B, Args);
    Value *Result =
        S.Output < 0 ? Returned : B.CreateLoad(S.Operands[0], Args[S.Output]);
    B.CreateStore(Result, Primal->getArg(1));
    B.CreateRetVoid();
    for (StringRef Mode : {"__kd_autodiff", "__kd_fwddiff"}) {
      Function *Kernel = function(Name + Mode.str(), 4);
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
  std::string Name;
  IRBuilder<> B;
};

/// Whether there is a primal. Minimum and maximum that propagate NaN, or
/// combine signs, came with sm_80 and sm_86; PTX has no lg2 in double.
bool existsOn(StringRef Cpu, const Specimen &S) {
  StringRef Label = S.Label;
  if (Cpu == "sm_75" &&
      (Label.contains(".nan.") || Label.contains(".xorsign.")))
    return false;
  return Label != "llvm.nvvm.lg2.approx.d";
}

class Reach : public testing::TestWithParam<const char *> {
protected:
  /// All derivatives, linked together.
  std::unique_ptr<Module> differentiateAll(LLVMContext &C, TargetMachine &TM);
};

std::unique_ptr<Module> Reach::differentiateAll(LLVMContext &C,
                                                TargetMachine &TM) {
  auto All = std::make_unique<Module>("rules", C);
  All->setTargetTriple(TM.getTargetTriple());
  All->setDataLayout(TM.createDataLayout());
  Linker L(*All);
  for (auto [I, S] : enumerate(collectSpecimens(C))) {
    if (!existsOn(TM.getTargetCPU(), S))
      continue;
    auto M = std::make_unique<Module>(S.Label, C);
    M->setTargetTriple(TM.getTargetTriple());
    M->setDataLayout(TM.createDataLayout());
    Requester(*M, S, "k" + std::to_string(I)).build();
    optimize(*M, TM, true);
    std::string Error;
    raw_string_ostream OS(Error);
    EXPECT_FALSE(verifyModule(*M, &OS)) << S.Label << ": " << Error;
    for (Function &F : *M) // Duplicates of libdevice: one copy a module.
      if (!F.isDeclaration() && F.getCallingConv() != CallingConv::PTX_Kernel)
        F.setLinkage(Function::InternalLinkage);
    EXPECT_FALSE(L.linkInModule(std::move(M))) << S.Label;
  }
  return All;
}

TEST_P(Reach, EveryRow) {
  LLVMContext C;
  std::unique_ptr<TargetMachine> TM = targetMachine(GetParam());
  std::unique_ptr<Module> M = differentiateAll(C, *TM);
  optimize(*M, *TM, false);
  SmallString<128> Assembly, Cubin;
  ASSERT_FALSE(sys::fs::createTemporaryFile("rules", "ptx", Assembly));
  ASSERT_FALSE(sys::fs::createTemporaryFile("rules", "cubin", Cubin));
  FileRemover RemoveAssembly(Assembly), RemoveCubin(Cubin);
  {
    std::error_code Error;
    raw_fd_ostream OS(Assembly, Error);
    ASSERT_FALSE(Error);
    legacy::PassManager PM;
    ASSERT_FALSE(TM->addPassesToEmitFile(PM, OS, nullptr,
                                         CodeGenFileType::AssemblyFile));
    PM.run(*M);
  }
  std::string Arch = std::string("-arch=") + GetParam();
  std::string Message;
  EXPECT_EQ(sys::ExecuteAndWait(
                KDIFF_TEST_PTXAS,
                {KDIFF_TEST_PTXAS, Arch, "-O1", Assembly, "-o", Cubin},
                std::nullopt, {}, 0, 0, &Message),
            0)
      << Message;
}

INSTANTIATE_TEST_SUITE_P(Architectures, Reach,
                         testing::Values("sm_75", "sm_90", "sm_100"));

} // namespace
