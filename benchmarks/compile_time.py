#!/usr/bin/env python3
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how long does a gradient take to compile,
# compared with its primal?
#
# compile_time.py --tool build/bin/kdiff --clang clang++ --cuda /usr/local/cuda
# For each program: CPU seconds (user and system, of all processes), the median
# of several runs, of clang -O3 and of kdiff grad -O3, to PTX and on to a cubin.
# Both start from the source file, headers included. The gradient is the one
# that is measured on cards (CMakeLists.txt).

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# What the caller does not want, and what is differentiated by.
PROGRAMS = {
    "black_scholes": ("call,put", None),
    "nbody": ("bodiesOut,velocitiesOut", "bodies,velocities"),
    "multipole": ("sections", "poles"),
    "elementwise": ("z", None),
    "elementwise_f64": ("z", None),
    "uniform": ("y", None),
    "stencil2d": ("next", None),
    "block_reduction": ("sums", None),
    "spmv": ("y", None),
    "scatter": ("sums", None),
    "ode": ("finals", "states,parameters"),
    "mlp": ("outputs", None),
    "fem": ("forces", "positions"),
    "stencil3d": ("next", None),
    "gemm": ("c", None),
    "layer_norm": ("y", "x,gamma,beta"),
    "lbm": ("next", None),
    "ray_march": ("image", "volume"),
    "attention": ("outputs", "queries,keys,values"),
}


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def median_seconds(command, runs):
    cpu_seconds(command)  # Files come from the cache from now on.
    return statistics.median(cpu_seconds(command) for _ in range(runs))


def measure(name, arguments, folder):
    results, by = PROGRAMS[name]
    options = ["--seed", results, "--noneed", results]
    options += ["--wrt", by] if by else []
    kernel = name.removesuffix("_f64")
    source = HERE / name / "primal.cu"
    clang = [arguments.clang, "-x", "cuda", "--cuda-device-only",
             f"--cuda-gpu-arch={arguments.arch}", f"--cuda-path={arguments.cuda}",
             "-Wno-unknown-cuda-version", "-O3", str(source)]
    kdiff = [arguments.tool, "grad", str(source), "--kernel", kernel, *options,
             "--arch", arguments.arch, "--cuda-path", arguments.cuda, "-O3"]
    result = {"name": name}
    for product, flag in (("ptx", "-S"), ("cubin", "-c")):
        out = str(folder / f"{name}.{product}")
        result[f"primal_{product}_s"] = median_seconds(
            [*clang, flag, "-o", out], arguments.runs)
        result[f"gradient_{product}_s"] = median_seconds(
            [*kdiff, "-o", out], arguments.runs)
    return result


def main():
    parser = argparse.ArgumentParser(description="Compile times of gradients.")
    parser.add_argument("--tool", required=True, help="the kdiff executable")
    parser.add_argument("--clang", default="clang++", help="clang++ of LLVM 22")
    parser.add_argument("--cuda", default="/usr/local/cuda", help="the toolkit")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", help="write the measurements here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = [measure(name, arguments, pathlib.Path(folder))
                   for name in PROGRAMS]
    print(f"{'CPU seconds':<22}{'primal':>8}{'gradient':>9}{'ratio':>8}")
    for result in results:
        for product in ("ptx", "cubin"):
            primal = result[f"primal_{product}_s"]
            gradient = result[f"gradient_{product}_s"]
            label = f"{result['name']} .{product}"
            print(f"{label:<22}{primal:>8.2f}{gradient:>9.2f}"
                  f"{gradient / primal:>8.2f}")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
