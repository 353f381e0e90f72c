//===- Ptx.cpp - Inline assembly as IR --------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions of LLVM IR, and which
// instructions of PTX that have a derivative, is a piece of inline assembly?
//
// CUDA's half precision is written in inline assembly on integers that carry
// the numbers' bits. Each piece is read as a whole: where one statement is not
// known, the assembly stays as it is. Arithmetic stays PTX, one instruction at
// a time (rules/Ptx.h); moves, comparisons and memory accesses become IR.
//
//===----------------------------------------------------------------------===//

#include "prepare/PtxReader.h"
#include "prepare/Steps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace kdiff;
using namespace kdiff::ptx;

//===--- Arithmetic -------------------------------------------------------===//

bool Reader::arithmetic(const Statement &S) {
  auto Operands = ArrayRef(S.Operands).drop_front();
  std::optional<Arithmetic> A = ptx::arithmetic(C, S.Opcode, Operands.size());
  if (!A)
    return convertPair(S);
  SmallVector<Value *, 3> Args;
  for (StringRef Operand : Operands)
    Args.push_back(read(Operand, A->Operand));
  return !is_contained(Args, nullptr) &&
         write(S.Operands[0], createInstruction(B, S.Opcode, A->Result, Args));
}

/// cvt.rn.f16x2.f32 d, a, b: two conversions; a's is the upper half.
bool Reader::convertPair(const Statement &S) {
  if (Kinds.size() != 2 || S.Operands.size() != 3 ||
      !Kinds[0].Ty->isVectorTy() || !Kinds[1].Ty->isFloatTy() ||
      !StringRef(S.Opcode).starts_with("cvt."))
    return false;
  Type *Scalar = Kinds[0].Ty->getScalarType();
  std::string Opcode;
  for (StringRef Word : split(S.Opcode, '.'))
    Opcode += (Opcode.empty() ? "" : ".") +
              (Word.ends_with("x2") ? Word.drop_back(2) : Word).str();
  if (!ptx::arithmetic(C, Opcode, 1))
    return false;
  Value *Pair = PoisonValue::get(Kinds[0].Ty);
  for (unsigned K : {0, 1}) {
    Value *X = read(S.Operands[2 - K], B.getFloatTy());
    if (!X)
      return false;
    Pair = B.CreateInsertElement(Pair, createInstruction(B, Opcode, Scalar, X),
                                 uint64_t(K));
  }
  return write(S.Operands[0], Pair);
}

static CmpInst::Predicate predicateOf(StringRef Word) {
  return StringSwitch<CmpInst::Predicate>(Word)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(CmpInst::BAD_FCMP_PREDICATE);
}

/// setp.cmp.type p, a, b and set.cmp.result.type d, a, b: all ones, or 1.0.
bool Reader::compare(const Statement &S) {
  bool IsSetp = StringRef(S.Opcode).starts_with("setp.");
  if (Words.size() != (IsSetp ? 2 : 3) || Kinds.size() != (IsSetp ? 1 : 2) ||
      S.Operands.size() != 3)
    return false;
  CmpInst::Predicate P = predicateOf(Words[0]);
  Type *T = Kinds.back().Ty;
  if (P == CmpInst::BAD_FCMP_PREDICATE || !T->isFPOrFPVectorTy())
    return false;
  Value *L = read(S.Operands[1], T), *R = read(S.Operands[2], T);
  if (!L || !R)
    return false;
  Value *Holds = B.CreateFCmp(P, L, R);
  if (!IsSetp) {
    Type *Result = Kinds.front().Ty;
    if (Result->isFPOrFPVectorTy())
      return Result->isVectorTy() == T->isVectorTy() &&
             write(S.Operands[0], B.CreateUIToFP(Holds, Result));
    Type *Mask =
        T->isVectorTy() ? FixedVectorType::get(B.getInt16Ty(), 2) : Result;
    return write(S.Operands[0], B.CreateSExt(Holds, Mask));
  }
  if (!T->isVectorTy())
    return write(S.Operands[0], Holds);
  auto [First, Second] = StringRef(S.Operands[0]).split('|');
  return write(First.trim(), B.CreateExtractElement(Holds, uint64_t(0))) &&
         write(Second.trim(), B.CreateExtractElement(Holds, uint64_t(1)));
}

/// selp.type d, a, b, p.
bool Reader::choose(const Statement &S) {
  if (Words.size() != 1 || Kinds.size() != 1 || S.Operands.size() != 4)
    return false;
  Value *A = read(S.Operands[1], Kinds[0].Ty);
  Value *Else = read(S.Operands[2], Kinds[0].Ty);
  Value *P = find(S.Operands[3]);
  return A && Else && P && P->getType()->isIntegerTy(1) &&
         write(S.Operands[0], B.CreateSelect(P, A, Else));
}

