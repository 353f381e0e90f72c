//===- Printf.cpp - printf of the device ----------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what text does a kernel's printf make?
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <cstdio>
#include <cstring>

using namespace llvm;

namespace {

/// Reads the arguments in their order.
class ArgumentReader {
public:
  explicit ArgumentReader(const char *Buffer) : Buffer(Buffer) {}

  template <class T> T next() {
    T Value;
    Offset = alignTo(Offset, sizeof(T));
    memcpy(&Value, Buffer + Offset, sizeof(T));
    Offset += sizeof(T);
    ++Count;
    return Value;
  }
  int count() const { return Count; }

private:
  const char *Buffer;
  size_t Offset = 0;
  int Count = 0;
};

} // namespace

/// The host's own printf formats one argument, so all its rules hold.
template <class T>
static void append(std::string &Out, const std::string &Spec, T Value) {
  int Length = snprintf(nullptr, 0, Spec.c_str(), Value);
  if (Length < 0)
    return;
  size_t Old = Out.size();
  Out.resize(Old + Length + 1);
  snprintf(Out.data() + Old, Length + 1, Spec.c_str(), Value);
  Out.pop_back();
}

static void appendArgument(std::string &Out, std::string Spec, char Kind,
                           bool Wide, ArgumentReader &Arguments) {
  switch (Kind) {
  case 'd':
  case 'i':
    if (Wide)
      return append(Out, Spec + "ll" + Kind, Arguments.next<long long>());
    return append(Out, Spec + Kind, Arguments.next<int>());
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    if (Wide)
      return append(Out, Spec + "ll" + Kind,
                    Arguments.next<unsigned long long>());
    return append(Out, Spec + Kind, Arguments.next<unsigned>());
  case 'c':
    return append(Out, Spec + Kind, Arguments.next<int>());
  case 's':
    if (const char *Text = Arguments.next<const char *>())
      return append(Out, Spec + Kind, Text);
    return append(Out, Spec + Kind, "(null)");
  case 'p':
    return append(Out, Spec + Kind, Arguments.next<const void *>());
  default:
    return append(Out, Spec + Kind, Arguments.next<double>());
  }
}

std::string kdiff::simt::formatPrintf(const char *Format, const char *Buffer,
                                      int &Count) {
  ArgumentReader Arguments(Buffer);
  std::string Out;
  for (const char *P = Format; *P;) {
    if (*P != '%') {
      Out += *P++;
      continue;
    }
    if (*++P == '%') {
      Out += *P++;
      continue;
    }
    std::string Spec = "%";
    for (; *P && strchr("-+ #0123456789.*", *P); ++P)
      Spec += *P == '*' ? itostr(Arguments.next<int>()) : std::string(1, *P);
    // Variadic arguments of the types that h and hh name were promoted.
    bool Wide = false;
    for (; *P && strchr("hljzt", *P); ++P)
      Wide |= *P != 'h';
    if (!*P || !strchr("diuoxXcspfFeEgGaA", *P))
      break; // The rest has no meaning; CUDA leaves its output open.
    appendArgument(Out, std::move(Spec), *P, Wide, Arguments);
    ++P;
  }
  Count = Arguments.count();
  return Out;
}
