//===- Main.cpp - Packed cases on a card ----------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which packed cases pass on the card of this
// machine, which has just NVIDIA's driver?
//
//===----------------------------------------------------------------------===//

#include "cases/Isolate.h"
#include "cases/Manifest.h"
#include "runner/CudaDevice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace kdiff::tool;

static cl::OptionCategory Category("Options");
static cl::opt<std::string> JsonFile("json",
                                     cl::desc("Write the outcomes as JSON"),
                                     cl::value_desc("file"), cl::cat(Category));
static cl::opt<unsigned> Timeout("timeout", cl::init(60),
                                 cl::desc("Seconds for one mode of one case "
                                          "(60)"),
                                 cl::value_desc("seconds"), cl::cat(Category));
static cl::opt<unsigned> Jobs("jobs", cl::init(4),
                              cl::desc("Cases at a time (4)"),
                              cl::value_desc("N"), cl::cat(Category));
static cl::opt<unsigned> Repeat("repeat", cl::init(1),
                                cl::desc("Runs of each case, which must all "
                                         "be right (1)"),
                                cl::value_desc("N"), cl::cat(Category));
static cl::list<std::string> Areas("area", cl::CommaSeparated,
                                   cl::desc("Only cases of these areas"),
                                   cl::value_desc("A,..."), cl::cat(Category));
static cl::list<std::string> Only("only", cl::CommaSeparated,
                                  cl::desc("Only these cases"),
                                  cl::value_desc("case,..."),
                                  cl::cat(Category));

/// The cubin for a card: of its own architecture, or of an older minor version
/// of the same major one.
static const std::string *findCubin(const ManifestEntry &E,
                                    const CardInfo &Card) {
  const std::string *Best = nullptr;
  unsigned BestMinor = 0;
  for (const auto &[Arch, File] : E.Cubins) {
    StringRef Digits = StringRef(Arch).drop_front(strlen("sm_"));
    unsigned Number;
    if (Digits.take_while(isDigit).getAsInteger(10, Number))
      continue;
    unsigned Major = Number / 10, Minor = Number % 10;
    if (Major != Card.Major || Minor > Card.Minor ||
        (Best && Minor < BestMinor))
      continue;
    Best = &File;
    BestMinor = Minor;
  }
  return Best;
}

/// What differed in the first run that was not right.
static Expected<std::vector<std::string>>
runOnCard(const ManifestEntry &E, const Case &C, StringRef Folder) {
  auto D = CudaDevice::create();
  if (!D)
    return D.takeError();
  const CardInfo &Card = (*D)->card();
  const std::string *File = findCubin(E, Card);
  if (!File)
    return createStringError("not packed for %s (sm_%u%u)", Card.Name.c_str(),
                             Card.Major, Card.Minor);
  std::string Path = (Folder + "/" + *File).str();
  auto Cubin = MemoryBuffer::getFile(Path);
  if (!Cubin)
    return createFileError(Path, Cubin.getError());
  if (Error Failed = (*D)->load((*Cubin)->getBuffer()))
    return std::move(Failed);
  for (unsigned Run = 1; Run <= Repeat; ++Run) {
    auto Differences = runCase(C, E.P, **D);
    if (Differences && Differences->empty())
      continue;
    if (Differences && Repeat > 1)
      Differences->front() =
          formatv("run {0}: {1}", Run, Differences->front()).str();
    return Differences;
  }
  return std::vector<std::string>();
}

static Outcome runEntry(const ManifestEntry &E, const Case &C,
                        StringRef Folder) {
  Outcome O;
  O.Case = C.Name;
  O.Mode = E.Mode;
  auto Differences = runOnCard(E, C, Folder);
  if (!Differences) {
    O.End = Outcome::Error;
    O.Detail = toString(Differences.takeError());
  } else if (!Differences->empty()) {
    O.End = Outcome::Wrong;
    O.Detail = join(*Differences, "; ");
  }
  return O;
}

/// Says which card there is, in a child process: a process that has opened
/// the driver must not fork.
static void printCard() {
  runIsolated(
      1, 1, Timeout,
      [](unsigned) {
        auto D = CudaDevice::create();
        if (!D)
          return toString(D.takeError());
        const CardInfo &Card = (*D)->card();
        return formatv("{0} (sm_{1}{2})", Card.Name, Card.Major, Card.Minor)
            .str();
      },
      [](unsigned, ChildResult R) {
        outs() << (R.End == ChildResult::Returned ? R.Answer : R.Detail)
               << '\n';
      });
}

/// The packed cases that are to run, and what the manifest says of them. What
/// is decided already has no case; it counts where no choice was made.
static Error readChosen(StringRef Folder, std::vector<ManifestEntry> &Entries,
                        std::vector<Case> &Cases) {
  auto All = readManifest(Folder);
  if (!All)
    return All.takeError();
  for (ManifestEntry &E : *All) {
    Case C;
    if (!E.Decided) {
      Expected<Case> Read = readCase((Folder + "/" + E.Folder).str(), E.Double);
      if (!Read)
        return Read.takeError();
      C = std::move(*Read);
    }
    bool Chosen = (Areas.empty() || is_contained(Areas, C.Area)) &&
                  (Only.empty() || is_contained(Only, C.Name));
    if (!Chosen)
      continue;
    Entries.push_back(std::move(E));
    Cases.push_back(std::move(C));
  }
  if (Entries.empty())
    return createStringError("no packed case is of the chosen names and areas");
  return Error::success();
}

static Expected<int> run(StringRef Folder) {
  std::vector<ManifestEntry> Entries;
  std::vector<Case> Cases;
  if (Error E = readChosen(Folder, Entries, Cases))
    return std::move(E);
  printCard();
  std::vector<Outcome> All;
  runIsolated(
      Entries.size(), Jobs, Timeout,
      [&](unsigned I) {
        const ManifestEntry &E = Entries[I];
        Outcome O = E.Decided ? *E.Decided : runEntry(E, Cases[I], Folder);
        return formatv("{0}", toJSON(O)).str();
      },
      [&](unsigned I, ChildResult R) {
        All.push_back(outcomeOf(Cases[I], Entries[I].Mode, R));
        printLine(outs(), All.back());
      });
  if (!JsonFile.empty())
    if (Error E = writeOutcomes(JsonFile, All))
      return std::move(E);
  printTotals(outs(), All);
  return allPassed(All) ? 0 : 1;
}

int main(int Argc, char **Argv) {
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(Argc, Argv, "Runs KDiff's packed cases\n");
  std::string Self =
      sys::fs::getMainExecutable(Argv[0], reinterpret_cast<void *>(&main));
  Expected<int> Status = run(sys::path::parent_path(Self));
  if (Status)
    return *Status;
  WithColor::error(errs(), "run") << toString(Status.takeError()) << '\n';
  return 1;
}
