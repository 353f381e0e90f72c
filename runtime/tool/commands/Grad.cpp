//===- Grad.cpp - kdiff grad
//-----------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a source file become a gradient
// kernel and its description?
//
//===----------------------------------------------------------------------===//

#include "commands/Commands.h"
#include "commands/Gradient.h"
#include "compile/GradKernel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff::tool {

static cl::opt<std::string> File(cl::Positional, cl::Required,
                                 cl::desc("<file.cu|file.ll>"),
                                 cl::sub(GradCommand), cl::sub(ExplainCommand));
static cl::opt<std::string> Kernel("kernel", cl::Required,
                                   cl::desc("Kernel to differentiate"),
                                   cl::value_desc("name"), cl::sub(GradCommand),
                                   cl::sub(ExplainCommand));
static cl::list<std::string>
    Wrt("wrt", cl::CommaSeparated,
        cl::desc("Differentiate by these parameters only; what the kernel "
                 "writes keeps its shadow"),
        cl::value_desc("name,..."), cl::sub(GradCommand),
        cl::sub(ExplainCommand));
static cl::list<std::string> Const("const", cl::CommaSeparated,
                                   cl::desc("Parameters that have no shadow"),
                                   cl::value_desc("name,..."),
                                   cl::sub(GradCommand),
                                   cl::sub(ExplainCommand));
static cl::opt<RunMode>
    Mode("mode", cl::desc("Which derivative (reverse)"),
         cl::init(RunMode::Reverse),
         cl::values(clEnumValN(RunMode::Reverse, "reverse", "adjoints"),
                    clEnumValN(RunMode::Forward, "forward", "tangents")),
         cl::sub(GradCommand), cl::sub(ExplainCommand));
static cl::opt<std::string>
    Output("o",
           cl::desc("Output: .ll, .ptx or .cubin; a .json beside it "
                    "describes the kernel"),
           cl::value_desc("file"), cl::sub(GradCommand));
static cl::opt<std::string> Name("name",
                                 cl::desc("Name of the new kernel "
                                          "(<kernel>_grad)"),
                                 cl::value_desc("name"), cl::sub(GradCommand),
                                 cl::sub(ExplainCommand));

static Expected<Format> formatOf(StringRef Path) {
  StringRef Extension = sys::path::extension(Path);
  if (Extension == ".ll")
    return Format::IR;
  if (Extension == ".ptx")
    return Format::PTX;
  if (Extension == ".cubin")
    return Format::Cubin;
  return createStringError("output '%s' must end in .ll, .ptx or .cubin",
                           Path.str().c_str());
}

static std::string outputPath() {
  if (!Output.empty())
    return Output;
  return (sys::path::stem(File) + ".grad.ptx").str();
}

static std::string descriptionPath(StringRef Out) {
  SmallString<128> Path(Out);
  sys::path::replace_extension(Path, ".json");
  return Path.str().str();
}

/// What a thread keeps on the tape, from the plan's remarks.
static std::vector<TapeRecord> tapeRecords(ArrayRef<Remark> Remarks) {
  std::vector<TapeRecord> Records;
  for (const Remark &R : Remarks)
    if (auto Bytes = R.Facts.find("RecordBytes"); Bytes != R.Facts.end())
      Records.push_back({R.File, R.Line, Bytes->second});
  return Records;
}

Expected<Product> makeProduct(const Toolchain &T, Format F) {
  LLVMContext Context;
  std::string Messages;
  auto M = loadDeviceModule(File, T, Context, Messages);
  if (!M)
    return M.takeError();
  showMessages(Messages);
  auto Target = createTarget(**M, T.Arch);
  if (!Target)
    return Target.takeError();
  Expected<Function *> K = findKernel(**M, Kernel);
  if (!K)
    return K.takeError();
  auto Acts = selectActivity(**K, {Wrt, Const});
  if (!Acts)
    return Acts.takeError();
  Product P;
  std::string New = Name.empty() ? gradientName(**K) : Name;
  if ((*M)->getNamedValue(New))
    return createStringError("the file has something called '%s' already; "
                             "name the new kernel with --name",
                             New.c_str());
  P.S = addGradientKernel(**K, *Acts, Mode, New);
  if (Error E =
          differentiate(**M, **Target, T.libdevice(), T.OptLevel, &P.Remarks))
    return std::move(E);
  P.S.TapeRecords = tapeRecords(P.Remarks);
  P.S.NeedsTape = needsTape(**M);
  if (F == Format::IR) {
    raw_string_ostream(P.Bytes) << **M;
    return P;
  }
  Expected<std::string> Ptx = emitPtx(**M, **Target);
  if (!Ptx)
    return Ptx.takeError();
  P.Bytes = std::move(*Ptx);
  if (F == Format::PTX)
    return P;
  Expected<Cubin> C = assemble(P.Bytes, T, T.Arch);
  if (!C)
    return C.takeError();
  P.Bytes = std::move(C->Bytes);
  P.S.Used = C->Kernels[P.S.Kernel];
  return P;
}

static Error writeProduct(const Product &P, StringRef Out) {
  if (Error E = writeToOutput(Out, [&](raw_ostream &OS) {
        OS << P.Bytes;
        return Error::success();
      }))
    return E;
  return writeToOutput(descriptionPath(Out), [&](raw_ostream &OS) {
    OS << formatv("{0:2}\n", toJSON(P.S));
    return Error::success();
  });
}

static void describe(const Product &P, StringRef Out) {
  outs() << Out << ": " << P.S.Kernel << "(";
  ListSeparator Comma;
  for (const Parameter &Param : P.S.Params)
    outs() << Comma << Param.Name;
  outs() << ")";
  if (P.S.DynamicSharedFactor != 1)
    outs() << ", " << P.S.DynamicSharedFactor
           << " times the primal's dynamic shared memory";
  if (P.S.NeedsTape)
    outs() << ", needs a tape";
  if (P.S.Used)
    outs() << ", " << P.S.Used->Registers << " registers, "
           << P.S.Used->SpillStoreBytes << " bytes of spill stores";
  outs() << "\n" << descriptionPath(Out) << ": its description\n";
}

Expected<int> runGrad() {
  Expected<Toolchain> T = toolchainFromOptions();
  if (!T)
    return T.takeError();
  std::string Out = outputPath();
  Expected<Format> F = formatOf(Out);
  if (!F)
    return F.takeError();
  // However this run ends, what an earlier one left is not its result.
  sys::fs::remove(Out);
  sys::fs::remove(descriptionPath(Out));
  Expected<Product> P = makeProduct(*T, *F);
  if (!P)
    return P.takeError();
  if (Error E = writeProduct(*P, Out))
    return std::move(E);
  describe(*P, Out);
  return 0;
}

} // namespace kdiff::tool
