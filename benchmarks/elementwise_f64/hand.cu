// The adjoint of primal.cu: elementwise/hand.cu in double precision.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#define REAL double
#include "../elementwise/hand.cu"
