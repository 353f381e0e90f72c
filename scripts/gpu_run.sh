#!/bin/sh
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: is everything that gpu.sh packed right on the
# card, and how fast?
#
# run [RESULTS] [benchmarks] [cases] [threads] [sanitizer]: all four parts unless
# some are named. The last lines are a summary. The exit status is 0 if all is
# right and nothing was found.

Here="$(cd "$(dirname "$0")" && pwd)"
Results="${1:-$Here/results}"
[ $# -eq 0 ] || shift
Parts="${*:-benchmarks cases threads sanitizer}"
mkdir -p "$Results" || exit 1
Status=0
Summary=""

note() {
  Summary="$Summary$1
"
}

# part NAME COMMAND...: runs it if NAME was asked for; its last line counts.
part() {
  Name="$1"
  shift
  case " $Parts " in *" $Name "*) ;; *) return ;; esac
  if "$@" >"$Results/$Name.log" 2>&1; then Word=right; else
    Word=WRONG
    Status=1
  fi
  cat "$Results/$Name.log"
  note "$Name: $Word: $(tail -n 1 "$Results/$Name.log")"
}

part benchmarks "$Here/benchmarks/kdiff-bench" "$Here/benchmarks" \
  --json="$Results/benchmarks.json"
part cases "$Here/cases/run" --json="$Results/cases.json"
part threads "$Here/cases/run" --area=threads --repeat=10 \
  --json="$Results/threads.json"

# What each of the sanitizer's tools says of the cases whose threads cooperate.
# A shadow that nobody has written is what initcheck looks for.
sanitize() {
  Sanitizer="$(command -v compute-sanitizer)" ||
    Sanitizer=/usr/local/cuda/bin/compute-sanitizer
  if [ ! -x "$Sanitizer" ]; then
    note "sanitizer: not on this machine"
    return
  fi
  : >"$Results/sanitizer.txt"
  for Tool in memcheck racecheck synccheck initcheck; do
    "$Sanitizer" --tool "$Tool" --target-processes all --error-exitcode 9 \
      --print-limit 20 "$Here/cases/run" --area=threads --jobs=8 \
      --timeout=300 >"$Results/$Tool.log" 2>&1
    Ended=$?
    cat "$Results/$Tool.log" >>"$Results/sanitizer.txt"
    [ $Ended -eq 0 ] || Status=1
    # One summary a process; what is not "0 errors" or "0 hazards" is a finding.
    Clean="$(grep -cE 'SUMMARY: 0 (errors|hazards)' "$Results/$Tool.log")"
    Found="$(grep -E 'SUMMARY:' "$Results/$Tool.log" |
      grep -cvE 'SUMMARY: 0 (errors|hazards)')"
    [ "$Found" -eq 0 ] && [ "$Clean" -gt 0 ] || Status=1
    note "$Tool: $Clean processes clean, $Found with findings, exit $Ended:\
 $(grep -E '[0-9]+ passed' "$Results/$Tool.log" | tail -n 1)"
  done
}
case " $Parts " in *" sanitizer "*) sanitize ;; esac

printf '%s' "$Summary"
exit $Status
