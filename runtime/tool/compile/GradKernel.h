//===- GradKernel.h - A gradient kernel for a kernel -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is the gradient of a kernel requested
// without a change to its source?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_COMPILE_GRADKERNEL_H
#define KDIFF_TOOL_COMPILE_GRADKERNEL_H

#include "cases/CaseFile.h"
#include "cases/Signature.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace kdiff::tool {

/// The kernel \p Name of \p M: as it is in the module, or, where that finds
/// none, the only one whose source name (without parameters) it is. The error
/// lists the kernels that there are.
llvm::Expected<llvm::Function *> findKernel(llvm::Module &M,
                                            llvm::StringRef Name);

/// "<source name>_grad" where that is an identifier, else "<symbol>_grad".
std::string gradientName(const llvm::Function &K);

/// The name of \p K's parameter \p Index, "argN" if it has none.
std::string parameterName(const llvm::Function &K, unsigned Index);

/// Which parameters are differentiated where the user only names inputs.
struct Selection {
  std::vector<std::string> Wrt;   ///< Empty: every one that can be.
  std::vector<std::string> Const; ///< Never.
};
/// The activity of each parameter of \p K:
///   a pointer that leads to floating point: dup;
///   a by-value float: active; a by-value struct: dup;
///   anything else: const.
/// With Wrt, a parameter that it does not name is const, unless the kernel
/// writes floating point through it: such memory holds results, which depend
/// on the inputs. Fails for a name that is no parameter, and for a pointer of
/// which the accesses do not tell what it leads to.
llvm::Expected<std::vector<Activity>> selectActivity(llvm::Function &K,
                                                     const Selection &S);

/// Names of parameters with a mark. \p Acts: which have a shadow.
struct Marked {
  std::vector<std::string> Seed;   ///< Seed, or SeedNoNeed if in NoNeed too.
  std::vector<std::string> NoNeed; ///< NoNeed.
  std::vector<std::string> Fresh;  ///< Fresh.
};
llvm::Expected<std::vector<Mark>>
selectMarks(llvm::Function &K, llvm::ArrayRef<Activity> Acts, const Marked &M);

/// Which request the kernel makes: the derivative, or half of split mode.
enum class Sweep { Whole, Augmented, Reverse };

/// Adds a kernel \p Name that calls the derivative of \p K. Its parameters
/// are the primal's, each differentiated one followed by its derivatives (see
/// Role), one for each of \p Width lanes; a half of split mode has the tape in
/// front of them. \p Marks has one for each parameter. \p Mode is not Primal.
/// KDiff's pass has to run next.
Signature addGradientKernel(llvm::Function &K, llvm::ArrayRef<Activity> Acts,
                            llvm::ArrayRef<Mark> Marks, RunMode Mode,
                            llvm::StringRef Name, Sweep S = Sweep::Whole,
                            unsigned Width = 1);

/// True if a launch in \p M needs a tape: code uses the tape's variable, or the
/// kernels \p Split, of split mode, the tape that they are given first.
bool needsTape(const llvm::Module &M, llvm::ArrayRef<Signature> Split = {});

} // namespace kdiff::tool
#endif // KDIFF_TOOL_COMPILE_GRADKERNEL_H
