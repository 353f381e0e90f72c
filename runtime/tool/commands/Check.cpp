//===- Check.cpp - kdiff check --------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: are the derivatives of a user's kernel right,
// at the user's arguments?
//
//===----------------------------------------------------------------------===//

#include "check/Check.h"
#include "CaseProgram.h"
#include "commands/Commands.h"
#include "commands/Gradient.h"
#include "commands/LaunchOptions.h"
#include "compile/GradKernel.h"
#include "compile/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace kdiff::tool {

enum class CheckModes { Reverse, Forward, Split, All };
static cl::opt<CheckModes>
    Mode("mode", cl::desc("What to check (all)"), cl::init(CheckModes::All),
         cl::values(clEnumValN(CheckModes::Reverse, "reverse", "adjoints"),
                    clEnumValN(CheckModes::Forward, "forward", "tangents"),
                    clEnumValN(CheckModes::Split, "split",
                               "adjoints, in two launches"),
                    clEnumValN(CheckModes::All, "all", "reverse and forward")),
         cl::sub(CheckCommand));
static cl::opt<double>
    Tolerance("tolerance",
              cl::desc("Largest error, relative to the argument's largest "
                       "derivative (1e-6 in double, 1e-3 in single precision)"),
              cl::value_desc("x"), cl::sub(CheckCommand));
static cl::opt<unsigned>
    Samples("samples", cl::init(16),
            cl::desc("Elements of each argument in reverse mode (16)"),
            cl::value_desc("N"), cl::sub(CheckCommand));

/// The case in the precision that the differences are made in: the same
/// numbers, REAL being double.
static Expected<Case> inDouble(const Case &C, const Function &K,
                               const LaunchOptions &L,
                               ArrayRef<Activity> Acts) {
  Expected<Case> Wide = makeCase(K, L.Args, L.Shape, Acts, ElementType::F64);
  if (!Wide)
    return Wide;
  for (auto [Narrow, A] : zip_equal(C.Args, Wide->Args)) {
    for (size_t I = 0; I != A.slots(); ++I)
      encode(A.slot(I).Type,
             decode(Narrow.slot(I).Type, &Narrow.Image[Narrow.slot(I).Offset]),
             &A.Image[A.slot(I).Offset]);
    for (auto [From, To] : zip_equal(Narrow.Fields, A.Fields))
      if (A.K == Argument::Struct && To.Buffer.empty())
        encode(To.Type, decode(From.Type, &Narrow.Image[From.Offset]),
               &A.Image[To.Offset]);
  }
  return Wide;
}

/// True if an argument's type follows REAL.
static bool usesReal(const json::Value &Args) {
  return any_of(*Args.getAsObject(), [](const auto &Entry) {
    std::string Text = formatv("{0}", Entry.second).str();
    return StringRef(Text).contains("\"real\"") ||
           StringRef(Text).contains("\"real*\"");
  });
}

namespace {
/// The user's kernel: its module and the case that the arguments make.
struct Subject {
  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::vector<Activity> Acts;
  Case C;
};

/// The primal that the differences are made of, on the executor.
struct Reference {
  LLVMContext Context;
  Case C;
  std::unique_ptr<ExecutorDevice> D;
  std::vector<std::string> Variables;
};
} // namespace

static Error loadSubject(const LaunchOptions &L, const Toolchain &T,
                         Subject &S) {
  std::string Messages;
  auto M = loadDeviceModule(L.File, T, S.Context, Messages);
  if (!M)
    return M.takeError();
  showMessages(Messages);
  S.M = std::move(*M);
  Expected<Function *> K = findKernel(*S.M, L.Kernel);
  if (!K)
    return K.takeError();
  auto Acts = selectActivity(**K, selectionFromOptions());
  if (!Acts)
    return Acts.takeError();
  S.Acts = std::move(*Acts);
  auto Marks = selectMarks(**K, S.Acts, marksFromOptions());
  if (!Marks)
    return Marks.takeError();
  ElementType Real = is_contained(T.Flags, "-DREAL=double") ? ElementType::F64
                                                            : ElementType::F32;
  Expected<Case> C = makeCase(**K, L.Args, L.Shape, S.Acts, Real);
  if (!C)
    return C.takeError();
  S.C = std::move(*C);
  for (auto [Name, M] : zip_equal(S.C.Launches.front().Args, *Marks))
    S.C.Args[S.C.indexOf(Name)].M = M;
  return Error::success();
}

/// Tangents know no marks.
static Case caseFor(const Case &C, RunMode Mode) {
  Case Result = C;
  if (Mode == RunMode::Forward)
    for (Argument &A : Result.Args)
      A.M = Mark::None;
  return Result;
}

/// Of every lane.
static Expected<std::vector<GradientResult>>
runMode(const Subject &S, const Toolchain &T, RunMode Mode,
        const CheckOptions &O, const ExecutorOptions &Executor) {
  std::unique_ptr<Module> M = CloneModule(*S.M);
  auto Target = createTarget(*M, T.Arch);
  if (!Target)
    return Target.takeError();
  Expected<unsigned> Width = widthFromOptions();
  if (!Width)
    return Width.takeError();
  Case C = caseFor(S.C, Mode);
  auto P =
      makeProgram(C, Mode, *M, **Target, T.libdevice(), std::nullopt, *Width);
  if (!P)
    return P.takeError();
  auto D = ExecutorDevice::create(*M, T.libdevice(), Executor);
  if (!D)
    return D.takeError();
  std::vector<GradientResult> G;
  Error Failed = (*D)->forEachSeed(P->Variables, [&]() -> Error {
    auto Some = runGradient(C, *P, **D, O);
    if (!Some)
      return Some.takeError();
    G = std::move(*Some);
    return Error::success();
  });
  if (Failed)
    return std::move(Failed);
  return G;
}

