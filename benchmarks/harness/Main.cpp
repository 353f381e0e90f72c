//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are the benchmarks run on a card?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"
#include "harness/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace kdiff::bench;

static cl::opt<std::string> Folder(cl::Positional, cl::init("."),
                                   cl::desc("<folder of the cubins>"));
static cl::list<std::string>
    Only("only", cl::CommaSeparated,
         cl::desc("Run these programs alone, separated by commas"));
static cl::opt<std::string> Output("json", cl::value_desc("file"),
                                   cl::desc("Write the measurements here"));
static cl::opt<unsigned> Launches("launches", cl::init(20),
                                  cl::desc("Timed launches, at most"));
static cl::opt<unsigned> Timeout("timeout", cl::init(60),
                                 cl::desc("Seconds that a program may take"));
static cl::opt<bool> Here("in-process", cl::Hidden,
                          cl::desc("Do not start a process for each program"));

/// Runs the chosen programs in this process.
static Expected<Card> runHere(std::vector<Measurement> &Kernels) {
  Expected<Card> C = measureCard();
  if (!C)
    return C;
  MeasureOptions O;
  O.Folder = Folder;
  O.Launches = Launches;
  for (ProgramFactory Make : programs())
    if (is_contained(Only, Make(Size::Case).Name))
      Kernels.push_back(measure(Make, O));
  return C;
}

/// Runs one program in a process of its own: a fault on the card ends the
/// process's use of it.
static Error runApart(const std::string &Self, const std::string &Name, Card &C,
                      std::vector<Measurement> &Kernels) {
  SmallString<128> File;
  if (std::error_code Problem =
          sys::fs::createTemporaryFile("kdiff-bench", "json", File))
    return createStringError(Problem, "cannot make a temporary file");
  FileRemover Remove(File);
  std::string Json = ("--json=" + File).str(), Chosen = "--only=" + Name;
  std::string Count = "--launches=" + std::to_string(Launches);
  StringRef Args[] = {Self, Folder, "--in-process", Chosen, Json, Count};
  std::string Problem;
  int Status = sys::ExecuteAndWait(Self, Args, std::nullopt, {}, Timeout,
                                   /*MemoryLimit=*/0, &Problem);
  Expected<std::pair<Card, std::vector<Measurement>>> Result = readJSON(File);
  if (Result) {
    C = Result->first;
    append_range(Kernels, Result->second);
    return Error::success();
  }
  consumeError(Result.takeError());
  // The process has said why, unless it was ended.
  Measurement M;
  M.Name = Name;
  M.Failure =
      Problem.empty() ? "ended with status " + std::to_string(Status) : Problem;
  Kernels.push_back(std::move(M));
  return Error::success();
}

static Error runAll(const std::string &Self, Card &C,
                    std::vector<Measurement> &Kernels) {
  for (ProgramFactory Make : programs()) {
    std::string Name = Make(Size::Case).Name;
    if (!Only.empty() && !is_contained(Only, Name))
      continue;
    if (errs().is_displayed())
      errs() << Name << "...\n";
    if (Error E = runApart(Self, Name, C, Kernels))
      return E;
  }
  return Error::success();
}

static Error write(const Card &C, ArrayRef<Measurement> Kernels) {
  if (!Here)
    writeTable(outs(), C, Kernels);
  if (Output.empty())
    return Error::success();
  std::error_code Problem;
  raw_fd_ostream File(Output, Problem);
  if (Problem)
    return createFileError(Output, Problem);
  writeJSON(File, C, Kernels);
  return Error::success();
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Checks KDiff's gradients on a card and measures them against the\n"
      "primal and against hand-written adjoints.\n");
  ExitOnError Exit("error: ");
  Card C;
  std::vector<Measurement> Kernels;
  if (Here)
    C = Exit(runHere(Kernels));
  else
    Exit(runAll(sys::fs::getMainExecutable(argv[0], nullptr), C, Kernels));
  Exit(write(C, Kernels));
  return any_of(Kernels,
                [](const Measurement &M) { return !M.Failure.empty(); });
}
