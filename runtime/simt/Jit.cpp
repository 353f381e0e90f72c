//===- Jit.cpp - Host code of a device module -----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a device module become code in this
// process?
//
//===----------------------------------------------------------------------===//

#include "Jit.h"
#include "Instrument.h"
#include "Runtime.h"
#include "check/Hooks.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::orc;
using namespace kdiff::simt;

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

static Error linkLibdevice(Module &M, StringRef Path) {
  bool Needed = any_of(M, [](const Function &F) {
    return F.isDeclaration() && F.getName().starts_with("__nv_");
  });
  if (!Needed)
    return Error::success();
  if (Path.empty())
    return Error::success(); // Reported for the kernels that reach the call.
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Library =
      getLazyIRFileModule(Path, Diagnostic, M.getContext());
  if (!Library)
    return failure("cannot read libdevice '" + Path +
                   "': " + Diagnostic.getMessage());
  Library->setTargetTriple(M.getTargetTriple());
  Library->setDataLayout(M.getDataLayout());
  bool Failed = Linker::linkModules(
      M, std::move(Library), Linker::LinkOnlyNeeded,
      [](Module &Linked, const StringSet<> &New) {
        internalizeModule(Linked, [&](const GlobalValue &G) {
          return !G.hasName() || !New.count(G.getName());
        });
      });
  return Failed ? failure("cannot link libdevice '" + Path + "'")
                : Error::success();
}

static void runPasses(Module &M, TargetMachine *Target, StringRef Pipeline) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(Target);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager Passes;
  cantFail(PB.parsePassPipeline(Passes, Pipeline));
  Passes.run(M, MAM);
}

/// Wrappers in CUDA's headers would hide the caller's line.
static constexpr char BeforeLowering[] = "always-inline";
/// What is left in memory is worth a check.
static constexpr char BeforeChecks[] = "always-inline,function(sroa)";
/// Just enough for speed: most of the time goes into code generation.
static constexpr char AfterLowering[] =
    "globaldce,function(sroa,early-cse<memssa>,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

/// With checks: calls that follow undefined values (check/Hooks.h).
static constexpr char FollowUndefined[] = "msan<kernel;recover>";

static Expected<JITTargetMachineBuilder> hostMachine() {
  static const bool Ready =
      !InitializeNativeTarget() && !InitializeNativeTargetAsmPrinter();
  if (!Ready)
    return failure("this LLVM cannot generate code for the host");
  auto Builder = JITTargetMachineBuilder::detectHost();
  if (!Builder)
    return Builder;
  Builder->setCodeGenOptLevel(CodeGenOptLevel::Less);
  // As LLJIT's own compiler does; the default for JITs calls through registers.
  Builder->setRelocationModel(Reloc::PIC_);
  Builder->setCodeModel(CodeModel::Small);
  TargetOptions &Options = Builder->getOptions();
  // GPUs fuse where the IR lets them ("contract").
  Options.AllowFPOpFusion = FPOpFusion::Standard;
  Options.ExceptionModel = ExceptionHandling::None;
  // Undefined behaviour ends in an error, not in the next function's code.
  Options.TrapUnreachable = true;
  return Builder;
}

static Error defineSymbols(LLJIT &Jit) {
  SymbolList List;
  addRuntimeSymbols(List);
  addArithmeticSymbols(List);
  addCheckSymbols(List);
  SymbolMap Map;
  for (const auto &[Name, Address] : List)
    Map[Jit.mangleAndIntern(Name)] = {ExecutorAddr::fromPtr(Address),
                                      JITSymbolFlags::Exported};
  JITDylib &Main = Jit.getMainJITDylib();
  if (Error E = Main.define(absoluteSymbols(std::move(Map))))
    return E;
  // libm and the memory functions.
  auto Process = DynamicLibrarySearchGenerator::GetForCurrentProcess(
      Jit.getDataLayout().getGlobalPrefix());
  if (!Process)
    return Process.takeError();
  Main.addGenerator(std::move(*Process));
  return Error::success();
}

Expected<Program> Program::compile(const Module &Device, StringRef Libdevice,
                                   bool Checked) {
  auto Builder = hostMachine();
  if (!Builder)
    return Builder.takeError();
  auto Target = Builder->createTargetMachine();
  if (!Target)
    return Target.takeError();

  std::unique_ptr<Module> M = CloneModule(Device);
  M->setTargetTriple((*Target)->getTargetTriple());
  M->setDataLayout((*Target)->createDataLayout());
  if (Error E = linkLibdevice(*M, Libdevice))
    return E;
  inlineActiveMasks(*M);
  if (Checked)
    inlineHeaders(*M);
  runPasses(*M, /*Target=*/nullptr, Checked ? BeforeChecks : BeforeLowering);
  Program P;
  P.Lowered = lowerModule(*M, Checked);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(*M, &Stream))
    return failure("the executor made invalid IR: " + Broken);
  runPasses(*M, Target->get(), AfterLowering);
  if (Checked) {
    castByIntegers(*M);
    runPasses(*M, Target->get(), FollowUndefined);
    numberReports(*M, P.Lowered.Sites);
    StripDebugInfo(*M);
  }

  // An object, not the module: the module belongs to the caller's context.
  auto Object = SimpleCompiler(**Target)(*M);
  if (!Object)
    return Object.takeError();
  auto Jit =
      LLJITBuilder().setJITTargetMachineBuilder(std::move(*Builder)).create();
  if (!Jit)
    return Jit.takeError();
  P.Jit = std::move(*Jit);
  if (Error E = defineSymbols(*P.Jit))
    return E;
  if (Error E = P.Jit->addObjectFile(std::move(*Object)))
    return E;
  return P;
}

Expected<EntryPoint> Program::entry(StringRef Kernel) const {
  auto Symbol = Jit->lookup((EntryPrefix + Kernel).str());
  if (!Symbol)
    return Symbol.takeError();
  return Symbol->toPtr<EntryPoint>();
}

void *Program::variable(StringRef Name) const {
  if (!Lowered.Variables.contains(Name))
    return nullptr;
  return object(Name);
}

void *Program::object(StringRef Name) const {
  auto Symbol = Jit->lookup(Name);
  if (!Symbol) { // The code does not link, which launches report.
    consumeError(Symbol.takeError());
    return nullptr;
  }
  return Symbol->toPtr<void *>();
}
