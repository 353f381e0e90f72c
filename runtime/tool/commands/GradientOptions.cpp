//===- GradientOptions.cpp - Which derivative of a kernel ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which parameters are differentiated, and what
// does the caller promise of them (for grad, explain and check)?
//
//===----------------------------------------------------------------------===//

#include "commands/Commands.h"
#include "commands/Gradient.h"

using namespace llvm;

namespace kdiff::tool {

#define GRADIENT_COMMANDS                                                      \
  cl::CommaSeparated, cl::value_desc("name,..."), cl::sub(GradCommand),        \
      cl::sub(ExplainCommand), cl::sub(CheckCommand)

static cl::list<std::string>
    Wrt("wrt",
        cl::desc("Differentiate by these parameters only; what the kernel "
                 "writes keeps its shadow"),
        GRADIENT_COMMANDS);
static cl::list<std::string> Const("const",
                                   cl::desc("Parameters that have no shadow"),
                                   GRADIENT_COMMANDS);
static cl::list<std::string>
    Seed("seed",
         cl::desc("Results that the kernel never reads: their shadows are "
                  "read and left as they are"),
         GRADIENT_COMMANDS);
static cl::list<std::string>
    NoNeed("noneed", cl::desc("Results whose values are not wanted"),
           GRADIENT_COMMANDS);
static cl::list<std::string>
    Fresh("fresh", cl::desc("Inputs whose shadows need not be zeroed before"),
          GRADIENT_COMMANDS);

Selection selectionFromOptions() { return {Wrt, Const}; }

Marked marksFromOptions() { return {Seed, NoNeed, Fresh}; }

} // namespace kdiff::tool
