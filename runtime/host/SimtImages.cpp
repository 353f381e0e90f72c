//===- SimtImages.cpp - The IR in a program's device images ---------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see SimtImages.h.
//
// What is used of NVIDIA's format: the wrapper's layout (fatbinary_section.h)
// and, of the container, magic number and size. The images in it are searched
// for the header of kdiff/EmbeddedIR.h; machine code is stored as it is.
//
//===----------------------------------------------------------------------===//

#include "host/SimtImages.h"
#include "kdiff/EmbeddedIR.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <map>

using namespace llvm;
using namespace llvm::support;

namespace kdiff::host {

namespace {
struct FatBinaryWrapper {
  uint32_t Magic, Version;
  const char *Data;
  const void *Unused;
};
constexpr uint32_t WrapperMagic = 0x466243b1, ContainerMagic = 0xBA55ED50;
} // namespace

/// The container's bytes; empty if it is none.
static StringRef containerOf(const void *Wrapper) {
  auto *W = static_cast<const FatBinaryWrapper *>(Wrapper);
  if (W->Magic != WrapperMagic || endian::read32le(W->Data) != ContainerMagic)
    return {};
  // Magic, version (16 bits), bytes of this header (16), bytes behind it (64).
  return StringRef(W->Data, endian::read16le(W->Data + 6) +
                                endian::read64le(W->Data + 8));
}

/// Takes the next image's bitcode from the front of \p Rest; nothing if there
/// is none.
static Expected<std::optional<SmallVector<uint8_t, 0>>>
nextBitcode(StringRef &Rest) {
  size_t At = Rest.find(StringRef(EmbeddedIRMagic, 8));
  if (At == StringRef::npos || Rest.size() - At < sizeof(EmbeddedIR))
    return std::nullopt;
  const char *Header = Rest.data() + At;
  uint64_t Stored =
      endian::read64le(Header + offsetof(EmbeddedIR, StoredBytes));
  uint64_t Bytes = endian::read64le(Header + offsetof(EmbeddedIR, Bytes));
  Rest = Rest.drop_front(At + sizeof(EmbeddedIR));
  if (Stored > Rest.size()) // The magic number is in front of noise.
    return createStringError(
        "the device IR of a file of the program cannot be read: images for "
        "debugging are compressed; compile with -O1 or more, without -G");
  ArrayRef<uint8_t> Image = arrayRefFromStringRef(Rest.take_front(Stored));
  Rest = Rest.drop_front(Stored);
  if (Stored == Bytes)
    return SmallVector<uint8_t, 0>(Image);
  if (!compression::zlib::isAvailable())
    return createStringError("this LLVM cannot decompress embedded IR");
  SmallVector<uint8_t, 0> Bitcode;
  if (Error E = compression::zlib::decompress(Image, Bitcode, Bytes))
    return std::move(E);
  return Bitcode;
}

/// 90 for code for sm_90; 0 if no function says.
static unsigned architectureOf(const Module &M) {
  for (const Function &F : M) {
    unsigned Number = 0;
    StringRef Processor = F.getFnAttribute("target-cpu").getValueAsString();
    if (Processor.consume_front("sm_") && !Processor.consumeInteger(10, Number))
      return Number;
  }
  return 0;
}

Expected<std::unique_ptr<Module>> readFatBinary(const void *Wrapper,
                                                LLVMContext &Context) {
  StringRef Rest = containerOf(Wrapper);
  std::map<unsigned, std::vector<std::unique_ptr<Module>>> ByArchitecture;
  while (true) {
    auto Bitcode = nextBitcode(Rest);
    if (!Bitcode)
      return Bitcode.takeError();
    if (!*Bitcode)
      break;
    auto M = parseBitcodeFile(
        MemoryBufferRef(toStringRef(ArrayRef<uint8_t>(**Bitcode)), "device"),
        Context);
    if (!M)
      return M.takeError();
    ByArchitecture[architectureOf(**M)].push_back(std::move(*M));
  }
  if (ByArchitecture.empty())
    return createStringError(
        "a file of the program has no device IR in it; compile each with "
        "KDiff's plugin and '-include kdiff/simt.h' (CMake: kdiff_enable), "
        "with "
        "-O1 or more and without -G");
  auto Units = std::move(ByArchitecture.rbegin()->second);
  std::unique_ptr<Module> Whole = std::move(Units.front());
  for (auto &Unit : drop_begin(Units))
    if (Linker::linkModules(*Whole, std::move(Unit)))
      return createStringError("the program's device IR cannot be linked");
  return Whole;
}

} // namespace kdiff::host
