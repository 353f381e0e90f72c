//===- Outcome.cpp - How a case ended -------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how did a case end, and how are the ends of
// many cases reported?
//
//===----------------------------------------------------------------------===//

#include "cases/Outcome.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff::tool {

static constexpr StringLiteral EndNames[] = {"pass",  "wrong", "refused",
                                             "error", "crash", "timeout"};

json::Value toJSON(const Outcome &O) {
  return json::Object{{"case", json::fixUTF8(O.Case)},
                      {"mode", name(O.Mode)},
                      {"outcome", EndNames[O.End]},
                      {"detail", json::fixUTF8(O.Detail)}};
}

bool fromJSON(const json::Value &V, Outcome &O, json::Path P) {
  json::ObjectMapper M(V, P);
  std::string Mode, End;
  if (!M || !M.map("case", O.Case) || !M.map("mode", Mode) ||
      !M.map("outcome", End) || !M.map("detail", O.Detail))
    return false;
  auto ParsedMode = parseRunMode(Mode);
  const StringLiteral *ParsedEnd = find(EndNames, End);
  if (!ParsedMode || ParsedEnd == std::end(EndNames)) {
    P.report("unknown mode or outcome");
    return false;
  }
  O.Mode = *ParsedMode;
  O.End = Outcome::Kind(ParsedEnd - EndNames);
  return true;
}

void printLine(raw_ostream &OS, const Outcome &O) {
  std::string End = EndNames[O.End].str();
  if (O.End != Outcome::Pass)
    End = StringRef(End).upper();
  OS << left_justify(End, 7) << ' ' << O.Case << " (" << name(O.Mode) << ')';
  if (!O.Detail.empty()) {
    std::string Line = O.Detail;
    replace(Line, '\n', ' ');
    OS << ": " << Line;
  }
  OS << '\n';
  OS.flush();
}

bool allPassed(ArrayRef<Outcome> Outcomes) {
  return all_of(Outcomes,
                [](const Outcome &O) { return O.End == Outcome::Pass; });
}

void printTotals(raw_ostream &OS, ArrayRef<Outcome> Outcomes) {
  size_t Passed = count_if(
      Outcomes, [](const Outcome &O) { return O.End == Outcome::Pass; });
  OS << Passed << " passed, " << Outcomes.size() - Passed << " failed\n";
}

llvm::Error writeOutcomes(StringRef File, ArrayRef<Outcome> Outcomes) {
  return writeToOutput(File, [&](raw_ostream &OS) {
    OS << formatv("{0:2}\n", json::Value(json::Array(Outcomes)));
    return llvm::Error::success();
  });
}

} // namespace kdiff::tool
