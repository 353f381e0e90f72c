//===- NVPTX.cpp - Facts about the NVPTX target -----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does NVPTX LLVM IR mean beyond LLVM IR?
//
//===----------------------------------------------------------------------===//

#include "target/NVPTX.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

bool kdiff::nvptx::isDeviceModule(const Module &M) {
  return Triple(M.getTargetTriple()).isNVPTX();
}

bool kdiff::nvptx::isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

/// The number behind \p Prefix in the comma-separated attribute \p Name.
static unsigned numberIn(const Function &F, StringRef Name, StringRef Prefix) {
  StringRef Part, Rest = F.getFnAttribute(Name).getValueAsString();
  while (!Rest.empty()) {
    std::tie(Part, Rest) = Rest.split(',');
    unsigned Number;
    if (Part.consume_front(Prefix) && !Part.consumeInteger(10, Number))
      return Number;
  }
  return 0;
}

unsigned kdiff::nvptx::processorOf(const Function &F) {
  return numberIn(F, "target-cpu", "sm_");
}

unsigned kdiff::nvptx::ptxVersionOf(const Function &F) {
  return numberIn(F, "target-features", "+ptx");
}
