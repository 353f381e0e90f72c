//===- Pipeline.h - From a device module to machine code -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which passes make a gradient, and PTX, of a
// device module?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_COMPILE_PIPELINE_H
#define KDIFF_TOOL_COMPILE_PIPELINE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <vector>

namespace kdiff::tool {

/// What KDiff said against a module: one line a message,
/// "FILE:LINE:COL: error: TEXT".
class Refusal : public llvm::ErrorInfo<Refusal> {
public:
  static char ID;
  explicit Refusal(std::string Text) : Text(std::move(Text)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string Text;
};

/// The NVPTX target for \p M: its processor and PTX version are those of its
/// functions, \p Arch where they name none.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTarget(const llvm::Module &M, llvm::StringRef Arch);

/// An optimisation remark of KDiff: what it decided about one place.
struct Remark {
  std::string Name; ///< "Taped", "TapeRecord", "WarpSum", ...
  std::string File; ///< Its path; empty, with line 0: there is no line.
  unsigned Line = 0, Column = 0;
  std::string Message;
  std::map<std::string, uint64_t> Facts; ///< See kdiff::RemarkFact.
};

/// Runs KDiff's pass, then LLVM's pipeline of \p Level (0 to 3; nothing:
/// no further pass). \p Libdevice: see LowerOptions. A Refusal where KDiff
/// refuses; the module is of no use then. \p Remarks, if wanted, receives
/// KDiff's, in the order in which they were made.
llvm::Error differentiate(llvm::Module &M, llvm::TargetMachine &Target,
                          llvm::StringRef Libdevice,
                          std::optional<unsigned> Level,
                          std::vector<Remark> *Remarks = nullptr);

/// LLVM's pipeline alone.
void optimise(llvm::Module &M, llvm::TargetMachine &Target, unsigned Level);

llvm::Expected<std::string> emitPtx(llvm::Module &M,
                                    llvm::TargetMachine &Target);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_COMPILE_PIPELINE_H
