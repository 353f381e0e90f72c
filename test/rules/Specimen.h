//===- Specimen.h - Operations to test the table on ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which spellings of operations with a row are
// there to test?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TEST_RULES_SPECIMEN_H
#define KDIFF_TEST_RULES_SPECIMEN_H

#include "rules/Table.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kdiff::test {

using BuildFn = std::function<llvm::Value *(llvm::IRBuilderBase &,
                                            llvm::ArrayRef<llvm::Value *>)>;

/// One output of one operation.
struct Specimen {
  std::string Label; ///< "__nv_sinf", "fadd float", "__nv_sincos[2]"
  std::vector<llvm::Type *> Operands;
  llvm::Type *Result; ///< Also of what lies behind a pointer.
  BuildFn Build;      ///< Emits the operation.
  int Output = -1;    ///< -1: the returned value; k: what operand k points to.
  const Rule *R = nullptr;
  const OutRule *Out = nullptr; ///< Exactly one of R and Out is set.

  llvm::StringRef row() const { return R ? name(*R) : name(*Out); }
  Quality quality() const { return R ? R->Q : Out->Q; }
  /// The formula of the partial by operand \p K.
  bool isDifferentiable(unsigned K) const;
  bool isBounded(unsigned K) const { return R && kdiff::isBounded(*R, K); }
  Domain domain(unsigned K) const;
};

/// \p Path of the libdevice of the toolkit that the build found.
std::string libdevicePath();
std::unique_ptr<llvm::Module> loadLibdevice(llvm::LLVMContext &C);

/// A call of \p F with undetermined operands, in a function of its own in
/// \p Scratch, as the pass would meet it.
llvm::CallInst *callOf(llvm::Function &F, llvm::Module &Scratch);

/// Every intrinsic of NVVM whose first overload is one of \p Overloads, or
/// that has no overload, declared in \p M.
std::vector<llvm::Function *> declareNvvm(llvm::Module &M,
                                          llvm::ArrayRef<llvm::Type *> Types);

/// All spellings with a row whose operands and result are float, double,
/// i32 or pointers: instructions, libdevice, NVVM. The accurate double of a
/// row comes before its other spellings.
std::vector<Specimen> collectSpecimens(llvm::LLVMContext &C);

} // namespace kdiff::test
#endif // KDIFF_TEST_RULES_SPECIMEN_H
