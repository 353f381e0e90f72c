//===- PtxText.cpp - The text of inline assembly ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see PtxText.h.
//
//===----------------------------------------------------------------------===//

#include "target/PtxText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kdiff::ptx {
namespace {

/// Without comments, and with a single $ for LLVM's escape $$.
std::string withoutComments(StringRef Text) {
  std::string Clean;
  while (!Text.empty()) {
    if (Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
      continue;
    }
    if (Text.starts_with("/*")) {
      size_t End = Text.find("*/", 2);
      Text = Text.substr(End == StringRef::npos ? Text.size() : End + 2);
      Clean += ' ';
      continue;
    }
    Clean += Text.front();
    Text = Text.drop_front(Text.starts_with("$$") ? 2 : 1);
  }
  return Clean;
}

/// Where the first of \p Ends lies outside of braces and brackets.
size_t findOutside(StringRef Text, StringRef Ends) {
  int Depth = 0;
  for (auto [I, C] : enumerate(Text)) {
    if (Depth == 0 && Ends.contains(C))
      return I;
    Depth += C == '{' || C == '[';
    Depth -= C == '}' || C == ']';
  }
  return Text.size();
}

template <typename Fn> void forEachOperand(StringRef Text, Fn F) {
  Text = Text.trim();
  while (!Text.empty()) {
    size_t End = findOutside(Text, ",");
    F(Text.take_front(End).trim());
    Text = Text.drop_front(std::min(End + 1, Text.size()));
  }
}

/// ".reg .b32 a, b" behind ".reg".
Statement parseDeclaration(StringRef Source) {
  Statement S{Statement::Declare, "", "", {}};
  StringRef Text = Source.ltrim();
  bool Plain = Text.consume_front(".");
  Text = Text.drop_while([](char C) { return isAlnum(C) || C == '_'; });
  forEachOperand(Text, [&](StringRef Name) {
    Plain &= all_of(Name, [](char C) {
      return isAlnum(C) || C == '_' || C == '$' || C == '%';
    });
    S.Operands.push_back(Name.str());
  });
  if (!Plain)
    return {Statement::Other, "", Source.str(), {}};
  return S;
}

Statement parseInstruction(StringRef Text) {
  Statement S{Statement::Execute, "", "", {}};
  if (Text.consume_front("@")) {
    size_t End = std::min(Text.find_first_of(" \t\r\n"), Text.size());
    S.Guard = Text.take_front(End).str();
    Text = Text.drop_front(End).ltrim();
  }
  size_t End = std::min(Text.find_first_of(" \t\r\n"), Text.size());
  StringRef Opcode = Text.take_front(End);
  if (Opcode.empty() || !isAlpha(Opcode.front()))
    return {Statement::Other, "", Text.str(), {}};
  S.Opcode = Opcode.str();
  forEachOperand(Text.drop_front(End), [&](StringRef Operand) {
    S.Operands.push_back(Operand.str());
  });
  return S;
}

} // namespace

SmallVector<Statement, 8> parse(StringRef Source) {
  SmallVector<Statement, 8> Body;
  std::string Clean = withoutComments(Source);
  StringRef Text(Clean);
  while (true) {
    Text = Text.ltrim(" \t\r\n;");
    if (Text.empty())
      return Body;
    if (Text.front() == '{' || Text.front() == '}') {
      Body.push_back({Text.front() == '{' ? Statement::Open : Statement::Close,
                      "",
                      "",
                      {}});
      Text = Text.drop_front();
      continue;
    }
    // A label ends with a colon; cache hints hold two ("L1::evict_last").
    StringRef Word = Text.take_while(
        [](char C) { return isAlnum(C) || C == '_' || C == '$' || C == '%'; });
    StringRef Behind = Text.drop_front(Word.size());
    if (!Word.empty() && Behind.starts_with(":") && !Behind.starts_with("::")) {
      Body.push_back({Statement::Label, "", Word.str(), {}});
      Text = Behind.drop_front();
      continue;
    }
    size_t End = findOutside(Text, ";}");
    StringRef One = Text.take_front(End).trim();
    Text = Text.drop_front(End);
    Body.push_back(One.consume_front(".reg") ? parseDeclaration(One)
                                             : parseInstruction(One));
  }
}

SmallVector<StringRef, 4> elements(StringRef Operand) {
  SmallVector<StringRef, 4> Elements;
  if (Operand.consume_front("{"))
    Operand.consume_back("}");
  Operand.split(Elements, ',');
  for (StringRef &E : Elements)
    E = E.trim();
  return Elements;
}

} // namespace kdiff::ptx
