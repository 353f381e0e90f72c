//===- PtxAsm.cpp - Inline PTX on the host --------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the instructions of inline PTX read and
// write their operands?
//
//===----------------------------------------------------------------------===//

#include "PtxAsm.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace kdiff::simt;

bool AsmLowering::lower(CallInst &C, Value *&Result) {
  Call = &C;
  Registers.clear();
  Carry = nullptr;
  Failed = false;
  auto *Asm = cast<InlineAsm>(C.getCalledOperand());
  Text = cleanPtx(Asm->getAsmString());
  auto Body = parsePtx(Text);
  if (!Body)
    return false;
  for (const InlineAsm::ConstraintInfo &Constraint : Asm->ParseConstraints())
    if (Constraint.isIndirect)
      return false;
  bindInputs();
  if (!emitAll(*Body))
    return false;
  if (C.getType()->isVoidTy())
    return true;
  Result = collectOutputs();
  return Result;
}

/// $0, $1, …: outputs, then inputs. An input tied to an output is known by
/// the output's number as well.
void AsmLowering::bindInputs() {
  auto *Asm = cast<InlineAsm>(Call->getCalledOperand());
  unsigned Number = 0, Argument = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.Type == InlineAsm::isInput) {
      Value *V = Call->getArgOperand(Argument++);
      Registers["$" + utostr(Number)] = V;
      unsigned Tied;
      if (!C.Codes.empty() && !StringRef(C.Codes[0]).getAsInteger(10, Tied))
        Registers["$" + utostr(Tied)] = V;
    }
    ++Number;
  }
}

Value *AsmLowering::collectOutputs() {
  auto output = [&](unsigned N, Type *Ty) -> Value * {
    Value *V = Registers.lookup("$" + utostr(N));
    return V ? E.bits(V, Ty) : nullptr;
  };
  auto *Struct = dyn_cast<StructType>(Call->getType());
  if (!Struct)
    return output(0, Call->getType());
  Value *R = PoisonValue::get(Struct);
  for (unsigned N = 0; N < Struct->getNumElements(); ++N) {
    Value *V = output(N, Struct->getElementType(N));
    if (!V)
      return nullptr;
    R = B.CreateInsertValue(R, V, N);
  }
  return R;
}

bool AsmLowering::emitAll(ArrayRef<PtxInstruction> Body) {
  for (const PtxInstruction &Inst : Body)
    if (!(Inst.Guard.empty() ? emit(Inst) : emitGuarded(Inst)) || Failed)
      return false;
  return true;
}

bool AsmLowering::emitGuarded(const PtxInstruction &Inst) {
  Value *Condition = Registers.lookup(Inst.Guard);
  if (!Condition)
    return false;
  Condition = B.CreateIsNotNull(E.bits(Condition, B.getInt32Ty()));
  if (Inst.GuardNegated)
    Condition = B.CreateNot(Condition);
  StringMap<Value *> Before = Registers;
  BasicBlock *Head = Call->getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(Condition, Call->getIterator(),
                                                /*Unreachable=*/false);
  B.SetInsertPoint(Then);
  bool Ok = emit(Inst);
  BasicBlock *Taken = B.GetInsertBlock();
  B.SetInsertPoint(Call);
  if (!Ok)
    return false;
  // In the order of the operands, for the sake of a stable output.
  for (StringRef Operand : Inst.Operands)
    for (StringRef Name : ptxElements(Operand)) {
      Value *New = Registers.lookup(Name), *Old = Before.lookup(Name);
      if (New == Old)
        continue;
      PHINode *Phi =
          PHINode::Create(New->getType(), 2, "", Call->getParent()->begin());
      B.SetInsertPoint(Head->getTerminator());
      Phi->addIncoming(Old ? E.bits(Old, New->getType())
                           : PoisonValue::get(New->getType()),
                       Head);
      Phi->addIncoming(New, Taken);
      Registers[Name] = Phi;
      Before[Name] = Phi;
      B.SetInsertPoint(Call);
    }
  return true;
}

PtxType AsmLowering::parseType(StringRef Part) const {
  auto integer = [&](unsigned Bits, bool Signed) {
    return PtxType{B.getIntNTy(Bits), Signed};
  };
  auto pair = [](Type *Ty) { return FixedVectorType::get(Ty, 2); };
  Type *Half = B.getHalfTy(), *BFloat = B.getBFloatTy();
  return StringSwitch<PtxType>(Part)
      .Case("pred", integer(1, false))
      .Cases({"b8", "u8"}, integer(8, false))
      .Cases({"b16", "u16"}, integer(16, false))
      .Cases({"b32", "u32"}, integer(32, false))
      .Cases({"b64", "u64"}, integer(64, false))
      .Case("s8", integer(8, true))
      .Case("s16", integer(16, true))
      .Case("s32", integer(32, true))
      .Case("s64", integer(64, true))
      .Case("b128", integer(128, false))
      .Case("f16", {Half})
      .Case("bf16", {BFloat})
      .Case("f16x2", {pair(Half)})
      .Case("bf16x2", {pair(BFloat)})
      .Case("f32", {B.getFloatTy()})
      .Case("f64", {B.getDoubleTy()})
      .Default({});
}

