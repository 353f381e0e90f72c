//===- SimtStreams.cpp - CUDA's streams and graphs on the executor --------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do streams, events and graphs do on the
// executor?
//
//===----------------------------------------------------------------------===//

#include "host/SimtCalls.h"
#include <chrono>

using namespace llvm;

namespace kdiff::host {

namespace {
/// What a cudaGraph_t or cudaGraphExec_t points to.
struct GraphHandle {
  std::shared_ptr<Graph> G;
};
} // namespace

static GraphHandle *handle(void *G) { return static_cast<GraphHandle *>(G); }

static Event &eventOf(cudaEvent_t E) { return *reinterpret_cast<Event *>(E); }

namespace calls {

cudaError_t cudaStreamCreate(cudaStream_t *Stream) {
  KD_SIMT
  S.Streams.push_back(new host::Stream);
  *Stream = reinterpret_cast<cudaStream_t>(S.Streams.back());
  return S.done();
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned) {
  return calls::cudaStreamCreate(Stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned, int) {
  return calls::cudaStreamCreate(Stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  KD_SIMT
  auto *Old = &S.stream(Stream);
  if (!llvm::is_contained(S.Streams, Old))
    return S.done(cudaErrorInvalidResourceHandle);
  llvm::erase(S.Streams, Old);
  delete Old;
  return S.done();
}

cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  KD_SIMT
  return S.done(S.refuseInCapture(S.stream(Stream).Recording));
}

cudaError_t cudaStreamQuery(cudaStream_t Stream) {
  return calls::cudaStreamSynchronize(Stream);
}

//===--- Events -----------------------------------------------------------===//

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *E, unsigned) {
  *E = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *E) {
  return calls::cudaEventCreateWithFlags(E, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t E) {
  delete &eventOf(E);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t E, cudaStream_t Stream) {
  KD_SIMT
  eventOf(E).Recording = S.stream(Stream).Recording;
  auto Now = std::chrono::steady_clock::now().time_since_epoch();
  eventOf(E).Milliseconds =
      std::chrono::duration<double, std::milli>(Now).count();
  return S.done();
}

/// Work is done when it is given, so that there is nothing to wait for; but a
/// stream that waits for a captured one is captured too.
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t E, unsigned) {
  KD_SIMT
  if (eventOf(E).Recording && eventOf(E).Recording->IsInvalid)
    return S.done(cudaErrorStreamCaptureInvalidated);
  if (eventOf(E).Recording && !S.stream(Stream).Recording)
    S.stream(Stream).Recording = eventOf(E).Recording;
  return S.done();
}

cudaError_t cudaEventSynchronize(cudaEvent_t E) {
  KD_SIMT
  return S.done(S.refuseInCapture(eventOf(E).Recording));
}

cudaError_t cudaEventQuery(cudaEvent_t E) {
  return calls::cudaEventSynchronize(E);
}

cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End) {
  KD_SIMT
  *Milliseconds = eventOf(End).Milliseconds - eventOf(Start).Milliseconds;
  return S.done();
}

//===--- Captures ---------------------------------------------------------===//

cudaError_t cudaStreamBeginCapture(cudaStream_t Stream,
                                   cudaStreamCaptureMode Mode) {
  KD_SIMT
  host::Stream &Of = S.stream(Stream);
  // The default stream cannot be captured.
  if (Of.Recording || !llvm::is_contained(S.Streams, &Of))
    return S.done(cudaErrorIllegalState);
  Of.Recording = std::make_shared<Graph>();
  S.CaptureMode = Mode;
  return S.done();
}

cudaError_t cudaStreamEndCapture(cudaStream_t Stream, cudaGraph_t *G) {
  KD_SIMT
  std::shared_ptr<Graph> Captured = S.stream(Stream).Recording;
  if (!Captured)
    return S.done(cudaErrorIllegalState);
  for (host::Stream *Other : S.Streams)
    if (Other->Recording == Captured)
      Other->Recording = nullptr;
  *G = nullptr;
  if (Captured->IsInvalid)
    return S.done(cudaErrorStreamCaptureInvalidated);
  *G = reinterpret_cast<cudaGraph_t>(new GraphHandle{Captured});
  return S.done();
}

cudaError_t cudaStreamIsCapturing(cudaStream_t Stream,
                                  cudaStreamCaptureStatus *Status) {
  KD_SIMT
  const std::shared_ptr<Graph> &Recording = S.stream(Stream).Recording;
  *Status = !Recording             ? cudaStreamCaptureStatusNone
            : Recording->IsInvalid ? cudaStreamCaptureStatusInvalidated
                                   : cudaStreamCaptureStatusActive;
  return S.done();
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *Mode) {
  KD_SIMT
  std::swap(*Mode, S.Mode);
  return S.done();
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Exec, cudaGraph_t G,
                                 unsigned long long) {
  KD_SIMT
  *Exec = reinterpret_cast<cudaGraphExec_t>(new GraphHandle(*handle(G)));
  return S.done();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t Exec, cudaStream_t Stream) {
  KD_SIMT
  return S.give(Stream, [&S, G = handle(Exec)->G] {
    for (const Work &Step : G->Steps)
      if (cudaError_t Error = Step())
        return S.done(Error);
    return S.done();
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Exec) {
  KD_SIMT
  delete handle(Exec);
  return S.done();
}

cudaError_t cudaGraphDestroy(cudaGraph_t G) {
  KD_SIMT
  delete handle(G);
  return S.done();
}

} // namespace calls
} // namespace kdiff::host
