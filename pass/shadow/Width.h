//===- Width.h - What has a derivative in one lane alone --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a request of several lanes (kd_width) meet
// what can have one derivative at a time only?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SHADOW_WIDTH_H
#define KDIFF_SHADOW_WIDTH_H

#include "analysis/Activity.h"
#include "shadow/Subject.h"

namespace kdiff {

/// Reports calls of functions whose derivative the user has registered
/// (rules/Custom.h), where that cannot serve several lanes: a tangent function
/// does what the primal does as well, and a reverse rule may save the one
/// shadow that it is given for each pointer. True if there is nothing to
/// report.
bool checkWidth(const Subject &S, const Activity &A);

} // namespace kdiff
#endif // KDIFF_SHADOW_WIDTH_H
