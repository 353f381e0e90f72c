//===- Match.cpp - Does a request fit its function? -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which operand of a request call belongs to
// which parameter?
//
//===----------------------------------------------------------------------===//

#include "request/Match.h"
#include "request/Operand.h"
#include "request/Options.h"
#include "request/PointerUse.h"
#include "request/Spelling.h"
#include "support/Diagnostics.h"
#include "support/Lanes.h"
#include "support/Types.h"
#include "target/NVPTX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace kdiff;

static std::string print(const Type &T) {
  std::string Text;
  raw_string_ostream OS(Text);
  T.print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  return Text;
}

static std::string shortName(const Argument &A) {
  std::string Text = "argument " + utostr(A.getArgNo() + 1);
  if (A.hasName())
    Text += " '" + A.getName().str() + "'";
  return Text;
}

/// "argument 2 'x' of saxpy(float, float const*, int)".
static std::string argumentName(const Argument &A) {
  return shortName(A) + " of " + sourceName(*A.getParent());
}

static bool isFloat(const Type *T) { return T->isFPOrFPVectorTy(); }

/// Appends the scalars of \p T in order, arrays and structs taken apart, up to
/// \p Limit of them.
static void appendLeaves(Type *T, SmallVectorImpl<Type *> &Leaves,
                         size_t Limit) {
  if (auto *Struct = dyn_cast<StructType>(T)) {
    for (Type *Element : Struct->elements())
      appendLeaves(Element, Leaves, Limit);
  } else if (auto *Array = dyn_cast<ArrayType>(T)) {
    for (uint64_t I = 0; I != Array->getNumElements() && Leaves.size() < Limit;
         ++I)
      appendLeaves(Array->getElementType(), Leaves, Limit);
  } else if (!T->isVoidTy() && Leaves.size() < Limit) {
    Leaves.push_back(T);
  }
}

/// True if memory of type \p T may hold floating-point numbers: clang gives a
/// union the type of one member, and storage without a type is bytes.
static bool mayHoldFloat(const Type *T) {
  if (auto *Struct = dyn_cast<StructType>(T);
      Struct && Struct->hasName() && Struct->getName().starts_with("union."))
    return true;
  return T->isFPOrFPVectorTy() || T->isIntegerTy(8) ||
         any_of(T->subtypes(), mayHoldFloat);
}

namespace {

class Matcher {
public:
  Matcher(CallBase &Call, Function &Primal, CallMeaning Meaning,
          PointerUse &Pointers)
      : Call(Call), Primal(Primal),
        M(Meaning == CallMeaning::Forward ? Mode::Forward : Mode::Reverse),
        Wanted(Meaning == CallMeaning::Augmented   ? Product::Augmented
               : Meaning == CallMeaning::ReverseOf ? Product::Reverse
               : Meaning == CallMeaning::TapeBytes ? Product::TapeBytes
                                                   : Product::Gradient),
        Pointers(Pointers) {}

  std::optional<Request> match();

private:
  bool matchShape();
  bool matchTape();
  bool matchArgument(Argument &A);
  bool readMarkers(Argument &A, std::optional<MarkerSpelling> &Found);
  std::optional<ArgActivity> activity(Argument &A,
                                      std::optional<MarkerSpelling> Found);
  std::optional<ArgActivity> defaultActivity(Argument &A);
  bool checkSpace(Argument &A, const Value &Given);
  bool matchShadows(Argument &A, ArgRequest &R);
  Value *matchShadow(Argument &A, ArgActivity Activity);
  bool matchEnd();
  std::string withoutShadow() const;
  std::string perLane() const;
  bool matchResult();
  bool matchAdjoints();

  /// Reports \p Message about \p A; false, for the caller to return.
  bool misfit(const Argument &A, const Twine &Message) {
    reportMisuse(Call, argumentName(A) + " " + Message);
    return false;
  }
  bool misfit(const Twine &Message) {
    reportMisuse(Call, Message);
    return false;
  }
  bool unsupported(const Twine &What, const Twine &Remedy) {
    reportUnsupported(Call, What, Remedy);
    return false;
  }
  bool atEnd() const { return Next == Call.arg_size(); }

  CallBase &Call;
  Function &Primal;
  Mode M;
  Product Wanted;
  Value *Tape = nullptr;
  RequestOptions Options;
  PointerUse &Pointers;
  unsigned Next = 1; ///< The operand to read next.
  SmallVector<ArgRequest, 8> Args;
};

} // namespace

