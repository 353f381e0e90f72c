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
#include <optional>

namespace llvm {
class CallBase;
class Function;
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
  Const,     ///< Not differentiated; no shadow.
  Dup,       ///< Value and shadow pointer (by-value float in forward mode:
             ///< value and tangent).
  DupNoNeed, ///< As Dup; the primal's result in this memory is not wanted.
  Out,       ///< By-value scalar; its adjoint is returned.
  Acc        ///< By-value scalar; its adjoint is added to *Shadow.
};

struct ArgRequest {
  ArgActivity Activity = ArgActivity::Const;
  llvm::Value *Primal = nullptr; ///< Operand of the call; never null.
  llvm::Value *Shadow = nullptr; ///< Null unless Dup, DupNoNeed or Acc.
};

/// One request: a call that the lower stage replaces by the gradient.
struct Request {
  llvm::CallBase *Call = nullptr;
  llvm::Function *Primal = nullptr;
  Mode M = Mode::Reverse;
  llvm::SmallVector<ArgRequest, 8> Args; ///< One per formal argument.

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
