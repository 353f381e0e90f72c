//===- split.h - A tape that outlives its launch ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a thread of a later launch find the
// tape that the same thread of an earlier launch has left?
//
// A part of tape.cpp. Between the launches of split mode a thread's
// pages stay its own: their words keep its bit. Where its tape ends is noted in
// its cursor in the pool (kdiff/TapeLayout.h), with what tells the layout of
// the records, so that no other function's tape is taken for it.
//
//===----------------------------------------------------------------------===//

namespace {

/// This thread's cursor; null if the pool has none for it.
INLINE GLOBAL TapeCursor *cursor(GlobalPool *P, unsigned Lane) {
  unsigned long long Warp = warpInGrid();
  if (!P->CursorsOffset || Warp >= P->Warps)
    return nullptr;
  return (GLOBAL TapeCursor *)((GlobalByte *)P + P->CursorsOffset) +
         Warp * TapeLanes + Lane;
}

} // namespace

extern "C" {

/// Keeps the end of a thread's tape until resume() in a later launch.
__attribute__((noinline, cold)) void __kd_tape_keep(GlobalByte *Page,
                                                    unsigned Top, unsigned Lane,
                                                    GlobalPool *P,
                                                    unsigned Layout) {
  GLOBAL TapeCursor *C = cursor(P, Lane);
  if (Top == LackingTop) {
    __kd_tape_release(Page, Top, Lane, P);
    Page = nullptr;
  }
  C->Page = (unsigned long long)Page;
  C->Top = Top;
  C->Layout = Layout;
}

OPERATION void __kd_tape_begin(TapeState *S, void *Tape) {
  auto *Pool = (GlobalPool *)Tape;
  *S = {nullptr, EmptyTop, threadInBlock() % TapeLanes, Pool};
  GLOBAL TapeCursor *C = Pool ? cursor(Pool, S->Lane) : nullptr;
  if (!C)
    failWith(NoTapeMessage);
}

OPERATION void __kd_tape_suspend(TapeState *S, unsigned Layout) {
  __kd_tape_keep(S->Page, S->Top, S->Lane, S->Pool, Layout);
}

OPERATION void __kd_tape_resume(TapeState *S, void *Tape, unsigned Layout) {
  __kd_tape_begin(S, Tape);
  GLOBAL TapeCursor *C = cursor(S->Pool, S->Lane);
  if (C->Layout != Layout)
    failWith(NotAugmentedMessage);
  S->Page = (GlobalByte *)C->Page;
  S->Top = C->Top;
  C->Layout = 0;
}

} // extern "C"
