//===- Plugin.cpp - Registration with LLVM ----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where in LLVM's pipelines does KDiff run, and
// under which names?
//
// At the start of the pipeline, where calls of the mathematical functions are
// still calls. KDiff has no command line options of its own, since clang gives
// a plugin's options to the host compilation as well: what users need is in
// the source (markers), in pass parameters, or in the environment
// (KDIFF_LIBDEVICE; for debugging KDIFF_STOP_AFTER, a stage's name).
//
//===----------------------------------------------------------------------===//

#include "KDiffPass.h"
#include "lint/Lint.h"
#include "lower/Embed.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace kdiff;

static std::optional<Stage> stageOf(StringRef Name) {
  return StringSwitch<std::optional<Stage>>(Name)
      .Case("request", Stage::Request)
      .Case("prepare", Stage::Prepare)
      .Case("analyse", Stage::Analyse)
      .Case("plan", Stage::Plan)
      .Case("emit", Stage::Emit)
      .Case("lower", Stage::Lower)
      .Default(std::nullopt);
}

/// Parses "stop-after=STAGE;libdevice=FILE".
static Expected<Options> parseOptions(StringRef Parameters) {
  Options O;
  while (!Parameters.empty()) {
    StringRef Parameter;
    std::tie(Parameter, Parameters) = Parameters.split(';');
    auto [Key, Value] = Parameter.split('=');
    std::optional<Stage> Last = stageOf(Value);
    if (Key == "stop-after" && Last)
      O.StopAfter = *Last;
    else if (Key == "libdevice" && !Value.empty())
      O.Lower.Libdevice = Value.str();
    else
      return createStringError(
          formatv("invalid parameter '{0}' of pass kdiff: known are "
                  "stop-after=request|prepare|analyse|plan|emit|lower and "
                  "libdevice=FILE, separated by ';'",
                  Parameter));
  }
  return O;
}

/// Parses "emit" or "lower"; nothing means the latter.
static Expected<LintPoint> parseLintPoint(StringRef Parameters) {
  if (Parameters == "emit")
    return LintPoint::Emitted;
  if (Parameters.empty() || Parameters == "lower")
    return LintPoint::Lowered;
  return createStringError(
      formatv("invalid parameter '{0}' of pass kdiff-lint: known are emit and "
              "lower",
              Parameters));
}

/// Parses the parameters in \p Name and adds the pass. False, with a message,
/// where they are wrong; LLVM goes on to say that it does not know the pass.
template <class Pass, class Parser>
static bool addPass(StringRef Name, StringRef PassName, Parser Parse,
                    ModulePassManager &MPM) {
  auto Parsed = PassBuilder::parsePassParameters(Parse, Name, PassName);
  if (!Parsed) {
    WithColor::error() << toString(Parsed.takeError()) << '\n';
    return false;
  }
  MPM.addPass(Pass(std::move(*Parsed)));
  return true;
}

static bool parseModulePass(StringRef Name, ModulePassManager &MPM) {
#define MODULE_PASS(NAME, CREATE_PASS)                                         \
  if (Name == NAME) {                                                          \
    MPM.addPass(CREATE_PASS);                                                  \
    return true;                                                               \
  }
#define MODULE_PASS_WITH_PARAMS(NAME, PASS, PARSER)                            \
  if (PassBuilder::checkParametrizedPassName(Name, NAME))                      \
    return addPass<PASS>(Name, NAME, PARSER, MPM);
#include "PassRegistry.def"
  return false;
}

/// What a compiler's pipeline runs.
static Options environmentOptions() {
  Options O;
  if (std::optional<std::string> Name =
          sys::Process::GetEnv("KDIFF_STOP_AFTER"))
    O.StopAfter = stageOf(*Name).value_or(O.StopAfter);
  return O;
}

/// Called by PluginEntry.cpp.
extern "C" void kdiffRegisterPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) {
        return parseModulePass(Name, MPM);
      });
  // Later versions of LLVM hand over more than the level.
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, auto &&...) {
    MPM.addPass(KDiffPass(environmentOptions()));
  });
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, auto &&...) {
    MPM.addPass(EmbedPass());
  });
}
