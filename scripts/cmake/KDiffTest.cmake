# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how is a test program registered, so that
# scripts/test.sh counts each of its cases?
#
# Every ctest entry NAME leaves its cases' outcomes in KDIFF_RESULTS/NAME.json;
# scripts/summary.py adds them up.

set(KDIFF_RESULTS "${PROJECT_BINARY_DIR}/results")
find_package(GTest REQUIRED)

# kdiff_add_gtest(Name SOURCES a.cpp… LIBRARIES KDiffCore… [TIMEOUT seconds])
function(kdiff_add_gtest Name)
  cmake_parse_arguments(PARSE_ARGV 1 Arg "" "TIMEOUT" "SOURCES;LIBRARIES")
  if(NOT Arg_TIMEOUT)
    set(Arg_TIMEOUT 300)
  endif()
  add_executable(${Name} ${Arg_SOURCES})
  target_link_libraries(${Name} PRIVATE ${Arg_LIBRARIES} GTest::gtest
    GTest::gtest_main)
  add_test(NAME gtest-${Name} COMMAND ${Name}
    "--gtest_output=json:${KDIFF_RESULTS}/gtest-${Name}.json")
  set_tests_properties(gtest-${Name} PROPERTIES TIMEOUT ${Arg_TIMEOUT}
    LABELS gtest)
endfunction()
