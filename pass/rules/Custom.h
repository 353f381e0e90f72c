//===- Custom.h - Derivatives that the user gives ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what has the user registered for a function or
// a device variable?
//
// The request stage reads the registrations (kdiff/rules.h) and notes them on
// the functions and variables themselves, as attributes and metadata; from
// then on a function carries its rule with it.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_RULES_CUSTOM_H
#define KDIFF_RULES_CUSTOM_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
} // namespace llvm

namespace kdiff::custom {

/// A pair of functions that stand for the reverse of a function
/// R f(A1, ..., An). In what follows each pointer Ai is followed by its shadow
/// (null where the caller has none):
///   R Augmented(void *Saved, A1, ...)
///   void Reverse(const void *Saved, R Adjoint, A1, ...)
/// In Reverse, each floating-point Ai is followed by the address of its
/// adjoint, to be added to; Adjoint is there if R is a floating-point type.
struct ReverseRule {
  llvm::Function *Augmented = nullptr;
  llvm::Function *Reverse = nullptr;
  unsigned SavedBytes = 0; ///< What Saved points to in the calling thread.
};

void setInactive(llvm::Function &F);
void setReplacement(llvm::Function &F, llvm::Function &By);
void setReverse(llvm::Function &F, const ReverseRule &R);
/// R Tangent(R *Result, A1, ...): each pointer followed by its shadow, each
/// number by its tangent; returns the tangent of the result, and writes the
/// result. Without Result if R is void; returns void if R is no number.
void setTangent(llvm::Function &F, llvm::Function &Tangent);
void setShadow(llvm::GlobalVariable &V, llvm::GlobalVariable &Shadow);

/// Calls of \p F have no derivative and are made in the primal alone.
bool isInactive(const llvm::Function &F);
bool isReplaced(const llvm::Function &F);
/// What is called within differentiated code in the place of \p F, or of
/// \p CB's callee; null: that itself.
llvm::Function *replacement(const llvm::Function &F);
llvm::Function *replacement(const llvm::CallBase &CB);
/// Within the replacement of a function, a call \p CB of that function means
/// the function itself.
void keepOriginal(llvm::CallBase &CB);
bool meansOriginal(const llvm::CallBase &CB);
/// Null functions if there is none.
ReverseRule reverseRule(const llvm::Function &F);
llvm::Function *tangentRule(const llvm::Function &F);
/// Calls of \p F stay calls: it has a rule in one of the modes.
bool hasRule(const llvm::Function &F);
/// The shadow of a __device__ or __constant__ variable; null if it has none.
llvm::GlobalVariable *shadow(const llvm::GlobalVariable &V);

} // namespace kdiff::custom
#endif // KDIFF_RULES_CUSTOM_H
