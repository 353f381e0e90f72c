//===- ArgSpec.cpp - Arguments on the command line ------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a user say on the command line with
// what a kernel is launched?
//
//===----------------------------------------------------------------------===//

#include "ArgSpec.h"
#include "compile/GradKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace llvm;

namespace kdiff::tool {

Expected<Dim3> parseDim3(StringRef Text, StringRef What) {
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  uint32_t Sizes[3] = {1, 1, 1};
  bool Bad = Parts.size() > 3;
  for (size_t I = 0; !Bad && I != Parts.size(); ++I)
    Bad = Parts[I].trim().getAsInteger(10, Sizes[I]) || Sizes[I] == 0;
  if (Bad)
    return createStringError("%s '%s' is not one to three sizes (X,Y,Z)",
                             What.str().c_str(), Text.str().c_str());
  return Dim3{Sizes[0], Sizes[1], Sizes[2]};
}

static Error badSpec(StringRef Spec, const Twine &Why) {
  return createStringError("argument '" + Spec + "': " + Why);
}

/// The numbers of INIT, \p Count of them.
static Expected<json::Array> initialValues(StringRef Spec, StringRef Init,
                                           size_t Count, bool IsInteger,
                                           std::mt19937_64 &Random) {
  json::Array Values;
  auto Add = [&](double V) {
    Values.push_back(IsInteger ? json::Value(int64_t(V)) : json::Value(V));
  };
  StringRef Body = Init;
  double Low, High, Constant;
  if (Init == "zero" || Init == "iota") {
    for (size_t I = 0; I != Count; ++I)
      Add(Init == "zero" ? 0 : double(I));
  } else if (Body.consume_front("rand(") && Body.consume_back(")")) {
    auto [L, H] = Body.split(',');
    if (L.trim().getAsDouble(Low) || H.trim().getAsDouble(High) || Low > High)
      return badSpec(Spec, "rand takes (LOW,HIGH)");
    for (size_t I = 0; I != Count; ++I) {
      // Not std::uniform_real_distribution: its numbers are the library's.
      double Unit = double(Random() >> 11) * 0x1p-53;
      double V = Low + (High - Low) * Unit;
      Add(IsInteger ? std::floor(V) : double(float(V)));
    }
  } else if (Body.consume_front("[") && Body.consume_back("]")) {
    SmallVector<StringRef> Parts;
    Body.split(Parts, ',');
    for (StringRef Part : Parts) {
      if (Part.trim().getAsDouble(Constant))
        return badSpec(Spec, "'" + Part.trim() + "' is no number");
      Add(Constant);
    }
    if (Values.size() != Count)
      return badSpec(Spec, "gives " + Twine(Values.size()) + " values for " +
                               Twine(Count) + " elements");
  } else if (!Init.getAsDouble(Constant)) {
    for (size_t I = 0; I != Count; ++I)
      Add(Constant);
  } else {
    return badSpec(Spec, "'" + Init +
                             "' is no number, zero, iota, "
                             "rand(LOW,HIGH) or [V,V,...]");
  }
  return Values;
}

static Expected<json::Object> parseSpec(StringRef Spec,
                                        std::mt19937_64 &Random) {
  SmallVector<StringRef> Parts;
  Spec.split('=').second.split(Parts, ':');
  StringRef Type = Parts.front();
  bool IsBuffer = Type.ends_with("*");
  auto Element = parseElementType(Type.rtrim('*'), ElementType::F32);
  if (!Element)
    return badSpec(Spec, "'" + Type + "' is no type");
  json::Object O{{"type", Type.str()}};
  ArrayRef<StringRef> Rest = ArrayRef(Parts).drop_front();
  if (!Rest.empty() && is_contained({"const", "dup", "active"}, Rest.back())) {
    O["activity"] = Rest.back().str();
    Rest = Rest.drop_back();
  }
  size_t Count = 1;
  if (IsBuffer) {
    if (Rest.empty() || Rest.front().getAsInteger(10, Count))
      return badSpec(Spec, "a buffer needs a number of elements (" + Type +
                               ":COUNT)");
    constexpr size_t MaxElements = size_t(1) << 32;
    if (Count > MaxElements)
      return badSpec(Spec, "a buffer has at most " + Twine(MaxElements) +
                               " elements");
    O["count"] = Count;
    Rest = Rest.drop_front();
  }
  if (Rest.size() > 1 || (Rest.empty() && !IsBuffer))
    return badSpec(Spec, IsBuffer ? "expected TYPE*:COUNT[:INIT][:ACTIVITY]"
                                  : "expected TYPE:VALUE[:ACTIVITY]");
  auto Values = initialValues(Spec, Rest.empty() ? "zero" : Rest.front(), Count,
                              !isFloat(*Element), Random);
  if (!Values)
    return Values.takeError();
  O["values"] = std::move(*Values);
  return O;
}

static Error addFile(StringRef File, json::Object &All) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createFileError(File, Buffer.getError());
  Expected<json::Value> V = json::parse((*Buffer)->getBuffer());
  if (!V)
    return createFileError(File, V.takeError());
  json::Object *O = V->getAsObject();
  if (!O)
    return createFileError(File, createStringError("expected an object"));
  // A whole case.json will do as well.
  if (json::Object *Args = O->getObject("args"))
    O = Args;
  for (auto &[Name, Value] : *O)
    All[Name.str()] = Value;
  return Error::success();
}

