//===- Toolchain.cpp - clang and the CUDA toolkit -------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which clang, CUDA toolkit and target are used,
// and what do they make of a source file?
//
//===----------------------------------------------------------------------===//

#include "compile/Toolchain.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff::tool {

static std::string join(StringRef Folder, StringRef Rest) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Rest);
  return Path.str().str();
}

std::string Toolchain::libdevice() const {
  return join(CudaPath, "nvvm/libdevice/libdevice.10.bc");
}

Error Toolchain::complete() {
  if (Clang.empty())
    Clang = KDIFF_CLANG;
  if (!sys::fs::can_execute(Clang))
    return createStringError("no clang++ at '%s'; name it with --clang",
                             Clang.c_str());
  auto IsToolkit = [](StringRef Path) {
    return sys::fs::exists(join(Path, "include/cuda_runtime.h"));
  };
  if (CudaPath.empty()) {
    SmallVector<std::string> Candidates{KDIFF_CUDA_PATH};
    for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
      if (auto Value = sys::Process::GetEnv(Variable))
        Candidates.push_back(*Value);
    Candidates.push_back("/usr/local/cuda");
    for (const std::string &Candidate : Candidates)
      if (CudaPath.empty() && IsToolkit(Candidate))
        CudaPath = Candidate;
  }
  if (!IsToolkit(CudaPath))
    return createStringError("no CUDA toolkit at '%s'; name it with "
                             "--cuda-path, or set CUDA_PATH",
                             CudaPath.c_str());
  return Error::success();
}

/// KDiff's own headers: beside the installed tool, else where it was built.
static std::string ownHeaders() {
  static int Anchor;
  std::string Tool = sys::fs::getMainExecutable(nullptr, &Anchor);
  std::string Beside = join(
      sys::path::parent_path(sys::path::parent_path(Tool)), "include");
  return sys::fs::exists(join(Beside, "kdiff/kdiff.h")) ? Beside
                                                         : KDIFF_INCLUDE;
}

/// A temporary file that is removed with this object.
namespace {
struct TemporaryFile {
  SmallString<128> Path;
  FileRemover Remover;

  Error create(StringRef Suffix) {
    if (auto EC = sys::fs::createTemporaryFile("kdiff", Suffix, Path))
      return createStringError(EC, "cannot make a temporary file");
    Remover.setFile(Path);
    return Error::success();
  }
  std::string text() const {
    auto Buffer = MemoryBuffer::getFile(Path);
    return Buffer ? (*Buffer)->getBuffer().str() : std::string();
  }
};
} // namespace

/// Runs a program without input; its messages go to \p Messages.
static Error runProgram(ArrayRef<std::string> Command, std::string &Messages,
                        unsigned Timeout) {
  TemporaryFile Log;
  if (Error E = Log.create("log"))
    return E;
  SmallVector<StringRef> Args(Command.begin(), Command.end());
  std::optional<StringRef> Redirects[] = {StringRef(), Log.Path.str(),
                                          Log.Path.str()};
  std::string Why;
  int Status = sys::ExecuteAndWait(Command[0], Args, std::nullopt, Redirects,
                                   Timeout, /*MemoryLimit=*/0, &Why);
  std::string Said = Log.text();
  Messages += Said;
  if (Status == 0)
    return Error::success();
  if (Status < 0)
    return createStringError("%s: %s", Command[0].c_str(), Why.c_str());
  return createStringError(Said.empty() ? Command[0] + " failed"
                                        : StringRef(Said).rtrim().str());
}

static Expected<std::unique_ptr<Module>> readIR(StringRef File,
                                                LLVMContext &Context) {
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseIRFile(File, Problem, Context);
  std::string Text;
  raw_string_ostream OS(Text);
  if (M && verifyModule(*M, &OS))
    return createStringError("%s: this is no valid LLVM IR: %s",
                             File.str().c_str(), Text.c_str());
  if (M)
    return M;
  Problem.print(nullptr, OS, /*ShowColors=*/false);
  return createStringError(StringRef(Text).ltrim(": ").rtrim());
}

