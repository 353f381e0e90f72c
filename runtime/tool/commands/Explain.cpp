//===- Explain.cpp - kdiff explain ----------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: at which line of the source did KDiff decide
// what, and what does the gradient kernel need?
//
//===----------------------------------------------------------------------===//

#include "commands/Commands.h"
#include "commands/Gradient.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace kdiff::tool {

static cl::opt<std::string> Json("json", cl::desc("Write the same as JSON"),
                                 cl::value_desc("file"),
                                 cl::sub(ExplainCommand));

namespace {
/// A remark, and how often it was made: copies of an unrolled loop decide
/// alike.
struct Entry {
  Remark R;
  unsigned Times = 1;
};
json::Value toJSON(const Entry &E) {
  json::Object Facts;
  for (const auto &[Key, Value] : E.R.Facts)
    Facts[Key] = Value;
  return json::Object{{"column", E.R.Column},
                      {"name", E.R.Name},
                      {"message", E.R.Message},
                      {"times", E.Times},
                      {"facts", std::move(Facts)}};
}

struct Line {
  std::string Source; ///< Its text; empty where the file cannot be read.
  std::vector<Entry> Entries;
};
/// By file and line; line 0 for what has none.
using Listing = std::map<std::pair<std::string, unsigned>, Line>;
} // namespace

static void fillSources(Listing &Lines) {
  StringRef File;
  std::unique_ptr<MemoryBuffer> Buffer;
  SmallVector<StringRef> Texts;
  for (auto &[Place, L] : Lines) {
    if (Place.first != File) {
      File = Place.first;
      Texts.clear();
      if (auto Read = MemoryBuffer::getFile(File)) {
        Buffer = std::move(*Read);
        Buffer->getBuffer().split(Texts, '\n');
      }
    }
    if (Place.second && Place.second <= Texts.size())
      L.Source = Texts[Place.second - 1].rtrim().str();
  }
}

static Listing makeListing(ArrayRef<Remark> Remarks) {
  Listing Lines;
  for (const Remark &R : Remarks) {
    std::vector<Entry> &Entries = Lines[{R.File, R.Line}].Entries;
    auto Same = find_if(Entries, [&](const Entry &E) {
      return E.R.Name == R.Name && E.R.Column == R.Column &&
             E.R.Message == R.Message;
    });
    if (Same == Entries.end())
      Entries.push_back({R});
    else
      ++Same->Times;
  }
  for (auto &[Place, L] : Lines)
    llvm::sort(L.Entries, [](const Entry &A, const Entry &B) {
      return std::tie(A.R.Column, A.R.Name, A.R.Message) <
             std::tie(B.R.Column, B.R.Name, B.R.Message);
    });
  fillSources(Lines);
  return Lines;
}

static void printResources(const Signature &S) {
  const Resources &R = *S.Used;
  outs() << formatv("{0}: {1} registers, {2} bytes of spill stores, {3} bytes "
                    "of spill loads, {4} bytes of shared memory\n",
                    S.Kernel, R.Registers, R.SpillStoreBytes, R.SpillLoadBytes,
                    R.SharedBytes);
  if (S.Width != 1)
    outs() << S.Width << " lanes share the primal and its tape\n";
  if (!S.NeedsTape)
    outs() << "no tape\n";
}

static void printListing(const Listing &Lines) {
  StringRef File;
  for (const auto &[Place, L] : Lines) {
    if (&Place == &Lines.begin()->first || Place.first != File) {
      File = Place.first;
      outs() << '\n' << (File.empty() ? "without a line" : File) << ":\n";
    }
    if (Place.second)
      outs() << formatv("{0,5} | {1}\n", Place.second, L.Source);
    for (const Entry &E : L.Entries) {
      outs() << formatv("{0,5} |   {1}: {2}: {3}", "", E.R.Column, E.R.Name,
                        E.R.Message);
      if (E.Times > 1)
        outs() << " (" << E.Times << " times)";
      outs() << '\n';
    }
  }
}

static json::Value toJSON(const Signature &S, const Listing &Lines) {
  json::Array Out;
  for (const auto &[Place, L] : Lines)
    Out.push_back(json::Object{{"file", Place.first},
                               {"line", Place.second},
                               {"source", L.Source},
                               {"remarks", json::Array(L.Entries)}});
  return json::Object{{"gradient", S}, {"lines", std::move(Out)}};
}

Expected<int> runExplain() {
  Expected<Toolchain> T = toolchainFromOptions();
  if (!T)
    return T.takeError();
  Expected<Product> P = makeProduct(*T, Format::Cubin, /*IsAlone=*/true);
  if (!P)
    return P.takeError();
  Listing Lines = makeListing(P->Remarks);
  for (const Signature &S : P->Kernels)
    printResources(S);
  printListing(Lines);
  if (Json.empty())
    return 0;
  if (Error E = writeToOutput(Json, [&](raw_ostream &OS) {
        OS << formatv("{0:2}\n", toJSON(P->Kernels.front(), Lines));
        return Error::success();
      }))
    return std::move(E);
  return 0;
}

} // namespace kdiff::tool
