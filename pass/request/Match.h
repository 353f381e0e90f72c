//===- Match.h - Does a request fit its function? --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which operand of a request call is the value,
// and which the shadow, of which parameter, and what does not fit?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_MATCH_H
#define KDIFF_REQUEST_MATCH_H

#include "request/Request.h"
#include "request/Spelling.h"

namespace kdiff {

class PointerUse;

/// Assigns the operands of \p Call behind the first to the parameters of
/// \p Primal. Values that C's variadic promotion or a literal's type made
/// wider are given the parameter's type again where that is exact (new
/// instructions in front of \p Call). Nothing if they do not fit; the first
/// misfit has been reported at the call.
std::optional<Request> matchRequest(llvm::CallBase &Call,
                                    llvm::Function &Primal, CallMeaning Meaning,
                                    PointerUse &Pointers);

} // namespace kdiff
#endif // KDIFF_REQUEST_MATCH_H
