//===- Operand.cpp - An operand as the function takes it ------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Operand.h.
//
//===----------------------------------------------------------------------===//

#include "request/Operand.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace kdiff;

Value *kdiff::convertOperand(CallBase &Call, unsigned Operand, Type *To,
                             bool ByVal) {
  Value *V = Call.getArgOperand(Operand);
  Type *From = V->getType();
  if (Call.isByValArgument(Operand) && !ByVal)
    return nullptr;
  if (From == To)
    return V;
  IRBuilder<> B(&Call);
  if (From->isPointerTy() && To->isPointerTy())
    return To->getPointerAddressSpace() == 0 ? B.CreateAddrSpaceCast(V, To)
                                             : nullptr;
  if (From->isFloatingPointTy() && To->isFloatingPointTy()) {
    if (auto *Ext = dyn_cast<FPExtInst>(V); Ext && Ext->getSrcTy() == To)
      return Ext->getOperand(0);
    if (auto *C = dyn_cast<ConstantFP>(V)) {
      APFloat Value = C->getValueAPF();
      bool Inexact = false;
      Value.convert(To->getFltSemantics(), APFloat::rmNearestTiesToEven,
                    &Inexact);
      return Inexact ? nullptr : ConstantFP::get(To, Value);
    }
    return From->getScalarSizeInBits() < To->getScalarSizeInBits()
               ? B.CreateFPExt(V, To)
               : nullptr;
  }
  if (From->isIntegerTy() && To->isIntegerTy()) {
    if (isa<ZExtInst, SExtInst>(V) && cast<CastInst>(V)->getSrcTy() == To)
      return cast<CastInst>(V)->getOperand(0);
    unsigned Bits = To->getIntegerBitWidth();
    // A negative literal that gets wider could be unsigned as well.
    if (auto *C = dyn_cast<ConstantInt>(V))
      if (Bits < From->getIntegerBitWidth()
              ? C->getValue().isSignedIntN(Bits) || C->getValue().isIntN(Bits)
              : !C->isNegative())
        return ConstantInt::get(To, C->getValue().zextOrTrunc(Bits));
  }
  return nullptr;
}
