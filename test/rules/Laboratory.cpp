//===- Laboratory.cpp - Values and partials of operations -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are value and partials computed?
//
// Specimen number i becomes kernel k<i>(ptr In, ptr Out): thread t reads a
// double an operand from In, and writes value and partials as doubles.
//
//===----------------------------------------------------------------------===//
#include "Laboratory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace kdiff::test {
namespace {

constexpr unsigned BlockSize = 64;

/// Builds the kernel of one specimen.
class KernelBuilder {
public:
  KernelBuilder(Module &M, const Specimen &S, StringRef Name)
      : S(S), B(M.getContext()), Double(B.getDoubleTy()) {
    Function *F = Function::Create(
        FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getPtrTy()}, false),
        Function::ExternalLinkage, Name, M);
    F->setCallingConv(CallingConv::PTX_Kernel);
    B.SetInsertPoint(BasicBlock::Create(M.getContext(), "", F));
    In = F->getArg(0);
    Out = F->getArg(1);
  }

  void build() {
    Value *Block = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {});
    Value *Thread = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
    Value *T = B.CreateAdd(B.CreateMul(Block, B.getInt32(BlockSize)), Thread);
    unsigned Count = S.Operands.size();
    for (unsigned K = 0; K != Count; ++K)
      Args.push_back(operand(K, slot(In, T, Count, K)));
    Value *Returned = S.Build(B, Args);
    Value *Result =
        S.Output < 0 ? Returned : B.CreateLoad(S.Result, Args[S.Output]);
    B.CreateStore(B.CreateFPCast(Result, Double), slot(Out, T, Count + 1, 0));
    for (unsigned K = 0; K != Count; ++K) {
      Value *P = S.isDifferentiable(K) ? partial(K, Returned)
                                       : ConstantFP::get(Double, 0);
      B.CreateStore(B.CreateFPCast(P, Double), slot(Out, T, Count + 1, K + 1));
    }
    B.CreateRetVoid();
  }

private:
  Value *slot(Value *Base, Value *T, unsigned Stride, unsigned K) {
    Value *Index =
        B.CreateAdd(B.CreateMul(T, B.getInt32(Stride)), B.getInt32(K));
    return B.CreateGEP(Double, Base, B.CreateSExt(Index, B.getInt64Ty()));
  }

  Value *operand(unsigned K, Value *From) {
    Type *Ty = S.Operands[K];
    if (Ty->isPointerTy())
      return B.CreateAlloca(Double);
    Value *V = B.CreateLoad(Double, From);
    return Ty->isIntegerTy() ? B.CreateFPToSI(V, Ty) : B.CreateFPCast(V, Ty);
  }

  /// Passes what needs() names and nothing else.
  Value *partial(unsigned K, Value *Returned) {
    NeedMask Needs = S.R ? needs(*S.R, K) : needs(*S.Out, S.Output, K);
    std::vector<Value *> Given(Args.size(), nullptr);
    for (unsigned I = 0; I != Args.size(); ++I)
      if (Needs >> I & 1)
        Given[I] = Args[I];
    Value *Result = Needs & ResultBit ? Returned : nullptr;
    if (S.R)
      return emitPartial(B, *S.R, K, Given, Result, S.Result, {});
    return emitPartial(B, *S.Out, S.Output, K, Given, Result, S.Result);
  }

  const Specimen &S;
  IRBuilder<> B;
  Type *Double;
  Value *In, *Out;
  std::vector<Value *> Args;
};

} // namespace

Laboratory &Laboratory::get() {
  static Laboratory L;
  return L;
}

Laboratory::Laboratory() : All(collectSpecimens(Context)) {
  Module M("rules", Context);
  M.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  for (auto [I, S] : enumerate(All))
    KernelBuilder(M, S, "k" + std::to_string(I)).build();
  Device = cantFail(simt::Device::create(M, libdevicePath()),
                    "the table's operations cannot run");
}

const Specimen *Laboratory::find(StringRef Label) const {
  auto It = find_if(All, [&](const Specimen &S) { return S.Label == Label; });
  return It == All.end() ? nullptr : &*It;
}

const Specimen &Laboratory::reference(const Specimen &S) const {
  return *find_if(All, [&](const Specimen &Other) {
    return Other.row() == S.row() && Other.Output == S.Output;
  });
}

std::vector<Measured> Laboratory::measure(const Specimen &S,
                                          ArrayRef<Point> At) {
  unsigned Count = S.Operands.size();
  unsigned Blocks = (At.size() + BlockSize - 1) / BlockSize;
  unsigned Threads = Blocks * BlockSize;
  auto *In = static_cast<double *>(
      Device->allocate(Threads * Count * sizeof(double), "in"));
  auto *Out = static_cast<double *>(
      Device->allocate(Threads * (Count + 1) * sizeof(double), "out"));
  for (unsigned T = 0; T != Threads; ++T)
    for (unsigned K = 0; K != Count; ++K)
      In[T * Count + K] = At[std::min<size_t>(T, At.size() - 1)][K];
  void *Args[] = {&In, &Out};
  std::string Name = "k" + std::to_string(&S - All.data());
  cantFail(Device->launch(Name, {Blocks}, {BlockSize}, 0, Args));
  std::vector<Measured> Result(At.size());
  for (unsigned T = 0; T != At.size(); ++T) {
    const double *Row = Out + T * (Count + 1);
    Result[T] = {Row[0], {Row + 1, Row + Count + 1}};
  }
  Device->free(In);
  Device->free(Out);
  return Result;
}

} // namespace kdiff::test
