# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: where is the CUDA toolkit (headers, libdevice,
# ptxas)? The order is that of scripts/setup.sh.

set(KDIFF_CUDA_PATH "" CACHE PATH "CUDA toolkit; empty: look for one")

function(kdiff_is_toolkit Path Result)
  # clang's CUDA headers include one of cuRAND's.
  if(Path AND EXISTS "${Path}/include/cuda_runtime.h"
     AND EXISTS "${Path}/include/curand_mtgp32_kernel.h"
     AND EXISTS "${Path}/nvvm/libdevice/libdevice.10.bc")
    set(${Result} TRUE PARENT_SCOPE)
  else()
    set(${Result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(NOT KDIFF_CUDA_PATH)
  find_program(KDIFF_NVCC nvcc)
  set(KDIFF_NVCC_ROOT "")
  if(KDIFF_NVCC)
    file(REAL_PATH "${KDIFF_NVCC}" KDIFF_NVCC_REAL)
    cmake_path(GET KDIFF_NVCC_REAL PARENT_PATH KDIFF_NVCC_ROOT)
    cmake_path(GET KDIFF_NVCC_ROOT PARENT_PATH KDIFF_NVCC_ROOT)
  endif()
  foreach(Candidate "$ENV{CUDA_PATH}" "$ENV{CUDA_HOME}" "${KDIFF_NVCC_ROOT}"
          /usr/local/cuda "${PROJECT_SOURCE_DIR}/.cuda")
    kdiff_is_toolkit("${Candidate}" IsToolkit)
    if(IsToolkit)
      set(KDIFF_CUDA_PATH "${Candidate}" CACHE PATH "CUDA toolkit" FORCE)
      break()
    endif()
  endforeach()
endif()

kdiff_is_toolkit("${KDIFF_CUDA_PATH}" IsToolkit)
if(NOT IsToolkit)
  message(FATAL_ERROR
    "No CUDA toolkit (include/cuda_runtime.h, "
    "include/curand_mtgp32_kernel.h, nvvm/libdevice/libdevice.10.bc) "
    "in KDIFF_CUDA_PATH='${KDIFF_CUDA_PATH}', CUDA_PATH, CUDA_HOME, next to "
    "nvcc, in /usr/local/cuda or in .cuda. Run scripts/setup.sh, which brings "
    "one into .cuda, or set -DKDIFF_CUDA_PATH=FOLDER.")
endif()
message(STATUS "CUDA toolkit: ${KDIFF_CUDA_PATH}")
