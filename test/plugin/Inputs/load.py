# Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which question this answers: what does a program without LLVM 22 get from
# the plugin's entry point?

import ctypes
import sys

plugin = ctypes.CDLL(sys.argv[1])
plugin.llvmGetPassPluginInfo(ctypes.create_string_buffer(64))
