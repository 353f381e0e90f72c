//===- CudaDevice.cpp - A card as a device --------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do cases run on a card, through nothing but
// the driver?
//
// The driver is opened at run time, so that the program starts, and says what
// is missing, on a machine without one.
//
//===----------------------------------------------------------------------===//

#include "runner/CudaDevice.h"
#include <cstdio>
#include <cuda.h>
#include <dlfcn.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

// The functions used, under the names that cuda.h gives their current
// versions.
#define DRIVER_FUNCTIONS(X)                                                    \
  X(cuInit)                                                                    \
  X(cuGetErrorName)                                                            \
  X(cuDeviceGet)                                                               \
  X(cuDeviceGetName)                                                           \
  X(cuDeviceGetAttribute)                                                      \
  X(cuDevicePrimaryCtxRetain)                                                  \
  X(cuCtxSetCurrent)                                                           \
  X(cuCtxSynchronize)                                                          \
  X(cuModuleLoadData)                                                          \
  X(cuModuleGetFunction)                                                       \
  X(cuModuleGetGlobal)                                                         \
  X(cuFuncSetAttribute)                                                        \
  X(cuMemAlloc)                                                                \
  X(cuMemFree)                                                                 \
  X(cuMemcpyHtoD)                                                              \
  X(cuMemcpyDtoH)                                                              \
  X(cuMemsetD8)                                                                \
  X(cuLaunchKernel)

#define STRINGIFY(X) #X
#define SYMBOL_NAME(X) STRINGIFY(X) // Expands cuMemAlloc to cuMemAlloc_v2.

namespace kdiff::tool {

namespace {
struct Driver {
#define DECLARE(F) decltype(&::F) F##Pointer = nullptr;
  DRIVER_FUNCTIONS(DECLARE)
#undef DECLARE

  Error open() {
    void *Library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!Library)
      return createStringError("no NVIDIA driver here: %s", dlerror());
#define LOAD(F)                                                                \
  F##Pointer =                                                                 \
      reinterpret_cast<decltype(&::F)>(dlsym(Library, SYMBOL_NAME(F)));        \
  if (!F##Pointer)                                                             \
    return createStringError("the NVIDIA driver is too old: it has no %s",     \
                             SYMBOL_NAME(F));
    DRIVER_FUNCTIONS(LOAD)
#undef LOAD
    return Error::success();
  }
};

/// Standard output goes to a file while this lives: device printf, which the
/// driver writes out when the launch is waited for.
class CapturedOutput {
public:
  CapturedOutput() : File(std::tmpfile()), Saved(dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    if (File)
      dup2(fileno(File), STDOUT_FILENO);
  }
  ~CapturedOutput() { restore(); }

  std::string text() {
    restore();
    std::string Text;
    if (!File)
      return Text;
    std::rewind(File);
    char Part[4096];
    while (size_t N = std::fread(Part, 1, sizeof Part, File))
      Text.append(Part, N);
    std::fclose(File);
    File = nullptr;
    return Text;
  }

private:
  void restore() {
    if (Saved < 0)
      return;
    std::fflush(stdout);
    dup2(Saved, STDOUT_FILENO);
    close(Saved);
    Saved = -1;
  }
  std::FILE *File;
  int Saved;
};
} // namespace

struct CudaDevice::Impl : Driver {
  CardInfo Card;
  CUmodule Loaded = nullptr;
  std::vector<CUdeviceptr> Allocations;

