//===- PtxReader.h - Reads inline assembly as IR -----------------*- C++
//-*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does one reading of a piece of inline
// assembly keep in mind?
//
// For Ptx.cpp and PtxMoves.cpp alone.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_PTXREADER_H
#define KDIFF_PREPARE_PTXREADER_H

#include "target/PtxText.h"
#include "rules/Ptx.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace kdiff::ptx {

/// Reads one piece of assembly. A register's value has the type of what was
/// written to it; who reads it as another type of that size gets the bits.
class Reader {
public:
  explicit Reader(llvm::CallInst &CI)
      : CI(CI), C(CI.getContext()), B(&CI), Scopes(1) {}

  /// The values of the outputs in IR before the call; nothing where the
  /// assembly is not understood, and IR that was written is dead then.
  std::optional<llvm::SmallVector<llvm::Value *, 4>> run();

private:
  bool bindInputs();
  bool execute(const Statement &S);
  bool executeGuarded(const Statement &S);
  bool step(const Statement &S);
  bool move(const Statement &S);
  bool arithmetic(const Statement &S);
  bool convertPair(const Statement &S);
  bool compare(const Statement &S);
  bool choose(const Statement &S);
  bool logic(const Statement &S);
  bool access(const Statement &S);
  bool accessEach(llvm::ArrayRef<llvm::StringRef> Parts, llvm::Type *T,
                  llvm::Value *Pointer, bool IsLoad);
  bool isOption(llvm::StringRef Word) const;
  // PtxThreads.cpp.
  static bool isSynchronising(llvm::StringRef Name);
  bool synchronise(llvm::StringRef Name, const Statement &S);
  bool shuffle(const Statement &S);
  bool vote(const Statement &S);
  bool match(const Statement &S);
  bool reduce(const Statement &S);
  bool elect(const Statement &S);
  bool reduceAtBarrier(const Statement &S);
  bool addAtomically(llvm::StringRef Name, const Statement &S);
  bool writeBoth(llvm::StringRef To, llvm::Value *Pair);
  llvm::Value *predicate(llvm::StringRef Operand);

  llvm::Value *find(llvm::StringRef Name) const;
  bool write(llvm::StringRef Name, llvm::Value *V);
  /// The operand as a \p T; null: it has another size or is not known.
  llvm::Value *read(llvm::StringRef Operand, llvm::Type *T);
  llvm::Value *literal(llvm::StringRef Text, llvm::Type *T);
  llvm::Value *as(llvm::Value *V, llvm::Type *T);
  llvm::Value *pack(llvm::ArrayRef<llvm::StringRef> Parts, llvm::Type *T);
  bool unpack(llvm::ArrayRef<llvm::StringRef> Parts, llvm::Value *Whole);
  llvm::Value *address(llvm::StringRef Operand, unsigned Space);

  llvm::CallInst &CI;
  llvm::LLVMContext &C;
  llvm::IRBuilder<> B;
  /// Innermost last; the outermost holds the operands ($0, $1, ...).
  llvm::SmallVector<llvm::StringMap<llvm::Value *>, 4> Scopes;
  /// Of the statement at hand: the words behind the opcode's first one, and
  /// the types among them.
  llvm::SmallVector<llvm::StringRef, 6> Words;
  llvm::SmallVector<Kind, 2> Kinds;
};

} // namespace kdiff::ptx
#endif // KDIFF_PREPARE_PTXREADER_H
