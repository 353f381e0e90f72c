//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how long do a program's primal,
// hand-written adjoint and gradient take on a card?
//
//===----------------------------------------------------------------------===//
#include "harness/Measure.h"
#include "harness/Check.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace kdiff::bench {
namespace {

/// The adjoint in double precision has to agree this well with differences.
constexpr double DifferenceTolerance = 1e-6;
/// KDiff's gradient in double precision against that adjoint.
constexpr double DoubleTolerance = 1e-9;
constexpr size_t DifferenceSamples = 64;

double median(std::vector<double> Values) {
  llvm::sort(Values);
  size_t Half = Values.size() / 2;
  return Values.size() % 2 ? Values[Half]
                           : (Values[Half - 1] + Values[Half]) / 2;
}

/// The median time of warm launches of \p Work, each after \p Prepare.
Expected<double> medianTime(CudaBackend &B, const MeasureOptions &O,
                            function_ref<Error()> Prepare,
                            function_ref<Error()> Work) {
  constexpr unsigned Warm = 2;
  std::vector<double> Times;
  double Spent = 0;
  for (unsigned I = 0; I < Warm + O.Launches; ++I) {
    if (Error E = Prepare())
      return std::move(E);
    Expected<double> Ms = B.time(Work);
    if (!Ms)
      return Ms.takeError();
    if (I < Warm)
      continue;
    Times.push_back(*Ms);
    Spent += *Ms;
    if (Spent > O.Seconds * 1000 && Times.size() >= 3)
      break;
  }
  return median(std::move(Times));
}

/// One program in one precision, loaded.
struct Loaded {
  Artifacts A;
  std::unique_ptr<CudaBackend> B;
  std::unique_ptr<Workspace> W;
  std::unique_ptr<TapePool> Tape;
};

Expected<Loaded> loadProgram(const Program &P, ElementType Real,
                             const MeasureOptions &O) {
  Loaded L;
  Expected<Artifacts> A = findArtifacts(P, Real, O.Folder, ".cubin");
  if (!A)
    return A.takeError();
  L.A = std::move(*A);
  Expected<std::unique_ptr<CudaBackend>> B = createCudaBackend(L.A.Files);
  if (!B)
    return B.takeError();
  L.B = std::move(*B);
  Expected<std::unique_ptr<Workspace>> W = Workspace::create(*L.B, P, Real);
  if (!W)
    return W.takeError();
  L.W = std::move(*W);
  if (!L.A.Gradient || !L.A.Gradient->NeedsTape)
    return std::move(L);
  Expected<std::unique_ptr<TapePool>> Tape =
      TapePool::create(*L.B, P.Primal.Grid.X * P.Primal.Grid.Y,
                       P.Primal.Block.X * P.Primal.Block.Y, O.TapeBytes);
  if (!Tape)
    return Tape.takeError();
  L.Tape = std::move(*Tape);
  return std::move(L);
}

/// KDiff's gradient of \p L against \p Expected; notes the error.
Error checkGradient(Loaded &L, const Program &P, const Gradients &Expected,
                    double Tolerance, Measurement &M) {
  if (!L.A.Gradient)
    return createStringError(L.A.NoGradient);
  llvm::Expected<Gradients> G =
      kdiffGradients(*L.W, P, *L.A.Gradient, L.Tape.get());
  if (!G)
    return G.takeError();
  Worst W = compare(*G, Expected, P);
  if (!M.MaxError || W.Error > *M.MaxError) {
    M.MaxError = W.Error;
    M.WorstElement = W.Where;
  }
  if (!(W.Error <= Tolerance))
    return createStringError("the gradient is wrong: %s is off by %.3g",
                             W.Where.c_str(), W.Error);
  return Error::success();
}

/// The hand-written adjoint in double precision, compared with differences.
Expected<Gradients> reference(Loaded &F64, const Program &P, Measurement &M) {
  Expected<Gradients> Hand = handGradients(*F64.W, P);
  if (!Hand)
    return Hand.takeError();
  Expected<Worst> W =
      compareWithDifferences(*F64.W, P, *Hand, DifferenceSamples);
  if (!W)
    return W.takeError();
  M.HandError = W->Error;
  if (!(W->Error <= DifferenceTolerance))
    return createStringError(
        "the hand-written adjoint is wrong: %s is off by %.3g",
        W->Where.c_str(), W->Error);
  return Hand;
}

Error checkSmall(const Program &P, const MeasureOptions &O, Measurement &M) {
  Expected<Loaded> F64 = loadProgram(P, ElementType::F64, O);
  if (!F64)
    return F64.takeError();
  Expected<Gradients> Truth = reference(*F64, P, M);
  if (!Truth)
    return Truth.takeError();
  if (P.Real == ElementType::F64 || F64->A.Gradient)
    if (Error E = checkGradient(*F64, P, *Truth, DoubleTolerance, M))
      return E;
  if (P.Real == ElementType::F64)
    return Error::success();
  Expected<Loaded> F32 = loadProgram(P, P.Real, O);
  if (!F32)
    return F32.takeError();
  Expected<Gradients> Hand = handGradients(*F32->W, P);
  if (!Hand)
    return Hand.takeError();
  Worst W = compare(*Hand, *Truth, P);
  if (!(W.Error <= P.Tolerance))
    return createStringError(
        "the hand-written adjoint in single precision: %s is off by %.3g",
        W.Where.c_str(), W.Error);
  return checkGradient(*F32, P, *Truth, P.Tolerance, M);
}

/// The fewest pages, within a tenth, that a launch has enough of. Found by
/// launches with smaller and smaller pools: the launch itself counts nothing,
/// and pages that were in use at some time are more than those in use at a
/// time.
Expected<unsigned> pagesNeeded(Loaded &L) {
  unsigned Few = 0, Enough = L.Tape->pages();
  while (Enough > Few + 1 && Enough > 1.1 * Few) {
    // Between in the geometric mean, since the order of magnitude is open.
    unsigned Trial = unsigned(std::sqrt(double(Few + 1) * Enough));
    if (Error E = L.Tape->restart(Trial))
      return std::move(E);
    if (Error E = L.W->reset())
      return std::move(E);
    if (Error E = L.W->launchGradient(*L.A.Gradient))
      return std::move(E);
    Expected<bool> Exhausted = L.Tape->exhausted();
    if (!Exhausted)
      return Exhausted.takeError();
    (*Exhausted ? Few : Enough) = Trial;
  }
  return Enough;
}

/// Spills by ptxas where the signature knows them.
Error noteResources(Loaded &L, const Program &P, Measurement &M) {
  const tool::Signature &S = *L.A.Gradient;
  Expected<Resources> R = L.B->resources(S.Kernel);
  if (!R)
    return R.takeError();
  M.Registers = R->Registers;
  if (S.Used)
    M.SpillBytes = int(S.Used->SpillStoreBytes + S.Used->SpillLoadBytes);
  if (!L.Tape)
    return Error::success();
  Expected<unsigned> Pages = pagesNeeded(L);
  if (!Pages)
    return Pages.takeError();
  unsigned Block = P.Primal.Block.X * P.Primal.Block.Y;
  Expected<uint64_t> Resident = L.B->residentThreads(
      S.Kernel, Block, P.Primal.DynamicShared * S.DynamicSharedFactor);
  if (!Resident)
    return Resident.takeError();
  uint64_t Threads = std::min<uint64_t>(*Resident, uint64_t(P.Primal.Grid.X) *
                                                       P.Primal.Grid.Y * Block);
  M.TapeBytesPerThread = double(*Pages) * TapePageBytes / double(Threads);
  return Error::success();
}

Error measureFull(const Program &P, const MeasureOptions &O, bool WithGradient,
                  Measurement &M) {
  Expected<Loaded> L = loadProgram(P, P.Real, O);
  if (!L)
    return L.takeError();
  auto Reset = [&] { return L->W->reset(); };
  Expected<double> Ms =
      medianTime(*L->B, O, Reset, [&] { return L->W->launch(P.Primal); });
  if (!Ms)
    return Ms.takeError();
  M.PrimalMs = *Ms;
  Ms = medianTime(*L->B, O, Reset, [&]() -> Error {
    for (const Launch &Part : P.Hand)
      if (Error E = L->W->launch(Part))
        return E;
    return Error::success();
  });
  if (!Ms)
    return Ms.takeError();
  M.HandMs = *Ms;
  if (!WithGradient)
    return Error::success();
  Expected<Gradients> Hand = handGradients(*L->W, P);
  if (!Hand)
    return Hand.takeError();
  if (Error E = checkGradient(*L, P, *Hand, P.FullTolerance, M))
    return E;
  Ms = medianTime(*L->B, O, Reset,
                  [&] { return L->W->launchGradient(*L->A.Gradient); });
  if (!Ms)
    return Ms.takeError();
  M.KDiffMs = *Ms;
  M.GBPerSecond = P.AdjointBytes / *Ms / 1e6;
  return noteResources(*L, P, M);
}

} // namespace

