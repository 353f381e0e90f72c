#!/bin/bash
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how do the cases and the benchmarks get to a
# machine that has a card and its driver, but neither LLVM nor this project?
#
# gpu.sh [FOLDER]: packs both into FOLDER (out/gpu). Copy it there, and run
# FOLDER/run [RESULTS]: it runs everything on the card and writes RESULTS
# (FOLDER/results): cases.json and benchmarks.json; threads.json of ten runs of
# each case whose threads cooperate; and sanitizer.txt, what NVIDIA's
# compute-sanitizer finds in those, if that machine has it.

Folder="${1:-}"
. "$(dirname "${BASH_SOURCE[0]}")/build.sh" KDiff kdiff kdiff-run-cases bench-pack

Folder="${Folder:-$KDIFF_ROOT/out/gpu}"
Cases=("$KDIFF_ROOT/test/cases")
[ -z "${KDIFF_CASES:-}" ] || Cases+=("$KDIFF_CASES")

say "packing into $Folder"
rm -rf "$Folder"
mkdir -p "$Folder"
"$KDIFF_BUILD/bin/kdiff" cases "${Cases[@]}" --area core,math,threads,types \
  --pack "$Folder/cases" ||
  say "some cases could not be packed; they are named above"
cp -r "$KDIFF_BUILD/benchmarks/pack" "$Folder/benchmarks"

cp "$KDIFF_ROOT/scripts/gpu_run.sh" "$Folder/run"
chmod +x "$Folder/run"
say "done: $(du -sh "$Folder" | cut -f1) in $Folder; run it with $Folder/run"
