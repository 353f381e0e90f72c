//===- Pack.cpp - Cases for another machine -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do cases get onto a machine that has a
// card, but neither LLVM nor KDiff?
//
//===----------------------------------------------------------------------===//

#include "Pack.h"
#include "CaseProgram.h"
#include "cases/Isolate.h"
#include "compile/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff::tool {

/// The runner is installed beside the tool.
static Error copyRunner(StringRef Folder) {
  std::string Self = sys::fs::getMainExecutable(nullptr, nullptr);
  SmallString<128> From(sys::path::parent_path(Self)), To(Folder);
  sys::path::append(From, "kdiff-run-cases");
  sys::path::append(To, "run");
  if (!sys::fs::can_execute(From))
    return createStringError("the runner is missing: %s", From.c_str());
  if (auto EC = sys::fs::copy_file(From, To))
    return createFileError(To, EC);
  if (auto EC = sys::fs::setPermissions(To, sys::fs::perms(0755)))
    return createFileError(To, EC);
  return Error::success();
}

static Error copyCase(const Case &C, StringRef Folder) {
  if (auto EC = sys::fs::create_directories(Folder))
    return createFileError(Folder, EC);
  SmallString<128> From(sys::path::parent_path(C.Source));
  sys::path::append(From, "case.json");
  if (auto EC = sys::fs::copy_file(From, Folder + "/case.json"))
    return createFileError(Folder, EC);
  return Error::success();
}

/// Compiles one mode of \p C for one architecture and writes the cubin.
static Error packFor(const Case &C, Toolchain T, StringRef Arch,
                     const PackOptions &O, StringRef File, ManifestEntry &E) {
  T.Arch = Arch.str();
  LLVMContext Context;
  std::string Messages;
  auto M = loadDeviceModule(C.Source, T, Context, Messages, CompileSeconds);
  if (!M)
    return createStringError("it does not compile: " + toString(M.takeError()));
  auto Target = createTarget(**M, T.Arch);
  if (!Target)
    return Target.takeError();
  Expected<Program> P =
      makeProgram(C, E.Mode, **M, **Target, T.libdevice(), T.OptLevel, O.Width);
  if (!P)
    return P.takeError();
  E.P = std::move(*P);
  if (!C.ExpectError.empty()) {
    E.Decided = judgeRun(C, E.Mode, {});
    return Error::success();
  }
  Expected<std::string> Ptx = emitPtx(**M, **Target);
  if (!Ptx)
    return Ptx.takeError();
  Expected<Cubin> Made = assemble(*Ptx, T, Arch);
  if (!Made)
    return Made.takeError();
  E.Cubins[Arch.str()] = File.str();
  return writeToOutput((O.Folder + "/" + File).str(), [&](raw_ostream &OS) {
    OS << Made->Bytes;
    return Error::success();
  });
}

static ManifestEntry packMode(const Case &C, unsigned Number, RunMode Mode,
                              const Toolchain &Base, const PackOptions &O) {
  ManifestEntry E;
  E.Folder = formatv("cases/{0}/{1}", Number, C.Name).str();
  E.Double = C.Real == ElementType::F64;
  E.Mode = Mode;
  Toolchain T = toolchainFor(C, Base);
  Error Failed = copyCase(C, O.Folder + "/" + E.Folder);
  for (const std::string &Arch : O.Archs) {
    if (Failed || E.Decided)
      break;
    std::string File = formatv("cubins/{0}.{1}.{2}.{3}.cubin", Number, C.Name,
                               name(Mode), Arch);
    Failed = packFor(C, T, Arch, O, File, E);
  }
  if (Failed)
    E.Decided = judgeFailure(C, Mode, std::move(Failed));
  return E;
}

/// An entry whose child process gave none.
static ManifestEntry lostEntry(const Case &C, RunMode Mode,
                               const ChildResult &R) {
  ManifestEntry E;
  E.Mode = Mode;
  E.Decided = outcomeOf(C, Mode, R);
  return E;
}

Expected<std::vector<ManifestEntry>>
packCases(ArrayRef<PackJob> Jobs, const Toolchain &T, const PackOptions &O) {
  if (auto EC = sys::fs::create_directories(O.Folder + "/cubins"))
    return createFileError(O.Folder, EC);
  if (Error E = copyRunner(O.Folder))
    return std::move(E);
  std::vector<ManifestEntry> Entries;
  runIsolated(
      Jobs.size(), O.Jobs,
      O.Timeout ? (CompileSeconds + O.Timeout) * O.Archs.size() : 0,
      [&](unsigned I) {
        return formatv("{0}",
                       toJSON(packMode(*Jobs[I].C, I, Jobs[I].Mode, T, O)))
            .str();
      },
      [&](unsigned I, ChildResult R) {
        auto E = json::parse<ManifestEntry>(R.Answer);
        if (R.End == ChildResult::Returned && E)
          Entries.push_back(std::move(*E));
        else
          Entries.push_back(lostEntry(*Jobs[I].C, Jobs[I].Mode, R));
        consumeError(E.takeError());
      });
  if (Error E = writeManifest(O.Folder, Entries))
    return std::move(E);
  return Entries;
}

} // namespace kdiff::tool
