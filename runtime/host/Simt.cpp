//===- Simt.cpp - A CUDA device that is the SIMT executor -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Simt.h.
//
//===----------------------------------------------------------------------===//

#include "host/Simt.h"
#include "host/SimtImages.h"
#include "kdiff/TapeLayout.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace kdiff::host {

static bool isSet(const char *Variable) {
  const char *Value = std::getenv(Variable);
  return Value && *Value && std::strcmp(Value, "0");
}

Simt::Simt() {
  simt::DeviceOptions Options;
  Options.Checks = isSet("KDIFF_CHECKS");
  Device = simt::Device::create(Options);
  if (isSet("KDIFF_SEED")) {
    Launches.Order = simt::Schedule::Random;
    Launches.Seed = std::strtoull(std::getenv("KDIFF_SEED"), nullptr, 10);
  }
}

/// Lives to the very end: object files give their modules back at exit.
Simt &Simt::get() {
  static Simt *The = new Simt;
  return *The;
}

//===--- Errors -----------------------------------------------------------===//

cudaError_t Simt::done(cudaError_t Error) {
  if (Sticky)
    return Sticky;
  if (Error)
    Last = Error;
  return Error;
}

void Simt::breakDown(cudaError_t Error, const std::string &Message) {
  std::fprintf(stderr, "kdiff: %s\n", Message.c_str());
  Sticky = Error;
}

cudaError_t Simt::lastError(bool Clear) {
  if (Sticky)
    return Sticky;
  cudaError_t Error = Last;
  if (Clear)
    Last = cudaSuccess;
  return Error;
}

//===--- Modules ----------------------------------------------------------===//

Image *Simt::addImage(const void *Wrapper) {
  Images.push_back(std::make_unique<Image>());
  Images.back()->Wrapper = Wrapper;
  return Images.back().get();
}

void Simt::removeImage(Image *I) {
  std::erase_if(Names, [&](auto &Entry) { return Entry.second.In == I; });
  std::erase_if(Images, [&](auto &Owned) { return Owned.get() == I; });
}

void Simt::addName(Image *I, const void *Host, const char *Name) {
  Names[Host] = {I, Name};
}

DeviceName *Simt::find(const void *Host) {
  auto It = Names.find(Host);
  return It == Names.end() ? nullptr : &It->second;
}

int Simt::load(Image &I) {
  if (I.Number >= 0)
    return I.Number;
  auto Compile = [&]() -> Expected<unsigned> {
    auto M = readFatBinary(I.Wrapper, Context);
    if (!M)
      return M.takeError();
    return Device->load(**M);
  };
  Expected<unsigned> Number = Compile();
  if (Number)
    return I.Number = *Number;
  breakDown(cudaErrorNoKernelImageForDevice, toString(Number.takeError()));
  return -1;
}

//===--- Memory -----------------------------------------------------------===//

void *Simt::allocate(size_t Bytes) {
  std::string Name = "allocation " + std::to_string(NextId);
  void *Pointer = Device->tryAllocate(Bytes, Name);
  if (!Pointer)
    return nullptr;
  Device->setDefined(Pointer, Bytes, false);
  Allocations[static_cast<char *>(Pointer)] = {Bytes, NextId++};
  return Pointer;
}

bool Simt::free(void *Pointer) {
  if (!Allocations.erase(static_cast<char *>(Pointer)))
    return false;
  Device->free(Pointer);
  return true;
}

const Simt::Allocation *Simt::allocation(const void *Pointer,
                                         const char **Start) const {
  auto *P = static_cast<const char *>(Pointer);
  auto It = Allocations.upper_bound(P);
  if (It == Allocations.begin())
    return nullptr;
  --It;
  if (P >= It->first + std::max<size_t>(It->second.Bytes, 1))
    return nullptr;
  if (Start)
    *Start = It->first;
  return &It->second;
}

bool Simt::isValid(const void *Pointer, size_t Bytes) const {
  const char *Start;
  if (const Allocation *A = allocation(Pointer, &Start))
    return Bytes <= A->Bytes - (static_cast<const char *>(Pointer) - Start);
  return !Device->isDeviceMemory(Pointer);
}

void Simt::setDefined(void *Pointer, size_t Bytes, bool Defined) {
  if (allocation(Pointer))
    Device->setDefined(Pointer, Bytes, Defined);
}

cudaError_t Simt::copy(void *To, const void *From, size_t Bytes) {
  if (!isValid(To, Bytes) || !isValid(From, Bytes))
    return cudaErrorInvalidValue;
  std::memmove(To, From, Bytes);
  setDefined(To, Bytes, true);
  noticePool(To);
  return cudaSuccess;
}

void Simt::noticePool(const void *Start) {
  auto It = Allocations.find(static_cast<const char *>(Start));
  if (It == Allocations.end() || It->second.Bytes < sizeof(PoolHeader))
    return;
  PoolHeader Header;
  std::memcpy(&Header, Start, sizeof Header);
  if (Header.Version == TapeVersion && Header.Bytes == It->second.Bytes &&
      Header.RootsOffset == sizeof(PoolHeader))
    Device->setScratch(const_cast<void *>(Start), It->second.Bytes);
}

//===--- Streams ----------------------------------------------------------===//

Graph::~Graph() {
  for (void *Pointer : Memory)
    Simt::get().free(Pointer);
}

Stream &Simt::stream(cudaStream_t S) {
  if (!S || S == cudaStreamLegacy || S == cudaStreamPerThread)
    return Default;
  return *reinterpret_cast<Stream *>(S);
}

cudaError_t Simt::give(cudaStream_t S, Work W) {
  if (Sticky)
    return Sticky;
  Stream &To = stream(S);
  if (!To.Recording)
    return done(W());
  if (To.Recording->IsInvalid)
    return done(cudaErrorStreamCaptureInvalidated);
  To.Recording->Steps.push_back(std::move(W));
  return cudaSuccess;
}

cudaError_t Simt::refuseInCapture(const std::shared_ptr<Graph> &Of) {
  if (!Of && !isCapturing())
    return cudaSuccess;
  if (Of)
    Of->IsInvalid = true;
  if (isCapturing())
    for (Stream *S : Streams)
      if (S->Recording)
        S->Recording->IsInvalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

/// True while calls that wait are errors.
bool Simt::isCapturing() const {
  return Mode != cudaStreamCaptureModeRelaxed &&
         CaptureMode != cudaStreamCaptureModeRelaxed &&
         any_of(Streams, [](const Stream *S) { return bool(S->Recording); });
}

} // namespace kdiff::host
