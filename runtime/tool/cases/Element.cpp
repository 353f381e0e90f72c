//===- Element.cpp - Element types of device buffers ----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a number of a JSON file become bytes
// of a device buffer, and back?
//
//===----------------------------------------------------------------------===//

#include "cases/Element.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;

namespace kdiff::tool {

bool fromJSON(const json::Value &V, Number &N, json::Path P) {
  if (auto I = V.getAsInteger()) {
    N = {double(*I), *I, true};
    return true;
  }
  if (auto U = V.getAsUINT64()) {
    N = {double(*U), int64_t(*U), true};
    return true;
  }
  std::optional<double> D = V.getAsNumber();
  if (auto S = V.getAsString())
    D = StringSwitch<std::optional<double>>(*S)
            .Case("inf", std::numeric_limits<double>::infinity())
            .Case("-inf", -std::numeric_limits<double>::infinity())
            .Case("nan", std::numeric_limits<double>::quiet_NaN())
            .Default(std::nullopt);
  if (!D) {
    P.report("expected a number, \"inf\", \"-inf\" or \"nan\"");
    return false;
  }
  N = {*D, 0, false};
  return true;
}

std::optional<ElementType> parseElementType(StringRef Name, ElementType Real) {
  return StringSwitch<std::optional<ElementType>>(Name)
      .Case("real", Real)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Case("f32", ElementType::F32)
      .Case("f64", ElementType::F64)
      .Case("i32", ElementType::I32)
      .Case("u32", ElementType::U32)
      .Case("i64", ElementType::I64)
      .Case("u64", ElementType::U64)
      .Default(std::nullopt);
}

StringRef name(ElementType T) {
  static constexpr StringLiteral Names[] = {"f16", "bf16", "f32", "f64",
                                            "i32", "u32",  "i64", "u64"};
  return Names[unsigned(T)];
}

unsigned sizeOf(ElementType T) {
  static constexpr unsigned Sizes[] = {2, 2, 4, 8, 4, 4, 8, 8};
  return Sizes[unsigned(T)];
}

bool isFloat(ElementType T) { return T <= ElementType::F64; }

static const fltSemantics &semantics(ElementType T) {
  switch (T) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

double epsilon(ElementType T) {
  if (!isFloat(T))
    return 0;
  return std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(semantics(T))));
}

std::string toText(double V, int Digits) {
  std::string Text;
  raw_string_ostream(Text) << format("%.*g", Digits, V);
  return Text;
}

void encode(ElementType T, const Number &N, char *To) {
  uint64_t Bits;
  if (isFloat(T)) {
    APFloat F(N.Real);
    bool LosesInfo;
    F.convert(semantics(T), APFloat::rmNearestTiesToEven, &LosesInfo);
    Bits = F.bitcastToAPInt().getZExtValue();
  } else {
    Bits = uint64_t(N.IsInteger ? N.Integer : int64_t(N.Real));
  }
  std::memcpy(To, &Bits, sizeOf(T)); // Device and host are little-endian.
}

Number decode(ElementType T, const char *From) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, From, sizeOf(T));
  switch (T) {
  case ElementType::I32:
    return {double(int32_t(Bits)), int32_t(Bits), true};
  case ElementType::U32:
    return {double(uint32_t(Bits)), int64_t(Bits), true};
  case ElementType::I64:
    return {double(int64_t(Bits)), int64_t(Bits), true};
  case ElementType::U64:
    return {double(Bits), int64_t(Bits), true};
  default:
    break;
  }
  APFloat F(semantics(T), APInt(sizeOf(T) * 8, Bits));
  bool LosesInfo;
  F.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &LosesInfo);
  return {F.convertToDouble(), 0, false};
}

} // namespace kdiff::tool