Expected<std::unique_ptr<Module>>
loadDeviceModule(StringRef File, const Toolchain &T, LLVMContext &Context,
                 std::string &Messages, unsigned Timeout) {
  if (File.ends_with(".ll") || File.ends_with(".bc"))
    return readIR(File, Context);
  if (!sys::fs::exists(File))
    return createFileError(
        File, std::make_error_code(std::errc::no_such_file_or_directory));
  TemporaryFile Out;
  if (Error E = Out.create("bc"))
    return std::move(E);
  // -O tells the front end which attributes and lifetimes to emit; the passes
  // themselves run behind KDiff.
  std::vector<std::string> Command = {T.Clang,
                                      "-x",
                                      "cuda",
                                      "--cuda-device-only",
                                      "--cuda-gpu-arch=" + T.Arch,
                                      "--cuda-path=" + T.CudaPath,
                                      "-Wno-unknown-cuda-version",
                                      "-I" + join(T.CudaPath, "include/cccl"),
                                      "-I" + ownHeaders(),
                                      "-O" + std::to_string(T.OptLevel),
                                      "-Xclang",
                                      "-disable-llvm-passes",
                                      "-gline-tables-only",
                                      "-fno-discard-value-names"};
  llvm::append_range(Command, T.Flags);
  for (StringRef Arg : {"-emit-llvm", "-c", "-o"})
    Command.push_back(Arg.str());
  Command.push_back(Out.Path.str().str());
  Command.push_back(File.str());
  if (Error E = runProgram(Command, Messages, Timeout))
    return std::move(E);
  return readIR(Out.Path, Context);
}

//===--- ptxas ------------------------------------------------------------===//

/// Reads what `ptxas -v` says about each kernel.
static std::map<std::string, Resources> parseResources(StringRef Log) {
  std::map<std::string, Resources> Kernels;
  Regex Entry("Compiling entry function '([^']+)'");
  Regex Properties("Function properties for (.+)");
  Regex Stack("([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, "
              "([0-9]+) bytes spill loads");
  Regex Used("Used ([0-9]+) registers");
  Regex Shared("([0-9]+) bytes smem");
  std::string Kernel, Function;
  SmallVector<StringRef> Lines, Match;
  Log.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (Entry.match(Line, &Match)) {
      Kernel = Match[1].str();
    } else if (Properties.match(Line, &Match)) {
      Function = Match[1].trim().str();
    } else if (Stack.match(Line, &Match) && Function == Kernel) {
      Resources &R = Kernels[Kernel];
      Match[1].getAsInteger(10, R.StackBytes);
      Match[2].getAsInteger(10, R.SpillStoreBytes);
      Match[3].getAsInteger(10, R.SpillLoadBytes);
    } else if (Used.match(Line, &Match)) {
      Resources &R = Kernels[Kernel];
      Match[1].getAsInteger(10, R.Registers);
      if (Shared.match(Line, &Match))
        Match[1].getAsInteger(10, R.SharedBytes);
    }
  }
  return Kernels;
}

Expected<Cubin> assemble(StringRef Ptx, const Toolchain &T, StringRef Arch) {
  TemporaryFile In, Out;
  if (Error E = joinErrors(In.create("ptx"), Out.create("cubin")))
    return std::move(E);
  if (Error E = writeToOutput(In.Path, [&](raw_ostream &OS) {
        OS << Ptx;
        return Error::success();
      }))
    return std::move(E);
  std::string Ptxas = join(T.CudaPath, "bin/ptxas");
  if (!sys::fs::can_execute(Ptxas))
    return createStringError("no ptxas at '%s'; name a toolkit that has one "
                             "with --cuda-path",
                             Ptxas.c_str());
  std::string Log;
  if (Error E = runProgram({Ptxas, "-v", ("-arch=" + Arch).str(), "-o",
                            Out.Path.str().str(), In.Path.str().str()},
                           Log, 0))
    return std::move(E);
  Cubin C;
  C.Bytes = Out.text();
  C.Kernels = parseResources(Log);
  return C;
}

} // namespace kdiff::tool
