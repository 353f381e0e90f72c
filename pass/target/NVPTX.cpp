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
