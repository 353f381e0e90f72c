#!/bin/bash
# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: is everything here that KDiff is built with, and
# if not, how does it get here?
#
# Run it, or source it: it then sets
#   KDIFF_LLVM       the prefix of LLVM 22 (bin/clang++, bin/opt, bin/lit …)
#   KDIFF_CUDA_PATH  the CUDA toolkit
# Only what is missing is installed: Debian's packages on Debian 12, NVIDIA's
# packages from PyPI into .cuda where no toolkit is found. It can be run again.

set -euo pipefail

KDIFF_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
LLVM_MAJOR=22
TOOLKIT_RELEASE=13.0
CURAND_RELEASE=10.4.0 # that toolkit's

say() { printf 'kdiff: %s\n' "$*"; }
# fail WHAT REMEDY: the first line says what is wrong, the second what to do.
fail() {
  printf 'kdiff: error: %s\nkdiff: remedy: %s\n' "$1" "$2" >&2
  exit 1
}

is_debian_12() {
  [ -r /etc/os-release ] &&
    (. /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ])
}

# as_root COMMAND…: directly, through sudo, or not at all.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "installing packages needs root, and there is no sudo" \
      "as root, run: $*"
  fi
}

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

AptUpdated=
# apt_install PACKAGE…: those of the packages that are not installed.
apt_install() {
  local Missing=() Package
  for Package in "$@"; do
    is_installed "$Package" || Missing+=("$Package")
  done
  [ ${#Missing[@]} -gt 0 ] || return 0
  say "installing Debian packages: ${Missing[*]}"
  if [ -z "$AptUpdated" ]; then
    as_root apt-get -qq update ||
      fail "apt-get update failed" "check the network and /etc/apt/sources.list"
    AptUpdated=1
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
    -o Dpkg::Use-Pty=0 install --no-install-recommends "${Missing[@]}" \
    >/dev/null </dev/null ||
    fail "apt-get could not install: ${Missing[*]}" \
      "LLVM $LLVM_MAJOR is in Debian's bookworm-security suite: enable it in /etc/apt/sources.list, or install LLVM $LLVM_MAJOR by other means and set LLVM_DIR"
}

# is_llvm PREFIX: LLVM 22 with all that building and testing needs of it.
is_llvm() {
  local Tool
  for Tool in clang++ opt llc lit FileCheck not split-file; do
    [ -x "$1/bin/$Tool" ] || return 1
  done
  [ -e "$1/lib/cmake/llvm/LLVMConfig.cmake" ] &&
    grep -q "set(LLVM_VERSION_MAJOR $LLVM_MAJOR)" \
      "$1/lib/cmake/llvm/LLVMConfig.cmake"
}

# The LLVM that LLVM_DIR names, else the usual places; sets KDIFF_LLVM.
find_llvm() {
  local Prefix
  KDIFF_LLVM=
  if [ -n "${LLVM_DIR:-}" ]; then
    # LLVM_DIR is PREFIX/lib/cmake/llvm; PREFIX itself is taken as well.
    for Prefix in "$LLVM_DIR/../../.." "$LLVM_DIR"; do
      if is_llvm "$Prefix"; then
        KDIFF_LLVM="$(cd "$Prefix" && pwd -P)"
        return 0
      fi
    done
    fail "LLVM_DIR=$LLVM_DIR is no complete LLVM $LLVM_MAJOR" \
      "unset it, or name PREFIX/lib/cmake/llvm of an LLVM $LLVM_MAJOR with bin/clang++, opt, llc, lit, FileCheck, not and split-file"
  fi
  for Prefix in "/usr/lib/llvm-$LLVM_MAJOR" "/usr/lib64/llvm$LLVM_MAJOR" \
    "/opt/homebrew/opt/llvm@$LLVM_MAJOR" /usr/local /usr; do
    if is_llvm "$Prefix"; then
      KDIFF_LLVM="$Prefix"
      return 0
    fi
  done
  return 1
}

# clang's CUDA headers include one of cuRAND's.
is_toolkit() {
  [ -n "$1" ] && [ -x "$1/bin/ptxas" ] &&
    [ -e "$1/include/cuda_runtime.h" ] &&
    [ -e "$1/include/curand_mtgp32_kernel.h" ] &&
    [ -e "$1/nvvm/libdevice/libdevice.10.bc" ]
}

# The toolkit of this machine or an earlier run; sets KDIFF_CUDA_PATH.
find_toolkit() {
  local Nvcc="" Candidate
  if command -v nvcc >/dev/null; then
    Nvcc="$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")"
  fi
  for Candidate in "${CUDA_PATH:-}" "${CUDA_HOME:-}" "$Nvcc" /usr/local/cuda \
    "$KDIFF_ROOT/.cuda"; do
    if is_toolkit "$Candidate"; then
      KDIFF_CUDA_PATH="$Candidate"
      return 0
    fi
  done
  return 1
}

# NVIDIA's packages into .cuda/packages, and the folders that clang's
# --cuda-path expects as links into them.
bring_toolkit() {
  local Packages=({nvidia-cuda-{nvcc,crt,runtime,cccl},nvidia-nvvm}"==$TOOLKIT_RELEASE.*"
    "nvidia-curand==$CURAND_RELEASE.*")
  local Venv="$KDIFF_ROOT/.venv" Toolkit="$KDIFF_ROOT/.cuda"
  say "no CUDA toolkit found: bringing NVIDIA's packages (about 400 MB) to .cuda"
  if is_debian_12; then
    apt_install python3 python3-venv
  fi
  # The system's pip refuses to install (PEP 668); a virtual environment's
  # does not.
  [ -x "$Venv/bin/pip" ] || python3 -m venv "$Venv" ||
    fail "python3 -m venv failed" "install Python 3 with its venv module"
  rm -rf "$Toolkit" "$Toolkit.part"
  "$Venv/bin/pip" --disable-pip-version-check install --quiet --no-deps \
    --target "$Toolkit.part/packages" "${Packages[@]}" ||
    fail "pip could not bring ${Packages[*]}" \
      "check the network, or install CUDA $TOOLKIT_RELEASE and set CUDA_PATH"
  rm -f "$Toolkit.part"/packages/nvidia/cu13/lib/libcurand*
  ln -s packages/nvidia/cu13/{bin,include,nvvm} "$Toolkit.part/"
  ln -s packages/nvidia/cu13/lib "$Toolkit.part/lib64"
  mv "$Toolkit.part" "$Toolkit"
  is_toolkit "$Toolkit" ||
    fail "NVIDIA's packages do not have the layout that was expected" \
      "remove .cuda, install CUDA $TOOLKIT_RELEASE, and set CUDA_PATH"
  KDIFF_CUDA_PATH="$Toolkit"
}

# Elsewhere nothing is installed: say all that is missing at once.
require_programs() {
  local Missing=() Program
  for Program in cmake ninja python3; do
    command -v "$Program" >/dev/null || Missing+=("$Program")
  done
  find_llvm || Missing+=("LLVM $LLVM_MAJOR with clang, opt, lit and FileCheck (set LLVM_DIR to its lib/cmake/llvm)")
  [ ${#Missing[@]} -eq 0 ] ||
    fail "missing: $(printf '%s; ' "${Missing[@]}")" \
      "install these with your system's package manager; GoogleTest (with its CMake files) is needed too"
}

if is_debian_12; then
  apt_install cmake ninja-build g++ ccache python3 libgtest-dev libgmock-dev \
    libbenchmark-dev zlib1g-dev libzstd-dev
  if [ -n "${LLVM_DIR:-}" ] || ! find_llvm; then
    [ -n "${LLVM_DIR:-}" ] || apt_install "clang-$LLVM_MAJOR" \
      "llvm-$LLVM_MAJOR" "llvm-$LLVM_MAJOR-dev" "llvm-$LLVM_MAJOR-tools"
    find_llvm || fail "LLVM $LLVM_MAJOR is incomplete" \
      "reinstall clang-$LLVM_MAJOR, llvm-$LLVM_MAJOR-dev, llvm-$LLVM_MAJOR-tools"
  fi
else
  require_programs
fi
find_toolkit || bring_toolkit
export KDIFF_LLVM KDIFF_CUDA_PATH
say "LLVM $("$KDIFF_LLVM/bin/opt" --version | sed -n 's/.*LLVM version //p' | head -1) in $KDIFF_LLVM"
say "CUDA toolkit $("$KDIFF_CUDA_PATH/bin/ptxas" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p') in $KDIFF_CUDA_PATH"
