//===- LaunchOptions.cpp - A launch on the command line -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernel of which file is launched, with
// which shape and arguments (for check and run)?
//
//===----------------------------------------------------------------------===//

#include "commands/LaunchOptions.h"
#include "commands/Commands.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kdiff::tool {

#define LAUNCH_COMMANDS cl::sub(CheckCommand), cl::sub(RunCommand)

static cl::opt<std::string> File(cl::Positional, cl::Required,
                                 cl::desc("<file.cu|file.ll>"),
                                 LAUNCH_COMMANDS);
static cl::list<std::string> MoreArgs(cl::Positional, cl::ZeroOrMore,
                                      cl::desc("[argument...]"),
                                      LAUNCH_COMMANDS);
static cl::opt<std::string> Kernel("kernel", cl::Required,
                                   cl::desc("Kernel to launch"),
                                   cl::value_desc("name"), LAUNCH_COMMANDS);
static cl::opt<std::string> Grid("grid", cl::init("1"), cl::desc("Blocks (1)"),
                                 cl::value_desc("X,Y,Z"), LAUNCH_COMMANDS);
static cl::opt<std::string> Block("block", cl::init("1"),
                                  cl::desc("Threads of a block (1)"),
                                  cl::value_desc("X,Y,Z"), LAUNCH_COMMANDS);
static cl::opt<uint64_t> Shared("shared",
                                cl::desc("Dynamic shared memory of the primal"),
                                cl::value_desc("bytes"), LAUNCH_COMMANDS);
static cl::list<std::string>
    Args("args",
         cl::desc("Arguments: NAME=TYPE:VALUE, NAME=TYPE*:COUNT[:INIT], each "
                  "with [:const|dup|active], or file.json; further ones may "
                  "follow. TYPE: f64, f32, f16, bf16, i32, u32, i64, u64, or "
                  "real, which is what REAL is. INIT: a number, zero, iota, "
                  "rand(LOW,HIGH), [V,V,...]"),
         cl::value_desc("argument"), LAUNCH_COMMANDS);
static cl::opt<uint64_t>
    Random("random-seed", cl::init(1),
           cl::desc("What the random numbers start from (1)"),
           cl::value_desc("N"), LAUNCH_COMMANDS);

Expected<LaunchOptions> launchFromOptions() {
  LaunchOptions O;
  O.File = File;
  O.Kernel = Kernel;
  O.Seed = Random;
  O.Shape.Kernel = Kernel;
  O.Shape.DynamicShared = Shared;
  Expected<Dim3> G = parseDim3(Grid, "--grid");
  if (!G)
    return G.takeError();
  Expected<Dim3> B = parseDim3(Block, "--block");
  if (!B)
    return B.takeError();
  O.Shape.Grid = *G;
  O.Shape.Block = *B;
  std::vector<std::string> Specs(Args);
  append_range(Specs, MoreArgs);
  auto Parsed = parseSpecs(Specs, Random);
  if (!Parsed)
    return Parsed.takeError();
  O.Args = std::move(*Parsed);
  return O;
}

} // namespace kdiff::tool