Measurement measure(Program (*Make)(Size), const MeasureOptions &O) {
  Measurement M;
  Program Small = Make(Size::Check);
  M.Name = Small.Name;
  // A gradient that is wrong is not timed; the primal and the hand-written
  // adjoint still are.
  Error Wrong = checkSmall(Small, O, M);
  bool Right = !Wrong;
  if (Wrong)
    M.Failure = toString(std::move(Wrong));
  if (Error E = measureFull(Make(Size::Full), O, Right, M)) {
    std::string Reason = toString(std::move(E));
    M.Failure += M.Failure.empty() ? Reason : "; " + Reason;
  }
  return M;
}

Expected<Card> measureCard() {
  Expected<std::unique_ptr<CudaBackend>> B = createCudaBackend({});
  if (!B)
    return B.takeError();
  constexpr size_t Bytes = size_t(2) << 30;
  Expected<void *> From = (*B)->allocate(Bytes), To = (*B)->allocate(Bytes);
  if (!From)
    return joinErrors(From.takeError(), To.takeError());
  if (!To)
    return To.takeError();
  MeasureOptions O;
  Expected<double> Ms = medianTime(
      **B, O, [&] { return (*B)->zero(*From, Bytes); },
      [&] { return (*B)->copy(*To, *From, Bytes); });
  if (!Ms)
    return Ms.takeError();
  (*B)->free(*From);
  (*B)->free(*To);
  return Card{(*B)->name(), 2.0 * double(Bytes) / *Ms / 1e6};
}

} // namespace kdiff::bench
