//===- Lower.cpp - NVPTX IR to host IR ------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does device IR become IR that the host's
// code generator takes, with one entry point a kernel?
//
// Address spaces stay: x86 takes those below 256 as one flat memory, and
// later checks can still tell them apart.
//
//===----------------------------------------------------------------------===//

#include "Lower.h"
#include "Emitter.h"
#include "Instrument.h"
#include "Intrinsics.h"
#include "PtxAsm.h"
#include "Reach.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include <cstddef>

using namespace llvm;
using namespace kdiff::simt;

namespace {

constexpr unsigned GlobalSpace = 1, SharedSpace = 3, ConstantSpace = 4;

class Lowering {
public:
  Lowering(Module &M, bool Checked)
      : M(M), Checked(Checked), E(M, Checked), Intrinsics(E), Asm(E),
        Floats(E) {}
  LoweredModule run();

private:
  Module &M;
  bool Checked;
  Emitter E;
  IntrinsicLowering Intrinsics;
  AsmLowering Asm;
  FloatOps Floats;
  LoweredModule Out;
  std::vector<Function *> Kernels, Bodies;
  SmallPtrSet<Function *, 8> Flushing; ///< Built to flush subnormal floats.
  DenseMap<const GlobalValue *, std::vector<std::string>> Unsupported;
  unsigned Architecture = 900; ///< __CUDA_ARCH__

  void findKernels();
  void dropDeviceAttributes();
  void defineMissing();
  void lowerBody(Function &F);
  bool flushOperation(Instruction &I);
  void lowerCall(CallInst &Call);
  bool lowerPlainIntrinsic(IntrinsicInst &Call, Value *&Result);
  bool lowerReflect(CallInst &Call, Value *&Result);
  void lowerAtomic(Instruction &I);
  void refuse(Instruction &I, const Twine &What);
  void placeSharedVariables();
  void exportVariables();
  void makeEntry(Function &Kernel);
  void listUnsupported();
};

} // namespace

LoweredModule Lowering::run() {
  for (StringRef Keeper : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *G = M.getNamedGlobal(Keeper))
      G->eraseFromParent();
  findKernels();
  dropDeviceAttributes();
  defineMissing();
  for (Function *F : Bodies)
    lowerBody(*F);
  listUnsupported();
  placeSharedVariables();
  exportVariables();
  for (Function *K : Kernels)
    makeEntry(*K);
  for (Function *F : Bodies) {
    F->setComdat(nullptr);
    F->setVisibility(GlobalValue::DefaultVisibility);
    F->setLinkage(GlobalValue::InternalLinkage);
  }
  if (Checked)
    exposeVariables(M, Out.Objects);
  else
    StripDebugInfo(M);
  Out.Sites = std::move(E.Sites);
  return std::move(Out);
}

void Lowering::findKernels() {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    Bodies.push_back(&F);
    if (F.getFnAttribute("denormal-fp-math-f32")
            .getValueAsString()
            .starts_with("preserve-sign"))
      Flushing.insert(&F);
    if (F.getCallingConv() == CallingConv::PTX_Kernel) {
      Kernels.push_back(&F);
      StringRef Cpu = F.getFnAttribute("target-cpu").getValueAsString();
      unsigned Number;
      if (Cpu.consume_front("sm_") && !Cpu.consumeInteger(10, Number))
        Architecture = Number * 10;
    }
    F.setCallingConv(CallingConv::C);
  }
}

/// What holds for the device's code generator, or no longer once code reads
/// the thread's context and calls the runtime.
static AttributeMask deviceAttributes(AttributeSet Set) {
  AttributeMask Mask;
  for (Attribute A : Set)
    if (A.isStringAttribute())
      Mask.addAttribute(A.getKindAsString());
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoSync, Attribute::NoFree,
        Attribute::WillReturn, Attribute::MustProgress, Attribute::Speculatable,
        Attribute::Convergent, Attribute::NoInline, Attribute::OptimizeNone,
        Attribute::NoRecurse})
    Mask.addAttribute(K);
  return Mask;
}

void Lowering::dropDeviceAttributes() {
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.removeFnAttrs(deviceAttributes(F.getAttributes().getFnAttrs()));
    F.setDoesNotThrow();
    // Frames larger than the guard page would step over it.
    F.addFnAttr("probe-stack", "inline-asm");
    for (Argument &A : F.args())
      A.removeAttrs(AttributeMask()
                        .addAttribute(Attribute::Captures)
                        .addAttribute(Attribute::NoFree));
  }
}

