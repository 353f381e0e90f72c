//===- GradKernel.cpp - A gradient kernel for a kernel --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is the gradient of a kernel requested
// without a change to its source?
//
//===----------------------------------------------------------------------===//

#include "compile/GradKernel.h"
#include "request/PointerUse.h"
#include "target/NVPTX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>
#include <set>

using namespace llvm;

namespace kdiff::tool {

//===--- Kernels and parameters -------------------------------------------===//

/// The source name of \p F without parameters: "ns::f<float>".
static std::string sourceName(const Function &F) {
  ItaniumPartialDemangler D;
  std::string Name = F.getName().str();
  if (D.partialDemangle(Name.c_str()) || !D.isFunction())
    return Name;
  char *Text = D.getFunctionName(nullptr, nullptr);
  std::string Result = Text ? Text : Name;
  std::free(Text);
  return Result;
}

Expected<Function *> findKernel(Module &M, StringRef Name) {
  std::string Known;
  SmallVector<Function *> BySource;
  for (Function &F : M) {
    if (F.isDeclaration() || !nvptx::isKernel(F))
      continue;
    if (F.getName() == Name)
      return &F;
    std::string Source = sourceName(F);
    if (Source == Name)
      BySource.push_back(&F);
    Known += (Known.empty() ? "" : ", ") + Source;
    if (Source != F.getName())
      Known += " (" + F.getName().str() + ")";
  }
  if (BySource.size() == 1)
    return BySource.front();
  if (BySource.size() > 1)
    return createStringError("several kernels are called '%s'; use the "
                             "mangled name of one: %s",
                             Name.str().c_str(), Known.c_str());
  if (Known.empty())
    return createStringError("there is no kernel in the file");
  return createStringError("no kernel '%s'; there are: %s", Name.str().c_str(),
                           Known.c_str());
}

std::string gradientName(const Function &K) {
  std::string Source = sourceName(K);
  bool IsIdentifier =
      all_of(Source, [](char C) { return isAlnum(C) || C == '_'; });
  return (IsIdentifier ? Source : K.getName().str()) + "_grad";
}

std::string parameterName(const Function &K, unsigned Index) {
  const llvm::Argument *A = K.getArg(Index);
  return A->hasName() ? A->getName().str() : "arg" + std::to_string(Index);
}

/// The indices of the parameters \p Names.
static Expected<std::set<unsigned>>
findParameters(const Function &K, ArrayRef<std::string> Names) {
  std::map<std::string, unsigned> Known;
  std::string List;
  for (unsigned I = 0; I != K.arg_size(); ++I) {
    Known.insert({parameterName(K, I), I});
    List += (I ? ", " : "") + parameterName(K, I);
  }
  std::set<unsigned> Found;
  for (const std::string &Name : Names) {
    auto It = Known.find(Name);
    if (It == Known.end())
      return createStringError("kernel '%s' has no parameter '%s'; it has: %s",
                               sourceName(K).c_str(), Name.c_str(),
                               List.c_str());
    Found.insert(It->second);
  }
  return Found;
}

//===--- Activity ---------------------------------------------------------===//

/// The parameters of \p K through which the kernel may write, directly or by
/// pointers that it loads. LLVM's own attribute inference tells, on an
/// optimised copy.
static std::set<unsigned> writtenParameters(Function &K) {
  std::unique_ptr<Module> Copy = CloneModule(*K.getParent());
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  PB.buildPerModuleDefaultPipeline(OptimizationLevel::O1).run(*Copy, MAM);

  Function *C = Copy->getFunction(K.getName());
  bool LoadsPointers = any_of(instructions(C), [](Instruction &I) {
    return isa<LoadInst>(I) && I.getType()->isPointerTy();
  });
  std::set<unsigned> Written;
  for (llvm::Argument &A : C->args())
    if (A.getType()->isPointerTy() && (LoadsPointers || !A.onlyReadsMemory()))
      Written.insert(A.getArgNo());
  return Written;
}

static Expected<Activity> defaultActivity(Function &K, unsigned Index,
                                          PointerUse &Use) {
  llvm::Argument *A = K.getArg(Index);
  if (A->getType()->isFloatingPointTy())
    return Activity::Active;
  if (!A->getType()->isPointerTy())
    return Activity::Const;
  switch (Use.classify(*A)) {
  case Pointee::FloatingPoint:
    return Activity::Dup;
  case Pointee::Integer:
    return Activity::Const;
  case Pointee::Unknown:
    if (A->use_empty())
      return Activity::Const;
    return createStringError(
        "it is not clear whether parameter '%s' of '%s' leads to "
        "floating-point numbers; name it in --wrt or in --const",
        parameterName(K, Index).c_str(), sourceName(K).c_str());
  }
  llvm_unreachable("all pointees handled");
}

/// What a parameter that the user names in --wrt becomes.
static Expected<Activity> namedActivity(Function &K, unsigned Index) {
  Type *T = K.getArg(Index)->getType();
  if (T->isFloatingPointTy())
    return Activity::Active;
  if (T->isPointerTy())
    return Activity::Dup;
  return createStringError("parameter '%s' of '%s' is no floating-point number "
                           "and no pointer; it has no derivative",
                           parameterName(K, Index).c_str(),
                           sourceName(K).c_str());
}

Expected<std::vector<Activity>> selectActivity(Function &K,
                                               const Selection &S) {
  auto Wrt = findParameters(K, S.Wrt);
  if (!Wrt)
    return Wrt.takeError();
  auto Const = findParameters(K, S.Const);
  if (!Const)
    return Const.takeError();
  std::set<unsigned> Written;
  if (!S.Wrt.empty())
    Written = writtenParameters(K);
  PointerUse Use(*K.getParent());
  std::vector<Activity> Acts(K.arg_size(), Activity::Const);
  for (unsigned I = 0; I != K.arg_size(); ++I) {
    if (Const->count(I))
      continue;
    bool Named = Wrt->count(I);
    if (!S.Wrt.empty() && !Named && !Written.count(I))
      continue;
    auto A = Named ? namedActivity(K, I) : defaultActivity(K, I, Use);
    if (!A)
      return A.takeError();
    Acts[I] = *A;
  }
  if (all_of(Acts, [](Activity A) { return A == Activity::Const; }))
    return createStringError("nothing of '%s' can be differentiated: no "
                             "parameter leads to floating-point numbers",
                             sourceName(K).c_str());
  return Acts;
}

Expected<std::vector<Mark>> selectMarks(Function &K, ArrayRef<Activity> Acts,
                                        const Marked &M) {
  std::vector<Mark> Marks(K.arg_size(), Mark::None);
  auto Seed = findParameters(K, M.Seed);
  if (!Seed)
    return Seed.takeError();
  auto NoNeed = findParameters(K, M.NoNeed);
  if (!NoNeed)
    return NoNeed.takeError();
  auto Fresh = findParameters(K, M.Fresh);
  if (!Fresh)
    return Fresh.takeError();
  std::set<unsigned> Written;
  if (!NoNeed->empty())
    Written = writtenParameters(K);
  for (unsigned I = 0; I != K.arg_size(); ++I) {
    bool IsSeed = Seed->count(I), IsUnwanted = NoNeed->count(I),
         IsFresh = Fresh->count(I);
    if (!IsSeed && !IsUnwanted && !IsFresh)
      continue;
    std::string Name = parameterName(K, I);
    if (Acts[I] != Activity::Dup)
      return createStringError("parameter '%s' of '%s' is no memory that has a "
                               "shadow; it cannot be in --seed, --noneed or "
                               "--fresh",
                               Name.c_str(), sourceName(K).c_str());
    if (IsFresh && (IsSeed || IsUnwanted))
      return createStringError("parameter '%s' of '%s' is in --fresh, for "
                               "inputs, and in --seed or --noneed, for results",
                               Name.c_str(), sourceName(K).c_str());
    if (IsUnwanted && !Written.count(I))
      return createStringError("parameter '%s' of '%s' is only read; --noneed "
                               "is for results",
                               Name.c_str(), sourceName(K).c_str());
    Marks[I] = IsFresh                ? Mark::Fresh
               : IsSeed && IsUnwanted ? Mark::SeedNoNeed
               : IsSeed               ? Mark::Seed
                                      : Mark::NoNeed;
  }
  return Marks;
}

//===--- The kernel -------------------------------------------------------===//

/// A parameter to be: its type, its attributes, and what it is.
namespace {
struct Planned {
  Type *Ty;
  AttributeSet Attrs;
  Parameter P;
};
} // namespace

static std::string typeName(Type *T) {
  std::string Text;
  raw_string_ostream OS(Text);
  T->print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  return Text;
}

static std::vector<Planned> planParameters(const Function &K,
                                           ArrayRef<Activity> Acts,
                                           RunMode Mode, Sweep S,
                                           unsigned Width) {
  const DataLayout &DL = K.getDataLayout();
  PointerType *Pointer = PointerType::get(K.getContext(), 0);
  std::vector<Planned> List;
  if (S != Sweep::Whole)
    List.push_back({Pointer,
                    {},
                    {"tape", typeName(Pointer), Role::Tape, 0,
                     DL.getTypeAllocSize(Pointer), false}});
  for (unsigned I = 0; I != K.arg_size(); ++I) {
    const llvm::Argument *A = K.getArg(I);
    Type *ByVal = A->getParamByValType();
    Type *Passed = ByVal ? ByVal : A->getType();
    std::string Name = parameterName(K, I);
    bool ByValue = ByVal || !A->getType()->isPointerTy();
    List.push_back({A->getType(),
                    K.getAttributes().getParamAttrs(I),
                    {Name, typeName(Passed), Role::Primal, I,
                     DL.getTypeAllocSize(Passed), ByValue}});
    if (Acts[I] == Activity::Const)
      continue;
    bool IsTangent = Acts[I] == Activity::Active && Mode == RunMode::Forward;
    Role R = IsTangent                     ? Role::Tangent
             : Acts[I] == Activity::Active ? Role::Adjoint
                                           : Role::Shadow;
    Type *Second = IsTangent ? A->getType() : Pointer;
    for (unsigned Lane = 0; Lane != Width; ++Lane) {
      std::string Number = Width == 1 ? "" : "_" + std::to_string(Lane);
      List.push_back({Second,
                      {},
                      {"d_" + Name + Number, typeName(Second), R, I,
                       DL.getTypeAllocSize(Second), IsTangent, Lane}});
    }
  }
  return List;
}

/// What holds for the primal's launches holds for the gradient's (target,
/// launch bounds); what describes its body does not.
static void copyFunctionAttributes(const Function &K, Function &G) {
  AttrBuilder B(K.getContext(), K.getAttributes().getFnAttrs());
  for (auto Kind :
       {Attribute::Memory, Attribute::NoInline, Attribute::OptimizeNone,
        Attribute::NoRecurse, Attribute::MustProgress, Attribute::WillReturn})
    B.removeAttribute(Kind);
  G.setAttributes(G.getAttributes().addFnAttributes(K.getContext(), B));
}

/// Messages about the request appear at the line of the primal.
static DebugLoc makeLocation(const Function &K, Function &G) {
  DISubprogram *SP = K.getSubprogram();
  if (!SP)
    return DebugLoc();
  DIBuilder B(*G.getParent(), /*AllowUnresolved=*/false, SP->getUnit());
  DISubprogram *New = B.createFunction(
      SP->getFile(), G.getName(), G.getName(), SP->getFile(), SP->getLine(),
      B.createSubroutineType(B.getOrCreateTypeArray({})), SP->getLine(),
      DINode::FlagArtificial, DISubprogram::SPFlagDefinition);
  B.finalizeSubprogram(New);
  G.setSubprogram(New);
  return DILocation::get(K.getContext(), SP->getLine(), 0, New);
}

static bool usesDynamicShared(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &G) {
    return G.isDeclaration() && G.getAddressSpace() == nvptx::Shared &&
           !G.use_empty();
  });
}