  Error check(CUresult R, const Twine &What) {
    if (R == CUDA_SUCCESS)
      return Error::success();
    const char *Name = nullptr;
    cuGetErrorNamePointer(R, &Name);
    return createStringError(What + ": " +
                             (Name ? Twine(Name) : "error " + Twine(int(R))));
  }
  Error openCard();
};

CudaDevice::CudaDevice() : P(std::make_unique<Impl>()) {}
CudaDevice::~CudaDevice() {
  for (CUdeviceptr A : P->Allocations)
    P->cuMemFreePointer(A);
}

Error CudaDevice::Impl::openCard() {
  CUdevice D;
  CUcontext Context;
  char Name[256] = "";
  int Major = 0, Minor = 0;
  if (Error E = check(cuInitPointer(0), "cuInit"))
    return E;
  if (Error E = check(cuDeviceGetPointer(&D, 0), "no card"))
    return E;
  if (Error E = check(cuDeviceGetNamePointer(Name, sizeof Name, D), "name"))
    return E;
  cuDeviceGetAttributePointer(&Major,
                              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, D);
  cuDeviceGetAttributePointer(&Minor,
                              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, D);
  Card = {Name, unsigned(Major), unsigned(Minor)};
  if (Error E = check(cuDevicePrimaryCtxRetainPointer(&Context, D), "context"))
    return E;
  return check(cuCtxSetCurrentPointer(Context), "context");
}

Expected<std::unique_ptr<CudaDevice>> CudaDevice::create() {
  std::unique_ptr<CudaDevice> D(new CudaDevice());
  if (Error E = D->P->open())
    return std::move(E);
  if (Error E = D->P->openCard())
    return std::move(E);
  return D;
}

const CardInfo &CudaDevice::card() const { return P->Card; }

Error CudaDevice::load(StringRef Cubin) {
  return P->check(P->cuModuleLoadDataPointer(&P->Loaded, Cubin.data()),
                  "the cubin does not load");
}

Expected<Address> CudaDevice::allocate(size_t Bytes, StringRef Name) {
  CUdeviceptr A = 0;
  if (Error E = P->check(P->cuMemAllocPointer(&A, Bytes),
                         "allocating " + Twine(Bytes) + " bytes for " + Name))
    return std::move(E);
  P->Allocations.push_back(A);
  return Address(A);
}

Error CudaDevice::write(Address To, StringRef Bytes) {
  if (Bytes.empty())
    return Error::success();
  return P->check(P->cuMemcpyHtoDPointer(To, Bytes.data(), Bytes.size()),
                  "copying to the card");
}

Expected<std::string> CudaDevice::read(Address From, size_t Bytes) {
  std::string Text(Bytes, '\0');
  if (Bytes)
    if (Error E = P->check(P->cuMemcpyDtoHPointer(Text.data(), From, Bytes),
                           "copying from the card"))
      return std::move(E);
  return Text;
}

Error CudaDevice::fill(Address At, size_t Bytes, uint8_t Value) {
  return P->check(P->cuMemsetD8Pointer(At, Value, Bytes), "filling memory");
}

Symbol CudaDevice::symbol(StringRef Name) {
  CUdeviceptr A = 0;
  size_t Bytes = 0;
  if (P->cuModuleGetGlobalPointer(&A, &Bytes, P->Loaded, Name.str().c_str()) !=
      CUDA_SUCCESS)
    return {};
  return {Address(A), Bytes};
}

Error CudaDevice::launch(StringRef Kernel, const Dim3 &Grid, const Dim3 &Block,
                         size_t DynamicShared, ArrayRef<void *> Args,
                         std::string &Printed) {
  CUfunction F;
  if (Error E = P->check(
          P->cuModuleGetFunctionPointer(&F, P->Loaded, Kernel.str().c_str()),
          Kernel))
    return E;
  // What goes beyond 48 KiB has to be asked for.
  if (Error E = P->check(P->cuFuncSetAttributePointer(
                             F, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             int(DynamicShared)),
                         Kernel + ": dynamic shared memory of " +
                             Twine(DynamicShared)))
    return E;
  CapturedOutput Output;
  CUresult R =
      P->cuLaunchKernelPointer(F, Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y,
                               Block.Z, unsigned(DynamicShared), nullptr,
                               const_cast<void **>(Args.data()), nullptr);
  if (R == CUDA_SUCCESS)
    R = P->cuCtxSynchronizePointer();
  Printed += Output.text();
  return P->check(R, "kernel " + Kernel);
}

} // namespace kdiff::tool