/// The host's linker wants a definition even of what no launch reaches.
void Lowering::defineMissing() {
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic())
      continue;
    bool Provided = StringSwitch<bool>(F.getName())
                        .Cases({"vprintf", "__assertfail", "malloc", "free",
                                "__cxa_pure_virtual"},
                               true)
                        .Default(false);
    if (Provided) {
      F.setName("kdiff_simt_" + F.getName());
      continue;
    }
    if (!F.getName().starts_with("__nvvm_reflect"))
      Unsupported[&F].push_back("function '" + F.getName().str() +
                                "', which is declared but not defined");
    new UnreachableInst(M.getContext(),
                        BasicBlock::Create(M.getContext(), "", &F));
    F.setLinkage(GlobalValue::InternalLinkage);
  }
  for (GlobalVariable &G : M.globals()) {
    if (!G.isDeclaration() || G.getAddressSpace() == SharedSpace)
      continue;
    // clang's threadIdx and the like are weak, and only named, never read.
    if (!G.hasExternalWeakLinkage())
      Unsupported[&G].push_back("variable '" + G.getName().str() +
                                "', which is declared but not defined");
    G.setInitializer(Constant::getNullValue(G.getValueType()));
    G.setLinkage(GlobalValue::InternalLinkage);
  }
}

void Lowering::refuse(Instruction &I, const Twine &What) {
  std::string Text = What.str();
  if (const DebugLoc &D = I.getDebugLoc())
    Text += " at " + D->getFilename().str() + ":" + std::to_string(D.getLine());
  Unsupported[I.getFunction()].push_back(std::move(Text));
}

/// Whether \p I may wait for another thread's store, so must let others run.
static bool polls(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return (Load->isAtomic() || Load->isVolatile()) &&
           !isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand()));
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
}

void Lowering::lowerBody(Function &F) {
  // Lowering splits blocks and erases calls, so list first.
  SmallVector<Instruction *, 64> Work;
  for (Instruction &I : instructions(F))
    if (!isa<AllocaInst, LifetimeIntrinsic>(I))
      Work.push_back(&I);
  E.enterLocals(F);
  for (Instruction *I : Work) {
    E.startAt(*I);
    // Before the checks, which speak for the access that follows them.
    if (polls(*I))
      E.poll();
    if (Checked)
      instrument(*I, E);
    if (Flushing.contains(&F) && flushOperation(*I))
      continue;
    if (auto *Call = dyn_cast<CallInst>(I)) {
      lowerCall(*Call);
    } else if (isa<FPToSIInst, FPToUIInst>(I)) {
      Value *R = Floats.toInteger(I->getOperand(0), I->getType(),
                                  isa<FPToSIInst>(I), {Rounding::Zero});
      I->replaceAllUsesWith(R);
      I->eraseFromParent();
    } else if (auto *Fence = dyn_cast<FenceInst>(I)) {
      Fence->setSyncScopeID(SyncScope::SingleThread);
    } else {
      lowerAtomic(*I);
    }
  }
  if (Checked)
    letFollowUndefined(F);
}

/// Code built with -fgpu-flush-denormals-to-zero has .ftz instructions.
bool Lowering::flushOperation(Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  bool Computes = isa<BinaryOperator>(I) ||
                  (Call && is_contained({Intrinsic::fma, Intrinsic::fmuladd,
                                         Intrinsic::sqrt},
                                        Call->getIntrinsicID()));
  if (!Computes || !I.getType()->getScalarType()->isFloatTy())
    return false;
  Instruction *Plain = I.clone();
  for (Use &U : Plain->operands())
    if (U->getType() == I.getType())
      U.set(Floats.flush(U));
  E.B.Insert(Plain);
  I.replaceAllUsesWith(Floats.flush(Plain));
  I.eraseFromParent();
  return true;
}

/// All threads run on one thread of the host and are switched at known places
/// only, so plain accesses are atomic.
void Lowering::lowerAtomic(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (Load->isAtomic())
      Load->setOrdering(AtomicOrdering::Monotonic);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (Store->isAtomic())
      Store->setOrdering(AtomicOrdering::Monotonic);
  } else if (auto *Rmw = dyn_cast<AtomicRMWInst>(&I)) {
    lowerAtomicRMWInst(Rmw);
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    lowerAtomicCmpXchgInst(Exchange);
  }
}

