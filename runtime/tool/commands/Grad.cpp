//===- Grad.cpp - kdiff grad ----------------------------------------------===//
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
#include "llvm/ADT/StringExtras.h"
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
static cl::opt<RunMode>
    Mode("mode", cl::desc("Which derivative (reverse)"),
         cl::init(RunMode::Reverse),
         cl::values(clEnumValN(RunMode::Reverse, "reverse", "adjoints"),
                    clEnumValN(RunMode::Forward, "forward", "tangents"),
                    clEnumValN(RunMode::Split, "split",
                               "adjoints, in two kernels: <name>_augment and "
                               "<name>_reverse")),
         cl::sub(GradCommand), cl::sub(ExplainCommand));
static cl::opt<std::string>
    Output("o",
           cl::desc("Output: .ll, .ptx or .cubin (<file>.grad.ptx, in the "
                    "current folder); a .json beside it describes the kernel"),
           cl::value_desc("file"), cl::sub(GradCommand));
static cl::opt<std::string> Name("name",
                                 cl::desc("Name of the new kernel, of either "
                                          "derivative (<kernel>_grad); with "
                                          "--mode split, what _augment and "
                                          "_reverse are put behind (<kernel>)"),
                                 cl::value_desc("name"), cl::sub(GradCommand),
                                 cl::sub(ExplainCommand));
static cl::opt<unsigned> Registers(
    "registers", cl::desc("Most registers of a thread (as ptxas finds fit)"),
    cl::value_desc("24-255"), cl::sub(GradCommand), cl::sub(ExplainCommand));

/// Whether the options fit together.
static Error checkOptions() {
  Marked M = marksFromOptions();
  if (Mode == RunMode::Forward &&
      !(M.Seed.empty() && M.NoNeed.empty() && M.Fresh.empty()))
    return createStringError("--seed, --noneed and --fresh are about adjoints; "
                             "they do not go with --mode forward");
  if (Registers.getNumOccurrences() && (Registers < 24 || Registers > 255))
    return createStringError("--registers %u: a thread has from 24 to 255",
                             unsigned(Registers));
  auto IsPlain = [](char C) { return isAlnum(C) || C == '_' || C == '$'; };
  if (!all_of(Name, IsPlain) || (!Name.empty() && isDigit(Name[0])))
    return createStringError("--name '%s' is no name of a kernel: use letters, "
                             "digits, _ and $",
                             Name.c_str());
  return Error::success();
}

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

/// Adds the kernels that --mode asks for.
static Expected<std::vector<Signature>> addKernels(Function &K,
                                                   ArrayRef<Activity> Acts,
                                                   ArrayRef<Mark> Marks,
                                                   unsigned Width) {
  std::string Default = gradientName(K);
  std::vector<Signature> Kernels;
  auto Add = [&](const std::string &New, Sweep Part) -> Error {
    if (K.getParent()->getNamedValue(New))
      return createStringError("the file has something called '%s' already; "
                               "name the new kernel with --name",
                               New.c_str());
    Kernels.push_back(
        addGradientKernel(K, Acts, Marks, Mode, New, Part, Width));
    return Error::success();
  };
  if (Mode != RunMode::Split) {
    if (Error E = Add(Name.empty() ? Default : Name, Sweep::Whole))
      return std::move(E);
    return Kernels;
  }
  std::string Base =
      Name.empty() ? StringRef(Default).drop_back(strlen("_grad")).str() : Name;
  if (Error E = Add(Base + "_augment", Sweep::Augmented))
    return std::move(E);
  if (Error E = Add(Base + "_reverse", Sweep::Reverse))
    return std::move(E);
  return Kernels;
}

/// Takes the other kernels out of \p M, and the requests that they make.
static void dropOtherKernels(Module &M, const Function &Kept) {
  for (Function &F : make_early_inc_range(M))
    if (&F != &Kept && F.getCallingConv() == CallingConv::PTX_Kernel &&
        F.use_empty())
      F.eraseFromParent();
}

Expected<Product> makeProduct(const Toolchain &T, Format F, bool IsAlone) {
  if (Error E = checkOptions())
    return std::move(E);
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
  if (IsAlone)
    dropOtherKernels(**M, **K);
  auto Acts = selectActivity(**K, selectionFromOptions());
  if (!Acts)
    return Acts.takeError();
  auto Marks = selectMarks(**K, *Acts, marksFromOptions());
  if (!Marks)
    return Marks.takeError();
  Expected<unsigned> Width = widthFromOptions();
  if (!Width)
    return Width.takeError();
  Product P;
  auto Kernels = addKernels(**K, *Acts, *Marks, *Width);
  if (!Kernels)
    return Kernels.takeError();
  P.Kernels = std::move(*Kernels);
  if (Registers)
    for (const Signature &S : P.Kernels)
      (*M)->getFunction(S.Kernel)->addFnAttr("nvvm.maxnreg",
                                             std::to_string(Registers));
  if (Error E =
          differentiate(**M, **Target, T.libdevice(), T.OptLevel, &P.Remarks))
    return std::move(E);
  std::vector<TapeRecord> Records = tapeRecords(P.Remarks);
  Records.resize(Records.size() / P.Kernels.size()); // Both are planned alike.
  bool NeedsTape = needsTape(**M, P.Kernels);
  for (Signature &S : P.Kernels) {
    S.TapeRecords = Records;
    S.NeedsTape = NeedsTape;
  }
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
  for (Signature &S : P.Kernels)
    S.Used = C->Kernels[S.Kernel];
  return P;
}

static Error writeProduct(const Product &P, StringRef Out) {
  if (Error E = writeToOutput(Out, [&](raw_ostream &OS) {
        OS << P.Bytes;
        return Error::success();
      }))
    return E;
  return writeToOutput(descriptionPath(Out), [&](raw_ostream &OS) {
    json::Value Description = toJSON(P.Kernels.front());
    if (P.Kernels.size() > 1)
      Description =
          json::Object{{"augmented", P.Kernels[0]}, {"reverse", P.Kernels[1]}};
    OS << formatv("{0:2}\n", Description);
    return Error::success();
  });
}

static void describe(const Signature &S, StringRef Out) {
  outs() << Out << ": " << S.Kernel << "(";
  ListSeparator Comma;
  for (const Parameter &Param : S.Params)
    outs() << Comma << Param.Name;
  outs() << ")";
  if (S.DynamicSharedFactor != 1)
    outs() << ", " << S.DynamicSharedFactor
           << " times the primal's dynamic shared memory (rounded up to 16 "
              "bytes)";
  if (S.NeedsTape)
    outs() << ", needs a tape";
  if (S.Used)
    outs() << ", " << S.Used->Registers << " registers, "
           << S.Used->SpillStoreBytes << " bytes of spill stores";
  outs() << "\n";
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
  Expected<Product> P = makeProduct(*T, *F, /*IsAlone=*/false);
  if (!P)
    return P.takeError();
  if (Error E = writeProduct(*P, Out))
    return std::move(E);
  for (const Signature &S : P->Kernels)
    describe(S, Out);
  outs() << descriptionPath(Out) << ": its description\n";
  return 0;
}

} // namespace kdiff::tool
