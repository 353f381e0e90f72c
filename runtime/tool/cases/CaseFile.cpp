//===- CaseFile.cpp - A case folder, read ---------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a case.json say: launches, inputs,
// seeds, expected values?
//
//===----------------------------------------------------------------------===//

#include "cases/CaseFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kdiff::tool {

size_t Argument::slots() const {
  switch (K) {
  case Buffer:
    return Count;
  case StructBuffer:
    return Count * Fields.size();
  case Scalar:
    return 1;
  case Struct:
  case Opaque:
    return 0; // A struct's numbers go by their field's name.
  }
  llvm_unreachable("all kinds handled");
}

Slot Argument::slot(size_t Index) const {
  if (K != StructBuffer)
    return {Index * Stride, Type};
  const Field &F = Fields[Index % Fields.size()];
  return {Index / Fields.size() * Stride + F.Offset, F.Type};
}

const Field *Argument::field(StringRef FieldName) const {
  auto It =
      find_if(Fields, [&](const Field &F) { return F.Name == FieldName; });
  return It == Fields.end() ? nullptr : &*It;
}

int Case::indexOf(StringRef ArgName) const {
  auto It = find_if(Args, [&](const Argument &A) { return A.Name == ArgName; });
  return It == Args.end() ? -1 : int(It - Args.begin());
}

const Argument *Case::find(StringRef ArgName) const {
  int I = indexOf(ArgName);
  return I < 0 ? nullptr : &Args[I];
}

//===--- JSON mapping -----------------------------------------------------===//
// fromJSON functions are found by argument-dependent lookup: those of KDiff's
// own types need no context; those that need REAL's type get it explicitly.

static bool mapActivity(json::ObjectMapper &O, Activity &A, json::Path P) {
  std::string Name = "const";
  if (!O.mapOptional("activity", Name))
    return false;
  auto Parsed = StringSwitch<std::optional<Activity>>(Name)
                    .Case("const", Activity::Const)
                    .Case("dup", Activity::Dup)
                    .Case("active", Activity::Active)
                    .Default(std::nullopt);
  if (!Parsed) {
    P.field("activity").report("expected \"dup\", \"const\" or \"active\"");
    return false;
  }
  A = *Parsed;
  return true;
}

std::optional<Mark> parseMark(StringRef Name) {
  return StringSwitch<std::optional<Mark>>(Name)
      .Case("none", Mark::None)
      .Case("noneed", Mark::NoNeed)
      .Case("seed", Mark::Seed)
      .Case("seednoneed", Mark::SeedNoNeed)
      .Case("fresh", Mark::Fresh)
      .Default(std::nullopt);
}

static bool mapMark(json::ObjectMapper &O, Mark &M, json::Path P) {
  std::string Name = "none";
  if (!O.mapOptional("mark", Name))
    return false;
  std::optional<Mark> Parsed = parseMark(Name);
  if (!Parsed) {
    P.field("mark").report(
        "expected \"noneed\", \"seed\", \"seednoneed\" or \"fresh\"");
    return false;
  }
  M = *Parsed;
  return true;
}

static bool mapType(StringRef Name, ElementType Real, ElementType &T,
                    json::Path P) {
  auto Parsed = parseElementType(Name, Real);
  if (!Parsed) {
    P.field("type").report("unknown type (real, f16, bf16, f32, f64, i32, u32, "
                           "i64, u64; with * for a buffer; struct, struct*)");
    return false;
  }
  T = *Parsed;
  return true;
}

/// One field, its number in \p Value. The offset is the caller's to set.
static bool parseField(const json::Value &V, ElementType Real, Field &F,
                       std::optional<Number> &Value, json::Path P) {
  json::ObjectMapper O(V, P);
  std::string Type;
  if (!O || !O.map("name", F.Name) || !O.map("type", Type) ||
      !O.mapOptional("buffer", F.Buffer) || !O.map("value", Value) ||
      !mapActivity(O, F.Act, P))
    return false;
  bool IsPointer = StringRef(Type).ends_with("*");
  if (IsPointer == F.Buffer.empty()) {
    P.report("a pointer field names its buffer, a scalar field does not");
    return false;
  }
  return mapType(StringRef(Type).rtrim('*'), Real, F.Type, P);
}

