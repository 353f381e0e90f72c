//===- Manifest.h - Packed cases --------------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a folder of packed cases hold for a
// machine that has a card and its driver, and nothing of KDiff?
//
//   run                            the runner
//   manifest.json                  a list of entries
//   cases/N/NAME/case.json         the case
//   cubins/N.NAME.MODE.ARCH.cubin  primal and gradient kernels
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_MANIFEST_H
#define KDIFF_TOOL_CASES_MANIFEST_H

#include "cases/CaseRun.h"
#include "cases/Outcome.h"

namespace kdiff::tool {

/// One mode of one case. All paths are relative to the folder.
struct ManifestEntry {
  std::string Folder; ///< Of the case.
  bool Double = false;
  RunMode Mode = RunMode::Reverse;
  std::map<std::string, std::string> Cubins; ///< By architecture.
  Program P;
  /// How the case ended already: refused as it should be, or not packed.
  std::optional<Outcome> Decided;
};
llvm::json::Value toJSON(const ManifestEntry &E);
bool fromJSON(const llvm::json::Value &V, ManifestEntry &E,
              llvm::json::Path Path);

llvm::Error writeManifest(llvm::StringRef Folder,
                          llvm::ArrayRef<ManifestEntry> Entries);
llvm::Expected<std::vector<ManifestEntry>> readManifest(llvm::StringRef Folder);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_MANIFEST_H
