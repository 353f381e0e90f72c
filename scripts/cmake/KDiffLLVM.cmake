# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: which LLVM is built against, and how do targets
# use it?
#
#   KDiffLLVMHeaders  headers and flags only: what a plugin may use, since the
#                     program that loads it brings LLVM itself
#   KDiffLLVM         the same, and links LLVM

set(KDIFF_LLVM_MAJOR 22)

# No version is given: LLVM's version file accepts only its own minor version.
find_package(LLVM CONFIG QUIET PATHS "/usr/lib/llvm-${KDIFF_LLVM_MAJOR}")
if(NOT LLVM_FOUND)
  message(FATAL_ERROR
    "LLVM ${KDIFF_LLVM_MAJOR} was not found. Install it (Debian 12: "
    "scripts/setup.sh does), or set LLVM_DIR to the folder that holds its "
    "LLVMConfig.cmake, e.g. -DLLVM_DIR=/opt/llvm/lib/cmake/llvm.")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL KDIFF_LLVM_MAJOR)
  message(FATAL_ERROR
    "KDiff needs LLVM ${KDIFF_LLVM_MAJOR}; ${LLVM_DIR} is LLVM "
    "${LLVM_PACKAGE_VERSION}. Set LLVM_DIR to the folder of LLVM "
    "${KDIFF_LLVM_MAJOR}'s LLVMConfig.cmake.")
endif()
if(NOT "NVPTX" IN_LIST LLVM_TARGETS_TO_BUILD)
  message(FATAL_ERROR
    "The LLVM in ${LLVM_DIR} has no NVPTX target; KDiff needs one that was "
    "built with it (LLVM_TARGETS_TO_BUILD).")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}: ${LLVM_DIR}")

separate_arguments(KDIFF_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_library(KDiffLLVMHeaders INTERFACE)
target_include_directories(KDiffLLVMHeaders SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS})
target_compile_definitions(KDiffLLVMHeaders INTERFACE
  ${KDIFF_LLVM_DEFINITIONS})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(KDiffLLVMHeaders INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

add_library(KDiffLLVM INTERFACE)
target_link_libraries(KDiffLLVM INTERFACE KDiffLLVMHeaders)
if(TARGET LLVM)
  target_link_libraries(KDiffLLVM INTERFACE LLVM)
else()
  llvm_map_components_to_libnames(KDIFF_LLVM_LIBS
    AllTargetsCodeGens AllTargetsAsmParsers AllTargetsDescs AllTargetsInfos
    Analysis AsmParser BitReader BitWriter CodeGen Core IRReader
    InstCombine Linker OrcJIT Passes Support TargetParser TransformUtils)
  target_link_libraries(KDiffLLVM INTERFACE ${KDIFF_LLVM_LIBS})
endif()
