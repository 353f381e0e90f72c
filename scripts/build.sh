#!/bin/bash
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how is KDiff configured and built?
#
# build.sh [TARGET…]: all targets if none is given. Run it, or source it;
# KDIFF_BUILD is then the build folder (build/, or what the environment says).

. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

export KDIFF_BUILD="${KDIFF_BUILD:-$KDIFF_ROOT/build}"

configure() {
  local Options=(
    -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_C_COMPILER="$KDIFF_LLVM/bin/clang"
    -DCMAKE_CXX_COMPILER="$KDIFF_LLVM/bin/clang++"
    -DLLVM_DIR="$KDIFF_LLVM/lib/cmake/llvm"
    -DKDIFF_CUDA_PATH="$KDIFF_CUDA_PATH"
  )
  if command -v ccache >/dev/null; then
    Options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
      -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake -G Ninja -S "$KDIFF_ROOT" -B "$KDIFF_BUILD" "${Options[@]}" \
    >"$KDIFF_BUILD/configure.log" 2>&1
}

say "building in $KDIFF_BUILD"
mkdir -p "$KDIFF_BUILD"
configure || {
  tail -n 30 "$KDIFF_BUILD/configure.log" >&2
  fail "cmake could not configure the build ($KDIFF_BUILD/configure.log)" \
    "see its message above; remove $KDIFF_BUILD if it is from another compiler or toolkit"
}
cmake --build "$KDIFF_BUILD" ${1:+--target "$@"} ||
  fail "the build failed" \
    "see the compiler's message above; 'cmake --build $KDIFF_BUILD' repeats it"