/// Fields with their offsets by the usual C layout. \p Values: those given.
static bool parseFields(const json::Value &V, ElementType Real, Argument &A,
                        std::vector<std::optional<Number>> &Values,
                        json::Path P) {
  const json::Object *O = V.getAsObject();
  const json::Array *List = O ? O->getArray("fields") : nullptr;
  if (!List || List->empty()) {
    P.report("expected fields");
    return false;
  }
  size_t End = 0, Align = 1;
  for (auto [I, Item] : enumerate(*List)) {
    Field F;
    std::optional<Number> Value;
    if (!parseField(Item, Real, F, Value, P.field("fields").index(I)))
      return false;
    size_t Size = F.Buffer.empty() ? sizeOf(F.Type) : 8;
    F.Offset = alignTo(End, Size);
    End = F.Offset + Size;
    Align = std::max(Align, Size);
    A.Fields.push_back(std::move(F));
    Values.push_back(Value);
  }
  A.Stride = alignTo(End, Align);
  return true;
}

static bool parseArgument(const json::Value &V, ElementType Real, Argument &A,
                          json::Path P) {
  json::ObjectMapper O(V, P);
  std::string Type;
  std::vector<Number> Values;
  std::optional<uint64_t> Count;
  if (!O || !O.map("type", Type) || !O.mapOptional("values", Values) ||
      !O.map("count", Count) || !mapActivity(O, A.Act, P) ||
      !mapMark(O, A.M, P))
    return false;
  if (Type == "texture") {
    A.K = Argument::Opaque;
    return true;
  }
  StringRef Element = Type;
  bool IsPointer = Element.consume_back("*");
  std::vector<std::optional<Number>> FieldValues;
  if (Element == "struct") {
    A.K = IsPointer ? Argument::StructBuffer : Argument::Struct;
    if (!parseFields(V, Real, A, FieldValues, P))
      return false;
  } else {
    A.K = IsPointer ? Argument::Buffer : Argument::Scalar;
    if (!mapType(Element, Real, A.Type, P))
      return false;
    A.Stride = sizeOf(A.Type);
  }
  size_t PerRow = A.K == Argument::StructBuffer ? A.Fields.size() : 1;
  A.Count = A.inMemory() ? Count.value_or(Values.size() / PerRow) : 1;
  A.Image.assign(A.Count * A.Stride, '\0');
  if (A.K == Argument::Struct) {
    for (auto [F, Value] : zip_equal(A.Fields, FieldValues))
      if (F.Buffer.empty())
        encode(F.Type, Value.value_or(Number()), &A.Image[F.Offset]);
    return true;
  }
  if (Values.size() != A.slots()) {
    P.field("values").report("not as many values as the argument has elements");
    return false;
  }
  for (auto [I, N] : enumerate(Values))
    encode(A.slot(I).Type, N, &A.Image[A.slot(I).Offset]);
  return true;
}

bool parseArguments(const json::Value &V, ElementType Real,
                    std::vector<Argument> &Args, json::Path P) {
  const json::Object *O = V.getAsObject();
  if (!O) {
    P.report("expected an object of arguments");
    return false;
  }
  for (const auto &[Key, Value] : *O) {
    Argument A;
    A.Name = Key.str();
    if (!parseArgument(Value, Real, A, P.field(Key)))
      return false;
    Args.push_back(std::move(A));
  }
  sort(Args,
       [](const Argument &L, const Argument &R) { return L.Name < R.Name; });
  return true;
}

static bool fromJSON(const json::Value &V, Dim3 &Dim, json::Path P) {
  std::vector<unsigned> List;
  if (!json::fromJSON(V, List, P))
    return false;
  if (List.empty() || List.size() > 3) {
    P.report("expected one to three sizes");
    return false;
  }
  List.resize(3, 1);
  Dim = {List[0], List[1], List[2]};
  return true;
}

