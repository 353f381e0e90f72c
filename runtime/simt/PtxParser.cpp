//===- PtxParser.cpp - The text of inline PTX -----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions does an inline PTX string
// hold?
//
//===----------------------------------------------------------------------===//

#include "PtxParser.h"

using namespace llvm;
using namespace kdiff::simt;

static constexpr char Blanks[] = " \t\r\n";

std::string kdiff::simt::cleanPtx(StringRef Text) {
  std::string Clean;
  while (!Text.empty()) {
    if (Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
    } else if (Text.starts_with("/*")) {
      size_t End = Text.find("*/", 2);
      Text = End == StringRef::npos ? StringRef() : Text.drop_front(End + 2);
      Clean += ' ';
    } else {
      Clean += Text.front();
      Text = Text.drop_front(Text.starts_with("$$") ? 2 : 1);
    }
  }
  return Clean;
}

/// Cuts \p Text at the commas outside of braces and brackets.
static void splitOperands(StringRef Text,
                          SmallVectorImpl<StringRef> &Operands) {
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I <= Text.size(); ++I) {
    char C = I < Text.size() ? Text[I] : ',';
    Depth += C == '{' || C == '[';
    Depth -= C == '}' || C == ']';
    if (C != ',' || Depth > 0)
      continue;
    Operands.push_back(Text.slice(Start, I).trim(Blanks));
    Start = I + 1;
  }
}

static bool parseStatement(StringRef Text, PtxInstruction &I) {
  if (Text.consume_front("@")) {
    I.GuardNegated = Text.consume_front("!");
    size_t End = Text.find_first_of(Blanks);
    I.Guard = Text.substr(0, End);
    Text = Text.substr(End).trim(Blanks);
  }
  size_t End = std::min(Text.find_first_of(Blanks), Text.size());
  StringRef Name = Text.take_front(End);
  StringRef Rest = Text.drop_front(End).trim(Blanks);
  // A label; "::" belongs to a cache hint.
  if (Name.empty() || Rest.starts_with(":") ||
      (Name.contains(':') && !Name.contains("::")))
    return false;
  Name.split(I.Name, '.');
  if (!Rest.empty())
    splitOperands(Rest, I.Operands);
  return true;
}

std::optional<std::vector<PtxInstruction>>
kdiff::simt::parsePtx(StringRef Text) {
  std::vector<PtxInstruction> Body;
  for (;;) {
    // Braces between statements are scopes.
    Text = Text.ltrim(" \t\r\n{};");
    if (Text.empty())
      return Body;
    // The last statement need not have a semicolon.
    size_t End = std::min(Text.find(';'), Text.size());
    StringRef Statement = Text.take_front(End).trim(Blanks);
    if (End == Text.size())
      Statement = Statement.count('}') > Statement.count('{')
                      ? Statement.drop_back().trim(Blanks)
                      : Statement;
    Text = Text.drop_front(End);
    if (Statement.starts_with(".reg"))
      continue;
    if (Statement.starts_with("."))
      return std::nullopt;
    PtxInstruction I;
    if (!parseStatement(Statement, I))
      return std::nullopt;
    Body.push_back(std::move(I));
  }
}

SmallVector<StringRef, 4> kdiff::simt::ptxElements(StringRef Operand) {
  SmallVector<StringRef, 4> Elements;
  bool Braces = Operand.consume_front("{") && Operand.consume_back("}");
  Operand.split(Elements, Braces ? ',' : '|');
  for (StringRef &E : Elements)
    E = E.trim(Blanks);
  return Elements;
}