Expected<json::Value> parseSpecs(ArrayRef<std::string> Specs, uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  json::Object All;
  for (StringRef Spec : Specs) {
    if (Spec.ends_with(".json")) {
      if (Error E = addFile(Spec, All))
        return std::move(E);
      continue;
    }
    StringRef Name = Spec.split('=').first;
    if (Name.size() == Spec.size() || Name.empty())
      return badSpec(Spec, "expected NAME=TYPE... or a file.json");
    Expected<json::Object> O = parseSpec(Spec, Random);
    if (!O)
      return O.takeError();
    if (!All.try_emplace(Name.str(), std::move(*O)).second)
      return badSpec(Spec, "'" + Name + "' is given twice");
  }
  return json::Value(std::move(All));
}

//===--- The case ---------------------------------------------------------===//

static Error checkParameter(const Function &K, unsigned I, const Argument &A) {
  const llvm::Argument *P = K.getArg(I);
  Type *T = P->getType();
  Type *ByVal = P->getParamByValType();
  const char *Name = A.Name.c_str();
  if (ByVal) {
    size_t Bytes = K.getDataLayout().getTypeAllocSize(ByVal);
    if (A.K != Argument::Struct || A.Stride != Bytes)
      return createStringError("parameter '%s' is a struct of %zu bytes; its "
                               "argument is not (\"type\": \"struct\" in a "
                               "file.json)",
                               Name, Bytes);
    return Error::success();
  }
  if (T->isPointerTy() != A.inMemory())
    return createStringError(T->isPointerTy()
                                 ? "parameter '%s' is a pointer; its argument "
                                   "is no buffer (TYPE*:COUNT)"
                                 : "parameter '%s' is passed by value; its "
                                   "argument is a buffer",
                             Name);
  if (T->isPointerTy())
    return Error::success();
  if (T->isFloatingPointTy() != isFloat(A.Type) ||
      K.getDataLayout().getTypeAllocSize(T) != sizeOf(A.Type))
    return createStringError("parameter '%s' has another type than its "
                             "argument, which is %s",
                             Name, name(A.Type).str().c_str());
  return Error::success();
}

Expected<Case> makeCase(const Function &K, const json::Value &Args, Launch L,
                        ArrayRef<Activity> Acts, ElementType Real) {
  Case C;
  C.Name = K.getName().str();
  L.Kernel = C.Name;
  C.Real = Real;
  json::Path::Root Root("args");
  if (!parseArguments(Args, Real, C.Args, Root))
    return Root.getError();
  for (unsigned I = 0; I != K.arg_size(); ++I) {
    std::string Name = parameterName(K, I);
    int Index = C.indexOf(Name);
    if (Index < 0)
      return createStringError("parameter '%s' of the kernel has no argument",
                               Name.c_str());
    Argument &A = C.Args[Index];
    if (Error E = checkParameter(K, I, A))
      return std::move(E);
    if (!Args.getAsObject()->getObject(Name)->get("activity"))
      A.Act = Acts[I];
    L.Args.push_back(Name);
  }
  for (const Argument &A : C.Args) {
    bool IsPointee = any_of(C.Args, [&](const Argument &S) {
      return any_of(S.Fields,
                    [&](const Field &F) { return F.Buffer == A.Name; });
    });
    if (!IsPointee && !is_contained(L.Args, A.Name))
      return createStringError("the kernel has no parameter '%s'",
                               A.Name.c_str());
  }
  C.Launches.push_back(std::move(L));
  return C;
}

} // namespace kdiff::tool
