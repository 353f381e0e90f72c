# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how are the tests in this folder run, and what
# may their RUN lines say?
#
#   %opt                LLVM's opt with the plugin loaded
#   %opt_bare           opt alone
#   %llc                LLVM's llc
#   %clang_cuda         a .cu file's device code as the IR with which clang's
#                       pipeline starts (at -O2, sm_90), as text; needs -o
#   %clang_cuda_plugin  clang on a .cu file, device code only (sm_90), with the
#                       plugin; needs -O and -S -emit-llvm or the like
#   %clang_cuda_host    the same for the host's side
#   %clang_program      the same for both sides, for programs that run with
#                       KDIFF_DEVICE=simt (sm_90, -O1); needs inputs, -o and, to
#                       link, %link_program behind them
#   %device_link        links the device code of objects that were compiled with
#                       -fgpu-rdc; needs them and -o
#   %clang              clang++ alone
#   %kdiff              the tool
#   %python %scripts    Python 3 and the folder of the project's scripts
#   %cmake %build       CMake and the build folder
#   %plugin %cuda %libdevice %ptxas %include
#                       libKDiff.so, the toolkit's folder, its libdevice and
#                       ptxas, KDiff's own include folder
#
# FileCheck, not, count and split-file are LLVM 22's.

import os
import sys

import lit.formats

config.name = "KDiff"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".cu", ".test"]
# cases and simt hold kernels, not lit tests.
config.excludes = ["Inputs", "cases", "simt", "unit", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.kdiff_binary_dir, "test")

# So that a bare tool name is never another LLVM's.
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.environment.get("PATH", os.environ["PATH"])]
)

# A test that hangs fails; lit needs psutil for that.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 120


def llvm_tool(name):
    return os.path.join(config.llvm_tools_dir, name)


cuda = config.cuda_path
ptxas = os.path.join(cuda, "bin", "ptxas")
include = os.path.join(config.kdiff_source_dir, "runtime", "include")
cuda_flags = (
    f"-x cuda --cuda-path={cuda} -Wno-unknown-cuda-version"
    f" -I{cuda}/include/cccl -I{include}"
)
device = f"{llvm_tool('clang++')} {cuda_flags} --cuda-device-only --cuda-gpu-arch=sm_90"

libraries = os.path.join(config.kdiff_binary_dir, "lib")

substitutions = {
    "opt": f"{llvm_tool('opt')} -load-pass-plugin={config.kdiff_plugin}",
    "opt_bare": llvm_tool("opt"),
    "llc": llvm_tool("llc"),
    "clang_cuda": f"{device} -O2 -Xclang -disable-llvm-passes -gline-tables-only"
    " -S -emit-llvm",
    "clang_cuda_plugin": f"{device} -fpass-plugin={config.kdiff_plugin}",
    "clang_cuda_host": f"{llvm_tool('clang++')} {cuda_flags} --cuda-host-only"
    f" -fpass-plugin={config.kdiff_plugin}",
    "clang_program": f"{llvm_tool('clang++')} {cuda_flags} --cuda-gpu-arch=sm_90"
    f" -std=c++17 -O1 -gline-tables-only -fpass-plugin={config.kdiff_plugin}"
    " --no-offload-new-driver -include kdiff/simt.h",
    "link_program": f"-L{libraries} -Wl,-rpath,{libraries} -lkdiff_cudart",
    "device_link": f"{os.path.join(cuda, 'bin', 'nvcc')} -dlink -arch=sm_90"
    f" -ccbin {llvm_tool('clang++')} -allow-unsupported-compiler",
    "clang": llvm_tool("clang++"),
    "kdiff": config.kdiff_tool,
    "plugin": config.kdiff_plugin,
    "cuda": cuda,
    "libdevice": os.path.join(cuda, "nvvm", "libdevice", "libdevice.10.bc"),
    "ptxas": ptxas,
    "include": include,
    "python": sys.executable,
    "cmake": config.cmake,
    "build": config.kdiff_binary_dir,
    "scripts": os.path.join(config.kdiff_source_dir, "scripts"),
}
# '_' and '-' belong to the names: %opt must not match the start of %opt_bare.
for name, text in substitutions.items():
    config.substitutions.append((rf"%{name}(?![\w-])", text))

if os.access(ptxas, os.X_OK):
    config.available_features.add("ptxas")
    if all(os.access(os.path.join(cuda, "bin", tool), os.X_OK)
           for tool in ("nvcc", "nvlink", "fatbinary")):
        config.available_features.add("nvlink")
# From this version on CMake knows LLVM 22's clang as a compiler of CUDA 13.
if config.cmake_version >= (4, 0):
    config.available_features.add("cmake-cuda")
if os.path.exists(os.path.join(cuda, "include", "cublas_v2.h")):
    config.available_features.add("cublas")