std::optional<Request> Matcher::match() {
  if (!matchShape() || !matchTape() || !readOptions(Call, Next, Options))
    return std::nullopt;
  for (Argument &A : Primal.args())
    if (!matchArgument(A))
      return std::nullopt;
  if (!matchEnd() || !matchResult())
    return std::nullopt;
  Request R;
  R.Call = &Call;
  R.Primal = &Primal;
  R.M = M;
  R.Wanted = Wanted;
  R.Tape = Options.Tape ? Options.Tape : Tape;
  R.Facts = Options.Facts;
  R.Width = Options.Width;
  R.Args = std::move(Args);
  return R;
}

bool Matcher::matchShape() {
  if (!isa<CallInst>(Call))
    return unsupported("a request that may throw", "call it in a plain call");
  if (Primal.isDeclaration())
    return misfit(sourceName(Primal) +
                  " has no body in this module: define it in the file that "
                  "differentiates it");
  if (Primal.isInterposable())
    return unsupported(sourceName(Primal) +
                           ", a weak function that another file may define",
                       "do not make it weak");
  if (Primal.isVarArg())
    return unsupported(sourceName(Primal) + ", a variadic function",
                       "give it a fixed list of parameters");
  if (Primal.hasStructRetAttr() || Call.hasStructRetAttr())
    return unsupported("a result that is returned through memory",
                       "write it through a pointer argument instead");
  return true;
}

/// Reads the tape that requests of split mode have behind the function.
bool Matcher::matchTape() {
  if (Wanted == Product::Gradient || Wanted == Product::TapeBytes)
    return true;
  if (atEnd() || asMarker(*Call.getArgOperand(Next)) ||
      !Call.getArgOperand(Next)->getType()->isPointerTy())
    return misfit(sourceName(*calledFunction(Call)) +
                  " needs the tape behind the function: the address of a pool "
                  "in device memory (kdiff::SplitTape::device())");
  Tape = Call.getArgOperand(Next++);
  return true;
}

bool Matcher::readMarkers(Argument &A, std::optional<MarkerSpelling> &Found) {
  for (; !atEnd(); ++Next) {
    std::optional<MarkerSpelling> Marker = asMarker(*Call.getArgOperand(Next));
    if (!Marker)
      return true;
    if (Marker->Kind == Marker::Unknown)
      return misfit(A, "has an unknown marker '" + Marker->Name + "'");
    if (Marker->Kind == Marker::Unsupported)
      return unsupported("with the marker '" + Marker->Name + "' of " +
                             argumentName(A),
                         "it is not supported yet; use kd_dup, kd_dupnoneed, "
                         "kd_seed, kd_seednoneed, kd_fresh, kd_const, kd_out "
                         "or kd_acc");
    if (isOption(Marker->Kind))
      return misfit(A, "has '" + Marker->Name +
                           "' before it, which stands "
                           "behind the request's function");
    if (Found)
      return misfit(A, "has two markers, '" + Found->Name + "' and '" +
                           Marker->Name + "'");
    Found = Marker;
  }
  return true;
}

bool Matcher::matchArgument(Argument &A) {
  std::optional<MarkerSpelling> Marker;
  if (!readMarkers(A, Marker))
    return false;
  if (atEnd())
    return misfit(A, Marker ? "has a marker and no value"
                            : "is missing in the call");
  ArgRequest R;
  R.Primal = convertOperand(Call, Next, A.getType(), A.hasByValAttr());
  if (!R.Primal) {
    Type *Given = Call.getArgOperand(Next)->getType();
    return misfit(
        A,
        "has type " + print(*A.getType()) + ", but the call gives " +
            (Call.isByValArgument(Next) ? "a struct by value" : print(*Given)) +
            (Given->isPointerTy()
                 ? withoutShadow()
                 : " (is a shadow missing before it? else cast "
                   "the value)"));
  }
  if (!checkSpace(A, *R.Primal))
    return false;
  ++Next;
  std::optional<ArgActivity> Activity = activity(A, Marker);
  if (!Activity)
    return false;
  R.Activity = *Activity;
  if (!matchShadows(A, R))
    return false;
  Args.push_back(R);
  return true;
}