static bool fromJSON(const json::Value &V, Launch &L, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("kernel", L.Kernel) && O.map("grid", L.Grid) &&
         O.map("block", L.Block) &&
         O.mapOptional("dynamic_smem", L.DynamicShared) &&
         O.map("args", L.Args);
}

static bool fromJSON(const json::Value &V, Range &R, json::Path P) {
  std::vector<double> List;
  if (!json::fromJSON(V, List, P))
    return false;
  if (List.size() != 2) {
    P.report("expected [low, high]");
    return false;
  }
  R = {List[0], List[1]};
  return true;
}

static bool fromJSON(const json::Value &V, std::map<size_t, Range> &Out,
                     json::Path P) {
  std::map<std::string, Range> ByName;
  if (!json::fromJSON(V, ByName, P))
    return false;
  for (const auto &[Key, R] : ByName) {
    size_t Index;
    if (StringRef(Key).getAsInteger(10, Index)) {
      P.report("expected an element's index");
      return false;
    }
    Out[Index] = R;
  }
  return true;
}

static bool fromJSON(const json::Value &V, ElementRef &E, json::Path P) {
  const json::Array *A = V.getAsArray();
  if (!A || A->size() != 2 || !(*A)[0].getAsString() ||
      !(*A)[1].getAsInteger()) {
    P.report("expected [name, index]");
    return false;
  }
  E = {(*A)[0].getAsString()->str(), size_t(*(*A)[1].getAsInteger())};
  return true;
}

static bool fromJSON(const json::Value &V, SumRule &S, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("elements", S.Elements) && O.map("sum", S.Sum);
}

/// A table entry is a list, or one number for a scalar.
static bool fromJSON(const json::Value &V, std::vector<Number> &Out,
                     json::Path P) {
  if (V.kind() == json::Value::Array)
    return json::fromJSON(V, Out, P);
  Out.resize(1);
  return fromJSON(V, Out.front(), P);
}

static bool mapTable(const json::Value &V, StringLiteral Key, NumberTable &T,
                     json::Path P) {
  const json::Value *Entry = V.getAsObject()->get(Key);
  if (!Entry)
    return true;
  const json::Object *O = Entry->getAsObject();
  if (!O) {
    P.field(Key).report("expected an object");
    return false;
  }
  for (const auto &[Name, Numbers] : *O)
    if (!fromJSON(Numbers, T[Name.str()], P.field(Key).field(Name)))
      return false;
  return true;
}

static bool mapCase(const json::Value &V, bool WantDouble, Case &C,
                    json::Path P) {
  json::ObjectMapper O(V, P);
  std::string Real;
  if (!O || !O.map("title", C.Title) || !O.map("area", C.Area) ||
      !O.map("launches", C.Launches) || !O.mapOptional("rtol", C.RTol) ||
      !O.mapOptional("atol", C.ATol) || !O.mapOptional("accept", C.Accept) ||
      !O.mapOptional("accept_sum", C.AcceptSum) ||
      !O.mapOptional("may_refuse", C.MayRefuse) ||
      !O.mapOptional("right_in", C.RightIn) ||
      !O.mapOptional("expect_error", C.ExpectError) ||
      !O.mapOptional("line", C.Line) || !O.mapOptional("real", Real))
    return false;
  C.Real = WantDouble && Real != "float" ? ElementType::F64 : ElementType::F32;
  const json::Value *Args = V.getAsObject()->get("args");
  if (!Args) {
    P.report("expected args");
    return false;
  }
  return parseArguments(*Args, C.Real, C.Args, P.field("args")) &&
         mapTable(V, "seed", C.Seed, P) &&
         mapTable(V, "expect_primal", C.ExpectPrimal, P) &&
         mapTable(V, "expect_shadow", C.ExpectShadow, P) &&
         mapTable(V, "tangent", C.Tangent, P) &&
         mapTable(V, "expect_tangent", C.ExpectTangent, P);
}

//===--- Consistency ------------------------------------------------------===//

