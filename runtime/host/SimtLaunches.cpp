//===- SimtLaunches.cpp - Kernels and variables on the executor -----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do a program's kernels and variables reach
// the executor?
//
//===----------------------------------------------------------------------===//

#include "host/SimtCalls.h"
#include <cstring>

using namespace llvm;

namespace kdiff::host::calls {

static Image *imageOf(void **Handle) {
  return reinterpret_cast<Image *>(Handle);
}

void **__cudaRegisterFatBinary(void *Wrapper) {
  KD_SIMT
  return reinterpret_cast<void **>(S.addImage(Wrapper));
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **Handle) {
  KD_SIMT
  S.removeImage(imageOf(Handle));
}

void __cudaRegisterFunction(void **Handle, const char *Host, char *,
                            const char *Name, int, void *, void *, dim3 *,
                            dim3 *, int *) {
  KD_SIMT
  S.addName(imageOf(Handle), Host, Name);
}

void __cudaRegisterVar(void **Handle, char *Host, char *, const char *Name, int,
                       size_t, int, int) {
  KD_SIMT
  S.addName(imageOf(Handle), Host, Name);
}

/// The program reads the variable's address from *Host.
void __cudaRegisterManagedVar(void **Handle, void **Host, char *,
                              const char *Name, size_t, unsigned) {
  KD_SIMT
  S.addName(imageOf(Handle), Host, Name);
  int Module = S.load(*imageOf(Handle));
  *Host = Module < 0 ? nullptr : S.device().symbol(Name, nullptr, Module);
}

//===--- Launches ---------------------------------------------------------===//

namespace {
struct Configuration {
  dim3 Grid, Block;
  size_t Shared;
  cudaStream_t Stream;
};
} // namespace
static thread_local std::vector<Configuration> Configurations;

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     cudaStream_t Stream) {
  Configurations.push_back({Grid, Block, Shared, Stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                       void *Stream) {
  if (Configurations.empty())
    return cudaErrorMissingConfiguration;
  Configuration C = Configurations.back();
  Configurations.pop_back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = C.Shared;
  *static_cast<cudaStream_t *>(Stream) = C.Stream;
  return cudaSuccess;
}

/// A launch with its arguments' values.
static cudaError_t run(Simt &S, const DeviceName &Kernel, int Module, dim3 Grid,
                       dim3 Block, size_t Shared,
                       ArrayRef<std::vector<char>> Values) {
  simt::LaunchOptions Options = S.launches();
  Options.Module = Module;
  std::vector<void *> Args;
  for (const std::vector<char> &Value : Values) {
    Args.push_back(const_cast<char *>(Value.data()));
    const void *Pointer;
    if (Value.size() == sizeof Pointer) {
      std::memcpy(&Pointer, Value.data(), sizeof Pointer);
      S.noticePool(Pointer);
    }
  }
  if (Error E =
          S.device().launch(Kernel.Name, {Grid.x, Grid.y, Grid.z},
                            {Block.x, Block.y, Block.z}, Shared, Args, Options))
    S.breakDown(cudaErrorLaunchFailure, toString(std::move(E)));
  std::fflush(stdout);
  return cudaSuccess; // As on a card, where a launch ends later.
}

cudaError_t cudaLaunchKernel(const void *Kernel, dim3 Grid, dim3 Block,
                             void **Args, size_t Shared, cudaStream_t Stream) {
  KD_SIMT
  DeviceName *Name = S.find(Kernel);
  if (!Name)
    return S.done(cudaErrorInvalidDeviceFunction);
  size_t Threads = size_t(Block.x) * Block.y * Block.z;
  if (!Threads || Threads > 1024 || !Grid.x || !Grid.y || !Grid.z)
    return S.done(cudaErrorInvalidConfiguration);
  if (Shared > size_t(Name->DynamicShared))
    return S.done(cudaErrorInvalidValue);
  int Module = S.load(*Name->In);
  if (Module < 0)
    return S.done();
  std::vector<std::vector<char>> Values;
  for (size_t Bytes : S.device().parameterBytes(Name->Name, Module)) {
    auto *Value = static_cast<const char *>(Args[Values.size()]);
    Values.emplace_back(Value, Value + Bytes);
  }
  return S.give(Stream, [=, &S] {
    return run(S, *Name, Module, Grid, Block, Shared, Values);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Kernel, void **Args) {
  return calls::cudaLaunchKernel(Kernel, Config->gridDim, Config->blockDim,
                                 Args, Config->dynamicSmemBytes,
                                 Config->stream);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, cudaHostFn_t Function,
                               void *Data) {
  KD_SIMT
  return S.give(Stream, [=] {
    Function(Data);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void *Kernel,
                                 cudaFuncAttribute Attribute, int Value) {
  KD_SIMT
  DeviceName *Name = S.find(Kernel);
  if (!Name)
    return S.done(cudaErrorInvalidDeviceFunction);
  if (Attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (Value < 0 || Value > 227 << 10)
      return S.done(cudaErrorInvalidValue);
    Name->DynamicShared = Value;
  }
  return S.done();
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes,
                                  const void *Kernel) {
  KD_SIMT
  DeviceName *Name = S.find(Kernel);
  if (!Name)
    return S.done(cudaErrorInvalidDeviceFunction);
  *Attributes = {};
  Attributes->maxThreadsPerBlock = 1024;
  Attributes->maxDynamicSharedSizeBytes = Name->DynamicShared;
  Attributes->binaryVersion = Attributes->ptxVersion = 90;
  return S.done();
}

cudaError_t cudaFuncGetName(const char **Name, const void *Kernel) {
  KD_SIMT
  DeviceName *Known = S.find(Kernel);
  if (!Known)
    return S.done(cudaErrorInvalidDeviceFunction);
  *Name = Known->Name.c_str();
  return S.done();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *, int,
                                                          size_t) {
  *Blocks = 1;
  return cudaSuccess;
}

//===--- Variables --------------------------------------------------------===//

/// The place of \p Bytes at \p Offset of a variable; null, with \p Error set,
/// where there is none.
static char *place(Simt &S, const void *Symbol, size_t Bytes, size_t Offset,
                   cudaError_t &Error) {
  DeviceName *Name = S.find(Symbol);
  Error = cudaErrorInvalidSymbol;
  if (!Name)
    return nullptr;
  int Module = S.load(*Name->In);
  if (Module < 0)
    return nullptr;
  size_t Size = 0;
  void *Where = S.device().symbol(Name->Name, &Size, Module);
  if (!Where)
    return nullptr;
  Error = cudaErrorInvalidValue;
  if (Offset > Size || Bytes > Size - Offset)
    return nullptr;
  Error = cudaSuccess;
  return static_cast<char *>(Where) + Offset;
}

cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *From,
                                    size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t Stream) {
  KD_SIMT
  cudaError_t Error;
  char *To = place(S, Symbol, Bytes, Offset, Error);
  return To ? calls::cudaMemcpyAsync(To, From, Bytes, Kind, Stream)
            : S.done(Error);
}

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                               size_t Bytes, size_t Offset,
                               cudaMemcpyKind Kind) {
  KD_SIMT
  cudaError_t Error;
  char *To = place(S, Symbol, Bytes, Offset, Error);
  return To ? calls::cudaMemcpy(To, From, Bytes, Kind) : S.done(Error);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol,
                                      size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind,
                                      cudaStream_t Stream) {
  KD_SIMT
  cudaError_t Error;
  char *From = place(S, Symbol, Bytes, Offset, Error);
  return From ? calls::cudaMemcpyAsync(To, From, Bytes, Kind, Stream)
              : S.done(Error);
}

cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  KD_SIMT
  cudaError_t Error;
  char *From = place(S, Symbol, Bytes, Offset, Error);
  return From ? calls::cudaMemcpy(To, From, Bytes, Kind) : S.done(Error);
}

cudaError_t cudaGetSymbolAddress(void **Pointer, const void *Symbol) {
  KD_SIMT
  cudaError_t Error;
  *Pointer = place(S, Symbol, 0, 0, Error);
  return S.done(Error);
}

cudaError_t cudaGetSymbolSize(size_t *Bytes, const void *Symbol) {
  KD_SIMT
  cudaError_t Error;
  if (!place(S, Symbol, 0, 0, Error))
    return S.done(Error);
  DeviceName *Name = S.find(Symbol);
  S.device().symbol(Name->Name, Bytes, S.load(*Name->In));
  return S.done();
}

} // namespace kdiff::host::calls
