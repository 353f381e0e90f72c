//===- PtxAsm.h - Inline PTX on the host -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a piece of inline PTX become?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_PTXASM_H
#define KDIFF_SIMT_PTXASM_H

#include "FloatOps.h"
#include "PtxParser.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Instructions.h"

namespace kdiff::simt {

/// The type in an instruction's name, as .f16x2 or .s32.
struct PtxType {
  llvm::Type *Ty = nullptr; ///< Null: none.
  bool Signed = false;
  bool isFloat() const { return Ty->isFPOrFPVectorTy(); }
};

/// Straight-line PTX; instructions may be predicated. Registers are values of
/// any type of their width: each instruction reads the bits as it needs them.
class AsmLowering {
public:
  explicit AsmLowering(Emitter &E) : E(E), B(E.B), Floats(E) {}

  /// Emits the meaning of \p Call in front of it. False where an instruction
  /// or operand is unknown. \p Result: its value, left alone if void.
  bool lower(llvm::CallInst &Call, llvm::Value *&Result);

private:
  Emitter &E;
  llvm::IRBuilder<> &B;
  FloatOps Floats;
  llvm::CallInst *Call = nullptr;
  std::string Text;
  llvm::StringMap<llvm::Value *> Registers;
  llvm::StringMap<llvm::Value *> Written; ///< By a predicated instruction.
  llvm::Value *Carry = nullptr;           ///< i1, of add.cc and its kin.
  // Of the current instruction:
  const PtxInstruction *I = nullptr;
  llvm::StringRef Op;  ///< First part of the name.
  PtxType Kind;        ///< Its last type.
  PtxType From;        ///< Its last but one, or the last.
  bool Failed = false; ///< An operand was unknown.

  bool emitAll(llvm::ArrayRef<PtxInstruction> Body);
  bool emitGuarded(const PtxInstruction &Inst);
  bool emit(const PtxInstruction &Inst);
  void bindInputs();
  llvm::Value *collectOutputs();

  PtxType parseType(llvm::StringRef Part) const;
  bool has(llvm::StringRef Part) const {
    return llvm::is_contained(I->Name, Part);
  }
  llvm::StringRef operand(unsigned N) {
    Failed |= N >= I->Operands.size();
    return Failed ? llvm::StringRef() : I->Operands[N];
  }
  llvm::Value *read(llvm::StringRef Operand, llvm::Type *Ty);
  llvm::Value *read(unsigned N, llvm::Type *Ty) { return read(operand(N), Ty); }
  llvm::Value *read(unsigned N) { return read(N, Kind.Ty); }
  llvm::Value *readFlag(unsigned N);
  llvm::Value *readAddress(unsigned N);
  llvm::Value *immediate(llvm::StringRef Text, llvm::Type *Ty);
  bool write(llvm::StringRef Operand, llvm::Value *V);
  bool write(unsigned N, llvm::Value *V) { return write(operand(N), V); }

  // Families; each knows the operation or says false.
  bool emitMove();
  bool emitInteger();
  bool emitCarry();
  bool emitMultiply();
  bool emitBits();
  bool emitFloat();
  bool emitCompare();
  llvm::Value *compare();
  bool emitConvert();
  AccessKind accessKind() const;
  bool emitMemory();
  bool emitAtomic();
  bool emitAsyncCopy();
  bool emitThreads();
  bool emitBarrier();
  bool emitWarp();
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_PTXASM_H
