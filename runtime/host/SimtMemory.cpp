//===- SimtMemory.cpp - CUDA's memory on the executor ---------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do allocations and copies do on the
// executor?
//
//===----------------------------------------------------------------------===//

#include "host/SimtCalls.h"
#include <cstring>
#include <cuda.h>

namespace kdiff::host::calls {

/// For calls that wait for the device, or may.
static bool isForbidden(Simt &S, cudaError_t &Error) {
  Error = S.done(S.refuseInCapture());
  return Error != cudaSuccess;
}

cudaError_t cudaMalloc(void **Pointer, size_t Bytes) {
  KD_SIMT
  cudaError_t Error;
  if (isForbidden(S, Error))
    return Error;
  *Pointer = Bytes ? S.allocate(Bytes) : nullptr;
  return S.done(Bytes && !*Pointer ? cudaErrorMemoryAllocation : cudaSuccess);
}

/// In a capture: memory of the graph, new each time that it is launched.
cudaError_t cudaMallocAsync(void **Pointer, size_t Bytes, cudaStream_t Stream) {
  KD_SIMT
  void *New = *Pointer = Bytes ? S.allocate(Bytes) : nullptr;
  if (Bytes && !New)
    return S.done(cudaErrorMemoryAllocation);
  if (Bytes && S.stream(Stream).Recording) {
    S.stream(Stream).Recording->Memory.push_back(New);
    return S.give(Stream, [=, &S] {
      std::memset(New, 0xFF, Bytes);
      S.setDefined(New, Bytes, false);
      return cudaSuccess;
    });
  }
  return S.done();
}

cudaError_t cudaMallocManaged(void **Pointer, size_t Bytes, unsigned) {
  cudaError_t Error = calls::cudaMalloc(Pointer, Bytes);
  KD_SIMT // The host may write there at any time.
      if (!Error && *Pointer) S.setDefined(*Pointer, Bytes, true);
  return Error;
}

/// Kernels can reach it as they can on a card.
cudaError_t cudaHostAlloc(void **Pointer, size_t Bytes, unsigned) {
  return calls::cudaMallocManaged(Pointer, Bytes, cudaMemAttachGlobal);
}

cudaError_t cudaMallocHost(void **Pointer, size_t Bytes) {
  return calls::cudaHostAlloc(Pointer, Bytes, 0);
}

cudaError_t cudaFree(void *Pointer) {
  KD_SIMT
  cudaError_t Error;
  if (isForbidden(S, Error))
    return Error;
  return S.done(Pointer && !S.free(Pointer) ? cudaErrorInvalidValue
                                            : cudaSuccess);
}

cudaError_t cudaFreeAsync(void *Pointer, cudaStream_t Stream) {
  KD_SIMT
  if (S.stream(Stream).Recording)
    return S.done(S.allocation(Pointer) ? cudaSuccess : cudaErrorInvalidValue);
  return S.done(Pointer && !S.free(Pointer) ? cudaErrorInvalidValue
                                            : cudaSuccess);
}

cudaError_t cudaFreeHost(void *Pointer) { return calls::cudaFree(Pointer); }

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind) {
  KD_SIMT
  cudaError_t Error;
  if (isForbidden(S, Error))
    return Error;
  return S.done(S.copy(To, From, Bytes));
}

cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind, cudaStream_t Stream) {
  KD_SIMT
  return S.give(Stream, [=, &S] { return S.copy(To, From, Bytes); });
}

static cudaError_t set(Simt &S, void *At, int Value, size_t Bytes) {
  if (!S.isValid(At, Bytes))
    return cudaErrorInvalidValue;
  std::memset(At, Value, Bytes);
  S.setDefined(At, Bytes, true);
  return cudaSuccess;
}

cudaError_t cudaMemset(void *At, int Value, size_t Bytes) {
  KD_SIMT
  cudaError_t Error;
  if (isForbidden(S, Error))
    return Error;
  return S.done(set(S, At, Value, Bytes));
}

cudaError_t cudaMemsetAsync(void *At, int Value, size_t Bytes,
                            cudaStream_t Stream) {
  KD_SIMT
  return S.give(Stream, [=, &S] { return set(S, At, Value, Bytes); });
}

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  *Free = *Total = size_t(16) << 30;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Attributes,
                                     const void *Pointer) {
  KD_SIMT
  bool IsDevice = S.allocation(Pointer) != nullptr;
  *Attributes = {};
  Attributes->type =
      IsDevice ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  Attributes->devicePointer = IsDevice ? const_cast<void *>(Pointer) : nullptr;
  Attributes->hostPointer = IsDevice ? nullptr : const_cast<void *>(Pointer);
  return S.done();
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *Pool, int) {
  static char The;
  *Pool = reinterpret_cast<cudaMemPool_t>(&The);
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }

//===--- The driver's part ------------------------------------------------===//

/// Of attributes, those that say whose block a pointer is in.
static CUresult pointerAttributes(unsigned Count,
                                  CUpointer_attribute *Attributes, void **Data,
                                  CUdeviceptr Pointer) {
  KD_SIMT
  const char *Start = nullptr;
  const Simt::Allocation *A =
      S.allocation(reinterpret_cast<const void *>(Pointer), &Start);
  for (unsigned I = 0; I != Count; ++I)
    switch (Attributes[I]) {
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr *>(Data[I]) =
          reinterpret_cast<CUdeviceptr>(Start);
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t *>(Data[I]) = A ? A->Bytes : 0;
      break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long *>(Data[I]) = A ? A->Id : 0;
      break;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  return CUDA_SUCCESS;
}

cudaError_t
cudaGetDriverEntryPointByVersion(const char *Symbol, void **Function, unsigned,
                                 unsigned long long,
                                 cudaDriverEntryPointQueryResult *Status) {
  KD_SIMT
  bool IsKnown = !std::strcmp(Symbol, "cuPointerGetAttributes");
  *Function = IsKnown ? reinterpret_cast<void *>(&pointerAttributes) : nullptr;
  if (Status)
    *Status = IsKnown ? cudaDriverEntryPointSuccess
                      : cudaDriverEntryPointSymbolNotFound;
  return S.done(IsKnown ? cudaSuccess : cudaErrorSymbolNotFound);
}

} // namespace kdiff::host::calls
