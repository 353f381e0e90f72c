//===- Request.h - What the user asked to differentiate --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which calls of a module ask for a derivative,
// of which function, in which mode, with which activity of each argument?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_REQUEST_H
#define KDIFF_REQUEST_REQUEST_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class Module;
class raw_ostream;
class Value;
} // namespace llvm

namespace kdiff {

enum class Mode {
  Reverse, ///< Combined: the primal, then the reverse sweep, in one thread.
  Forward  ///< Primal and tangents in one sweep.
};

/// The activity of one formal argument of the primal (design: section 2).
enum class ArgActivity {
  Const,      ///< Not differentiated; no shadow.
  Dup,        ///< Value and shadow pointer (by-value float in forward mode:
              ///< value and tangent).
  DupNoNeed,  ///< As Dup; the primal's result in this memory is not wanted.
  Seed,       ///< Memory that is written or added to and never read; its shadow
              ///< is read and left as it is.
  SeedNoNeed, ///< As Seed; the primal's result is not wanted.
  Fresh,      ///< Memory that is only read; what its shadow holds at entry does
              ///< not count.
  Out,        ///< By-value scalar; its adjoint is returned.
  Acc         ///< By-value scalar; its adjoint is added to *Shadow.
};

/// True if a shadow follows the value in the request.
inline bool hasShadow(ArgActivity A) {
  return A != ArgActivity::Const && A != ArgActivity::Out;
}
inline bool isSeed(ArgActivity A) {
  return A == ArgActivity::Seed || A == ArgActivity::SeedNoNeed;
}
/// True if nobody wants what the primal writes there.
inline bool isUnwanted(ArgActivity A) {
  return A == ArgActivity::DupNoNeed || A == ArgActivity::SeedNoNeed;
}
/// The marker's name, without its prefix.
llvm::StringRef toString(ArgActivity A);

struct ArgRequest {
  ArgActivity Activity = ArgActivity::Const;
  llvm::Value *Primal = nullptr; ///< Operand of the call; never null.
  /// One for each lane if hasShadow(Activity), else none.
  llvm::SmallVector<llvm::Value *, 1> Shadows = {};
};

/// The most tangents or seeds that a request may have at once: what is emitted
/// grows with them.
constexpr unsigned MaxWidth = 64;

/// What of reverse mode a request asks for.
enum class Product {
  Gradient,  ///< Primal and reverse sweep in one thread.
  Augmented, ///< The primal, which leaves what its reverse needs on a tape.
  Reverse,   ///< The reverse sweep of such a primal, in a later launch.
  TapeBytes  ///< How many bytes of tape a thread of it needs.
};

/// One request: a call that the lower stage replaces by the gradient.
struct Request {
  llvm::CallBase *Call = nullptr;
  llvm::Function *Primal = nullptr;
  Mode M = Mode::Reverse;
  Product Wanted = Product::Gradient;
  /// How many tangents, or seeds, there are at once: the lanes. Each has
  /// shadows of its own; all share the primal and its tape.
  unsigned Width = 1;
  /// The pool that the tape lies in: always there where Wanted is Augmented or
  /// Reverse (split mode). Of a gradient null: that of the module's variable.
  llvm::Value *Tape = nullptr;
  llvm::SmallVector<ArgRequest, 8> Args; ///< One per formal argument.
  /// Where the host reads facts about the derivative (kdiff/KernelFacts.h);
  /// null: it asks for none.
  llvm::GlobalVariable *Facts = nullptr;

  void print(llvm::raw_ostream &OS) const;
};

/// All requests of \p M, in module order. Rewrites callers as far as needed
/// to see constant function pointers (inlined templates, local variables).
/// Nothing if a request does not fit its function; the error has been
/// reported at the call's source line then.
std::optional<llvm::SmallVector<Request, 4>> collectRequests(llvm::Module &M);

/// Takes every request call out of \p M (their results become poison), so
/// that the module can be compiled to its end after an error was reported.
void discardRequests(llvm::Module &M);

} // namespace kdiff
#endif // KDIFF_REQUEST_REQUEST_H
