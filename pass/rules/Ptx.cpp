//===- Ptx.cpp - Arithmetic of PTX as operations with rows ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Ptx.h.
//
//===----------------------------------------------------------------------===//

#include "rules/Ptx.h"
#include "rules/Spelling.h"
#include "rules/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace kdiff::ptx {

Kind kindOf(LLVMContext &C, StringRef Suffix) {
  Type *Half = Type::getHalfTy(C), *BFloat = Type::getBFloatTy(C);
  if (Suffix == "f16x2" || Suffix == "bf16x2")
    return {FixedVectorType::get(Suffix == "f16x2" ? Half : BFloat, 2)};
  if (Suffix == "pred")
    return {Type::getInt1Ty(C)};
  Type *Real = StringSwitch<Type *>(Suffix)
                   .Case("f16", Half)
                   .Case("bf16", BFloat)
                   .Case("f32", Type::getFloatTy(C))
                   .Case("f64", Type::getDoubleTy(C))
                   .Default(nullptr);
  if (Real)
    return {Real};
  bool IsSigned = Suffix.consume_front("s");
  unsigned Bits;
  if ((IsSigned || Suffix.consume_front("u") || Suffix.consume_front("b")) &&
      !Suffix.getAsInteger(10, Bits) && Bits >= 8 && Bits <= 64 &&
      isPowerOf2_32(Bits))
    return {Type::getIntNTy(C, Bits), IsSigned};
  return {};
}

/// How many sources the instruction has.
static unsigned sourcesOf(StringRef Stem) {
  StringRef Name = Stem.split('.').first;
  return StringSwitch<unsigned>(Name)
      .Cases({"fma", "mad"}, 3)
      .Cases({"add", "sub", "mul", "div", "min", "max"}, 2)
      .Default(1);
}

std::optional<Arithmetic> arithmetic(LLVMContext &C, StringRef Opcode,
                                     unsigned Count) {
  // The result's type comes before the operands'.
  Type *Result = nullptr, *Operand = nullptr;
  SmallVector<StringRef, 6> Words;
  Opcode.split(Words, '.');
  for (StringRef Word : drop_begin(Words))
    if (Kind K = kindOf(C, Word); K.Ty) {
      Operand = K.Ty;
      if (!Result)
        Result = K.Ty;
    }
  if (!Result || !Result->isFPOrFPVectorTy() || !Operand->isFPOrFPVectorTy() ||
      Result->isVectorTy() != Operand->isVectorTy())
    return std::nullopt;
  std::optional<Spelling> S = spellPtx(Opcode);
  const Rule *R = S && sourcesOf(S->Stem) == Count ? rulePtx(*S) : nullptr;
  return R ? std::optional(Arithmetic{R, Result, Operand}) : std::nullopt;
}

/// The register class that holds a value of type \p T.
static char constraintOf(Type *T) {
  if (T->isFloatTy())
    return 'f';
  if (T->isDoubleTy())
    return 'd';
  return T->getPrimitiveSizeInBits() == 16 ? 'h' : 'r';
}

static std::string textOf(StringRef Opcode, unsigned Count) {
  std::string Text = Opcode.str();
  for (unsigned K = 0; K <= Count; ++K)
    Text += (K ? ", $" : " $") + utostr(K);
  return Text + ";";
}

CallInst *createInstruction(IRBuilderBase &B, StringRef Opcode, Type *Result,
                            ArrayRef<Value *> Args) {
  std::string Constraints = {'=', constraintOf(Result)};
  SmallVector<Type *, 3> Types;
  for (Value *A : Args) {
    Constraints += {',', constraintOf(A->getType())};
    Types.push_back(A->getType());
  }
  auto *FT = FunctionType::get(Result, Types, /*isVarArg=*/false);
  CallInst *Call = B.CreateCall(
      FT, InlineAsm::get(FT, textOf(Opcode, Args.size()), Constraints, false),
      Args);
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

const Rule *ruleOfAsm(const CallBase &CB) {
  auto *Asm = dyn_cast<InlineAsm>(CB.getCalledOperand());
  if (!Asm || !CB.getType()->isFPOrFPVectorTy() || !CB.doesNotAccessMemory())
    return nullptr;
  StringRef Opcode = StringRef(Asm->getAsmString()).split(' ').first;
  std::optional<Arithmetic> A =
      arithmetic(CB.getContext(), Opcode, CB.arg_size());
  if (!A || A->Result != CB.getType() ||
      any_of(CB.args(),
             [&](const Use &U) { return U->getType() != A->Operand; }) ||
      Asm->getAsmString() != textOf(Opcode, CB.arg_size()))
    return nullptr;
  return A->R;
}

} // namespace kdiff::ptx
