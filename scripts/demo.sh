#!/bin/bash
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: what does KDiff do, seen on real programs?
#
# Sets up, builds, and differentiates the demo programs in benchmarks/; no GPU
# is needed. The files it makes lie in out/demo.

. "$(dirname "${BASH_SOURCE[0]}")/build.sh" KDiff kdiff

export KDIFF_TOOL="$KDIFF_BUILD/bin/kdiff"
export KDIFF_OUT="$KDIFF_ROOT/out/demo"
mkdir -p "$KDIFF_OUT"
exec bash "$KDIFF_ROOT/benchmarks/demo.sh" "$@"
