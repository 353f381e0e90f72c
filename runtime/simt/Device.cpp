//===- Device.cpp - Kernels, memory and launches --------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a caller of the executor hold, and
// what is checked before a kernel runs?
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Jit.h"
#include "Memory.h"
#include "Scheduler.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstring>

using namespace llvm;
using namespace kdiff::simt;

struct Device::Impl {
  Arena Global;
  std::vector<Program> Modules;
  Scheduler Threads{Global};
};

Device::Device() = default;
Device::~Device() = default;

std::unique_ptr<Device> Device::create(const DeviceOptions &Options) {
  std::unique_ptr<Device> D(new Device);
  D->P = std::make_unique<Impl>();
  if (Options.Checks)
    D->P->Threads.enableChecks();
  return D;
}

Expected<std::unique_ptr<Device>> Device::create(const Module &M,
                                                 StringRef Libdevice,
                                                 const DeviceOptions &Options) {
  std::unique_ptr<Device> D = create(Options);
  if (auto Number = D->load(M, Libdevice); !Number)
    return Number.takeError();
  return D;
}

Expected<unsigned> Device::load(const Module &M, StringRef Libdevice) {
  Checker *Check = P->Threads.checker();
  auto Code = Program::compile(M, Libdevice, Check != nullptr);
  if (!Code)
    return Code.takeError();
  if (Check)
    for (const auto &Entry : Code->module().Objects)
      if (void *Address = Code->object(Entry.first()))
        if (Error E = Check->addVariable(Entry.first(),
                                         static_cast<const char *>(Address),
                                         Entry.second))
          return std::move(E);
  P->Modules.push_back(std::move(*Code));
  return P->Modules.size() - 1;
}

void *Device::tryAllocate(size_t Bytes, StringRef Name) {
  void *Pointer = P->Global.allocate(Bytes, Name, Arena::Owner::Host);
  if (Pointer)
    setDefined(Pointer, Bytes, true);
  return Pointer;
}

void *Device::allocate(size_t Bytes, StringRef Name) {
  void *Pointer = tryAllocate(Bytes, Name);
  if (!Pointer)
    report_fatal_error("the SIMT executor has no " + Twine(Bytes) +
                       " bytes of device memory for '" + Name + "'");
  return Pointer;
}

void Device::setScratch(void *Pointer, size_t Bytes) {
  if (Checker *Check = P->Threads.checker())
    Check->addScratch(Pointer, Bytes);
}

void Device::setDefined(void *Pointer, size_t Bytes, bool Defined) {
  if (Checker *Check = P->Threads.checker())
    if (Error E = Check->setDefined(Pointer, Bytes, Defined))
      report_fatal_error(std::move(E));
}

void Device::free(void *Pointer) {
  if (Checker *Check = P->Threads.checker())
    Check->dropScratch(Pointer);
  if (Pointer && !P->Global.free(Pointer, Arena::Owner::Host))
    report_fatal_error("a pointer was freed that the SIMT executor did not "
                       "allocate");
}

void *Device::symbol(StringRef Name, size_t *Bytes, unsigned Module) const {
  const Program &Code = P->Modules[Module];
  void *Address = Code.variable(Name);
  if (Address && Bytes)
    *Bytes = Code.module().Variables.lookup(Name);
  return Address;
}

bool Device::isDeviceMemory(const void *Pointer) const {
  auto *Address = static_cast<const char *>(Pointer);
  const char *Base = P->Global.base();
  return Address >= Base && Address < Base + P->Global.capacity();
}

ArrayRef<size_t> Device::parameterBytes(StringRef Kernel,
                                        unsigned Module) const {
  const auto &Kernels = P->Modules[Module].module().Kernels;
  auto It = Kernels.find(Kernel);
  if (It == Kernels.end())
    return {};
  return It->second.ParameterBytes;
}

static std::string spell(const Dim3 &D) {
  return "(" + std::to_string(D.X) + "," + std::to_string(D.Y) + "," +
         std::to_string(D.Z) + ")";
}

/// The limits of all CUDA devices.
static Error checkShape(const Dim3 &Grid, const Dim3 &Block,
                        size_t DynamicShared) {
  bool GridOk = Grid.X && Grid.Y && Grid.Z && Grid.X <= 0x7FFFFFFF &&
                Grid.Y <= 65535 && Grid.Z <= 65535;
  uint64_t Threads = uint64_t(Block.X) * Block.Y * Block.Z;
  bool BlockOk = Threads && Block.X <= 1024 && Block.Y <= 1024 &&
                 Block.Z <= 64 && Threads <= 1024;
  if (!GridOk || !BlockOk)
    return createStringError(inconvertibleErrorCode(),
                             "no device has a grid of " + spell(Grid) +
                                 " blocks of " + spell(Block) + " threads");
  if (DynamicShared > (size_t(256) << 20))
    return createStringError(inconvertibleErrorCode(),
                             "no device has " + Twine(DynamicShared) +
                                 " bytes of shared memory");
  return Error::success();
}

static Error checkKernel(StringRef Name, const KernelInfo &Info,
                         size_t ArgCount) {
  if (ArgCount != Info.ParameterBytes.size())
    return createStringError(inconvertibleErrorCode(),
                             "kernel '" + Name + "' takes " +
                                 Twine(Info.ParameterBytes.size()) +
                                 " arguments, not " + Twine(ArgCount));
  if (Info.Unsupported.empty())
    return Error::success();
  std::string Message = "kernel '" + Name.str() +
                        "' cannot run on the CPU; "
                        "it reaches";
  for (const std::string &U : Info.Unsupported)
    Message += "\n  " + U;
  return createStringError(inconvertibleErrorCode(), Twine(Message));
}

Error Device::launch(StringRef Kernel, Dim3 Grid, Dim3 Block,
                     size_t DynamicShared, ArrayRef<void *> Args,
                     const LaunchOptions &Options, std::string *Printed) {
  const Program &Code = P->Modules[Options.Module];
  const LoweredModule &M = Code.module();
  auto It = M.Kernels.find(Kernel);
  if (It == M.Kernels.end())
    return createStringError(inconvertibleErrorCode(),
                             "the module has no kernel '" + Kernel + "'");
  const KernelInfo &Info = It->second;
  if (Error E = checkKernel(Kernel, Info, Args.size()))
    return E;
  if (Error E = checkShape(Grid, Block, DynamicShared))
    return E;
  auto Entry = Code.entry(Kernel);
  if (!Entry)
    return Entry.takeError();

  // Copies at the alignment that any parameter may have.
  struct alignas(128) Line {
    char Bytes[128];
  };
  std::vector<std::vector<Line>> Copies;
  std::vector<void *> Slots;
  for (auto [Arg, Bytes] : zip_equal(Args, Info.ParameterBytes)) {
    Copies.emplace_back(Bytes / sizeof(Line) + 1);
    memcpy(Copies.back().data(), Arg, Bytes);
    Slots.push_back(Copies.back().data());
  }
  Launch L;
  L.Kernel = Kernel;
  L.Entry = *Entry;
  L.Args = Slots.data();
  L.Grid = Grid;
  L.Block = Block;
  L.StaticShared = M.StaticShared;
  L.DynamicShared = DynamicShared;
  L.Sites = M.Sites.texts();
  L.SharedVariables = M.SharedVariables;
  L.Options = Options;
  L.Printed = Printed;
  return P->Threads.run(L);
}
