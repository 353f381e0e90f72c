//===- Resolve.h - Which function a request names --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which constant function, and which markers,
// reach each request call through local variables and wrapper templates?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_RESOLVE_H
#define KDIFF_REQUEST_RESOLVE_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace kdiff {

/// The calls of \p M that ask for a derivative, in module order, after these
/// rewrites of the functions that hold them:
///  - local variables become values (SROA; `optnone` is dropped for that);
///  - where the function to differentiate or a marker comes out of a call,
///    that call is inlined;
///  - where it is a parameter of the function that holds the request, that
///    function is inlined into its callers, and erased, since without
///    knowledge of the parameter it means nothing.
/// A call whose function stays unknown is returned all the same.
llvm::SmallVector<llvm::CallBase *, 4> resolveRequestCalls(llvm::Module &M);

} // namespace kdiff
#endif // KDIFF_REQUEST_RESOLVE_H