/// Every name a case uses exists and has as many numbers as elements.
static Error checkTable(const Case &C, StringRef Table, const NumberTable &T) {
  for (const auto &[Name, Numbers] : T) {
    auto [ArgName, FieldName] = StringRef(Name).split('.');
    const Argument *A = C.find(ArgName);
    if (!A || (!FieldName.empty() && !A->field(FieldName)))
      return createStringError("%s names '%s', which is no argument",
                               Table.str().c_str(), Name.c_str());
    size_t Slots = FieldName.empty() ? A->slots() : 1;
    if (Numbers.size() != Slots)
      return createStringError("%s gives %zu numbers for '%s', which has %zu",
                               Table.str().c_str(), Numbers.size(),
                               Name.c_str(), Slots);
  }
  return Error::success();
}

static Error checkNames(const Case &C) {
  for (const Launch &L : C.Launches)
    for (const std::string &Name : L.Args)
      if (!C.find(Name))
        return createStringError("launch of '%s' names '%s', which is no "
                                 "argument",
                                 L.Kernel.c_str(), Name.c_str());
  for (const Argument &A : C.Args)
    for (const Field &F : A.Fields)
      if (const Argument *B = C.find(F.Buffer);
          !F.Buffer.empty() && (!B || !B->inMemory()))
        return createStringError("field '%s' points to '%s', which is no "
                                 "buffer",
                                 F.Name.c_str(), F.Buffer.c_str());
  const std::pair<StringRef, const NumberTable *> Tables[] = {
      {"seed", &C.Seed},
      {"expect_primal", &C.ExpectPrimal},
      {"expect_shadow", &C.ExpectShadow},
      {"tangent", &C.Tangent},
      {"expect_tangent", &C.ExpectTangent}};
  for (auto [Name, Table] : Tables)
    if (Error E = checkTable(C, Name, *Table))
      return E;
  return Error::success();
}

/// With REAL=double the values are good to more digits than a case states,
/// unless a narrower type takes part.
static void tightenTolerance(Case &C) {
  auto IsNarrow = [](const Argument &A) {
    return A.K == Argument::Buffer && isFloat(A.Type) &&
           A.Type != ElementType::F64;
  };
  if (C.Real != ElementType::F64 || any_of(C.Args, IsNarrow))
    return;
  C.RTol = 1e-8;
  C.ATol = 1e-9;
}

Expected<Case> readCase(StringRef Folder, bool WantDouble) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, "case.json");
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  Expected<json::Value> V = json::parse((*Buffer)->getBuffer());
  if (!V)
    return createFileError(Path, V.takeError());
  Case C;
  C.Name = sys::path::filename(Folder).str();
  sys::path::remove_filename(Path);
  sys::path::append(Path, "case.cu");
  C.Source = Path.str().str();
  json::Path::Root Root("case.json");
  if (!mapCase(*V, WantDouble, C, Root))
    return createFileError(Folder + "/case.json", Root.getError());
  if (Error E = checkNames(C))
    return createFileError(Folder + "/case.json", std::move(E));
  tightenTolerance(C);
  return C;
}

Expected<std::vector<std::string>> findCases(ArrayRef<std::string> Paths) {
  auto IsCase = [](const Twine &Folder) {
    return sys::fs::exists(Folder + "/case.json");
  };
  std::vector<std::string> Found;
  for (StringRef Path : Paths) {
    Path = Path.size() > 1 ? Path.rtrim('/') : Path;
    size_t Before = Found.size();
    if (IsCase(Path))
      Found.push_back(Path.str());
    std::error_code EC;
    for (sys::fs::directory_iterator It(Path, EC), End; !EC && It != End;
         It.increment(EC))
      if (IsCase(It->path()))
        Found.push_back(It->path());
    if (EC)
      return createFileError(Path, EC);
    if (Found.size() == Before)
      return createFileError(
          Path, createStringError("no case here (a folder with case.json)"));
    llvm::sort(Found.begin() + Before, Found.end());
  }
  return Found;
}

} // namespace kdiff::tool
