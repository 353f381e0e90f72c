#!/bin/bash
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: does everything work?
#
# Sets up, builds, runs every test, and ends with `N passed, N failed`.
# KDIFF_CASES=FOLDER adds a folder of cases (default: ../shared/cases, if it is
# there).

. "$(dirname "${BASH_SOURCE[0]}")/build.sh" all

Results="$KDIFF_BUILD/results"
Cases="${KDIFF_CASES:-$KDIFF_ROOT/../shared/cases}"
if [ -d "$Cases" ]; then
  KDIFF_CASES="$(cd "$Cases" && pwd)"
  say "further cases: $KDIFF_CASES"
elif [ -n "${KDIFF_CASES:-}" ]; then
  fail "KDIFF_CASES=$KDIFF_CASES is no folder" "unset it, or name a folder of cases"
else
  say "further cases: none (set KDIFF_CASES to a folder of cases to add them); test/cases is run"
fi
cmake -DKDIFF_CASES="${KDIFF_CASES:-}" "$KDIFF_BUILD" >/dev/null

rm -rf "$Results"
mkdir -p "$Results"
# ctest's own status does not count what the runners' results say; the summary
# does both.
ctest --test-dir "$KDIFF_BUILD" -j "$(nproc)" --output-on-failure \
  --no-tests=error --output-junit "$Results/ctest.xml" || true
exec python3 "$KDIFF_ROOT/scripts/summary.py" "$Results"
