//===- CaseFile.h - A case folder, read -------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a case.json say: launches, inputs,
// seeds, expected values? (The format: test/cases/README.md.)
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_CASEFILE_H
#define KDIFF_TOOL_CASES_CASEFILE_H

#include "cases/Element.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kdiff::tool {

enum class Activity {
  Const, ///< No shadow.
  Dup,   ///< Has a shadow.
  Active ///< A by-value scalar whose derivative is wanted.
};

/// What the caller says of memory with a shadow (kdiff/kdiff.h). All but
/// NoNeed hold in reverse mode only.
enum class Mark { None, NoNeed, Seed, SeedNoNeed, Fresh };
std::optional<Mark> parseMark(llvm::StringRef Name);

/// A field of a struct that is passed by value or makes up a buffer.
struct Field {
  std::string Name;
  ElementType Type = ElementType::F32; ///< Of the scalar, or pointed to.
  std::string Buffer;                  ///< Not empty: a pointer to this buffer.
  Activity Act = Activity::Const;
  size_t Offset = 0; ///< In bytes from the struct's start.
};

/// Where one number lies within an argument's bytes.
struct Slot {
  size_t Offset;
  ElementType Type;
};

struct Argument {
  enum Kind {
    Buffer,       ///< Count elements of Type in global memory.
    StructBuffer, ///< Count rows of Fields in global memory.
    Scalar,       ///< By value.
    Struct,       ///< By value; Fields.
    Opaque        ///< Named only (a texture): cannot be launched.
  };
  std::string Name;
  Kind K = Buffer;
  ElementType Type = ElementType::F32;
  Activity Act = Activity::Const;
  Mark M = Mark::None;
  std::vector<Field> Fields;
  size_t Count = 0;
  size_t Stride = 0; ///< Bytes from one element or row to the next.
  /// Initial bytes. Pointer fields are zero here.
  std::string Image;

  bool inMemory() const { return K == Buffer || K == StructBuffer; }
  /// The numbers of the argument, in the order of case.json.
  size_t slots() const;
  Slot slot(size_t Index) const;
  const Field *field(llvm::StringRef FieldName) const;
};

struct Dim3 {
  uint32_t X = 1, Y = 1, Z = 1;
};

struct Launch {
  std::string Kernel;
  Dim3 Grid, Block;
  uint64_t DynamicShared = 0; ///< Bytes, as the primal needs them.
  std::vector<std::string> Args;
};

/// Argument name or "struct.field" -> one number per slot.
using NumberTable = std::map<std::string, std::vector<Number>>;

struct Range {
  double Low = 0, High = 0;
};
struct ElementRef {
  std::string Name;
  size_t Index = 0;
};
/// The shadows of these elements add up to Sum.
struct SumRule {
  std::vector<ElementRef> Elements;
  double Sum = 0;
};

struct Case {
  std::string Name;   ///< The folder's.
  std::string Source; ///< Path of case.cu.
  std::string Title, Area;
  ElementType Real = ElementType::F32;
  std::vector<Launch> Launches;
  std::vector<Argument> Args; ///< Sorted by name.
  NumberTable Seed, ExpectPrimal, ExpectShadow, Tangent, ExpectTangent;
  double RTol = 0, ATol = 0;
  std::map<std::string, std::map<size_t, Range>> Accept;
  std::vector<SumRule> AcceptSum;
  std::vector<std::string> MayRefuse, ExpectError;
  std::vector<std::string> RightIn; ///< Modes in which MayRefuse does not hold.
  unsigned Line = 0;                ///< Of the expected error.

  const Argument *find(llvm::StringRef ArgName) const;
  int indexOf(llvm::StringRef ArgName) const; ///< -1: none.
};

/// Arguments in the format of case.json's "args".
bool parseArguments(const llvm::json::Value &V, ElementType Real,
                    std::vector<Argument> &Args, llvm::json::Path P);

/// Reads \p Folder/case.json. \p WantDouble asks for REAL=double, which the
/// case may decline ("real": "float"); Case::Real says what holds. Errors
/// name the file and the place in it.
llvm::Expected<Case> readCase(llvm::StringRef Folder, bool WantDouble);

/// The case folders under \p Paths: each is a case itself or holds cases.
/// Sorted by path; an error for a path that has none.
llvm::Expected<std::vector<std::string>>
findCases(llvm::ArrayRef<std::string> Paths);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_CASEFILE_H
