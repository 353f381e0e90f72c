//===- failure.h - Why a launch ends without a result ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a launch say, and do, that has no tape
// to go on with?
//
// A part of tape.cpp.
//
//===----------------------------------------------------------------------===//

#include "tell.h"

namespace {

const GLOBAL char NoPoolMessage[] =
    "kdiff: this gradient keeps values on a tape and the launch was given "
    "none. Before the launch: #include <kdiff/tape.h>, kdiff::TapePool "
    "Pool(Bytes, Threads); Pool.attach(); or set the device variable "
    "__kd_tape_pool.\n";
const GLOBAL char ExhaustedMessage[] =
    "kdiff: the tape's pool is exhausted: %u pages of 65536 bytes for %llu "
    "warps. Give kdiff::TapePool more bytes; with TapeNoteExhaustion the "
    "launch goes on and notes in the pool how much it lacked.\n";
const GLOBAL char WarpsMessage[] =
    "kdiff: the tape's pool was made for %llu warps, and the launch has "
    "more. Give kdiff::TapePool the number of threads of the launch.\n";
const GLOBAL char ConflictMessage[] =
    "kdiff: the tape's pool is in use by another launch. A pool serves one "
    "launch at a time: give each stream a kdiff::TapePool of its own.\n";
const GLOBAL char NoTapeMessage[] =
    "kdiff: __kd_augment or __kd_reverse was given a tape that is none for "
    "split mode, or that is for fewer threads than the launch has. Pass "
    "device() of a kdiff::SplitTape.\n";
const GLOBAL char NotAugmentedMessage[] =
    "kdiff: __kd_reverse found no tape of its function: launch __kd_augment "
    "with the same tape, function, markers, grid and block before, once for "
    "each __kd_reverse.\n";

/// Ends the launch with a message: a gradient without its tape is no result.
[[noreturn]] void fail(GlobalPool *P) {
  if (tells()) {
    struct {
      unsigned Pages;
      unsigned long long Warps;
    } Numbers = {0, 0};
    const GLOBAL char *Message = NoPoolMessage;
    if (P) {
      Numbers = {P->Pages, P->Warps};
      Message = peek(&P->Conflicts)     ? ConflictMessage
                : peek(&P->WarpsNeeded) ? WarpsMessage
                                        : ExhaustedMessage;
      if (Message == WarpsMessage)
        vprintf((const char *)Message, &Numbers.Warps);
    }
    if (Message != WarpsMessage)
      vprintf((const char *)Message, &Numbers);
    endTelling();
  }
  __builtin_trap();
}

} // namespace
