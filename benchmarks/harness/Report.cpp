//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are measurements written down?
//
//===----------------------------------------------------------------------===//
#include "harness/Report.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace kdiff::bench {

template <class T> static json::Value orNull(const std::optional<T> &Value) {
  if (!Value)
    return nullptr;
  // JSON has no infinity: an error without bounds is a failure by itself.
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(*Value))
      return nullptr;
  return *Value;
}

void writeJSON(raw_ostream &OS, const Card &C, ArrayRef<Measurement> Kernels) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("device", C.Name);
    J.attribute("copy_gb_s", C.CopyGBPerSecond);
    J.attributeArray("kernels", [&] {
      for (const Measurement &M : Kernels)
        J.object([&] {
          J.attribute("name", M.Name);
          J.attribute("primal_ms", orNull(M.PrimalMs));
          J.attribute("hand_ms", orNull(M.HandMs));
          J.attribute("kdiff_ms", orNull(M.KDiffMs));
          J.attribute("gb_s", orNull(M.GBPerSecond));
          J.attribute("tape_bytes_per_thread", orNull(M.TapeBytesPerThread));
          J.attribute("registers", orNull(M.Registers));
          J.attribute("spill_bytes", orNull(M.SpillBytes));
          J.attribute("max_error", orNull(M.MaxError));
          J.attribute("hand_error", orNull(M.HandError));
          if (!M.Failure.empty())
            J.attribute("failure", M.Failure);
        });
    });
  });
  OS << '\n';
}

static bool fromJSON(const json::Value &V, Measurement &M, json::Path Path) {
  json::ObjectMapper O(V, Path);
  return O && O.map("name", M.Name) && O.map("primal_ms", M.PrimalMs) &&
         O.map("hand_ms", M.HandMs) && O.map("kdiff_ms", M.KDiffMs) &&
         O.map("gb_s", M.GBPerSecond) &&
         O.map("tape_bytes_per_thread", M.TapeBytesPerThread) &&
         O.map("registers", M.Registers) &&
         O.map("spill_bytes", M.SpillBytes) && O.map("max_error", M.MaxError) &&
         O.map("hand_error", M.HandError) &&
         O.mapOptional("failure", M.Failure);
}

Expected<std::pair<Card, std::vector<Measurement>>> readJSON(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  if (!File)
    return createFileError(Path, File.getError());
  Expected<json::Value> Parsed = json::parse((*File)->getBuffer());
  if (!Parsed)
    return createFileError(Path, Parsed.takeError());
  std::pair<Card, std::vector<Measurement>> Result;
  json::Path::Root Root("measurements");
  json::ObjectMapper O(*Parsed, Root);
  if (!O || !O.map("device", Result.first.Name) ||
      !O.map("copy_gb_s", Result.first.CopyGBPerSecond) ||
      !O.map("kernels", Result.second))
    return createFileError(Path, Root.getError());
  return Result;
}

/// A number in a column; "-" where there is none.
template <class T>
static std::string cell(const std::optional<T> &Value, const char *Format) {
  if (!Value)
    return "-";
  return formatv(Format, *Value).str();
}

static std::optional<double> ratio(const std::optional<double> &A,
                                   const std::optional<double> &B) {
  if (!A || !B || *B == 0)
    return std::nullopt;
  return *A / *B;
}

void writeTable(raw_ostream &OS, const Card &C, ArrayRef<Measurement> Kernels) {
  OS << formatv("{0}, copy {1:F0} GB/s\n", C.Name, C.CopyGBPerSecond);
  constexpr const char *Row =
      "{0,-16} {1,9} {2,9} {3,9} {4,8} {5,8} {6,7} {7,8} {8,5} {9,6} {10,9}\n";
  OS << formatv(Row, "kernel", "primal ms", "hand ms", "kdiff ms", "/ primal",
                "/ hand", "GB/s", "tape B", "regs", "spill", "max error");
  double Logs = 0;
  unsigned Counted = 0;
  for (const Measurement &M : Kernels) {
    std::optional<double> ByHand = ratio(M.KDiffMs, M.HandMs);
    OS << formatv(
        Row, M.Name, cell(M.PrimalMs, "{0:F3}"), cell(M.HandMs, "{0:F3}"),
        cell(M.KDiffMs, "{0:F3}"), cell(ratio(M.KDiffMs, M.PrimalMs), "{0:F2}"),
        cell(ByHand, "{0:F2}"), cell(M.GBPerSecond, "{0:F0}"),
        cell(M.TapeBytesPerThread, "{0:F0}"), cell(M.Registers, "{0}"),
        cell(M.SpillBytes, "{0}"), cell(M.MaxError, "{0:E1}"));
    if (!M.Failure.empty())
      OS << "  " << M.Failure << '\n';
    if (ByHand) {
      Logs += std::log(*ByHand);
      ++Counted;
    }
  }
  if (Counted)
    OS << formatv("geometric mean of {0} kernels: {1:F2} times the "
                  "hand-written adjoint\n",
                  Counted, std::exp(Logs / Counted));
}

} // namespace kdiff::bench
