//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a benchmark run on a card, on a
// machine that has the driver and no toolkit?
//
//===----------------------------------------------------------------------===//
#include "harness/Backend.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace kdiff::bench {
namespace {

// The part of the driver API (cuda.h) that is used. Names with a suffix are
// those that cuda.h's macros choose.
using Address = unsigned long long;
using Handle = struct Opaque *;
constexpr int MultiprocessorCount = 16;   // CU_DEVICE_ATTRIBUTE_*
constexpr int KernelLocalBytes = 3;       // CU_FUNC_ATTRIBUTE_*
constexpr int KernelRegisters = 4;        // CU_FUNC_ATTRIBUTE_*
constexpr int KernelDynamicSharedMax = 8; // CU_FUNC_ATTRIBUTE_*

#define KD_DRIVER(X)                                                           \
  X(cuInit, (unsigned))                                                        \
  X(cuGetErrorName, (int, const char **))                                      \
  X(cuDeviceGet, (int *, int))                                                 \
  X(cuDeviceGetName, (char *, int, int))                                       \
  X(cuDeviceGetAttribute, (int *, int, int))                                   \
  X(cuDevicePrimaryCtxRetain, (Handle *, int))                                 \
  X(cuCtxSetCurrent, (Handle))                                                 \
  X(cuModuleLoadData, (Handle *, const void *))                                \
  X(cuModuleUnload, (Handle))                                                  \
  X(cuModuleGetFunction, (Handle *, Handle, const char *))                     \
  X(cuModuleGetGlobal_v2, (Address *, size_t *, Handle, const char *))         \
  X(cuFuncGetAttribute, (int *, int, Handle))                                  \
  X(cuFuncSetAttribute, (Handle, int, int))                                    \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, Handle, int, size_t)) \
  X(cuMemAlloc_v2, (Address *, size_t))                                        \
  X(cuMemFree_v2, (Address))                                                   \
  X(cuMemcpyHtoD_v2, (Address, const void *, size_t))                          \
  X(cuMemcpyDtoH_v2, (void *, Address, size_t))                                \
  X(cuMemcpyDtoDAsync_v2, (Address, Address, size_t, Handle))                  \
  X(cuMemsetD8Async, (Address, unsigned char, size_t, Handle))                 \
  X(cuLaunchKernel, (Handle, unsigned, unsigned, unsigned, unsigned, unsigned, \
                     unsigned, unsigned, Handle, void **, void **))            \
  X(cuEventCreate, (Handle *, unsigned))                                       \
  X(cuEventDestroy_v2, (Handle))                                               \
  X(cuEventRecord, (Handle, Handle))                                           \
  X(cuEventSynchronize, (Handle))                                              \
  X(cuEventElapsedTime, (float *, Handle, Handle))

struct Driver {
#define KD_MEMBER(Name, Params) int(*Name) Params = nullptr;
  KD_DRIVER(KD_MEMBER)
#undef KD_MEMBER