void Lowering::lowerCall(CallInst &Call) {
  Call.setCallingConv(CallingConv::C);
  Value *Result = nullptr;
  Function *Callee = Call.getCalledFunction();
  bool Done = false;
  if (Call.isInlineAsm()) {
    if (!Asm.lower(Call, Result)) {
      auto *Text = cast<InlineAsm>(Call.getCalledOperand());
      refuse(Call, "inline assembly '" + Text->getAsmString() + "'");
      Result = PoisonValue::get(Call.getType());
    }
    Done = true;
  } else if (Callee && (Callee->getName() == "llvm.nvvm.reflect" ||
                        Callee->getName().starts_with("__nvvm_reflect"))) {
    Done = lowerReflect(Call, Result);
  } else if (Callee && Callee->getName().starts_with("llvm.nvvm.")) {
    if (!Intrinsics.lower(Call, Result)) {
      refuse(Call, "intrinsic '" + Callee->getName() + "'");
      Result = PoisonValue::get(Call.getType());
    }
    Done = true;
  } else if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    Done = lowerPlainIntrinsic(*Intrinsic, Result);
  } else {
    Call.removeFnAttrs(deviceAttributes(Call.getAttributes().getFnAttrs()));
  }
  if (!Done)
    return;
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

/// Target-independent ones that mean something else on the host.
bool Lowering::lowerPlainIntrinsic(IntrinsicInst &Call, Value *&Result) {
  auto arg = [&](unsigned I) { return Call.getArgOperand(I); };
  bool Half = Call.getType()->getScalarType()->isHalfTy() ||
              Call.getType()->getScalarType()->isBFloatTy();
  switch (Call.getIntrinsicID()) {
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
    E.callRuntime("kdiff_simt_trap", E.B.getVoidTy(), {E.thread(), E.site()});
    return true;
  case Intrinsic::debugtrap:
    return true;
  case Intrinsic::minnum: // PTX orders zeros by their sign.
  case Intrinsic::maxnum:
    Result = Floats.minMax(Call.getIntrinsicID() == Intrinsic::maxnum, arg(0),
                           arg(1), {});
    return true;
  case Intrinsic::fma:
  case Intrinsic::fmuladd: // NVPTX fuses these; x86 rounds twice.
    if (!Half)
      return false;
    Result = Floats.fma(arg(0), arg(1), arg(2), {});
    return true;
  default:
    return false;
  }
}

bool Lowering::lowerReflect(CallInst &Call, Value *&Result) {
  StringRef Name;
  // In front of address-space inference the name is behind a cast.
  auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Call.getArgOperand(0)));
  if (G && G->hasInitializer())
    if (auto *Text = dyn_cast<ConstantDataArray>(G->getInitializer()))
      Name = Text->getAsString().rtrim('\0');
  unsigned Value = StringSwitch<unsigned>(Name)
                       .Case("__CUDA_ARCH", Architecture)
                       .Cases({"__CUDA_PREC_SQRT", "__CUDA_PREC_DIV"}, 1)
                       .Default(0);
  if (Name == "__CUDA_FTZ")
    if (auto *Flag = mdconst::extract_or_null<ConstantInt>(
            M.getModuleFlag("nvvm-reflect-ftz")))
      Value = Flag->getZExtValue();
  Result = ConstantInt::get(Call.getType(), Value);
  return true;
}