/// Runs the primal alone, which the differences are made of without checks.
static Error checkPrimal(const Subject &S, const Toolchain &T,
                         const ExecutorOptions &Executor) {
  auto D = ExecutorDevice::create(*S.M, T.libdevice(), Executor);
  if (!D)
    return D.takeError();
  return (*D)->forEachSeed(mutableVariables(*S.M), [&]() -> Error {
    auto Mem = Memory::create(S.C, **D, RunMode::Primal, {});
    if (!Mem)
      return Mem.takeError();
    const Launch &L = S.C.Launches.front();
    std::string Printed;
    return (*D)->launch(L.Kernel, L.Grid, L.Block, L.DynamicShared,
                        Mem->primalArguments(L), Printed);
  });
}

static Error loadReference(const LaunchOptions &L, Toolchain T,
                           const Subject &S, Reference &R) {
  bool Widen = S.C.Real == ElementType::F32 && usesReal(L.Args);
  if (Widen) {
    erase_if(T.Flags, [](StringRef F) { return F.starts_with("-DREAL="); });
    T.Flags.push_back("-DREAL=double");
  }
  std::string Messages;
  auto M = loadDeviceModule(L.File, T, R.Context, Messages);
  if (!M)
    return M.takeError();
  Expected<Function *> K = findKernel(**M, L.Kernel);
  if (!K)
    return K.takeError();
  Expected<Case> C = Widen ? inDouble(S.C, **K, L, S.Acts)
                           : makeCase(**K, L.Args, L.Shape, S.Acts, S.C.Real);
  if (!C)
    return C.takeError();
  R.C = std::move(*C);
  R.Variables = mutableVariables(**M);
  auto D = ExecutorDevice::create(**M, T.libdevice(), {});
  if (!D)
    return D.takeError();
  R.D = std::move(*D);
  return Error::success();
}

/// Differences take long for large launches; a terminal shows how far it is.
static void showProgress(StringRef Argument) {
  if (!errs().is_displayed())
    return;
  errs() << "\r\x1b[K"; // Clears the line.
  if (!Argument.empty())
    errs() << "differences of " << Argument << " ...";
  errs().flush();
}

static std::vector<RunMode> chosenModes() {
  if (Mode == CheckModes::Reverse)
    return {RunMode::Reverse};
  if (Mode == CheckModes::Forward)
    return {RunMode::Forward};
  if (Mode == CheckModes::Split)
    return {RunMode::Split};
  return {RunMode::Reverse, RunMode::Forward};
}

/// The differences are those of the functions as they are written.
static void noteRegistrations(const Module &M) {
  auto Has = [&](StringRef Name) {
    return any_of(M.global_objects(), [&](const GlobalObject &G) {
      return G.getName().contains(Name);
    });
  };
  if (Has("__kd_replace") || Has("__kd_inactive"))
    outs()
        << "note: differences are of the functions as they are written: they "
           "know nothing of __kd_replace and __kd_inactive\n";
}

Expected<int> runCheck() {
  Expected<Toolchain> T = toolchainFromOptions();
  if (!T)
    return T.takeError();
  Expected<LaunchOptions> L = launchFromOptions();
  if (!L)
    return L.takeError();
  if (Tolerance < 0)
    return createStringError("--tolerance must not be negative");
  if (Samples == 0)
    return createStringError("--samples must be at least 1");
  Expected<ExecutorOptions> Executor = executorFromOptions();
  if (!Executor)
    return Executor.takeError();
  Subject S;
  if (Error E = loadSubject(*L, *T, S))
    return std::move(E);
  if (Executor->Checks)
    if (Error E = checkPrimal(S, *T, *Executor))
      return std::move(E);
  CheckOptions O{Tolerance, Samples, L->Seed, showProgress};
  // The executor holds one module at a time: gradients first.
  std::vector<GradientResult> Results;
  for (RunMode M : chosenModes()) {
    auto G = runMode(S, *T, M, O, *Executor);
    if (!G)
      return G.takeError();
    append_range(Results, *G);
  }
  Reference R;
  if (Error E = loadReference(*L, *T, S, R))
    return std::move(E);
  auto F = PrimalFunction::create(R.C, *R.D, R.Variables);
  if (!F)
    return F.takeError();
  std::vector<CheckRow> Rows;
  for (const GradientResult &G : Results) {
    auto Some = checkGradient(S.C, G, *F, O);
    if (!Some)
      return Some.takeError();
    append_range(Rows, *Some);
  }
  showProgress("");
  printRows(outs(), Rows);
  auto Count = [&](Verdict V) {
    return count_if(Rows, [&](const CheckRow &R) { return R.Found == V; });
  };
  outs() << Count(Verdict::Right) << " passed, " << Count(Verdict::Wrong)
         << " failed";
  if (auto Open = Count(Verdict::Undecided))
    outs() << ", " << Open << " undecided";
  outs() << "\n";
  if (Count(Verdict::Wrong))
    noteRegistrations(*S.M);
  return Count(Verdict::Right) == ptrdiff_t(Rows.size()) ? 0 : 1;
}

} // namespace kdiff::tool