/// The activity that the marker \p Found, or its absence, gives to \p A.
std::optional<ArgActivity>
Matcher::activity(Argument &A, std::optional<MarkerSpelling> Found) {
  if (!Found)
    return defaultActivity(A);
  auto No = [&](const Twine &Why) {
    misfit(A, "cannot be '" + Found->Name + "': " + Why);
    return std::nullopt;
  };
  Type *T = A.getType();
  switch (Found->Kind) {
  case Marker::Const:
    return ArgActivity::Const;
  case Marker::Dup:
  case Marker::DupNoNeed:
    if (isFloat(T) && M == Mode::Reverse)
      return No("it is passed by value, and its adjoint could not be stored; "
                "mark it kd_out (returned) or kd_acc (added to memory)");
    if (!T->isPointerTy() && !isFloat(T))
      return No(print(*T) + " has no derivative; mark it kd_const");
    return Found->Kind == Marker::Dup ? ArgActivity::Dup
                                      : ArgActivity::DupNoNeed;
  case Marker::Seed:
  case Marker::SeedNoNeed:
  case Marker::Fresh:
    if (M == Mode::Forward)
      return No("forward mode has tangents, no adjoints; mark it kd_dup");
    if (!T->isPointerTy() || A.hasByValAttr())
      return No("it is passed by value; only memory can be marked so");
    return Found->Kind == Marker::Seed         ? ArgActivity::Seed
           : Found->Kind == Marker::SeedNoNeed ? ArgActivity::SeedNoNeed
                                               : ArgActivity::Fresh;
  case Marker::Out:
  case Marker::Acc:
    if (M == Mode::Forward)
      return No("forward mode has no adjoints; mark it kd_dup and give value "
                "and tangent");
    if (T->isPointerTy())
      return No("it is a pointer; mark it kd_dup and give value and shadow");
    if (!isFloat(T))
      return No(print(*T) + " has no derivative; mark it kd_const");
    return Found->Kind == Marker::Out ? ArgActivity::Out : ArgActivity::Acc;
  case Marker::Tape:
  case Marker::Facts:
  case Marker::Width:
  case Marker::Unsupported:
  case Marker::Unknown:
    break;
  }
  llvm_unreachable("readMarkers lets no other marker through");
}

std::optional<ArgActivity> Matcher::defaultActivity(Argument &A) {
  Type *T = A.getType();
  if (isFloat(T))
    return M == Mode::Reverse ? ArgActivity::Out : ArgActivity::Dup;
  if (!T->isPointerTy()) {
    if (!holdsFloat(T))
      return ArgActivity::Const;
    misfit(A, "is an aggregate with floating-point members: pass it by "
              "pointer, or mark it kd_const");
    return std::nullopt;
  }
  switch (Pointers.classify(A)) {
  case Pointee::FloatingPoint:
    return ArgActivity::Dup;
  case Pointee::Integer:
    return ArgActivity::Const;
  case Pointee::Unknown:
    break;
  }
  misfit(A, "needs a marker: the function's code does not tell whether it "
            "leads to floating-point numbers (kd_dup) or not (kd_const)");
  return std::nullopt;
}

/// A kernel's pointers come from the host: it may take them to lead to global
/// memory. False if \p Given leads elsewhere; reported.
bool Matcher::checkSpace(Argument &A, const Value &Given) {
  if (!nvptx::isKernel(Primal) || !A.getType()->isPointerTy() ||
      A.hasByValAttr())
    return true;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Given, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    unsigned Space = Object->getType()->getPointerAddressSpace();
    bool IsLocal = isa<AllocaInst>(Object) || Space == nvptx::Local;
    if (IsLocal || Space == nvptx::Shared)
      return misfit(A, Twine("leads to ") +
                           (IsLocal ? "a local variable" : "shared memory") +
                           ", but a kernel's pointers lead to global memory: "
                           "differentiate a __device__ function instead");
  }
  return true;
}

/// Reads the operands that \p R's activity asks for behind the value.
bool Matcher::matchShadows(Argument &A, ArgRequest &R) {
  if (!hasShadow(R.Activity))
    return true;
  while (R.Shadows.size() != Options.Width) {
    Value *Shadow = matchShadow(A, R.Activity);
    if (!Shadow)
      return false;
    R.Shadows.push_back(Shadow);
  }
  return true;
}

/// " (kd_width: 4 of them)", for messages about missing shadows.
std::string Matcher::perLane() const {
  return Options.Width == 1
             ? ""
             : " (kd_width: " + utostr(Options.Width) + " of them)";
}

/// Reads one shadow; null, and reported, if there is none.
Value *Matcher::matchShadow(Argument &A, ArgActivity Activity) {
  auto No = [&](const Twine &Message) {
    misfit(A, Message);
    return nullptr;
  };
  if (atEnd() || asMarker(*Call.getArgOperand(Next)))
    return No("has no shadow" + perLane() +
              ": it must follow the value (or mark the argument kd_const)");
  Value *Operand = Call.getArgOperand(Next);
  bool ByValue = !A.getType()->isPointerTy() && Activity != ArgActivity::Acc;
  bool IsAlike =
      A.getType()->isPointerTy() && Operand->getType() == A.getType();
  Type *T =
      ByValue || IsAlike ? A.getType() : PointerType::getUnqual(A.getContext());
  Value *Shadow = convertOperand(Call, Next, T, A.hasByValAttr());
  if (!Shadow)
    return No("needs a shadow of type " + print(*T) + perLane() +
              ", but the call gives " +
              (Call.isByValArgument(Next) ? "a struct by value"
                                          : print(*Operand->getType())) +
              " (is the shadow missing?)");
  if (isa<ConstantPointerNull, UndefValue>(Shadow->stripPointerCasts()))
    return No("has no memory for its shadow (null): mark it kd_const if it is "
              "not to be differentiated");
  if (M == Mode::Reverse && Call.isByValArgument(Next) &&
      mayHoldFloat(A.getParamByValType()))
    return No(
        "is a struct that may hold floating-point numbers, whose adjoints "
        "would be lost in a shadow passed by value: pass the shadow's "
        "address");
  ++Next;
  return Shadow;
}

