//===- Cases.cpp - kdiff cases
//---------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which case folders pass, on the executor?
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "Pack.h"
#include "cases/Isolate.h"
#include "commands/Commands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

using namespace llvm;

namespace kdiff::tool {

static cl::list<std::string> Folders(cl::Positional, cl::OneOrMore,
                                     cl::desc("<folder>..."),
                                     cl::sub(CasesCommand));
enum class Modes { Primal, Reverse, Forward, Split, All };
static cl::opt<Modes> Mode(
    "mode", cl::desc("What to run (all)"), cl::init(Modes::All),
    cl::values(clEnumValN(Modes::Primal, "primal", "the kernels themselves"),
               clEnumValN(Modes::Reverse, "reverse", "reverse mode"),
               clEnumValN(Modes::Forward, "forward", "forward mode"),
               clEnumValN(Modes::Split, "split",
                          "reverse mode in two launches"),
               clEnumValN(Modes::All, "all",
                          "reverse and forward mode, and split mode where "
                          "there are several launches")),
    cl::sub(CasesCommand));
static cl::list<std::string> Areas("area", cl::CommaSeparated,
                                   cl::desc("Only cases of these areas"),
                                   cl::value_desc("area,..."),
                                   cl::sub(CasesCommand));
static cl::opt<std::string> JsonFile("json",
                                     cl::desc("Write the outcomes as JSON"),
                                     cl::value_desc("file"),
                                     cl::sub(CasesCommand));
static cl::opt<unsigned> Timeout("timeout", cl::init(60),
                                 cl::desc("Seconds for one mode of one case "
                                          "and seed (60; 0: no limit)"),
                                 cl::value_desc("seconds"),
                                 cl::sub(CasesCommand));
static cl::opt<unsigned> Jobs("jobs", cl::init(0),
                              cl::desc("Cases at a time (as many as cores)"),
                              cl::value_desc("N"), cl::sub(CasesCommand));

static cl::opt<std::string>
    PackFolder("pack",
               cl::desc("Write the cases, compiled, and a runner to this "
                        "folder, for a machine that has a card"),
               cl::value_desc("folder"), cl::sub(CasesCommand));
static cl::list<std::string> PackArchs("pack-arch", cl::CommaSeparated,
                                       cl::desc("Architectures to pack for "
                                                "(as --arch)"),
                                       cl::value_desc("sm_NN,..."),
                                       cl::sub(CasesCommand));

static std::vector<RunMode> chosenModes(const Case &C) {
  switch (Mode) {
  case Modes::Primal:
    return {RunMode::Primal};
  case Modes::Reverse:
    return {RunMode::Reverse};
  case Modes::Forward:
    return {RunMode::Forward};
  case Modes::Split:
    return {RunMode::Split};
  case Modes::All:
    if (C.Launches.size() > 1)
      return {RunMode::Reverse, RunMode::Forward, RunMode::Split};
    return {RunMode::Reverse, RunMode::Forward};
  }
  llvm_unreachable("all modes handled");
}

/// Compiles \p C once and runs each mode in a process of its own.
static std::vector<Outcome> runModes(const Case &C, ArrayRef<RunMode> Modes,
                                     const Toolchain &Base,
                                     const ExecutorOptions &Executor,
                                     unsigned Width) {
  std::vector<Outcome> Outcomes;
  Toolchain T = toolchainFor(C, Base);
  LLVMContext Context;
  std::string Messages;
  auto M = loadDeviceModule(C.Source, T, Context, Messages, CompileSeconds);
  if (!M) {
    std::string Text = toString(M.takeError());
    for (RunMode Mode : Modes)
      Outcomes.push_back(judgeFailure(
          C, Mode, createStringError("it does not compile: " + Text)));
    return Outcomes;
  }
  runIsolated(
      Modes.size(), 1, unsigned(Timeout * Executor.runs()),
      [&](unsigned I) {
        Outcome O = runOnExecutor(C, Modes[I], **M, T, Executor, Width);
        return formatv("{0}", toJSON(O)).str();
      },
      [&](unsigned I, ChildResult R) {
        Outcomes.push_back(outcomeOf(C, Modes[I], R));
      });
  return Outcomes;
}

static Expected<std::vector<Case>> readCases(bool WantDouble, bool CanRefuse) {
  auto Paths = findCases(Folders);
  if (!Paths)
    return Paths.takeError();
  std::vector<Case> Cases;
  for (const std::string &Path : *Paths) {
    Expected<Case> C = readCase(Path, WantDouble);
    if (!C)
      return C.takeError();
    // A case that has to be refused never runs.
    bool Applies = CanRefuse || C->ExpectError.empty();
    if (Applies && (Areas.empty() || is_contained(Areas, C->Area)))
      Cases.push_back(std::move(*C));
  }
  if (Cases.empty())
    return createStringError("no case is of the chosen area and mode");
  return Cases;
}

static Expected<int> pack(ArrayRef<Case> Cases, const Toolchain &T,
                          unsigned Width, unsigned AtOnce) {
  PackOptions O{PackFolder, PackArchs, Timeout, AtOnce, Width};
  if (O.Archs.empty())
    O.Archs = {T.Arch};
  std::vector<PackJob> Jobs;
  for (const Case &C : Cases)
    for (RunMode M : chosenModes(C))
      Jobs.push_back({&C, M});
  auto Entries = packCases(Jobs, T, O);
  if (!Entries)
    return Entries.takeError();
  size_t Packed = 0, Failed = 0;
  for (const ManifestEntry &E : *Entries) {
    Packed += !E.Decided;
    if (!E.Decided || E.Decided->End == Outcome::Pass)
      continue;
    ++Failed;
    printLine(outs(), *E.Decided);
  }
  outs() << PackFolder << ": " << Packed << " to run there, "
         << Entries->size() - Packed - Failed << " refused as they should be, "
         << Failed << " failed\n";
  return Failed ? 1 : 0;
}

/// Runs all cases, several at a time, and prints a line for each.
static std::vector<Outcome> runAll(ArrayRef<Case> Cases, const Toolchain &T,
                                   const ExecutorOptions &Executor,
                                   unsigned Width, unsigned AtOnce) {
  constexpr unsigned MostModes = 3;
  std::vector<Outcome> All;
  unsigned Limit = Timeout * Executor.runs();
  runIsolated(
      Cases.size(), AtOnce,
      Timeout ? CompileSeconds + Limit * (MostModes + 1) : 0,
      [&](unsigned I) {
        json::Array Some(
            runModes(Cases[I], chosenModes(Cases[I]), T, Executor, Width));
        return formatv("{0}", json::Value(std::move(Some))).str();
      },
      [&](unsigned I, ChildResult R) {
        std::vector<Outcome> Some;
        auto Parsed = json::parse<std::vector<Outcome>>(R.Answer);
        if (R.End == ChildResult::Returned && Parsed)
          Some = std::move(*Parsed);
        else
          for (RunMode Mode : chosenModes(Cases[I]))
            Some.push_back(outcomeOf(Cases[I], Mode, R));
        consumeError(Parsed.takeError());
        for (const Outcome &O : Some)
          printLine(outs(), O);
        append_range(All, Some);
      });
  return All;
}

Expected<int> runCases() {
  Expected<Toolchain> T = toolchainFromOptions();
  if (!T)
    return T.takeError();
  Expected<ExecutorOptions> Executor = executorFromOptions();
  if (!Executor)
    return Executor.takeError();
  Expected<unsigned> Width = widthFromOptions();
  if (!Width)
    return Width.takeError();
  bool WantDouble = is_contained(T->Flags, "-DREAL=double");
  auto Cases = readCases(WantDouble, Mode != Modes::Primal);
  if (!Cases)
    return Cases.takeError();
  unsigned AtOnce =
      Jobs ? Jobs : std::max(1u, std::thread::hardware_concurrency());
  if (!PackFolder.empty())
    return pack(*Cases, *T, *Width, AtOnce);
  std::vector<Outcome> All = runAll(*Cases, *T, *Executor, *Width, AtOnce);
  if (!JsonFile.empty())
    if (Error E = writeOutcomes(JsonFile, All))
      return std::move(E);
  printTotals(outs(), All);
  return allPassed(All) ? 0 : 1;
}

} // namespace kdiff::tool
