//===- Signature.cpp - What a launch of a gradient must provide -----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which parameters does a gradient kernel take,
// in order, and which shared memory and tape must its launch provide?
//
//===----------------------------------------------------------------------===//

#include "cases/Signature.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace kdiff::tool {

static constexpr StringLiteral ModeNames[] = {"primal", "reverse", "forward",
                                              "split"};
static constexpr StringLiteral RoleNames[] = {"primal", "shadow", "tangent",
                                              "adjoint", "tape"};

/// The enumerator whose position in \p Names is that of \p Name.
template <class Enum, size_t N>
static std::optional<Enum> parseName(StringRef Name,
                                     const StringLiteral (&Names)[N]) {
  const StringLiteral *It = find(Names, Name);
  if (It == std::end(Names))
    return std::nullopt;
  return Enum(It - Names);
}

StringRef name(RunMode M) { return ModeNames[unsigned(M)]; }
std::optional<RunMode> parseRunMode(StringRef Name) {
  return parseName<RunMode>(Name, ModeNames);
}

json::Value toJSON(const Parameter &P) {
  json::Object O{
      {"name", P.Name}, {"type", P.Type},   {"role", RoleNames[unsigned(P.R)]},
      {"of", P.Of},     {"bytes", P.Bytes}, {"by_value", P.ByValue}};
  if (P.R != Role::Primal && P.R != Role::Tape)
    O["lane"] = P.Lane;
  return O;
}

bool fromJSON(const json::Value &V, Parameter &P, json::Path Path) {
  json::ObjectMapper O(V, Path);
  std::string RoleName;
  if (!O || !O.map("name", P.Name) || !O.map("type", P.Type) ||
      !O.map("role", RoleName) || !O.map("of", P.Of) ||
      !O.mapOptional("lane", P.Lane) || !O.map("bytes", P.Bytes) ||
      !O.map("by_value", P.ByValue))
    return false;
  auto R = parseName<Role>(RoleName, RoleNames);
  if (!R) {
    Path.field("role").report("unknown role");
    return false;
  }
  P.R = *R;
  return true;
}

json::Value toJSON(const Resources &R) {
  return json::Object{{"registers", R.Registers},
                      {"spill_store_bytes", R.SpillStoreBytes},
                      {"spill_load_bytes", R.SpillLoadBytes},
                      {"stack_bytes", R.StackBytes},
                      {"shared_bytes", R.SharedBytes}};
}

bool fromJSON(const json::Value &V, Resources &R, json::Path Path) {
  json::ObjectMapper O(V, Path);
  return O && O.map("registers", R.Registers) &&
         O.map("spill_store_bytes", R.SpillStoreBytes) &&
         O.map("spill_load_bytes", R.SpillLoadBytes) &&
         O.map("stack_bytes", R.StackBytes) &&
         O.map("shared_bytes", R.SharedBytes);
}

json::Value toJSON(const TapeRecord &R) {
  return json::Object{{"file", R.File},
                      {"line", R.Line},
                      {"bytes_per_thread_and_iteration", R.Bytes}};
}

bool fromJSON(const json::Value &V, TapeRecord &R, json::Path Path) {
  json::ObjectMapper O(V, Path);
  return O && O.map("file", R.File) && O.map("line", R.Line) &&
         O.map("bytes_per_thread_and_iteration", R.Bytes);
}

/// What a launch's dynamic shared memory is divided into: the k-th share begins
/// at k times a share's bytes, which are a multiple of the alignment.
static json::Value sharesOf(const Signature &S) {
  json::Array Shares{"primal"};
  for (unsigned Lane = 0; Lane + 1 < S.DynamicSharedFactor; ++Lane)
    Shares.push_back(S.Width == 1 ? "shadow"
                                  : "shadow " + std::to_string(Lane));
  return json::Object{{"alignment", DynamicSharedAlignment},
                      {"shares", std::move(Shares)}};
}

json::Value toJSON(const Signature &S) {
  json::Object O{{"kernel", S.Kernel},
                 {"primal", S.Primal},
                 {"mode", name(S.Mode)},
                 {"width", S.Width},
                 {"parameters", json::Array(S.Params)},
                 {"dynamic_shared_factor", S.DynamicSharedFactor},
                 {"dynamic_shared_layout", sharesOf(S)},
                 {"needs_tape", S.NeedsTape},
                 {"tape_records", json::Array(S.TapeRecords)}};
  if (S.Used)
    O["resources"] = *S.Used;
  return O;
}

bool fromJSON(const json::Value &V, Signature &S, json::Path Path) {
  json::ObjectMapper O(V, Path);
  std::string ModeName;
  if (!O || !O.map("kernel", S.Kernel) || !O.map("primal", S.Primal) ||
      !O.map("mode", ModeName) || !O.map("width", S.Width) ||
      !O.map("parameters", S.Params) ||
      !O.map("dynamic_shared_factor", S.DynamicSharedFactor) ||
      !O.map("needs_tape", S.NeedsTape) ||
      !O.map("tape_records", S.TapeRecords) || !O.map("resources", S.Used))
    return false;
  auto M = parseRunMode(ModeName);
  if (!M) {
    Path.field("mode").report("unknown mode");
    return false;
  }
  S.Mode = *M;
  return true;
}

} // namespace kdiff::tool
