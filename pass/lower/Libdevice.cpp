//===- Libdevice.cpp - Mathematical functions -------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do the mathematical functions come from
// that derivatives call and the module lacks?
//
// Clang has linked what the primal calls of libdevice; sin's derivative calls
// cos, which it has not. NVPTX cannot select llvm.cos.f64 and its like.
//
//===----------------------------------------------------------------------===//

#include "lower/Steps.h"
#include "support/Diagnostics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace kdiff;

//===--- Intrinsics -------------------------------------------------------===//

/// The function of libdevice, less "__nv_" and the "f" of float.
static StringRef functionFor(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::powi:
    return "powi";
  default:
    return {};
  }
}

/// NVPTXISelLowering has instructions for these.
static bool isSelectable(const IntrinsicInst &I) {
  bool IsDouble = I.getType()->getScalarType()->isDoubleTy();
  switch (I.getIntrinsicID()) {
  case Intrinsic::sin:
  case Intrinsic::cos:
    return !IsDouble && I.hasApproxFunc();
  case Intrinsic::exp2:
    return !IsDouble;
  default:
    return false;
  }
}

/// Calls __nv_\p Name for scalars. Halves are computed in float, as NVPTX
/// does where it can.
static Value *callScalar(IRBuilderBase &B, StringRef Name,
                         ArrayRef<Value *> Args, Type *Ty) {
  Type *Compute = Ty->isDoubleTy() ? Ty : B.getFloatTy();
  SmallVector<Value *, 2> Converted;
  SmallVector<Type *, 2> Types;
  for (Value *A : Args) {
    if (A->getType()->isFloatingPointTy())
      A = B.CreateFPCast(A, Compute);
    else // powi's exponent
      A = B.CreateSExtOrTrunc(A, B.getInt32Ty());
    Converted.push_back(A);
    Types.push_back(A->getType());
  }
  std::string Full = ("__nv_" + Name).str();
  if (!Compute->isDoubleTy())
    Full += 'f';
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      Full, FunctionType::get(Compute, Types, false));
  CallInst *Call = B.CreateCall(Callee, Converted);
  Call->setDoesNotThrow();
  return B.CreateFPCast(Call, Ty);
}

static Value *callEach(IRBuilderBase &B, StringRef Name, IntrinsicInst &I) {
  SmallVector<Value *, 2> Args(I.args());
  auto *Vector = dyn_cast<FixedVectorType>(I.getType());
  if (!Vector)
    return callScalar(B, Name, Args, I.getType());
  Value *Result = PoisonValue::get(Vector);
  for (unsigned K = 0, N = Vector->getNumElements(); K != N; ++K) {
    SmallVector<Value *, 2> Elements;
    for (Value *A : Args)
      Elements.push_back(
          A->getType()->isVectorTy() ? B.CreateExtractElement(A, K) : A);
    Result = B.CreateInsertElement(
        Result, callScalar(B, Name, Elements, Vector->getElementType()), K);
  }
  return Result;
}

void kdiff::mapIntrinsics(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II)
      continue;
    StringRef Name = functionFor(II->getIntrinsicID());
    if (Name.empty() || isSelectable(*II))
      continue;
    IRBuilder<> B(II);
    II->replaceAllUsesWith(callEach(B, Name, *II));
    II->eraseFromParent();
  }
}

//===--- Linking ----------------------------------------------------------===//

/// Where libdevice may be, in order.
static SmallVector<std::string, 6> candidates(StringRef Path) {
  if (!Path.empty())
    return {Path.str()};
  if (std::optional<std::string> File = sys::Process::GetEnv("KDIFF_LIBDEVICE"))
    return {*File};
  SmallVector<std::string, 6> Files;
  auto AddToolkit = [&](StringRef Root) {
    SmallString<128> File(Root);
    sys::path::append(File, "nvvm", "libdevice", "libdevice.10.bc");
    if (!Root.empty() && !is_contained(Files, File.str()))
      Files.push_back(File.str().str());
  };
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    AddToolkit(sys::Process::GetEnv(Variable).value_or(""));
  AddToolkit("/usr/local/cuda");
  AddToolkit(KDIFF_CUDA_PATH); // What KDiff was built with.
  return Files;
}

/// The functions that are called and have no body.
static SmallVector<Function *, 8> missingFunctions(Module &M) {
  SmallVector<Function *, 8> Missing;
  for (Function &F : M)
    if (F.isDeclaration() && F.getName().starts_with("__nv_") && !F.use_empty())
      Missing.push_back(&F);
  return Missing;
}

/// Reports at a call of \p F.
static void reportMissing(const Function &F, const Twine &Why) {
  std::string What = ("a call of '" + F.getName() + "', which " + Why).str();
  StringRef Remedy = "set KDIFF_LIBDEVICE to the CUDA toolkit's "
                     "nvvm/libdevice/libdevice.10.bc, or CUDA_PATH to the "
                     "toolkit";
  for (const User *U : F.users())
    if (auto *I = dyn_cast<Instruction>(U))
      return reportUnsupported(*I, What, Remedy);
  reportUnsupported(F, What, Remedy);
}

/// Resolves what libdevice asks about the target, as NVVMReflect does, which
/// has run already when clang calls a plugin. What is not known here is left
/// to NVVMReflect in code generation.
static void resolveReflect(Module &M) {
  Function *Reflect = M.getFunction("__nvvm_reflect");
  if (!Reflect)
    return;
  for (User *U : make_early_inc_range(Reflect->users())) {
    auto *Call = dyn_cast<CallInst>(U);
    StringRef Key;
    if (!Call || Call->getCalledFunction() != Reflect ||
        !getConstantStringInfo(Call->getArgOperand(0), Key) ||
        Key != "__CUDA_FTZ")
      continue;
    auto *Flag = mdconst::extract_or_null<ConstantInt>(
        M.getModuleFlag("nvvm-reflect-ftz"));
    Call->replaceAllUsesWith(ConstantInt::getSigned(
        Call->getType(), Flag ? Flag->getSExtValue() : 0));
    Call->eraseFromParent();
  }
}

bool kdiff::linkLibdevice(Module &M, StringRef Path) {
  SmallVector<Function *, 8> Missing = missingFunctions(M);
  if (Missing.empty())
    return true;
  SmallVector<std::string, 6> Files = candidates(Path);
  auto *File =
      find_if(Files, [](const std::string &F) { return sys::fs::exists(F); });
  if (File == Files.end()) {
    reportMissing(*Missing.front(),
                  "is in libdevice, and there is no " + join(Files, ", no "));
    return false;
  }
  SMDiagnostic Error;
  std::unique_ptr<Module> Library =
      getLazyIRFileModule(*File, Error, M.getContext());
  if (!Library) {
    reportMissing(*Missing.front(), "is in libdevice, and " + *File +
                                        " cannot be read (" +
                                        Error.getMessage() + ")");
    return false;
  }
  bool Ok = true;
  for (Function *F : Missing) {
    Function *Body = Library->getFunction(F->getName());
    if (Body && Body->isDeclaration())
      Body = nullptr;
    if (Body && Body->getFunctionType() == F->getFunctionType())
      continue;
    reportMissing(*F, (Body ? "has another type in " : "is not in ") + *File);
    Ok = false;
  }
  if (!Ok)
    return false;
  linkNeeded(M, std::move(Library), {});
  resolveReflect(M);
  return true;
}