/// What stands before a parameter in the request.
static StringRef markerOf(Activity A, Mark M, RunMode Mode) {
  bool IsForward = Mode == RunMode::Forward;
  if (A == Activity::Const)
    return "kd_const";
  if (A == Activity::Active)
    return IsForward ? "kd_dup" : "kd_acc";
  switch (M) {
  case Mark::None:
    return "kd_dup";
  case Mark::NoNeed:
    return "kd_dupnoneed";
  case Mark::Seed:
    return IsForward ? "kd_dup" : "kd_seed";
  case Mark::SeedNoNeed:
    return IsForward ? "kd_dupnoneed" : "kd_seednoneed";
  case Mark::Fresh:
    return IsForward ? "kd_dup" : "kd_fresh";
  }
  llvm_unreachable("all marks handled");
}

Signature addGradientKernel(Function &K, ArrayRef<Activity> Acts,
                            ArrayRef<Mark> Marks, RunMode Mode, StringRef Name,
                            Sweep Part, unsigned Width) {
  Module &M = *K.getParent();
  LLVMContext &C = M.getContext();
  std::vector<Planned> List = planParameters(K, Acts, Mode, Part, Width);
  SmallVector<Type *> Types;
  for (const Planned &P : List)
    Types.push_back(P.Ty);
  Function *G =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false),
                       GlobalValue::ExternalLinkage, Name, M);
  G->setCallingConv(CallingConv::PTX_Kernel);
  copyFunctionAttributes(K, *G);

  IRBuilder<> B(BasicBlock::Create(C, "entry", G));
  B.SetCurrentDebugLocation(makeLocation(K, *G));
  FunctionCallee Request = M.getOrInsertFunction(
      Part == Sweep::Augmented   ? "__kd_augment"
      : Part == Sweep::Reverse   ? "__kd_reverse"
      : Mode == RunMode::Forward ? "__kd_fwddiff"
                                 : "__kd_autodiff",
      FunctionType::get(Type::getVoidTy(C), /*isVarArg=*/true));
  SmallVector<Value *> Args{&K};
  SmallVector<std::pair<unsigned, Type *>> ByVal;
  auto AddMarker = [&](StringRef Marker) {
    Args.push_back(MetadataAsValue::get(C, MDString::get(C, Marker)));
  };
  for (auto [I, P] : enumerate(List)) {
    G->getArg(I)->setName(P.P.Name);
    G->addParamAttrs(I, AttrBuilder(C, P.Attrs));
    if (P.P.R == Role::Primal) {
      if (Width != 1 && P.P.Of == 0) {
        AddMarker("kd_width");
        Args.push_back(B.getInt32(Width));
      }
      AddMarker(markerOf(Acts[P.P.Of], Marks[P.P.Of], Mode));
      if (Type *T = K.getParamByValType(P.P.Of))
        ByVal.push_back({Args.size(), T});
    }
    Args.push_back(G->getArg(I));
  }
  CallInst *Call = B.CreateCall(Request, Args);
  for (auto [Index, T] : ByVal)
    Call->addParamAttr(Index, Attribute::getWithByValType(C, T));
  B.CreateRetVoid();

  Signature S;
  S.Kernel = G->getName().str();
  S.Primal = K.getName().str();
  S.Mode = Mode;
  S.Width = Width;
  S.DynamicSharedFactor = usesDynamicShared(M) ? 1 + Width : 1;
  for (Planned &P : List)
    S.Params.push_back(std::move(P.P));
  return S;
}

/// True if a function uses \p C.
static bool isUsedByCode(const Constant &C) {
  return any_of(C.users(), [](const User *U) {
    auto *Within = dyn_cast<Constant>(U);
    return !Within || isUsedByCode(*Within);
  });
}

/// kdiff/tape.h declares the pool's variable in every file that includes it.
bool needsTape(const Module &M, ArrayRef<Signature> Split) {
#define KD_VARIABLE(Name, Symbol)                                              \
  constexpr StringLiteral Name##Variable = Symbol;
#include "kdiff/ABI.def"
  const GlobalVariable *Pool = M.getNamedGlobal(TapePoolVariable);
  return (Pool && isUsedByCode(*Pool)) ||
         any_of(Split, [&](const Signature &S) {
           return S.Mode == RunMode::Split &&
                  !M.getFunction(S.Kernel)->getArg(0)->use_empty();
         });
}

} // namespace kdiff::tool
