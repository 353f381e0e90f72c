#!/bin/bash
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: what does KDiff make of the demo programs?
#
# For each: its gradient as PTX and as a cubin, whether it is right on the SIMT
# executor, and where the files lie. scripts/demo.sh calls this; by hand:
#   KDIFF_TOOL=build/bin/kdiff KDIFF_OUT=out/demo benchmarks/demo.sh

set -u
Here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
Tool="${KDIFF_TOOL:?the kdiff executable}"
Out="${KDIFF_OUT:?a folder for what is made}"
Status=0

# demo FOLDER [OPTION…]: options for kdiff grad.
demo() {
  local Name="$1" Dir="$Out/$1" Source="$Here/$1/primal.cu"
  shift
  mkdir -p "$Dir"
  echo
  echo "== $Name: $(sed -n '1s,^// ,,p' "$Source")"
  if ! "$Tool" grad "$Source" --kernel "$Name" "$@" -O3 -o "$Dir/gradient.ptx" \
    >"$Dir/log" 2>&1 ||
    ! "$Tool" grad "$Source" --kernel "$Name" "$@" -O3 \
      -o "$Dir/gradient.cubin" >>"$Dir/log" 2>&1; then
    echo "   no gradient:"
    sed 's/^/   /' "$Dir/log"
    Status=1
    return
  fi
  echo "   PTX        $(wc -c <"$Dir/gradient.ptx") bytes," \
    "$(wc -l <"$Dir/gradient.ptx") lines"
  echo "   ptxas      $(describe "$Dir/gradient.json")"
  echo "   files      $Dir: gradient.ptx, gradient.cubin, gradient.json"
  echo "   derivatives on the SIMT executor, reverse and forward:"
  "$Tool" cases "$Here/$Name" --mode all >"$Dir/verdict" 2>&1 || Status=1
  sed 's/^/   /' "$Dir/verdict"
}

# The resources that a gradient's description states.
describe() {
  python3 - "$1" <<'END'
import json, sys
Signature = json.load(open(sys.argv[1]))
Used = Signature["resources"]
print(f"{Used['registers']} registers, {Used['spill_store_bytes']} bytes of "
      f"spill stores, {Used['spill_load_bytes']} of spill loads,",
      "a tape in global memory" if Signature["needs_tape"] else "no tape")
END
}

echo "Each gradient kernel takes the primal's parameters, each differentiated"
echo "one followed by its shadow; gradient.json lists them."
demo black_scholes
demo nbody --wrt bodies,velocities
demo multipole --wrt poles

echo
if [ "$Status" -eq 0 ]; then
  echo "all demos differentiated and right"
else
  echo "error: not every demo is right; see above" >&2
fi
exit "$Status"
