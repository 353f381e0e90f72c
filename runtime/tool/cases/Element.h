//===- Element.h - Element types of device buffers -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a number of a JSON file become bytes
// of a device buffer, and back?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_ELEMENT_H
#define KDIFF_TOOL_CASES_ELEMENT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>

namespace kdiff::tool {

enum class ElementType { F16, BF16, F32, F64, I32, U32, I64, U64 };

/// A number as JSON gives it: a double, and the exact integer if it is one.
struct Number {
  double Real = 0;
  int64_t Integer = 0; ///< Bits of the 64-bit integer, signed or unsigned.
  bool IsInteger = true;
};
/// Accepts numbers and the strings "inf", "-inf" and "nan".
bool fromJSON(const llvm::json::Value &V, Number &N, llvm::json::Path P);

/// "f16", "bf16", "f32", "f64", "i32", "u32", "i64", "u64"; "real" is
/// \p Real. Nothing for other names.
std::optional<ElementType> parseElementType(llvm::StringRef Name,
                                            ElementType Real);
llvm::StringRef name(ElementType T);
/// In bytes; also the alignment.
unsigned sizeOf(ElementType T);
bool isFloat(ElementType T);
/// The distance from 1 to the next number of the type; 0 for integers.
double epsilon(ElementType T);

/// Writes sizeOf(T) bytes: \p N, rounded to nearest even (floating point).
void encode(ElementType T, const Number &N, char *To);
/// \p V with \p Digits significant digits, as short as can be (%g).
std::string toText(double V, int Digits = 9);
/// Reads sizeOf(T) bytes.
Number decode(ElementType T, const char *From);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_ELEMENT_H
