//===- Embed.cpp - The module within itself -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Embed.h.
//
//===----------------------------------------------------------------------===//

#include "lower/Embed.h"
#include "kdiff/EmbeddedIR.h"
#include "target/NVPTX.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MD5.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace kdiff;

static constexpr StringLiteral Marker = "__kd_embed_ir";

/// Takes the markers out of \p M. False if there is none.
static bool takeMarkers(Module &M) {
  auto IsMarker = [](const Value *V) {
    return V->stripPointerCasts()->getName().contains(Marker);
  };
  removeFromUsedLists(M, [&](Constant *C) { return IsMarker(C); });
  bool Found = false;
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!IsMarker(&G))
      continue;
    Found = true;
    G.removeDeadConstantUsers();
    if (G.use_empty())
      G.eraseFromParent();
  }
  return Found;
}

/// The header and the bitcode of \p M.
static SmallVector<uint8_t, 0> imageOf(const Module &M) {
  SmallString<0> Bitcode;
  raw_svector_ostream OS(Bitcode);
  WriteBitcodeToFile(M, OS);
  ArrayRef<uint8_t> Stored = arrayRefFromStringRef(Bitcode);
  SmallVector<uint8_t, 0> Compressed;
  if (compression::zlib::isAvailable()) {
    compression::zlib::compress(Stored, Compressed);
    if (Compressed.size() < Stored.size())
      Stored = Compressed;
  }
  SmallVector<uint8_t, 0> Image(sizeof(EmbeddedIR));
  memcpy(Image.data() + offsetof(EmbeddedIR, Magic), EmbeddedIRMagic, 8);
  support::endian::write64le(Image.data() + offsetof(EmbeddedIR, StoredBytes),
                             Stored.size());
  support::endian::write64le(Image.data() + offsetof(EmbeddedIR, Bytes),
                             Bitcode.size());
  append_range(Image, Stored);
  return Image;
}

PreservedAnalyses EmbedPass::run(Module &M, ModuleAnalysisManager &) {
  if (!nvptx::isDeviceModule(M) || !takeMarkers(M))
    return PreservedAnalyses::all();
  SmallVector<uint8_t, 0> Image = imageOf(M);
  Constant *Data = ConstantDataArray::get(M.getContext(), Image);
  // Units that are linked for the device keep an image each.
  new GlobalVariable(M, Data->getType(), /*isConstant=*/true,
                     GlobalValue::ExternalLinkage, Data,
                     "__kd_ir_" + toHex(MD5::hash(Image), /*LowerCase=*/true),
                     nullptr, GlobalValue::NotThreadLocal, nvptx::Global);
  return PreservedAnalyses::none();
}
