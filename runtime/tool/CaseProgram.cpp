//===- CaseProgram.cpp - A case compiled and judged -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does KDiff make of a case: a program, a
// refusal that the case allows, or one that it does not?
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "compile/GradKernel.h"
#include "compile/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kdiff::tool {

Toolchain toolchainFor(const Case &C, const Toolchain &T) {
  Toolchain Result = T;
  erase_if(Result.Flags,
           [](StringRef Flag) { return Flag.starts_with("-DREAL="); });
  if (C.Real == ElementType::F64)
    Result.Flags.push_back("-DREAL=double");
  return Result;
}

//===--- Program ----------------------------------------------------------===//

static Activity activityOf(const Case &C, const Argument &A) {
  if (A.K != Argument::Struct)
    return A.Act;
  bool HasShadow = any_of(A.Fields, [&](const Field &F) {
    if (F.Buffer.empty())
      return F.Act == Activity::Active;
    return C.find(F.Buffer)->Act == Activity::Dup;
  });
  return HasShadow ? Activity::Dup : Activity::Const;
}

static Expected<Function *> findLaunched(const Case &C, const Launch &L,
                                         Module &M) {
  Expected<Function *> K = findKernel(M, L.Kernel);
  if (K && (*K)->arg_size() != L.Args.size())
    return createStringError("kernel '%s' has %zu parameters, its launch gives "
                             "%zu",
                             L.Kernel.c_str(), (*K)->arg_size(), L.Args.size());
  return K;
}

// The ones that clang declares for threadIdx and its kin have no memory.
std::vector<std::string> mutableVariables(const Module &M) {
  std::vector<std::string> Names;
  for (const GlobalVariable &G : M.globals())
    if (!G.isDeclaration() && !G.isConstant() && G.getAddressSpace() <= 1 &&
        !G.use_empty() && !G.getName().starts_with("llvm."))
      Names.push_back(G.getName().str());
  return Names;
}

Expected<Program> makeProgram(const Case &C, RunMode Mode, Module &M,
                              TargetMachine &Target, StringRef Libdevice,
                              std::optional<unsigned> Level, unsigned Width) {
  Program P;
  P.Mode = Mode;
  P.Width = Width;
  P.Variables = mutableVariables(M);
  using Key = std::tuple<std::string, std::vector<Activity>, std::vector<Mark>>;
  std::map<Key, unsigned> Made;
  for (const Launch &L : C.Launches) {
    Expected<Function *> K = findLaunched(C, L, M);
    if (!K)
      return K.takeError();
    if (Mode == RunMode::Primal)
      continue;
    std::vector<Activity> Acts;
    std::vector<Mark> Marks;
    for (const std::string &Name : L.Args) {
      Acts.push_back(activityOf(C, *C.find(Name)));
      Marks.push_back(C.find(Name)->M);
    }
    auto [It, IsNew] =
        Made.insert({{L.Kernel, Acts, Marks}, unsigned(P.Gradients.size())});
    std::string Number = It->second ? std::to_string(It->second) : "";
    auto Add = [&](StringRef Suffix, Sweep Part) {
      P.Gradients.push_back(addGradientKernel(**K, Acts, Marks, Mode,
                                              L.Kernel + Suffix.str() + Number,
                                              Part, Width));
    };
    if (IsNew && Mode == RunMode::Split) {
      Add("_augment", Sweep::Augmented);
      Add("_reverse", Sweep::Reverse);
    } else if (IsNew) {
      Add("_grad", Sweep::Whole);
    }
    P.GradientOf.push_back(It->second);
  }
  if (Mode == RunMode::Primal) {
    if (Level)
      optimise(M, Target, *Level);
    return P;
  }
  if (Error E = differentiate(M, Target, Libdevice, Level))
    return std::move(E);
  bool NeedsTape = needsTape(M, P.Gradients);
  for (Signature &S : P.Gradients)
    S.NeedsTape = NeedsTape;
  return P;
}

//===--- Judgement --------------------------------------------------------===//

