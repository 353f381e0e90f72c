//===- Rules.h - The table of scalar derivatives ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what are the partial derivatives of one
// elementary operation, what do they need, and how is a call classified?
//
// One constexpr row an operation; forward mode, reverse mode, the plan and
// the numeric test of every row read the same row.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_RULES_H
#define KDIFF_RULES_RULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include <cstdint>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace kdiff {

struct Rule; ///< A row; opaque to its readers.

/// What a partial reads: bit k = operand k, ResultBit = the primal's result.
using NeedMask = uint32_t;
constexpr NeedMask ResultBit = 1u << 31;

/// The row of \p I (a floating-point instruction, an intrinsic, a libdevice
/// call that is not the primal's alone), or null. Rows exist for results of
/// floating-point or vector of floating-point type. Structural instructions
/// (phi, select, load, casts between integer and pointer, ...) have none.
const Rule *findRule(const llvm::Instruction &I);
llvm::StringRef name(const Rule &R);

/// True if the result depends on operand \p K with a derivative that is not
/// identically zero (false for exponents of ldexp, signs of copysign, ...).
bool isDifferentiable(const Rule &R, unsigned K);

/// What the partial by operand \p K reads.
NeedMask needs(const Rule &R, unsigned K);

/// What the partials of \p I, of row \p R, by all operands that \p IsActive
/// accepts read.
NeedMask needsOf(const Rule &R, const llvm::Instruction &I,
                 llvm::function_ref<bool(const llvm::Value *)> IsActive);

/// True if the partial by operand \p K is finite for every operand but NaN
/// (tanh, fadd, fmin, atan, ...): the adjoint needs no guard against
/// 0 * infinity. (Not sin: its partial at infinity is NaN.)
bool isBounded(const Rule &R, unsigned K);

/// True if the partial by \p K is the constant +1 or -1 (\p Negative): no
/// multiplication is emitted then.
bool isUnit(const Rule &R, unsigned K, bool &Negative);

/// Emits the partial of \p R by operand \p K at \p B, of type \p Ty, the type
/// of the result. \p Args and \p Result give the primal values that needs()
/// names; the others may be null. Integer operands are passed as they are.
/// Declares functions of libdevice that the module lacks (the lower stage
/// links them). \p FMF are the primal's flags; nnan and ninf are dropped,
/// because a partial may be what the primal is not. Constant 0 where
/// isDifferentiable() is false. fpext and fptrunc have the partial 1: the
/// caller casts the adjoint. \p Reciprocal, if given, is 1 / operand 1.
llvm::Value *emitPartial(llvm::IRBuilderBase &B, const Rule &R, unsigned K,
                         llvm::ArrayRef<llvm::Value *> Args,
                         llvm::Value *Result, llvm::Type *Ty,
                         llvm::FastMathFlags FMF,
                         llvm::Value *Reciprocal = nullptr);

//===--- Calls ------------------------------------------------------------===//

/// A call that writes results through pointers (sincos, modf, frexp, remquo).
/// Outputs are numbered: -1 is the returned value, k >= 0 the memory that
/// pointer operand k points to.
struct OutRule;
const OutRule *findOutRule(const llvm::CallBase &CB);
llvm::StringRef name(const OutRule &R);
/// Pointer operands that receive one floating-point number, of the type of
/// the differentiable operands. (frexp and remquo have none: theirs receive
/// an i32. They write memory all the same.)
llvm::ArrayRef<unsigned> outPointers(const OutRule &R);
/// The differentiable operands.
llvm::ArrayRef<unsigned> inputs(const OutRule &R);
/// False if \p Output has no derivative by operand \p K (the integer that
/// modf stores: its shadow is cleared, and nothing is added).
bool isDifferentiable(const OutRule &R, int Output, unsigned K);
NeedMask needs(const OutRule &R, int Output, unsigned K);
/// What the partials of all outputs of \p CB, of row \p R, by all operands that
/// \p IsActive accepts read.
NeedMask needsOf(const OutRule &R, const llvm::CallBase &CB,
                 llvm::function_ref<bool(const llvm::Value *)> IsActive);
/// \p Args as in emitPartial (values of by-value operands; null for pointers).
llvm::Value *emitPartial(llvm::IRBuilderBase &B, const OutRule &R, int Output,
                         unsigned K, llvm::ArrayRef<llvm::Value *> Args,
                         llvm::Value *Result, llvm::Type *Ty);

/// True if \p CB is __kd_checkpoint(k), which says something of its loop and
/// does nothing.
bool isCheckpointMark(const llvm::CallBase &CB);

enum class CallClass {
  Rule,       ///< findRule() answers.
  OutPointer, ///< findOutRule() answers.
  Pure,       ///< No derivative, no side effect: may be repeated
              ///< (integer-valued math, special registers that never change
              ///< for a thread, classification, ...). Of an integer that
              ///< carries the bits of an active number (see Bits), it is no
              ///< move: refuse.
  Inactive,   ///< No derivative, but a side effect or a changing value: once
              ///< (printf, assert, clock, trap, nanosleep, prefetch, ...).
  Ignorable,  ///< Debug, lifetime, assume, annotations: not in the sweep.
  Allocation, ///< Device malloc and free.
  Atomic,     ///< llvm.nvvm.atomic.* and the like.
  Barrier,    ///< Barriers of every spelling.
  Fence,      ///< Memory fences that are no IR instruction.
  Warp,       ///< Shuffles, votes, matches, redux, activemask; the sum over a
              ///< block (nvptx::createBlockSum).
  Claim,      ///< Behind an atomic maximum or minimum (nvptx::createClaim).
  Memory,     ///< memcpy, memmove, memset.
  LoadLike,   ///< ldg/ldu and other intrinsics that load from operand 0.
  Asm,        ///< Inline assembly.
  Texture,    ///< Texture and surface access and queries.
  Bits,       ///< Moves a floating-point number, or a piece of one, between
              ///< floating-point and integer registers: isBitCopy(), halves of
              ///< a double (d2i.hi, d2i.lo, lohi.i2d), half precision in an
              ///< i16 (convert.to.fp16, convert.from.fp16). Not Pure: the
              ///< integer is as active as the number.
  Exit,       ///< Ends the thread at once: a reverse sweep would not run.
  Defined,    ///< A function with a body and no rule: to be inlined, or, when
              ///< recursive, differentiated as a call.
  Indirect,   ///< Callee unknown.
  Unknown     ///< Nobody knows it, or it has no derivative here: refused when
              ///< anything that it can reach is active.
};
CallClass classify(const llvm::CallBase &CB);

/// True if \p CB returns the bits of its operand as they are: a bitcast
/// written as a call (of a function that is declared only; a defined one is a
/// bitcast after inlining).
bool isBitCopy(const llvm::CallBase &CB);

/// True if \p F must stay a call, though its body may be in the module
/// (libdevice): it has a row, or is known by name (isnan, float2int, ...)
/// where its body would be bit tricks.
bool hasRule(const llvm::Function &F);

} // namespace kdiff
#endif // KDIFF_RULES_RULES_H