Value *AsmLowering::immediate(StringRef Literal, Type *Ty) {
  StringRef Digits = Literal;
  uint64_t Bits;
  if (Digits.consume_front_insensitive("0f"))
    return Digits.getAsInteger(16, Bits)
               ? nullptr
               : E.bits(B.CreateBitCast(B.getInt32(Bits), B.getFloatTy()), Ty);
  if (Digits.consume_front_insensitive("0d"))
    return Digits.getAsInteger(16, Bits)
               ? nullptr
               : E.bits(B.CreateBitCast(B.getInt64(Bits), B.getDoubleTy()), Ty);
  if (Ty->isFloatingPointTy() &&
      (Digits.contains('.') || Ty->isFloatTy() || Ty->isDoubleTy())) {
    double Number;
    if (Digits.getAsDouble(Number))
      return nullptr;
    return ConstantFP::get(Ty, Number);
  }
  bool Negative = Digits.consume_front("-");
  Digits.consume_back_insensitive("u");
  if (Digits.getAsInteger(0, Bits))
    return nullptr;
  return E.bits(B.getInt64(Negative ? -Bits : Bits), Ty);
}

Value *AsmLowering::read(StringRef Operand, Type *Ty) {
  if (Failed)
    return PoisonValue::get(Ty);
  if (Value *V = Registers.lookup(Operand))
    return E.bits(V, Ty);
  Value *V = nullptr;
  if (Operand.consume_front("!")) {
    V = Registers.lookup(Operand);
    V = V && Ty->isIntegerTy(1) ? B.CreateNot(E.bits(V, Ty)) : nullptr;
  } else if (Operand == "WARP_SZ") {
    V = E.specialRegister(Operand, Ty);
  } else if (Operand.consume_front("%")) {
    if (Ty->isIntegerTy())
      V = E.specialRegister(Operand, Ty);
  } else if (!Operand.empty() && (isDigit(Operand[0]) || Operand[0] == '-')) {
    V = immediate(Operand, Ty);
  }
  Failed |= !V;
  return V ? V : PoisonValue::get(Ty);
}

Value *AsmLowering::readFlag(unsigned N) { return read(N, B.getInt1Ty()); }

/// "[reg]" or "[reg+offset]".
Value *AsmLowering::readAddress(unsigned N) {
  StringRef Text = operand(N);
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    Failed = true;
  size_t Plus = Text.find_first_of("+-", 1);
  Value *Base = read(Text.substr(0, Plus).trim(), B.getInt64Ty());
  Value *Pointer = E.bits(Base, B.getPtrTy());
  int64_t Offset = 0;
  if (Plus != StringRef::npos) {
    StringRef Rest = Text.substr(Plus);
    Rest.consume_front("+");
    Failed |= Rest.trim().getAsInteger(0, Offset);
  }
  return B.CreateConstGEP1_64(B.getInt8Ty(), Pointer, Offset);
}

bool AsmLowering::write(StringRef Operand, Value *V) {
  if (Failed)
    return false;
  if (Operand != "_")
    Registers[Operand] = V;
  return true;
}

bool AsmLowering::emit(const PtxInstruction &Inst) {
  I = &Inst;
  Op = Inst.Name.front();
  Kind = From = {};
  for (StringRef Part : Inst.Name)
    if (PtxType Ty = parseType(Part); Ty.Ty) {
      From = Ty;
      if (!Kind.Ty)
        Kind = Ty;
    }
  // Several types: the result's comes first, but for memory operations and
  // those with one type it is the only one.
  for (auto Family : {&AsmLowering::emitMove, &AsmLowering::emitThreads,
                      &AsmLowering::emitMemory, &AsmLowering::emitAtomic,
                      &AsmLowering::emitAsyncCopy, &AsmLowering::emitConvert,
                      &AsmLowering::emitCompare, &AsmLowering::emitBits,
                      &AsmLowering::emitFloat, &AsmLowering::emitInteger})
    if ((this->*Family)())
      return !Failed;
  return false;
}

bool AsmLowering::emitMove() {
  if (Op != "mov" || !Kind.Ty)
    return false;
  SmallVector<StringRef, 4> To = ptxElements(operand(0));
  SmallVector<StringRef, 4> Sources = ptxElements(operand(1));
  if (Failed)
    return false;
  if (To.size() == 1 && Sources.size() == 1)
    return write(0, read(1));
  unsigned Width = Kind.Ty->getPrimitiveSizeInBits();
  if (To.size() == 1) { // Pack; the first element is the lowest.
    Type *Whole = B.getIntNTy(Width);
    Type *Part = B.getIntNTy(Width / Sources.size());
    Value *R = ConstantInt::get(Whole, 0);
    for (auto [N, Source] : enumerate(Sources))
      R = B.CreateOr(R, B.CreateShl(B.CreateZExt(read(Source, Part), Whole),
                                    N * Part->getIntegerBitWidth()));
    return write(0, R);
  }
  if (Sources.size() != 1)
    return false;
  Type *Part = B.getIntNTy(Width / To.size());
  Value *Whole = read(1, B.getIntNTy(Width));
  for (auto [N, Target] : enumerate(To))
    write(Target,
          B.CreateTrunc(B.CreateLShr(Whole, N * Part->getIntegerBitWidth()),
                        Part));
  return true;
}
