# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how does one program's gradient get into the
# pack, without a refusal keeping the others out?
#
#   cmake -DTOOL=kdiff -DSOURCE=x.cu -DOUT=dir/gradient -DEXTENSION=.cubin
#     "-DOPTIONS=--kernel;K" -P Gradient.cmake
#
# Writes OUT.cubin (or .ll) and OUT.json, or neither. OUT.log has what the tool said,
# and is what the runner shows for a program without a gradient.

execute_process(COMMAND ${TOOL} grad ${SOURCE} ${OPTIONS} -o ${OUT}${EXTENSION}
  RESULT_VARIABLE Status OUTPUT_VARIABLE Said ERROR_VARIABLE Said)
file(WRITE ${OUT}.log "${Said}")
if(NOT Status EQUAL 0)
  if(NOT Said)
    file(WRITE ${OUT}.log "kdiff grad: ${Status}\n")
  endif()
  file(REMOVE ${OUT}${EXTENSION} ${OUT}.json)
  message("${SOURCE}: no gradient:\n${Said}")
endif()
