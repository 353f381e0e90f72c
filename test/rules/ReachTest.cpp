//===- ReachTest.cpp - Every row's gradient becomes machine code ----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does the gradient of each operation reach
// ptxas for every architecture?
//
//===----------------------------------------------------------------------===//
#include "Gradients.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kdiff::test;

namespace {

/// Whether there is a primal. Minimum and maximum that propagate NaN, or
/// combine signs, came with sm_80 and sm_86; PTX has no lg2 in double.
bool existsOn(StringRef Cpu, const Specimen &S) {
  StringRef Label = S.Label;
  if (Cpu == "sm_75" &&
      (Label.contains(".nan.") || Label.contains(".xorsign.")))
    return false;
  return Label != "llvm.nvvm.lg2.approx.d";
}

class Reach : public testing::TestWithParam<const char *> {};

TEST_P(Reach, EveryRow) {
  LLVMContext C;
  std::unique_ptr<TargetMachine> TM = targetMachine(GetParam());
  std::vector<Specimen> Specimens;
  copy_if(collectSpecimens(C), std::back_inserter(Specimens),
          [](const Specimen &S) { return existsOn(GetParam(), S); });
  std::unique_ptr<Module> M = differentiate(Specimens, *TM, C);
  optimize(*M, *TM);
  SmallString<128> Assembly, Cubin;
  ASSERT_FALSE(sys::fs::createTemporaryFile("rules", "ptx", Assembly));
  ASSERT_FALSE(sys::fs::createTemporaryFile("rules", "cubin", Cubin));
  FileRemover RemoveAssembly(Assembly), RemoveCubin(Cubin);
  {
    std::error_code Error;
    raw_fd_ostream OS(Assembly, Error);
    ASSERT_FALSE(Error);
    legacy::PassManager PM;
    ASSERT_FALSE(TM->addPassesToEmitFile(PM, OS, nullptr,
                                         CodeGenFileType::AssemblyFile));
    PM.run(*M);
  }
  std::string Arch = std::string("-arch=") + GetParam();
  std::string Message;
  EXPECT_EQ(sys::ExecuteAndWait(
                KDIFF_TEST_PTXAS,
                {KDIFF_TEST_PTXAS, Arch, "-O1", Assembly, "-o", Cubin},
                std::nullopt, {}, 0, 0, &Message),
            0)
      << Message;
}

INSTANTIATE_TEST_SUITE_P(Architectures, Reach,
                         testing::Values("sm_75", "sm_90", "sm_100"));

} // namespace
