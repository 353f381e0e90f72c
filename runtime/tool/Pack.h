//===- Pack.h - Cases for another machine ----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do cases get onto a machine that has a
// card, but neither LLVM nor KDiff?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_PACK_H
#define KDIFF_TOOL_PACK_H

#include "cases/Manifest.h"
#include "compile/Toolchain.h"

namespace kdiff::tool {

struct PackOptions {
  std::string Folder; ///< Made if it does not exist.
  std::vector<std::string> Archs;
  unsigned Timeout = 0, Jobs = 1, Width = 1;
};

/// One mode of one case.
struct PackJob {
  const Case *C = nullptr;
  RunMode Mode = RunMode::Reverse;
};

/// Packs \p Jobs into a folder (see Manifest.h), with the runner, which lies
/// beside this program. Gives the entries that were written; each
/// entry with an outcome is decided here.
llvm::Expected<std::vector<ManifestEntry>>
packCases(llvm::ArrayRef<PackJob> Jobs, const Toolchain &T,
          const PackOptions &O);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_PACK_H
