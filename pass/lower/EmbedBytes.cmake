# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: how does a file (In) become the initialiser of
# an array of bytes (Out)?

file(READ ${In} Hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" Hex "${Hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," Hex "${Hex}")
file(WRITE ${Out} "${Hex}\n")
