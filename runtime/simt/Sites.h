//===- Sites.h - Places in the source --------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does lowered code name a place in the
// source by a number?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_SITES_H
#define KDIFF_SIMT_SITES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include <string>
#include <vector>

namespace kdiff::simt {

/// The texts of places, each once.
class SiteTable {
public:
  /// "f.cu:12, inlined at f.cu:20", or "function 'f'" where \p I has no place.
  uint32_t number(const llvm::Instruction &I) {
    std::string Text;
    for (llvm::DILocation *D = I.getDebugLoc(); D; D = D->getInlinedAt())
      Text += (Text.empty() ? "" : ", inlined at ") + D->getFilename().str() +
              ":" + std::to_string(D->getLine());
    if (Text.empty())
      Text = "function '" + llvm::demangle(I.getFunction()->getName()) + "'";
    auto [It, IsNew] = Numbers.try_emplace(Text, Texts.size());
    if (IsNew)
      Texts.push_back(std::move(Text));
    return It->second;
  }
  const std::vector<std::string> &texts() const { return Texts; }

private:
  std::vector<std::string> Texts;
  llvm::StringMap<uint32_t> Numbers;
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_SITES_H
