//===- SimtDevice.cpp - The executor as CUDA's only device ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does the executor say about itself as a
// CUDA device, and which errors come back?
//
//===----------------------------------------------------------------------===//

#include "host/Backend.h"
#include "host/SimtCalls.h"
#include <cstring>

namespace kdiff::host {
namespace calls {

cudaError_t cudaGetDevice(int *Device) {
  KD_SIMT
  *Device = 0;
  return S.done();
}

cudaError_t cudaSetDevice(int Device) {
  KD_SIMT
  return S.done(Device ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaGetDeviceCount(int *Count) {
  KD_SIMT
  *Count = 1;
  return S.done();
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Properties, int Device) {
  KD_SIMT
  *Properties = {};
  std::strcpy(Properties->name, "KDiff SIMT executor");
  Properties->totalGlobalMem = size_t(16) << 30;
  Properties->sharedMemPerBlock = 48 << 10;
  Properties->sharedMemPerBlockOptin = 227 << 10;
  Properties->sharedMemPerMultiprocessor = 228 << 10;
  Properties->regsPerBlock = 65536;
  Properties->warpSize = 32;
  Properties->maxThreadsPerBlock = 1024;
  Properties->maxThreadsDim[0] = Properties->maxThreadsDim[1] = 1024;
  Properties->maxThreadsDim[2] = 64;
  Properties->maxGridSize[0] = 0x7FFFFFFF;
  Properties->maxGridSize[1] = Properties->maxGridSize[2] = 65535;
  Properties->major = 9;
  Properties->multiProcessorCount = 1;
  Properties->maxThreadsPerMultiProcessor = 1024;
  return S.done(Device ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attribute,
                                   int Device) {
  KD_SIMT
  switch (Attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    *Value = 1024;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    *Value = 48 << 10;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *Value = 227 << 10;
    break;
  case cudaDevAttrWarpSize:
    *Value = 32;
    break;
  case cudaDevAttrComputeCapabilityMajor:
    *Value = 9;
    break;
  case cudaDevAttrComputeCapabilityMinor:
    *Value = 0;
    break;
  case cudaDevAttrMultiProcessorCount:
  case cudaDevAttrMemoryPoolsSupported:
  case cudaDevAttrUnifiedAddressing:
    *Value = 1;
    break;
  default:
    return S.done(cudaErrorNotSupported);
  }
  return S.done(Device ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
  KD_SIMT
  return S.done(S.refuseInCapture());
}

cudaError_t cudaDeviceReset() {
  KD_SIMT
  return S.done();
}

cudaError_t cudaRuntimeGetVersion(int *Version) {
  *Version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *Version) {
  *Version = CUDART_VERSION;
  return cudaSuccess;
}

//===--- Errors -----------------------------------------------------------===//

cudaError_t cudaGetLastError() {
  KD_SIMT
  return S.lastError(/*Clear=*/true);
}

cudaError_t cudaPeekAtLastError() {
  KD_SIMT
  return S.lastError(/*Clear=*/false);
}

namespace {
struct ErrorName {
  cudaError_t Error;
  const char *Name, *Text;
};
/// Those that this back-end returns.
constexpr ErrorName ErrorNames[] = {
#define KD_ERROR(Name, Text) {Name, #Name, Text}
    KD_ERROR(cudaSuccess, "no error"),
    KD_ERROR(cudaErrorInvalidValue, "invalid argument"),
    KD_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    KD_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    KD_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    KD_ERROR(cudaErrorMissingConfiguration, "no call was configured"),
    KD_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    KD_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    KD_ERROR(cudaErrorNoKernelImageForDevice,
             "no kernel image is available for execution on the device"),
    KD_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    KD_ERROR(cudaErrorIllegalState,
             "the operation cannot be performed in the present state"),
    KD_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    KD_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    KD_ERROR(cudaErrorNotSupported, "operation not supported"),
    KD_ERROR(cudaErrorStreamCaptureUnsupported,
             "operation not permitted when stream is capturing"),
    KD_ERROR(cudaErrorStreamCaptureInvalidated,
             "operation failed due to a previous error during capture"),
#undef KD_ERROR
};
} // namespace

static const ErrorName *nameOf(cudaError_t Error) {
  for (const ErrorName &Known : ErrorNames)
    if (Known.Error == Error)
      return &Known;
  return nullptr;
}

const char *cudaGetErrorName(cudaError_t Error) {
  const ErrorName *Known = nameOf(Error);
  return Known ? Known->Name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t Error) {
  const ErrorName *Known = nameOf(Error);
  return Known ? Known->Text : "unrecognized error code";
}

} // namespace calls

/// Found by name: see SimtBackendName.
extern "C" __attribute__((visibility("default"))) const Backend *
kdiffSimtBackend() {
  static const Backend The = {
#define KD_ENTRY(Result, Name, Parameters, Arguments) calls::Name,
#include "host/Entries.def"
  };
  return &The;
}

} // namespace kdiff::host