/// Nothing may be left over.
bool Matcher::matchEnd() {
  if (atEnd())
    return true;
  if (std::optional<MarkerSpelling> Marker =
          asMarker(*Call.getArgOperand(Next)))
    return misfit(
        "marker '" + Marker->Name + "' stands behind the last of the " +
        utostr(Primal.arg_size()) + " arguments of " + sourceName(Primal));
  return misfit("value " + utostr(Next + 1) +
                " of the call is one too many for " + sourceName(Primal) +
                withoutShadow());
}

/// " (without a shadow were taken: argument 3 'n')": where a value is too many,
/// it often is the shadow of one of these.
std::string Matcher::withoutShadow() const {
  std::string Text;
  for (auto [A, R] : zip(Primal.args(), Args)) // Up to the last one matched.
    if (R.Activity == ArgActivity::Const && A.getType()->isPointerTy())
      Text += (Text.empty() ? "" : ", ") + shortName(A);
  return Text.empty() ? "" : " (without a shadow were taken: " + Text + ")";
}

/// The result of the call must be what the gradient returns.
bool Matcher::matchResult() {
  Type *Result = Primal.getReturnType();
  if (Wanted == Product::TapeBytes)
    return Call.getType()->isIntegerTy(64) ||
           misfit("the call returns " + print(*Call.getType()) +
                  ", but a number of bytes is an i64 (unsigned long long)");
  if (Wanted == Product::Augmented)
    return Call.getType()->isVoidTy() || Call.getType() == Result ||
           misfit("the call returns " + print(*Call.getType()) +
                  ", but the augmented primal returns what " +
                  sourceName(Primal) + " does: " + print(*Result));
  if (M == Mode::Reverse) {
    if (holdsFloat(Result) && !Result->isFloatingPointTy())
      return unsupported("a function that returns " + print(*Result) +
                             " in reverse mode",
                         "let it return one floating-point value, or write "
                         "its results through pointers");
    return matchAdjoints();
  }
  SmallVector<Type *, 4> Given;
  appendLeaves(Call.getType(), Given, Options.Width + 1);
  bool Fits = isFloat(Result)
                  ? Given == SmallVector<Type *, 4>(Options.Width, Result)
                  : Call.getType()->isVoidTy();
  if (Fits)
    return !holdsFloat(Result) || isFloat(Result) ||
           unsupported("a function that returns " + print(*Result) +
                           " in forward mode",
                       "let it return one floating-point value, or write its "
                       "results through pointers");
  return misfit(
      "the call returns " + print(*Call.getType()) +
      ", but the tangent of the result of " + sourceName(Primal) +
      " has type " +
      (isFloat(Result) ? print(*lanesType(Result, Options.Width)) : "void"));
}

bool Matcher::matchAdjoints() {
  SmallVector<Type *, 8> Given, Wanted;
  std::string Outs;
  for (auto [A, R] : zip(Primal.args(), Args))
    if (R.Activity == ArgActivity::Out) {
      Wanted.append(Options.Width, A.getType());
      Outs += (Outs.empty() ? "" : ", ") + shortName(A) + " (" +
              print(*lanesType(A.getType(), Options.Width)) + ")";
    }
  appendLeaves(Call.getType(), Given, Wanted.size() + 1);
  if (Given == Wanted)
    return true;
  if (Wanted.empty())
    return misfit("the call returns " + print(*Call.getType()) + ", but " +
                  sourceName(Primal) +
                  " has no argument whose adjoint is returned (kd_out): let it "
                  "return void");
  return misfit("the call returns " + print(*Call.getType()) + ", but " +
                sourceName(Primal) + " has the adjoints of " + Outs +
                " to return: let it return " +
                (Wanted.size() == Options.Width
                     ? "that type"
                     : "a struct of these in this order") +
                ", or mark them kd_acc or kd_const");
}

std::optional<Request> kdiff::matchRequest(CallBase &Call, Function &Primal,
                                           CallMeaning Meaning,
                                           PointerUse &Pointers) {
  return Matcher(Call, Primal, Meaning, Pointers).match();
}
