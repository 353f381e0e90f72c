#!/usr/bin/env python3
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how do the gradients' times compare, at a
# glance?
#
# plot.py RESULTS.json: draws RESULTS.svg, a bar a kernel: KDiff's time over the
# hand-written adjoint's, on a logarithmic scale. Needs matplotlib.

import argparse
import json
import math
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot.py needs matplotlib: python3 -m pip install matplotlib")

matplotlib.use("svg")
# The same file from the same numbers; text stays text.
matplotlib.rcParams["svg.hashsalt"] = "kdiff"
matplotlib.rcParams["svg.fonttype"] = "none"
import matplotlib.pyplot as plt


def ratios(results):
    """(kernel, KDiff's time / the hand-written adjoint's), worst first."""
    found = [
        (k["name"], k["kdiff_ms"] / k["hand_ms"])
        for k in results["kernels"]
        if k["kdiff_ms"] and k["hand_ms"]
    ]
    return sorted(found, key=lambda pair: -pair[1])


def draw(results, path):
    bars = ratios(results)
    if not bars:
        sys.exit("no kernel was measured")
    missing = [k["name"] for k in results["kernels"] if not k["kdiff_ms"]]
    mean = math.exp(sum(math.log(r) for _, r in bars) / len(bars))
    figure, axes = plt.subplots(figsize=(8, 1.2 + 0.3 * len(bars)))
    names, values = zip(*bars)
    drawn = axes.barh(names, values, color="#4878a8", left=0)
    axes.bar_label(drawn, [f"{v:.2f}" for v in values], padding=3, fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(min(0.5, min(values) / 1.5), max(values) * 2)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.axvline(mean, color="#c44e52", linewidth=0.8, linestyle="--")
    axes.set_xlabel(
        f"KDiff's gradient / hand-written adjoint (dashed: geometric mean, {mean:.2f})"
    )
    title = results["device"]
    if missing:
        title += "; not measured: " + ", ".join(missing)
    axes.set_title(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description="Draws a results file.")
    parser.add_argument("results", type=pathlib.Path, help="what kdiff-bench wrote")
    path = parser.parse_args().results
    draw(json.loads(path.read_text()), path.with_suffix(".svg"))


if __name__ == "__main__":
    main()
