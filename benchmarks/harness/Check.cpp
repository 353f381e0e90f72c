//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: are the gradients of a program right?
//
//===----------------------------------------------------------------------===//
#include "harness/Check.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace kdiff::bench {

static Expected<tool::Signature> readSignature(const std::string &Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  if (!File)
    return createFileError(Path, File.getError());
  Expected<json::Value> Parsed = json::parse((*File)->getBuffer());
  if (!Parsed)
    return createFileError(Path, Parsed.takeError());
  tool::Signature S;
  json::Path::Root Root("signature");
  if (!fromJSON(*Parsed, S, Root))
    return createFileError(Path, Root.getError());
  return S;
}

Expected<Artifacts> findArtifacts(const Program &P, ElementType Real,
                                  StringRef Folder, StringRef Extension) {
  Artifacts A;
  std::string Base = (Folder + "/" + P.Name + "/").str();
  std::string Suffix = Real != P.Real ? "_f64" : "";
  for (const char *Part : {"primal", "hand"}) {
    A.Files.push_back((Base + Part + Suffix + Extension).str());
    if (!sys::fs::exists(A.Files.back()))
      return createStringError("%s is missing", A.Files.back().c_str());
  }
  std::string Gradient = (Base + "gradient" + Suffix + Extension).str();
  if (!sys::fs::exists(Gradient)) {
    A.NoGradient = "no gradient was built";
    // The tool's first line.
    if (auto Log = MemoryBuffer::getFile(Base + "gradient" + Suffix + ".log"))
      A.NoGradient += (": " + (*Log)->getBuffer().split('\n').first).str();
    return A;
  }
  A.Files.push_back(Gradient);
  Expected<tool::Signature> S =
      readSignature(Base + "gradient" + Suffix + ".json");
  if (!S)
    return S.takeError();
  A.Gradient = std::move(*S);
  return A;
}

void Worst::update(double NewError, StringRef Name, size_t Index) {
  if (NewError <= Error)
    return;
  Error = NewError;
  Where = (Name + "[" + Twine(Index) + "]").str();
}

double errorOf(double Value, double Expected, double Scale) {
  double Difference = std::fabs(Value - Expected);
  if (std::isnan(Difference))
    return std::numeric_limits<double>::infinity();
  if (Difference == 0)
    return 0;
  return Difference / std::max(std::fabs(Expected), Scale);
}

double rootMeanSquare(ArrayRef<double> Values) {
  double Sum = 0;
  for (double V : Values)
    Sum += V * V;
  return Values.empty() ? 0 : std::sqrt(Sum / double(Values.size()));
}

static Expected<Gradients> readGradients(Workspace &W, const Program &P) {
  Gradients G;
  for (const Argument &A : P.Args) {
    if (A.R != Role::Differentiated)
      continue;
    Expected<std::vector<double>> Values = W.shadow(A.Name);
    if (!Values)
      return Values.takeError();
    G[A.Name] = std::move(*Values);
  }
  return std::move(G);
}

Expected<Gradients> handGradients(Workspace &W, const Program &P) {
  if (Error E = W.reset())
    return std::move(E);
  for (const Launch &L : P.Hand)
    if (Error E = W.launch(L))
      return std::move(E);
  return readGradients(W, P);
}

Expected<Gradients> kdiffGradients(Workspace &W, const Program &P,
                                   const tool::Signature &S, TapePool *Tape) {
  if (Error E = W.reset())
    return std::move(E);
  if (Error E = W.launchGradient(S))
    return std::move(E);
  if (Tape)
    if (Error E = Tape->check())
      return std::move(E);
  for (const Argument &A : P.Args) {
    if (!A.Seed)
      continue;
    Expected<std::vector<double>> After = W.shadow(A.Name);
    if (!After)
      return After.takeError();
    for (size_t I = 0; I < A.Count; ++I)
      if (!((*After)[I] == A.Seed(I)))
        return createStringError("%s: the shadow of %s[%zu] is %g, not %g",
                                 P.Name.c_str(), A.Name.c_str(), I, (*After)[I],
                                 A.Seed(I));
  }
  return readGradients(W, P);
}

Worst compare(const Gradients &Values, const Gradients &Expected,
              const Program &P) {
  Worst W;
  for (const Argument &A : P.Args) {
    if (A.R != Role::Differentiated)
      continue;
    ArrayRef<double> Want = Expected.find(A.Name)->second;
    ArrayRef<double> Have = Values.find(A.Name)->second;
    double Scale = rootMeanSquare(Want);
    for (size_t I = 0; I < A.Count; ++I)
      W.update(errorOf(Have[I], Want[I], Scale), A.Name, I);
  }
  return W;
}

/// The function whose gradient the seeds ask for: their product with the
/// outputs.
static Expected<double> objective(Workspace &W, const Program &P) {
  if (Error E = W.reset())
    return std::move(E);
  if (Error E = W.launch(P.Primal))
    return std::move(E);
  double Sum = 0;
  for (const Argument &A : P.Args) {
    if (!A.Seed)
      continue;
    Expected<std::vector<double>> Values = W.values(A.Name);
    if (!Values)
      return Values.takeError();
    for (size_t I = 0; I < A.Count; ++I)
      Sum += A.Seed(I) * (*Values)[I];
  }
  return Sum;
}

Expected<Worst> compareWithDifferences(Workspace &F64, const Program &P,
                                       const Gradients &HandF64,
                                       size_t Samples) {
  Worst W;
  for (const Argument &A : P.Args) {
    if (A.R != Role::Differentiated)
      continue;
    ArrayRef<double> Hand = HandF64.find(A.Name)->second;
    double Scale = rootMeanSquare(Hand);
    size_t Number = std::min(Samples, A.Count);
    for (size_t K = 0; K < Number; ++K) {
      // Spread over the array; an odd step meets every component of a struct.
      size_t I = Number == A.Count ? K : (K * (A.Count / Number | 1)) % A.Count;
      double Value = A.Value(I), H = A.Step * std::max(1.0, std::fabs(Value));
      double Difference = 0;
      for (auto [Offset, Weight] :
           {std::pair(-2, 1.0), {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
        if (Error E = F64.set(A.Name, I, Value + Offset * H))
          return std::move(E);
        Expected<double> At = objective(F64, P);
        if (!At)
          return At.takeError();
        Difference += Weight * *At;
      }
      if (Error E = F64.set(A.Name, I, Value))
        return std::move(E);
      W.update(errorOf(Hand[I], Difference / (12 * H), Scale), A.Name, I);
    }
  }
  return W;
}

} // namespace kdiff::bench
