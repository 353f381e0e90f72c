//===- Subject.h - A prepared primal with room for its shadows --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which function do analysis, plan and emit work
// on, and which of its parameters are primal values and which are shadows?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SHADOW_SUBJECT_H
#define KDIFF_SHADOW_SUBJECT_H

#include "prepare/Prepare.h"
#include "request/Request.h"
#include "support/Lanes.h"
#include <string>

namespace llvm {
class Argument;
}

namespace kdiff {

/// What happens to the function's control flow and tape.
enum class Shape {
  /// The function of a request: the primal, then the reverse sweep. In forward
  /// mode it returns the tangent of the result.
  Request,
  /// The function of a request of split mode: cut at the end of its primal, as
  /// a callee is, but both halves have its arguments.
  Split,
  /// A function that the primal calls (recursion). In reverse mode it is cut
  /// at the end of its primal: values cross on the tape alone. In forward mode
  /// it returns {result, tangent}.
  Callee
};

struct Formal {
  llvm::Argument *Primal = nullptr;
  /// One for each lane if hasShadow(Activity), else none.
  llvm::SmallVector<llvm::Argument *, 1> Shadows = {};
  ArgActivity Activity = ArgActivity::Const;
  /// The shadows are memory of the calling thread (the request passes the
  /// addresses of local variables).
  bool PrivateShadow = false;
  /// Value and shadows are the same in every thread of the grid.
  bool Uniform = false;
};

struct Subject {
  Prepared P; ///< P.F is the function with shadow parameters.
  llvm::SmallVector<Formal, 8> Formals;
  /// What the primal returns; null where that is nothing. The function itself
  /// returns what Emitted::Gradient returns (poison until emit sets it).
  llvm::Value *Result = nullptr;
  /// A callee in reverse mode: the adjoints of its result, packed (null if it
  /// returns no floating-point number), and the address of its caller's tape.
  /// Of a request: the pool of the tape, in split mode or where it gives one.
  llvm::Argument *Seed = nullptr, *Tape = nullptr;
  unsigned Width = 1; ///< Request::Width.
  Mode M = Mode::Reverse;
  Shape S = Shape::Request;
  /// All threads of a block come to the end of the gradient together, once in
  /// a launch: they may wait for each other there.
  bool BlockMeets = false;
  /// All threads of a block pass the same of the primal's barriers. If not,
  /// they cannot wait for each other before all of them have ended.
  bool SameBarriers = true;
  /// The request is all that a kernel does, with arguments that are the same
  /// for the whole grid: a block may as well do the work of others.
  bool OwnsLaunch = false;
  /// What both halves of a split function must agree on besides the plan.
  std::string PrimalName;
  Product Wanted = Product::Gradient;
  /// The primal is a kernel: nobody sees its shared memory but itself.
  bool IsKernel = false;

  /// The two sweeps share no stack frame.
  bool isCut() const { return S != Shape::Request; }

  /// The activity of each parameter of P.F; Const for shadows.
  llvm::SmallVector<ArgActivity, 8> activities() const;

  /// The one argument that \p Pointer is derived from; null if there is none,
  /// or several objects.
  const Formal *formalOf(const llvm::Value *Pointer) const;
};

/// What a reverse sweep returns for \p R: the adjoints of the Out arguments of
/// \p Primal, packed. See Emitted::Gradient.
llvm::Type *adjointsType(const llvm::Function &Primal, const Request &R);

/// Moves the body of \p P.F, prepared for \p R, into a function
/// `kdiff.grad.NAME` or `kdiff.tangent.NAME` with the parameters and return
/// type of Emitted::Gradient (of a callee: as Shape says, with Seed and Tape
/// as last parameters). The old function is erased.
Subject makeSubject(Prepared P, const Request &R, Shape S);

} // namespace kdiff
#endif // KDIFF_SHADOW_SUBJECT_H
