//===- SimtImages.h - The IR in a program's device images ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which device IR does a fat binary hold?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_HOST_SIMTIMAGES_H
#define KDIFF_HOST_SIMTIMAGES_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace kdiff::host {

/// The IR (kdiff/simt.h) of the fat binary that __cudaRegisterFatBinary got.
/// Of several architectures the highest; units that were linked for the device
/// are linked here. An error says what is missing and how it gets there.
llvm::Expected<std::unique_ptr<llvm::Module>>
readFatBinary(const void *Wrapper, llvm::LLVMContext &Context);

} // namespace kdiff::host
#endif // KDIFF_HOST_SIMTIMAGES_H