void Lowering::placeSharedVariables() {
  const DataLayout &DL = M.getDataLayout();
  SmallVector<GlobalVariable *, 8> Variables;
  DenseMap<GlobalVariable *, size_t> Offsets;
  size_t End = 0;
  for (GlobalVariable &G : M.globals()) {
    if (G.getAddressSpace() != SharedSpace)
      continue;
    Variables.push_back(&G);
    if (G.isDeclaration())
      continue;
    End = alignTo(End, std::max(G.getAlign().valueOrOne(), Align(16)));
    Offsets[&G] = End;
    size_t Bytes = DL.getTypeAllocSize(G.getValueType());
    Out.SharedVariables.push_back({End, Bytes, G.getName().str()});
    End += Bytes + (Checked ? RedZone : 0);
  }
  Out.StaticShared = alignTo(End, 128);
  SmallVector<Constant *, 8> Constants(Variables.begin(), Variables.end());
  convertUsersOfConstantsToInstructions(Constants);
  for (GlobalVariable *G : Variables) {
    // Dynamic shared memory is one array, whatever its names.
    size_t Offset = G->isDeclaration() ? Out.StaticShared : Offsets[G];
    DenseMap<Function *, Value *> Bases;
    for (User *U : make_early_inc_range(G->users())) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I)
        continue;
      Value *&Base = Bases[I->getFunction()];
      if (!Base) {
        BasicBlock &Entry = I->getFunction()->getEntryBlock();
        E.startAt(*Entry.getFirstNonPHIOrDbgOrAlloca());
        // What was a constant in a phi stands at the top of the block it comes
        // from, and may be this one.
        auto *Block = cast<LoadInst>(E.block());
        Block->moveBefore(Entry.begin());
        if (auto *Address = dyn_cast<GetElementPtrInst>(Block->getOperand(0)))
          Address->moveBefore(Entry.begin());
        E.thread()->moveBefore(Entry.begin());
        E.B.SetInsertPoint(E.block()->getNextNode());
        Value *Region =
            E.blockField(offsetof(BlockContext, Shared), E.B.getPtrTy());
        Base = E.B.CreateAddrSpaceCast(
            E.B.CreateConstInBoundsGEP1_64(E.B.getInt8Ty(), Region, Offset),
            G->getType());
      }
      I->replaceUsesOfWith(G, Base);
    }
    G->removeDeadConstantUsers();
    if (G->use_empty())
      G->eraseFromParent();
  }
}

void Lowering::exportVariables() {
  const DataLayout &DL = M.getDataLayout();
  for (GlobalVariable &G : M.globals()) {
    bool OnDevice = G.getAddressSpace() == GlobalSpace ||
                    G.getAddressSpace() == ConstantSpace;
    if (!OnDevice || G.hasPrivateLinkage() || !G.hasName() ||
        G.getName().starts_with("llvm."))
      continue;
    // The host may write even constants: cudaMemcpyToSymbol.
    if (G.isExternallyInitialized()) {
      G.setConstant(false);
      G.setExternallyInitialized(false);
    }
    G.setComdat(nullptr);
    G.setLinkage(GlobalValue::ExternalLinkage);
    G.setVisibility(GlobalValue::DefaultVisibility);
    G.setDSOLocal(false);
    Out.Variables[G.getName()] = DL.getTypeAllocSize(G.getValueType());
  }
}

void Lowering::makeEntry(Function &Kernel) {
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::get(C, 0);
  auto *Entry = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
      GlobalValue::ExternalLinkage, EntryPrefix + Kernel.getName(), M);
  Entry->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  IRBuilder<> B(BasicBlock::Create(C, "", Entry));
  KernelInfo &Info = Out.Kernels[Kernel.getName()];
  SmallVector<Value *, 8> Args;
  for (Argument &A : Kernel.args()) {
    Value *Slot = B.CreateLoad(
        Ptr, B.CreateConstGEP1_64(Ptr, Entry->getArg(0), A.getArgNo()));
    bool ByValue = A.hasByValAttr();
    Type *Ty = ByValue ? A.getParamByValType() : A.getType();
    Info.ParameterBytes.push_back(M.getDataLayout().getTypeAllocSize(Ty));
    Args.push_back(
        ByValue ? B.CreatePointerBitCastOrAddrSpaceCast(Slot, A.getType())
                : B.CreateLoad(Ty, Slot));
  }
  CallInst *Call = B.CreateCall(&Kernel, Args);
  for (Argument &A : Kernel.args())
    if (A.hasByValAttr()) { // Each thread gets a copy of its own.
      Call->addParamAttr(A.getArgNo(),
                         Attribute::getWithByValType(C, A.getParamByValType()));
      if (MaybeAlign Alignment = A.getParamAlign())
        Call->addParamAttr(A.getArgNo(),
                           Attribute::getWithAlignment(C, *Alignment));
    }
  B.CreateRetVoid();
}

void Lowering::listUnsupported() {
  for (Function *K : Kernels) {
    KernelInfo &Info = Out.Kernels[K->getName()];
    if (Unsupported.empty())
      continue;
    for (GlobalValue *G : reachableFrom(*K)) {
      auto It = Unsupported.find(G);
      if (It != Unsupported.end())
        Info.Unsupported.insert(Info.Unsupported.end(), It->second.begin(),
                                It->second.end());
    }
  }
}

LoweredModule kdiff::simt::lowerModule(Module &M, bool Checked) {
  return Lowering(M, Checked).run();
}
