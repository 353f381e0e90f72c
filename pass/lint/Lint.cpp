#include "lint/Lint.h"
using namespace llvm;
PreservedAnalyses kdiff::LintPass::run(Module &M, ModuleAnalysisManager &) {
  return PreservedAnalyses::all();
}