/// and, or, xor and not of bits.
bool Reader::logic(const Statement &S) {
  StringRef Name = StringRef(S.Opcode).split('.').first;
  if (Words.size() != 1 || Kinds.size() != 1 || !Words[0].starts_with("b"))
    return false;
  Value *L = S.Operands.size() > 1 ? read(S.Operands[1], Kinds[0].Ty) : nullptr;
  if (Name == "not")
    return L && S.Operands.size() == 2 && write(S.Operands[0], B.CreateNot(L));
  auto Opcode = StringSwitch<Instruction::BinaryOps>(Name)
                    .Case("and", Instruction::And)
                    .Case("or", Instruction::Or)
                    .Default(Instruction::Xor);
  Value *R =
      S.Operands.size() == 3 ? read(S.Operands[2], Kinds[0].Ty) : nullptr;
  return L && R && write(S.Operands[0], B.CreateBinOp(Opcode, L, R));
}

//===--- Statements -------------------------------------------------------===//

bool Reader::execute(const Statement &S) {
  Words.clear();
  Kinds.clear();
  StringRef(S.Opcode).split(Words, '.');
  StringRef Name = Words.front();
  Words.erase(Words.begin());
  for (StringRef W : Words)
    if (Kind K = kindOf(C, W); K.Ty)
      Kinds.push_back(K);
  if (S.Operands.empty())
    return false;
  if (!S.Guard.empty())
    return executeGuarded(S);
  if (Name == "mov")
    return move(S);
  if (Name == "setp" || Name == "set")
    return compare(S);
  if (Name == "selp")
    return choose(S);
  if (Name == "and" || Name == "or" || Name == "xor" || Name == "not")
    return logic(S);
  if (Name == "ld" || Name == "st")
    return access(S);
  return synchronise(Name, S) || arithmetic(S);
}

/// Of an instruction with one result and no other effect: a register keeps what
/// it holds where the predicate is false.
bool Reader::executeGuarded(const Statement &S) {
  StringRef Name = StringRef(S.Opcode).split('.').first;
  StringRef To = S.Operands[0];
  if (Name == "ld" || Name == "st" || isSynchronising(Name) ||
      To.find_first_of("{|") != StringRef::npos)
    return false;
  Value *Before = find(To);
  Value *P = predicate(S.Guard);
  Statement Plain = S;
  Plain.Guard.clear();
  if (!P || !execute(Plain))
    return false;
  if (!Before) // Undefined elsewhere.
    return true;
  Value *New = find(To);
  Value *Old = as(Before, New->getType());
  return Old && write(To, B.CreateSelect(P, New, Old));
}

bool Reader::step(const Statement &S) {
  switch (S.K) {
  case Statement::Open:
    Scopes.emplace_back();
    return true;
  case Statement::Close:
    if (Scopes.size() == 1)
      return false;
    Scopes.pop_back();
    return true;
  case Statement::Declare:
    for (StringRef Name : S.Operands)
      Scopes.back()[Name] = nullptr;
    return true;
  case Statement::Execute:
    return execute(S);
  case Statement::Label:
  case Statement::Other:
    return false;
  }
  llvm_unreachable("covered switch");
}

std::optional<SmallVector<Value *, 4>> Reader::run() {
  auto *Asm = cast<InlineAsm>(CI.getCalledOperand());
  auto Body = parse(Asm->getAsmString());
  if (Body.empty() || !bindInputs() ||
      !all_of(Body, [&](const Statement &S) { return step(S); }))
    return std::nullopt;
  SmallVector<Type *, 4> Types;
  if (auto *Struct = dyn_cast<StructType>(CI.getType()))
    Types.append(Struct->element_begin(), Struct->element_end());
  else if (!CI.getType()->isVoidTy())
    Types.push_back(CI.getType());
  SmallVector<Value *, 4> Outputs;
  for (auto [K, T] : enumerate(Types)) {
    Value *V = Scopes.front().lookup("$" + utostr(K));
    Outputs.push_back(V ? as(V, T) : nullptr);
  }
  if (is_contained(Outputs, nullptr))
    return std::nullopt;
  return Outputs;
}

/// Replaces \p CI where its text is understood.
static bool replaceAsm(CallInst &CI) {
  BasicBlock::iterator Before = &CI == &CI.getParent()->front()
                                    ? BasicBlock::iterator()
                                    : std::prev(CI.getIterator());
  auto Outputs = Reader(CI).run();
  if (!Outputs) {
    // What was written up to the statement that is not known.
    auto First = [&] {
      return Before.isValid() ? std::next(Before) : CI.getParent()->begin();
    };
    while (&*First() != &CI)
      std::prev(CI.getIterator())->eraseFromParent();
    return false;
  }
  IRBuilder<> B(&CI);
  Value *Result = Outputs->empty() ? nullptr : Outputs->front();
  if (CI.getType()->isStructTy()) {
    Result = PoisonValue::get(CI.getType());
    for (auto [K, V] : enumerate(*Outputs))
      Result = B.CreateInsertValue(Result, V, K);
  }
  if (Result)
    CI.replaceAllUsesWith(Result);
  CI.eraseFromParent();
  return true;
}

bool kdiff::readAssembly(Function &F) {
  SmallVector<CallInst *, 16> Pieces;
  for (Instruction &I : instructions(F))
    if (auto *CI = dyn_cast<CallInst>(&I); CI && CI->isInlineAsm())
      Pieces.push_back(CI);
  bool Changed = false;
  for (CallInst *CI : Pieces)
    if (!ruleOfAsm(*CI))
      Changed |= replaceAsm(*CI);
  return Changed;
}
