//===- Isolate.cpp - Work in child processes ------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a crash or a hang in one piece of
// work leave the others alone?
//
//===----------------------------------------------------------------------===//

#include "cases/Isolate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace kdiff::tool {

namespace {
struct Child {
  unsigned Index = 0;
  pid_t Process = -1;
  int AnswerPipe = -1;      ///< The child writes its answer and closes it.
  std::FILE *Log = nullptr; ///< Its standard error.
  Clock::time_point Deadline;
  std::string Answer;
};
} // namespace

static void writeAll(int File, StringRef Bytes) {
  while (!Bytes.empty()) {
    ssize_t N = ::write(File, Bytes.data(), Bytes.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      _exit(1);
    Bytes = Bytes.drop_front(size_t(N));
  }
}

[[noreturn]] static void runChild(const Child &C, int AnswerEnd, pid_t Parent,
                                  function_ref<std::string(unsigned)> Work) {
  // A group of its own, so that what it starts can be killed with it; and an
  // end with its parent, since the terminal's signals do not reach the group.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    _exit(1);
  dup2(fileno(C.Log), STDERR_FILENO);
  std::string Answer = Work(C.Index);
  writeAll(AnswerEnd, Answer);
  outs().flush();
  // No destructors: whatever the work has left behind goes with the process.
  _exit(0);
}

static Child startChild(unsigned Index, unsigned Timeout,
                        function_ref<std::string(unsigned)> Work) {
  Child C;
  C.Index = Index;
  C.Log = std::tmpfile();
  int Ends[2];
  if (!C.Log || pipe2(Ends, O_CLOEXEC))
    report_fatal_error("cannot make a pipe and a temporary file");
  outs().flush();
  pid_t Parent = getpid();
  C.Process = fork();
  if (C.Process < 0)
    report_fatal_error("cannot start a process");
  if (C.Process == 0) {
    close(Ends[0]);
    runChild(C, Ends[1], Parent, Work);
  }
  setpgid(C.Process, C.Process); // Also here: whichever comes first.
  close(Ends[1]);
  C.AnswerPipe = Ends[0];
  C.Deadline = Timeout ? Clock::now() + std::chrono::seconds(Timeout)
                       : Clock::time_point::max();
  return C;
}

/// The first line that the child wrote to its standard error; LLVM's own
/// crash banner says nothing about the cause.
static std::string firstLine(std::FILE *Log) {
  char Text[4096];
  std::rewind(Log);
  size_t N = std::fread(Text, 1, sizeof Text, Log);
  StringRef Rest(Text, N);
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (!Line.trim().empty() && !Line.starts_with("PLEASE submit"))
      return Line.trim().substr(0, 400).str();
  }
  return "";
}

/// Waits for a child that has closed its pipe or run out of time.
static ChildResult finish(Child &C, bool InTime) {
  if (!InTime)
    kill(-C.Process, SIGKILL);
  int Status = 0;
  while (waitpid(C.Process, &Status, 0) < 0 && errno == EINTR)
    ;
  ChildResult R;
  if (!InTime) {
    R.End = ChildResult::TimedOut;
    R.Detail = "out of time";
  } else if (WIFSIGNALED(Status) || WEXITSTATUS(Status) != 0) {
    R.End = ChildResult::Crashed;
    R.Detail = WIFSIGNALED(Status)
                   ? strsignal(WTERMSIG(Status))
                   : "exit status " + std::to_string(WEXITSTATUS(Status));
    if (std::string Said = firstLine(C.Log); !Said.empty())
      R.Detail += ": " + Said;
  } else {
    R.Answer = std::move(C.Answer);
  }
  kill(-C.Process, SIGKILL); // Whatever it has left running.
  close(C.AnswerPipe);
  std::fclose(C.Log);
  return R;
}

/// Waits until a child answers, ends (then \p Ended gets it with true), or
/// runs out of time (false).
static void waitForAny(std::vector<Child> &Running,
                       function_ref<void(Child &, bool)> Ended) {
  std::vector<pollfd> Polls;
  Clock::time_point First = Clock::time_point::max();
  for (Child &C : Running) {
    Polls.push_back({C.AnswerPipe, POLLIN, 0});
    First = std::min(First, C.Deadline);
  }
  int Wait = -1;
  if (First != Clock::time_point::max())
    Wait = std::max<int64_t>(
        0, std::chrono::ceil<std::chrono::milliseconds>(First - Clock::now())
               .count());
  poll(Polls.data(), Polls.size(), Wait);
  for (auto [C, P] : zip_equal(Running, Polls)) {
    if (P.revents) {
      char Text[65536];
      ssize_t N = read(C.AnswerPipe, Text, sizeof Text);
      if (N > 0)
        C.Answer.append(Text, size_t(N));
      else if (N == 0 || errno != EINTR)
        Ended(C, true);
    } else if (Clock::now() >= C.Deadline) {
      Ended(C, false);
    }
  }
}

void runIsolated(unsigned Count, unsigned Jobs, unsigned Timeout,
                 function_ref<std::string(unsigned)> Work,
                 function_ref<void(unsigned, ChildResult)> Done) {
  std::vector<Child> Running;
  std::map<unsigned, ChildResult> Waiting; // Ended out of order.
  unsigned Started = 0, Reported = 0;
  while (Reported < Count) {
    while (Started < Count && Running.size() < std::max(1u, Jobs))
      Running.push_back(startChild(Started++, Timeout, Work));
    waitForAny(Running, [&](Child &C, bool InTime) {
      Waiting[C.Index] = finish(C, InTime);
      C.Process = -1;
    });
    erase_if(Running, [](const Child &C) { return C.Process == -1; });
    for (auto It = Waiting.find(Reported); It != Waiting.end();
         It = Waiting.find(++Reported)) {
      Done(Reported, std::move(It->second));
      Waiting.erase(It);
    }
  }
}

Outcome outcomeOf(const Case &C, RunMode Mode, const ChildResult &R) {
  Outcome O;
  O.Case = C.Name;
  O.Mode = Mode;
  O.Detail = R.Detail;
  if (R.End == ChildResult::TimedOut) {
    O.End = Outcome::Timeout;
    return O;
  }
  O.End = Outcome::Crash;
  if (R.End == ChildResult::Crashed)
    return O;
  auto Parsed = json::parse<Outcome>(R.Answer);
  if (Parsed)
    return std::move(*Parsed);
  O.Detail = toString(Parsed.takeError());
  return O;
}

} // namespace kdiff::tool
