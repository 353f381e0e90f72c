//===- Explorer.h - Who accesses the memory of a pointer --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which accesses reach the memory that a pointer
// parameter leads to, and which values go from and to it?
//
// Facts are propagated over the functions that can be reached, without regard
// to the order of instructions or to the calling context. So a pointer may be
// taken for one to floating-point numbers too often, never too rarely.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_EXPLORER_H
#define KDIFF_REQUEST_EXPLORER_H

#include "request/PointerUse.h"
#include "support/Types.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace kdiff {

/// What is known of a value.
enum class Role : unsigned {
  Address,      ///< Points into the memory, or holds such a pointer.
  Word,         ///< Integer that was read from the memory, unchanged.
  DerivedWord,  ///< Integer that was calculated from such a one.
  Source,       ///< Integer that is written to the memory, unchanged.
  DerivedSource ///< Integer from which such a one is calculated.
};

inline bool isForward(Role R) { return R <= Role::DerivedWord; }

/// A place in a local object, or in one that a parameter points to.
struct Place {
  llvm::Value *Base;
  int64_t Offset; ///< Anywhere if it is not constant.
};
constexpr int64_t Anywhere = INT64_MIN;

/// Explores the accesses to the memory that one parameter points to.
class Explorer {
public:
  explicit Explorer(llvm::Argument &A)
      : Primal(*A.getParent()), DL(A.getParent()->getDataLayout()) {
    add(&A, Role::Address);
  }
  Pointee run();

private:
  using Fact = std::pair<llvm::Value *, Role>;
  using PlaceFact = std::pair<std::pair<llvm::Value *, int64_t>, Role>;

  bool add(llvm::Value *V, Role R) { return Facts.insert({V, R}); }
  void foundInteger(llvm::Value *Read, Role R) {
    Integer = true;
    add(Read, R);
  }

  void visitUse(const llvm::Use &U, Role R);
  void visitAddressUse(const llvm::Use &U);
  void visitWordUse(const llvm::Use &U, Role R);
  void visitSource(llvm::Value *V, Role R);
  void visitSourceCall(llvm::CallBase &Call, Role R);
  void visitCallUse(llvm::CallBase &Call, const llvm::Use &U, Role R);
  void visitDeclarationUse(llvm::CallBase &Call, const llvm::Use &U, Role R);
  void visitReturn(llvm::Function &F, Role R);

  Place placeOf(llvm::Value *Pointer) const;
  bool isTracked(const Place &P) const;
  void addPlace(llvm::Value *Pointer, Role R);
  void addCopy(llvm::Value *Pointer);
  void visitPlace(Place P, Role R);
  void visitPlaceUse(const llvm::Use &U, int64_t Delta, Place P, Role R);
  void read(llvm::Type *T, llvm::Value *Read);
  void written(llvm::Value *V);

  llvm::Function &Primal;
  const llvm::DataLayout &DL;
  llvm::SetVector<Fact> Facts;
  llvm::SetVector<PlaceFact> Places;
  bool Float = false, Integer = false, Hidden = false;
};

} // namespace kdiff
#endif // KDIFF_REQUEST_EXPLORER_H