/// \p Message with every path to case.cu cut to the file's name, so that a
/// folder's name is not taken for a word of the message.
static std::string withoutPaths(StringRef Message) {
  std::string Text;
  StringRef FileName = "case.cu";
  for (size_t At; (At = Message.find(FileName)) != StringRef::npos;) {
    StringRef Before = Message.take_front(At);
    size_t Start = Before.find_last_of(" '\"(\n");
    Text += Before.take_front(Start == StringRef::npos ? 0 : Start + 1);
    Text += FileName;
    Message = Message.drop_front(At + FileName.size());
  }
  return Text + Message.str();
}

/// True if \p Message names line \p Line of case.cu, or any where it is 0.
static bool namesLine(StringRef Message, unsigned Line) {
  while (true) {
    size_t At = Message.find("case.cu:");
    if (At == StringRef::npos)
      return false;
    Message = Message.drop_front(At + StringRef("case.cu:").size());
    unsigned Named;
    StringRef Digits = Message.take_while(isDigit);
    if (!Digits.getAsInteger(10, Named) && (!Line || Named == Line))
      return true;
  }
}

/// True if one line of \p Text has one of \p Words and names the source line.
static bool isExpected(StringRef Text, ArrayRef<std::string> Words,
                       unsigned Line) {
  SmallVector<StringRef> Messages;
  Text.split(Messages, '\n', -1, /*KeepEmpty=*/false);
  return any_of(Messages, [&](StringRef Message) {
    return namesLine(Message, Line) && any_of(Words, [&](StringRef Word) {
             return Message.contains_insensitive(Word);
           });
  });
}

Outcome judgeFailure(const Case &C, RunMode Mode, Error E) {
  Outcome O;
  O.Case = C.Name;
  O.Mode = Mode;
  bool IsRefusal = E.isA<Refusal>();
  O.Detail = withoutPaths(toString(std::move(E)));
  if (!IsRefusal) {
    O.End = Outcome::Error;
    return O;
  }
  bool Expected = isExpected(O.Detail, C.ExpectError, C.Line) ||
                  (!is_contained(C.RightIn, name(Mode)) &&
                   isExpected(O.Detail, C.MayRefuse, /*Line=*/0));
  O.End = Expected ? Outcome::Pass : Outcome::Refused;
  if (!Expected && !C.ExpectError.empty())
    O.Detail = "refused, but not with one of '" + join(C.ExpectError, "', '") +
               "' at line " + std::to_string(C.Line) + ": " + O.Detail;
  return O;
}

Outcome judgeRun(const Case &C, RunMode Mode,
                 ArrayRef<std::string> Differences) {
  Outcome O;
  O.Case = C.Name;
  O.Mode = Mode;
  if (!C.ExpectError.empty()) {
    O.End = Outcome::Error;
    O.Detail = "it had to be refused, and was not";
  } else if (!Differences.empty()) {
    O.End = Outcome::Wrong;
    O.Detail = join(Differences, "; ");
  }
  return O;
}

Outcome runOnExecutor(const Case &C, RunMode Mode, Module &M,
                      const Toolchain &T, const ExecutorOptions &Options,
                      unsigned Width) {
  auto Target = createTarget(M, T.Arch);
  if (!Target)
    return judgeFailure(C, Mode, Target.takeError());
  // The executor optimises for the host by itself.
  Expected<Program> P =
      makeProgram(C, Mode, M, **Target, T.libdevice(), std::nullopt, Width);
  if (!P)
    return judgeFailure(C, Mode, P.takeError());
  if (!C.ExpectError.empty())
    return judgeRun(C, Mode, {});
  ExecutorOptions Executor = Options;
  // A gradient of several launches runs each primal again, and is right if
  // that leaves the same, whatever the order of slots that threads draw: so
  // the order must be the same. Split mode has no such limit.
  if (Mode == RunMode::Reverse && C.Launches.size() > 1)
    Executor.Seeds.clear();
  auto D = ExecutorDevice::create(M, T.libdevice(), Executor);
  if (!D)
    return judgeFailure(C, Mode, D.takeError());
  std::vector<std::string> Differences;
  Error Failed = (*D)->forEachSeed(P->Variables, [&]() -> Error {
    auto Some = runCase(C, *P, **D);
    if (!Some)
      return Some.takeError();
    if (Differences.empty())
      Differences = std::move(*Some);
    return Error::success();
  });
  if (Failed)
    return judgeFailure(C, Mode, std::move(Failed));
  return judgeRun(C, Mode, Differences);
}

} // namespace kdiff::tool
