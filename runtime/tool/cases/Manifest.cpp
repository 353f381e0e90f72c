//===- Manifest.cpp - Packed cases ----------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a folder of packed cases hold for a
// machine that has a card and its driver, and nothing of KDiff?
//
//===----------------------------------------------------------------------===//

#include "cases/Manifest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff::tool {

json::Value toJSON(const ManifestEntry &E) {
  json::Object Cubins;
  for (const auto &[Launch, File] : E.Cubins)
    Cubins[Launch] = File;
  json::Object O{{"folder", E.Folder},
                 {"double", E.Double},
                 {"mode", name(E.Mode)},
                 {"cubins", std::move(Cubins)},
                 {"program", E.P}};
  if (E.Decided)
    O["outcome"] = *E.Decided;
  return O;
}

bool fromJSON(const json::Value &V, ManifestEntry &E, json::Path Path) {
  json::ObjectMapper O(V, Path);
  std::string Mode;
  if (!O || !O.map("folder", E.Folder) || !O.map("double", E.Double) ||
      !O.map("mode", Mode) || !O.map("cubins", E.Cubins) ||
      !O.map("program", E.P) || !O.map("outcome", E.Decided))
    return false;
  auto M = parseRunMode(Mode);
  if (!M) {
    Path.field("mode").report("unknown mode");
    return false;
  }
  E.Mode = *M;
  return true;
}

static std::string manifestPath(StringRef Folder) {
  return (Folder + "/manifest.json").str();
}

Error writeManifest(StringRef Folder, ArrayRef<ManifestEntry> Entries) {
  return writeToOutput(manifestPath(Folder), [&](raw_ostream &OS) {
    OS << formatv("{0:1}\n", json::Value(json::Array(Entries)));
    return Error::success();
  });
}

Expected<std::vector<ManifestEntry>> readManifest(StringRef Folder) {
  std::string Path = manifestPath(Folder);
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  auto Entries = json::parse<std::vector<ManifestEntry>>((*Buffer)->getBuffer(),
                                                         "manifest.json");
  if (!Entries)
    return createFileError(Path, Entries.takeError());
  return Entries;
}

} // namespace kdiff::tool
