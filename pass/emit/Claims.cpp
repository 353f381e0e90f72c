//===- Claims.cpp - The winner has the derivative of a maximum ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the two sweeps of split mode do at an
// atomic maximum or minimum of memory that outlives the launch?
//
//===----------------------------------------------------------------------===//

#include "emit/Reverse.h"
#include "lower/Abstract.h"
#include "target/Sync.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// \p Number as an unsigned integer that is the larger, the later it can come
/// in a word whose contents go in the given order. The bits of numbers that are
/// at least zero have their order; those of others have it when all but the
/// sign are inverted.
static Value *codeOf(IRBuilderBase &B, AtomicRMWInst::BinOp Order,
                     Value *Number) {
  unsigned Width = Number->getType()->getScalarSizeInBits();
  Type *T = B.getIntNTy(Width);
  Value *Bits = B.CreateBitCast(Number, T);
  Constant *Sign = ConstantInt::get(T, APInt::getSignMask(Width));
  if (Order == AtomicRMWInst::FMax || Order == AtomicRMWInst::FMin) {
    Value *Below = B.CreateAShr(Bits, Width - 1);
    Bits = B.CreateXor(Bits, B.CreateOr(Below, Sign));
  } else if (Order == AtomicRMWInst::Max || Order == AtomicRMWInst::Min) {
    Bits = B.CreateXor(Bits, Sign);
  }
  if (Order == AtomicRMWInst::FMin || Order == AtomicRMWInst::Min ||
      Order == AtomicRMWInst::UMin)
    Bits = B.CreateNot(Bits);
  return B.CreateZExt(Bits, B.getInt64Ty());
}

/// Notes, in the forward sweep, what \p CB claims.
static void noteClaim(CallBase &CB, const nvptx::Claim &Made,
                      ReverseContext &C) {
  IRBuilder<> B(&CB);
  Value *Raises = nvptx::createRaises(B, Made.RMW->getOperation(),
                                      Made.RMW->getValOperand(), Made.RMW);
  Value *Noted =
      createTapeClaim(B, C.Values.tapeState(), Made.Word, unsigned(Made.Order),
                      codeOf(B, Made.Order, Made.Number), Raises);
  C.Replaced.push_back({&CB, cast<CallInst>(Noted)});
}

/// The winner takes the whole derivative of the word, whose content before it
/// does not matter any more; nobody else touches it.
void reverseClaim(CallBase &CB, ReverseContext &C) {
  nvptx::Claim Made = *nvptx::claimOf(CB);
  noteClaim(CB, Made, C);
  Value *Code = codeOf(C.B, Made.Order, C.primal(Made.Number));
  Value *Wins =
      createTapeSettle(C.B, C.Values.tapeState(), C.primal(&CB), Code);
  LaneValues Shadows;
  C.Adj.forEachLane([&] { Shadows.push_back(C.shadow(Made.Word)); });
  Function *F = C.S.P.F;
  BasicBlock *Then = BasicBlock::Create(F->getContext(), "rev.wins", F);
  BasicBlock *After = BasicBlock::Create(F->getContext(), "rev.settled", F);
  C.B.CreateCondBr(Wins, Then, After);
  C.B.SetInsertPoint(Then);
  C.Adj.forEachLane([&] {
    Value *Shadow = Shadows[C.Adj.lane()];
    whereShadowed(Made.Word, Shadow, C, [&] {
      Type *T = Made.Number->getType();
      Value *Adjoint = C.B.CreateLoad(T, Shadow);
      C.B.CreateStore(Constant::getNullValue(T), Shadow);
      if (C.A.isActive(Made.Number))
        C.Adj.add(C.B, Made.Number, Adjoint);
    });
  });
  C.B.CreateBr(After);
  C.B.SetInsertPoint(After);
}

void watchClaims(ReverseContext &C) {
  for (const AccessBetween &Access : C.P.Watched) {
    IRBuilder<> B(Access.I);
    unsigned Bytes =
        Access.I->getDataLayout().getTypeStoreSize(accessedType(*Access.I));
    createTapeWatch(B, C.Values.tapeState(), Access.Pointer, Bytes);
  }
}

} // namespace kdiff
