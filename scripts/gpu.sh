#!/bin/bash
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how do the cases and the benchmarks get to a
# machine that has a card and its driver, but neither LLVM nor this project?
#
# gpu.sh [FOLDER]: packs both into FOLDER (out/gpu). Copy it there, and run
# FOLDER/run [RESULTS]: it runs everything on the card and writes RESULTS
# (FOLDER/results): cases.json and benchmarks.json.

Folder="${1:-}"
. "$(dirname "${BASH_SOURCE[0]}")/build.sh" KDiff kdiff kdiff-run-cases bench-pack

Folder="${Folder:-$KDIFF_ROOT/out/gpu}"
Cases=("$KDIFF_ROOT/test/cases")
[ -z "${KDIFF_CASES:-}" ] || Cases+=("$KDIFF_CASES")

say "packing into $Folder"
rm -rf "$Folder"
mkdir -p "$Folder"
"$KDIFF_BUILD/bin/kdiff" cases "${Cases[@]}" --area core,math \
  --pack "$Folder/cases" ||
  say "some cases could not be packed; they are named above"
cp -r "$KDIFF_BUILD/benchmarks/pack" "$Folder/benchmarks"

cat >"$Folder/run" <<'END'
#!/bin/sh
# Which question this answers: is everything in this folder right on the card,
# and how fast? run [RESULTS]
Here="$(cd "$(dirname "$0")" && pwd)"
Results="${1:-$Here/results}"
mkdir -p "$Results" || exit 1
Status=0
"$Here/benchmarks/kdiff-bench" "$Here/benchmarks" \
  --json="$Results/benchmarks.json" || Status=1
"$Here/cases/run" --json="$Results/cases.json" || Status=1
exit $Status
END
chmod +x "$Folder/run"
say "done: $(du -sh "$Folder" | cut -f1) in $Folder; run it with $Folder/run"
