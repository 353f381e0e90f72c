//===- Table.h - One row an operation --------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a row of the table hold, and which
// row belongs to which spelling of an operation?
//
// Only rules/ and the tests of the table read this; others use Rules.h.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_TABLE_H
#define KDIFF_RULES_TABLE_H

#include "rules/Expr.h"
#include "rules/Rules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace kdiff {

struct Spelling;

/// Where the numeric test takes an operand from.
struct Domain {
  double Lo = -2, Hi = 2;
};

constexpr unsigned MaxOperands = 4;

/// One operation with one floating-point result.
struct Row {
  llvm::StringLiteral Name;
  unsigned Opcode = 0;             ///< llvm::Instruction opcode, or 0.
  llvm::Intrinsic::ID Ids[4] = {}; ///< llvm.* intrinsics; ends with 0.
  llvm::StringLiteral Device = ""; ///< Stems in libdevice, space-separated.
  llvm::StringLiteral Nvvm = "";   ///< Stems of llvm.nvvm.*, space-separated.
  llvm::StringLiteral Ptx = "";    ///< Stems of PTX, space-separated.
  std::array<Expr, MaxOperands> Partials{};
  uint8_t Bounded = 0; ///< Bit k: isBounded(k).
  std::array<Domain, MaxOperands> Domains{};
  unsigned NumDomains = 0;

  constexpr Row(llvm::StringLiteral N) : Name(N) {}
  constexpr Row opcode(unsigned O) const {
    Row R = *this;
    R.Opcode = O;
    return R;
  }
  constexpr Row id(llvm::Intrinsic::ID A, llvm::Intrinsic::ID B = 0,
                   llvm::Intrinsic::ID C = 0) const {
    Row R = *this;
    R.Ids[0] = A;
    R.Ids[1] = B;
    R.Ids[2] = C;
    return R;
  }
  constexpr Row device(llvm::StringLiteral S) const {
    Row R = *this;
    R.Device = S;
    return R;
  }
  constexpr Row nvvm(llvm::StringLiteral S) const {
    Row R = *this;
    R.Nvvm = S;
    return R;
  }
  constexpr Row ptx(llvm::StringLiteral S) const {
    Row R = *this;
    R.Ptx = S;
    return R;
  }
  /// The partials, one an operand of the call.
  constexpr Row partials(Expr A, Expr B = {}, Expr C = {}, Expr D = {}) const {
    Row R = *this;
    R.Partials = {A, B, C, D};
    return R;
  }
  constexpr Row bounded(uint8_t Mask) const {
    Row R = *this;
    R.Bounded = Mask;
    return R;
  }
  /// The test's domain of the next floating-point operand; operands without
  /// one take the last.
  constexpr Row in(double Lo, double Hi) const {
    Row R = *this;
    R.Domains[R.NumDomains++] = {Lo, Hi};
    return R;
  }
};

/// The whole table.
llvm::ArrayRef<Row> rows();

/// One operation that also (or only) writes results through pointers.
struct OutRow {
  /// Output is -1 for the returned value, else the pointer operand.
  struct Out {
    int Output = -1;
    std::array<Expr, 2> Partials{};
  };
  llvm::StringLiteral Name;
  llvm::StringLiteral Device;
  llvm::ArrayRef<unsigned> Pointers; ///< To floating point.
  llvm::ArrayRef<unsigned> Inputs;
  std::array<Out, 2> Outs;
  Domain D;
};
llvm::ArrayRef<OutRow> outRows();

/// A row at a quality: what the opaque Rule and OutRule are.
struct Rule {
  const Row *R;
  Quality Q;
};
struct OutRule {
  const OutRow *R;
  Quality Q;
};

/// The row of an instruction of PTX, or null.
const Rule *rulePtx(const Spelling &S);

/// True if \p F is a libdevice function without a row that stays a call: it
/// has a class by its name.
bool isClassifiedByName(const llvm::Function &F);

/// What \p E reads.
NeedMask needs(const Expr &E);

/// Emits \p E. Result and those of \p Args that needs() does not name may be
/// null. \p Reciprocal is null, or 1 / X1.
llvm::Value *emitExpr(llvm::IRBuilderBase &B, const Expr &E, Quality Q,
                      llvm::ArrayRef<llvm::Value *> Args, llvm::Value *Result,
                      llvm::Type *Ty, llvm::FastMathFlags FMF,
                      llvm::Value *Reciprocal = nullptr);

} // namespace kdiff
#endif // KDIFF_RULES_TABLE_H
