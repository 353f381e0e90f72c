//===- Gradients.h - The pass on each operation ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does the whole pass make of each
// operation, alone in a module?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TEST_RULES_GRADIENTS_H
#define KDIFF_TEST_RULES_GRADIENTS_H

#include "Specimen.h"
#include "llvm/Target/TargetMachine.h"

namespace kdiff::test {

std::unique_ptr<llvm::TargetMachine> targetMachine(llvm::StringRef Cpu);

/// Runs LLVM's own pipeline (O1).
void optimize(llvm::Module &M, llvm::TargetMachine &TM);

/// Two kernels for each of \p Specimens, of the names that follow:
/// (ptr X, ptr DX, ptr Y, ptr DY). Operand k lies at X + 8 * k, the result at
/// Y, derivatives accordingly. Each operation is differentiated in a module of
/// its own, so that a function which only the derivative needs must be found;
/// then all are linked together.
std::unique_ptr<llvm::Module> differentiate(llvm::ArrayRef<Specimen> Specimens,
                                            llvm::TargetMachine &TM,
                                            llvm::LLVMContext &C);

/// Names of the kernels of specimen number \p I.
std::string reverseKernel(unsigned I);
std::string forwardKernel(unsigned I);

} // namespace kdiff::test
#endif // KDIFF_TEST_RULES_GRADIENTS_H