  Error load() {
    std::string Problem;
    sys::DynamicLibrary Library =
        sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &Problem);
    if (!Library.isValid())
      return createStringError("no CUDA driver: %s", Problem.c_str());
#define KD_LOAD(Name, Params)                                                  \
  Name = reinterpret_cast<decltype(Name)>(Library.getAddressOfSymbol(#Name));  \
  if (!Name)                                                                   \
    return createStringError("the CUDA driver has no " #Name);
    KD_DRIVER(KD_LOAD)
#undef KD_LOAD
    return Error::success();
  }

  Error check(int Result, const char *Call) const {
    if (Result == 0)
      return Error::success();
    const char *Name = "unknown error";
    cuGetErrorName(Result, &Name);
    return createStringError("%s: %s", Call, Name);
  }
};

Address addressOf(const void *Pointer) {
  return reinterpret_cast<Address>(Pointer);
}

class DriverBackend final : public CudaBackend {
public:
  DriverBackend() = default;
  ~DriverBackend() override {
    for (Handle Event : Events)
      D.cuEventDestroy_v2(Event);
    for (Handle Module : Modules)
      D.cuModuleUnload(Module);
  }

  Error open(ArrayRef<std::string> Cubins);

  std::string name() const override { return CardName; }

  Expected<void *> allocate(size_t Bytes) override {
    Address At = 0;
    if (Error E = D.check(D.cuMemAlloc_v2(&At, Bytes), "cuMemAlloc"))
      return std::move(E);
    return reinterpret_cast<void *>(At);
  }
  void free(void *Pointer) override { D.cuMemFree_v2(addressOf(Pointer)); }
  Error upload(void *To, const void *From, size_t Bytes) override {
    return D.check(D.cuMemcpyHtoD_v2(addressOf(To), From, Bytes),
                   "cuMemcpyHtoD");
  }
  Error download(void *To, const void *From, size_t Bytes) override {
    return D.check(D.cuMemcpyDtoH_v2(To, addressOf(From), Bytes),
                   "cuMemcpyDtoH");
  }
  Error copy(void *To, const void *From, size_t Bytes) override {
    return D.check(
        D.cuMemcpyDtoDAsync_v2(addressOf(To), addressOf(From), Bytes, nullptr),
        "cuMemcpyDtoDAsync");
  }
  Error zero(void *To, size_t Bytes) override {
    return D.check(D.cuMemsetD8Async(addressOf(To), 0, Bytes, nullptr),
                   "cuMemsetD8Async");
  }
  Error launch(const std::string &Kernel, Extent Grid, Extent Block,
               size_t DynamicShared, ArrayRef<void *> Args) override;
  void *symbol(const std::string &Name) override;
  Expected<Resources> resources(const std::string &Kernel) override;
  Expected<uint64_t> residentThreads(const std::string &Kernel, unsigned Block,
                                     size_t DynamicShared) override;
  Expected<double> time(function_ref<Error()> Work) override;

private:
  Expected<Handle> find(const std::string &Kernel);

  Driver D;
  int Card = 0;
  std::string CardName;
  std::vector<Handle> Modules;
  std::vector<Handle> Events; ///< Two: before and after.
};

Error DriverBackend::open(ArrayRef<std::string> Cubins) {
  if (Error E = D.load())
    return E;
  if (Error E = D.check(D.cuInit(0), "cuInit"))
    return E;
  if (Error E = D.check(D.cuDeviceGet(&Card, 0), "cuDeviceGet"))
    return E;
  char Name[256] = {};
  if (Error E = D.check(D.cuDeviceGetName(Name, sizeof Name, Card),
                        "cuDeviceGetName"))
    return E;
  CardName = Name;
  Handle Context = nullptr;
  if (Error E = D.check(D.cuDevicePrimaryCtxRetain(&Context, Card),
                        "cuDevicePrimaryCtxRetain"))
    return E;
  if (Error E = D.check(D.cuCtxSetCurrent(Context), "cuCtxSetCurrent"))
    return E;
  for (const std::string &Path : Cubins) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
    if (!File)
      return createFileError(Path, File.getError());
    Handle Module = nullptr;
    if (Error E =
            D.check(D.cuModuleLoadData(&Module, (*File)->getBufferStart()),
                    "cuModuleLoadData"))
      return createFileError(Path, std::move(E));
    Modules.push_back(Module);
  }
  for (int I = 0; I < 2; ++I) {
    Handle Event = nullptr;
    if (Error E = D.check(D.cuEventCreate(&Event, 0), "cuEventCreate"))
      return E;
    Events.push_back(Event);
  }
  return Error::success();
}

Expected<Handle> DriverBackend::find(const std::string &Kernel) {
  for (Handle Module : Modules) {
    Handle Function = nullptr;
    if (D.cuModuleGetFunction(&Function, Module, Kernel.c_str()) == 0)
      return Function;
  }
  return createStringError("no kernel %s is loaded", Kernel.c_str());
}

Error DriverBackend::launch(const std::string &Kernel, Extent Grid,
                            Extent Block, size_t DynamicShared,
                            ArrayRef<void *> Args) {
  Expected<Handle> Function = find(Kernel);
  if (!Function)
    return Function.takeError();
  // Above 48 KiB a kernel must be told beforehand.
  if (DynamicShared > 48 * 1024)
    if (Error E =
            D.check(D.cuFuncSetAttribute(*Function, KernelDynamicSharedMax,
                                         int(DynamicShared)),
                    "cuFuncSetAttribute"))
      return E;
  return D.check(D.cuLaunchKernel(*Function, Grid.X, Grid.Y, 1, Block.X,
                                  Block.Y, 1, unsigned(DynamicShared), nullptr,
                                  const_cast<void **>(Args.data()), nullptr),
                 "cuLaunchKernel");
}

void *DriverBackend::symbol(const std::string &Name) {
  for (Handle Module : Modules) {
    Address At = 0;
    if (D.cuModuleGetGlobal_v2(&At, nullptr, Module, Name.c_str()) == 0)
      return reinterpret_cast<void *>(At);
  }
  return nullptr;
}

Expected<Resources> DriverBackend::resources(const std::string &Kernel) {
  Expected<Handle> Function = find(Kernel);
  if (!Function)
    return Function.takeError();
  Resources R;
  if (Error E = D.check(
          D.cuFuncGetAttribute(&R.Registers, KernelRegisters, *Function),
          "cuFuncGetAttribute"))
    return std::move(E);
  if (Error E = D.check(
          D.cuFuncGetAttribute(&R.LocalBytes, KernelLocalBytes, *Function),
          "cuFuncGetAttribute"))
    return std::move(E);
  return R;
}

Expected<uint64_t> DriverBackend::residentThreads(const std::string &Kernel,
                                                  unsigned Block,
                                                  size_t DynamicShared) {
  Expected<Handle> Function = find(Kernel);
  if (!Function)
    return Function.takeError();
  int Blocks = 0, Multiprocessors = 0;
  if (Error E = D.check(D.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                            &Blocks, *Function, int(Block), DynamicShared),
                        "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
    return std::move(E);
  if (Error E = D.check(
          D.cuDeviceGetAttribute(&Multiprocessors, MultiprocessorCount, Card),
          "cuDeviceGetAttribute"))
    return std::move(E);
  return uint64_t(Blocks) * uint64_t(Multiprocessors) * Block;
}

Expected<double> DriverBackend::time(function_ref<Error()> Work) {
  if (Error E = D.check(D.cuEventRecord(Events[0], nullptr), "cuEventRecord"))
    return std::move(E);
  if (Error E = Work())
    return std::move(E);
  if (Error E = D.check(D.cuEventRecord(Events[1], nullptr), "cuEventRecord"))
    return std::move(E);
  if (Error E = D.check(D.cuEventSynchronize(Events[1]), "cuEventSynchronize"))
    return std::move(E);
  float Milliseconds = 0;
  if (Error E =
          D.check(D.cuEventElapsedTime(&Milliseconds, Events[0], Events[1]),
                  "cuEventElapsedTime"))
    return std::move(E);
  return Milliseconds;
}

} // namespace

Expected<std::unique_ptr<CudaBackend>>
createCudaBackend(ArrayRef<std::string> Cubins) {
  auto B = std::make_unique<DriverBackend>();
  if (Error E = B->open(Cubins))
    return std::move(E);
  return std::move(B);
}

} // namespace kdiff::bench
