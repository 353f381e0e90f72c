//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do the expected values of a benchmark's
// case folder come from?
//
// From the executor, in double precision: outputs from the primal, shadows
// from the hand-written adjoint, tangents from central differences of the
// primal (sixth order) along the tangents of the inputs. The two derivatives
// have to agree: <J t, s> == <t, J^T s>.
//
//===----------------------------------------------------------------------===//
#include "harness/Check.h"
#include "harness/Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace kdiff::bench;

static cl::opt<std::string> Chosen(cl::Positional, cl::Required,
                                   cl::desc("<program>"));

namespace {

ExitOnError Exit("error: ");

/// Named arrays of numbers, in the order of the program's arguments.
using Table = std::vector<std::pair<std::string, std::vector<double>>>;

/// The tangent of element \p I of an input: eighths, without a pattern that a
/// stride of two, three, four or eight would see.
double tangentOf(size_t I) { return double(int(I * 5 % 17) - 8) / 8; }

Table outputs(Workspace &W, const Program &P) {
  Exit(W.reset());
  Exit(W.launch(P.Primal));
  Table T;
  for (const Argument &A : P.Args)
    if (A.Seed)
      T.emplace_back(A.Name, Exit(W.values(A.Name)));
  return T;
}

/// The inputs, moved by \p Offset along the tangents.
void move(Workspace &W, const Program &P, double Offset) {
  for (const Argument &A : P.Args)
    if (A.R == Role::Differentiated)
      for (size_t I = 0; I < A.Count; ++I)
        Exit(W.set(A.Name, I, A.Value(I) + Offset * tangentOf(I)));
}

Table tangents(Workspace &W, const Program &P) {
  constexpr double H = 1e-5;
  Table Sum;
  for (auto [Offset, Weight] : {std::pair(-3, -1.0),
                                {-2, 9.0},
                                {-1, -45.0},
                                {1, 45.0},
                                {2, -9.0},
                                {3, 1.0}}) {
    move(W, P, Offset * H);
    Table At = outputs(W, P);
    if (Sum.empty())
      for (auto &[Name, Values] : At)
        Sum.emplace_back(Name, std::vector<double>(Values.size()));
    for (size_t A = 0; A < At.size(); ++A)
      for (size_t I = 0; I < At[A].second.size(); ++I)
        Sum[A].second[I] += Weight * At[A].second[I] / (60 * H);
  }
  move(W, P, 0);
  return Sum;
}

Table sample(const Program &P, function_ref<bool(const Argument &)> Which,
             function_ref<double(const Argument &, size_t)> Element) {
  Table T;
  for (const Argument &A : P.Args) {
    if (!Which(A))
      continue;
    std::vector<double> Values(A.Count);
    for (size_t I = 0; I < A.Count; ++I)
      Values[I] = Element(A, I);
    T.emplace_back(A.Name, std::move(Values));
  }
  return T;
}

double product(const Table &A, const Table &B) {
  double Sum = 0;
  for (auto [X, Y] : zip_equal(A, B))
    for (auto [U, V] : zip_equal(X.second, Y.second))
      Sum += U * V;
  return Sum;
}

void print(raw_ostream &OS, StringRef Name, const Table &T) {
  OS << formatv(" \"{0}\": {{\n", Name);
  for (const auto &[Argument, Values] : T)
    OS << formatv("  \"{0}\": {1}{2}\n", Argument,
                  json::Value(json::Array(Values)),
                  &Argument == &T.back().first ? "" : ",");
  OS << " },\n";
}

std::string typeName(const Argument &A) {
  static constexpr StringLiteral Names[] = {"real", "f32", "f64", "i32"};
  return (Names[unsigned(A.Type)] + (A.R == Role::ByValue ? "" : "*")).str();
}

void printArgs(raw_ostream &OS, const Program &P) {
  OS << " \"args\": {\n";
  for (const Argument &A : P.Args) {
    json::Array Values;
    for (size_t I = 0; I < A.Count; ++I)
      Values.push_back(A.Value ? A.Value(I) : 0);
    OS << formatv("  \"{0}\": {{\"type\": \"{1}\", \"values\": {2}, "
                  "\"activity\": \"{3}\", \"count\": {4}}{5}\n",
                  A.Name, typeName(A), json::Value(std::move(Values)),
                  A.hasShadow() ? "dup" : "const", A.Count,
                  &A == &P.Args.back() ? "" : ",");
  }
  OS << " },\n";
}

void printCase(raw_ostream &OS, Workspace &W, const Program &P) {
  auto IsInput = [](const Argument &A) { return A.R == Role::Differentiated; };
  auto IsSeeded = [](const Argument &A) { return bool(A.Seed); };
  Table Seeds = sample(P, IsSeeded,
                       [](const Argument &A, size_t I) { return A.Seed(I); });
  Table Tangents = sample(
      P, IsInput, [](const Argument &, size_t I) { return tangentOf(I); });
  Table Primal = outputs(W, P), Pushed = tangents(W, P), Shadows;
  Gradients G = Exit(handGradients(W, P));
  Table Pulled = sample(P, IsInput, [&](const Argument &A, size_t I) {
    return G.find(A.Name)->second[I];
  });
  Table SeedsAfter = sample(P, IsSeeded, [](const Argument &A, size_t I) {
    return A.R == Role::Sum ? A.Seed(I) : 0;
  });
  double Forward = product(Pushed, Seeds), Reverse = product(Tangents, Pulled);
  if (!(std::fabs(Forward - Reverse) <= 1e-8 * std::fabs(Reverse)))
    Exit(createStringError("<J t, s> = %.15g, <t, J^T s> = %.15g", Forward,
                           Reverse));
  append_range(Pulled, SeedsAfter);

  OS << "{\n";
  OS << formatv(" \"title\": \"{0}\",\n \"area\": \"{1}\",\n", P.Title, P.Area);
  OS << " \"construct\": [\"benchmark\"],\n"
        " \"source\": \"written by bench-write-cases\",\n";
  OS << formatv(
      " \"launches\": [{{\"kernel\": \"{0}\", \"grid\": [{1}, {2}, 1], "
      "\"block\": [{3}, {4}, 1], \"dynamic_smem\": {5}, \"args\": "
      "{6}}],\n",
      P.Primal.Kernel, P.Primal.Grid.X, P.Primal.Grid.Y, P.Primal.Block.X,
      P.Primal.Block.Y, P.Primal.DynamicShared,
      json::Value(json::Array(P.Primal.Args)));
  printArgs(OS, P);
  print(OS, "seed", Seeds);
  print(OS, "expect_primal", Primal);
  print(OS, "expect_shadow", Pulled);
  print(OS, "tangent", Tangents);
  print(OS, "expect_tangent", Pushed);
  bool IsDouble = P.Real == ElementType::F64;
  OS << formatv(" \"rtol\": {0},\n \"atol\": {1}\n}\n",
                IsDouble ? "1e-08" : "0.0001", IsDouble ? "1e-09" : "0.0001");
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv,
                              "Writes a program's case.json to stdout.\n");
  for (ProgramFactory Make : programs()) {
    Program P = Make(Size::Case);
    if (P.Name != Chosen)
      continue;
    Artifacts A =
        Exit(findArtifacts(P, ElementType::F64, KDIFF_BENCHMARK_IR, ".ll"));
    A.Files.resize(2); // The primal and the hand-written adjoint.
    std::unique_ptr<Backend> B =
        Exit(createSimtBackend(A.Files, KDIFF_LIBDEVICE));
    std::unique_ptr<Workspace> W =
        Exit(Workspace::create(*B, P, ElementType::F64));
    printCase(outs(), *W, P);
    return 0;
  }
  Exit(createStringError("no program '%s'", Chosen.c_str()));
}
