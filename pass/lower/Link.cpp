//===- Link.cpp - Linking libraries of bitcode ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does code of a library become code of the
// module, as if it had been compiled for it?
//
// As clang does for libdevice (CodeGenAction's linkInModules).
//
//===----------------------------------------------------------------------===//

#include "lower/Steps.h"
#include "target/NVPTX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

/// The attributes that say which processor a function is compiled for. Those
/// of caller and callee must agree, or nothing is inlined.
static constexpr StringLiteral TargetAttributes[] = {"target-cpu",
                                                     "target-features"};

/// A function that was compiled for the module's target, or null.
static const Function *targetModel(const Module &M) {
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasFnAttribute(TargetAttributes[0]))
      return &F;
  return nullptr;
}

static void adoptTarget(Function &F, const Function *Model) {
  F.removeFnAttr("frame-pointer");
  for (StringRef Name : TargetAttributes) {
    F.removeFnAttr(Name);
    if (Model && !F.isDeclaration() && Model->hasFnAttribute(Name))
      F.addFnAttr(Model->getFnAttribute(Name));
  }
}

/// Clang has no syntax for NVPTX's scopes: it writes the system's.
static void narrowScopes(Function &F) {
  SyncScope::ID Device =
      F.getContext().getOrInsertSyncScopeID(nvptx::DeviceScope);
  for (Instruction &I : instructions(F))
    if (I.isAtomic())
      setAtomicSyncScopeID(&I, Device);
}

std::unique_ptr<Module> kdiff::readRuntime(ArrayRef<unsigned char> Bytes,
                                           StringRef Name, LLVMContext &C) {
  StringRef Text(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  return cantFail(getLazyBitcodeModule(MemoryBufferRef(Text, Name), C));
}

void kdiff::linkNeeded(Module &M, std::unique_ptr<Module> Library,
                       ArrayRef<StringRef> Public) {
  const Function *Model = targetModel(M);
  Library->setDataLayout(M.getDataLayout());
  Library->setTargetTriple(M.getTargetTriple());
  // Flags and versions describe how the library was compiled, not the module.
  while (!Library->named_metadata_empty())
    Library->eraseNamedMetadata(&*Library->named_metadata_begin());

  SmallPtrSet<const Function *, 32> Before;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Before.insert(&F);
  auto Internalize = [&](Module &Into, const StringSet<> &Names) {
    internalizeModule(Into, [&](const GlobalValue &GV) {
      return !GV.hasName() || !Names.contains(GV.getName()) ||
             is_contained(Public, GV.getName());
    });
  };
  [[maybe_unused]] bool Failed = Linker::linkModules(
      M, std::move(Library), Linker::LinkOnlyNeeded, Internalize);
  assert(!Failed && "layout and triple are the module's");
  for (Function &F : M)
    if (!F.isIntrinsic() && !Before.contains(&F)) {
      adoptTarget(F, Model);
      narrowScopes(F);
    }
}

CallInst *kdiff::createRuntimeCall(IRBuilderBase &B, StringRef Name,
                                   Type *Result, ArrayRef<Value *> Args) {
  SmallVector<Type *, 8> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(
      M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false)),
      Args);
}

void kdiff::linkInlined(Module &M, std::unique_ptr<Module> Runtime,
                        ArrayRef<CallInst *> Calls) {
  linkNeeded(M, std::move(Runtime), {});
  SetVector<Function *> Inlined;
  for (CallInst *Call : Calls) {
    Inlined.insert(Call->getCalledFunction());
    InlineFunctionInfo Info;
    [[maybe_unused]] InlineResult Result = InlineFunction(*Call, Info);
    assert(Result.isSuccess() && "the runtime can be inlined");
  }
  for (Function *F : Inlined)
    if (F->use_empty())
      F->eraseFromParent();
}
