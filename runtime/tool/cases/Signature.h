//===- Signature.h - What a launch of a gradient must provide --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which parameters does a gradient kernel take,
// in order, and which shared memory and tape must its launch provide?
//
// This is what `kdiff grad` writes beside its output, as JSON.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_SIGNATURE_H
#define KDIFF_TOOL_CASES_SIGNATURE_H

#include "kdiff/DynamicShared.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace kdiff::tool {

enum class RunMode {
  Primal,
  Reverse,
  Forward,
  Split ///< Reverse mode in two launches: augmented primal, reverse sweep.
};
llvm::StringRef name(RunMode M);
std::optional<RunMode> parseRunMode(llvm::StringRef Name);

enum class Role {
  Primal,  ///< A parameter of the primal.
  Shadow,  ///< Pointer to the shadow of memory (reverse: adjoints; forward:
           ///< tangents); of a by-value struct: to the shadow struct.
  Tangent, ///< Forward mode: the tangent of a by-value scalar.
  Adjoint, ///< Reverse mode: pointer to one scalar that the adjoint of a
           ///< by-value scalar is added to.
  Tape     ///< Split mode: pointer to the pool of the tape.
};

struct Parameter {
  std::string Name;
  std::string Type; ///< LLVM's name: "ptr", "float", "i32", "%struct.S".
  Role R = Role::Primal;
  unsigned Of = 0;    ///< Index of the primal's parameter.
  uint64_t Bytes = 0; ///< Size of the value that the launch passes.
  /// A scalar or struct itself; else a pointer to device memory.
  bool ByValue = false;
  unsigned Lane = 0; ///< Of a derivative.
};

struct Resources {
  unsigned Registers = 0;
  uint64_t SpillStoreBytes = 0, SpillLoadBytes = 0, StackBytes = 0;
  uint64_t SharedBytes = 0; ///< Static, of a block.
};

/// What a thread keeps on the tape in each iteration of a loop.
struct TapeRecord {
  std::string File; ///< Where the loop begins; line 0: not known.
  unsigned Line = 0;
  uint64_t Bytes = 0;
};

struct Signature {
  std::string Kernel; ///< The gradient kernel.
  std::string Primal; ///< The kernel that it differentiates.
  RunMode Mode = RunMode::Reverse;
  unsigned Width = 1; ///< Lanes: tangents or seeds at once (kd_width).
  std::vector<Parameter> Params;
  /// The launch gives this many times the primal's dynamic shared memory, which
  /// is rounded up to a multiple of 16 bytes before.
  unsigned DynamicSharedFactor = 1;
  uint64_t dynamicShared(uint64_t OfPrimal) const {
    return DynamicSharedFactor == 1
               ? OfPrimal
               : dynamicSharedOfGradient(OfPrimal, DynamicSharedFactor - 1);
  }
  /// The launch needs a tape pool (kdiff/tape.h): in __kd_tape_pool, in split
  /// mode in its first parameter.
  bool NeedsTape = false;
  std::vector<TapeRecord> TapeRecords; ///< A loop that tapes each.
  std::optional<Resources> Used;       ///< By ptxas.
};

llvm::json::Value toJSON(const Parameter &P);
bool fromJSON(const llvm::json::Value &V, Parameter &P, llvm::json::Path Path);
llvm::json::Value toJSON(const Resources &R);
bool fromJSON(const llvm::json::Value &V, Resources &R, llvm::json::Path Path);
llvm::json::Value toJSON(const TapeRecord &R);
bool fromJSON(const llvm::json::Value &V, TapeRecord &R, llvm::json::Path Path);
llvm::json::Value toJSON(const Signature &S);
bool fromJSON(const llvm::json::Value &V, Signature &S, llvm::json::Path Path);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_SIGNATURE_H
