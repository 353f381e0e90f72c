//===- Pipeline.cpp - From a device module to machine code ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which passes make a gradient, and PTX, of a
// device module?
//
//===----------------------------------------------------------------------===//

#include "compile/Pipeline.h"
#include "KDiffPass.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace kdiff::tool {

char Refusal::ID;

Expected<std::unique_ptr<TargetMachine>> createTarget(const Module &M,
                                                      StringRef Arch) {
  std::string Problem;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Problem);
  if (!T || !M.getTargetTriple().isNVPTX())
    return createStringError("'%s' is no NVPTX device module",
                             M.getModuleIdentifier().c_str());
  std::string Cpu = Arch.str(), Features;
  for (const Function &F : M)
    if (F.hasFnAttribute("target-cpu")) {
      Cpu = F.getFnAttribute("target-cpu").getValueAsString().str();
      Features = F.getFnAttribute("target-features").getValueAsString().str();
      break;
    }
  TargetOptions Options;
  // As clang has it for CUDA (-ffp-contract=fast).
  Options.AllowFPOpFusion = FPOpFusion::Fast;
  return std::unique_ptr<TargetMachine>(T->createTargetMachine(
      M.getTargetTriple(), Cpu, Features, Options, Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

//===--- Messages ---------------------------------------------------------===//

namespace {
Remark toRemark(const DiagnosticInfoOptimizationBase &DI) {
  Remark R;
  R.Name = DI.getRemarkName().str();
  R.Message = DI.getMsg();
  if (DI.isLocationAvailable()) {
    R.File = DI.getLocation().getAbsolutePath();
    R.Line = DI.getLocation().getLine();
    R.Column = DI.getLocation().getColumn();
  }
  for (const auto &Arg : DI.getArgs()) {
    uint64_t Value;
    if (Arg.Key != "String" && !StringRef(Arg.Val).getAsInteger(10, Value))
      R.Facts[Arg.Key] = Value;
  }
  return R;
}

/// Collects errors while it lives, and KDiff's remarks if they are wanted;
/// other messages are dropped.
class ErrorCollector {
public:
  explicit ErrorCollector(LLVMContext &C,
                          std::vector<Remark> *Remarks = nullptr)
      : C(C), Before(C.getDiagnosticHandler()) {
    C.setDiagnosticHandler(std::make_unique<Handler>(Text, Remarks));
  }
  ~ErrorCollector() { C.setDiagnosticHandler(std::move(Before)); }
  std::string Text;

private:
  struct Handler : DiagnosticHandler {
    Handler(std::string &Text, std::vector<Remark> *Remarks)
        : Text(Text), Remarks(Remarks) {}
    bool isAnalysisRemarkEnabled(StringRef Pass) const override {
      return Remarks && Pass == "kdiff";
    }
    bool isAnyRemarkEnabled() const override { return Remarks; }
    bool handleDiagnostics(const DiagnosticInfo &DI) override {
      if (DI.getSeverity() == DS_Error)
        append(DI);
      else if (auto *R = dyn_cast<OptimizationRemarkAnalysis>(&DI);
               R && isAnalysisRemarkEnabled(R->getPassName()))
        Remarks->push_back(toRemark(*R));
      return true;
    }
    void append(const DiagnosticInfo &DI) {
      raw_string_ostream OS(Text);
      if (!Text.empty())
        OS << '\n';
      if (DI.getKind() == DK_Unsupported) {
        const auto &U = static_cast<const DiagnosticInfoUnsupported &>(DI);
        if (U.isLocationAvailable())
          OS << U.getLocationStr() << ": ";
        OS << "error: " << U.getMessage();
        return;
      }
      OS << "error: ";
      DiagnosticPrinterRawOStream Printer(OS);
      DI.print(Printer);
    }
    std::string &Text;
    std::vector<Remark> *Remarks;
  };
  LLVMContext &C;
  std::unique_ptr<DiagnosticHandler> Before;
};

/// The four analysis managers of a pass builder.
struct Analyses {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;

  explicit Analyses(PassBuilder &PB) {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
};
} // namespace

//===--- Passes -----------------------------------------------------------===//

static ModulePassManager buildPipeline(PassBuilder &PB, unsigned Level) {
  static const OptimizationLevel Levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  return Level == 0 ? PB.buildO0DefaultPipeline(Levels[0])
                    : PB.buildPerModuleDefaultPipeline(Levels[Level]);
}

void optimise(Module &M, TargetMachine &Target, unsigned Level) {
  PassBuilder PB(&Target);
  Analyses A(PB);
  buildPipeline(PB, Level).run(M, A.MAM);
}

Error differentiate(Module &M, TargetMachine &Target, StringRef Libdevice,
                    std::optional<unsigned> Level,
                    std::vector<Remark> *Remarks) {
  ErrorCollector Errors(M.getContext(), Remarks);
  {
    PassBuilder PB(&Target);
    Analyses A(PB);
    Options O;
    O.Lower.Libdevice = Libdevice.str();
    ModulePassManager MPM;
    MPM.addPass(KDiffPass(O));
    MPM.run(M, A.MAM);
  }
  if (!Errors.Text.empty())
    return make_error<Refusal>(std::move(Errors.Text));
  std::string Problem;
  raw_string_ostream OS(Problem);
  if (verifyModule(M, &OS))
    return createStringError("KDiff made invalid IR (a bug): %s",
                             Problem.c_str());
  if (Level)
    optimise(M, Target, *Level);
  return Error::success();
}

Expected<std::string> emitPtx(Module &M, TargetMachine &Target) {
  ErrorCollector Errors(M.getContext());
  StripDebugInfo(M);
  SmallString<0> Text;
  raw_svector_ostream OS(Text);
  legacy::PassManager PM;
  if (Target.addPassesToEmitFile(PM, OS, nullptr,
                                 CodeGenFileType::AssemblyFile))
    return createStringError("the target cannot write PTX");
  PM.run(M);
  if (!Errors.Text.empty())
    return make_error<Refusal>(std::move(Errors.Text));
  return Text.str().str();
}

} // namespace kdiff::tool
