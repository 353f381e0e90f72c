//===- Plan.cpp - Where the reverse sweep gets primal values from ---------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Plan.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Plan.h"
#include "plan/MinCut.h"
#include "plan/Needs.h"
#include "plan/Reload.h"
#include "plan/Unwanted.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace kdiff {

namespace {

/// A value in a loop is taped once an iteration: how many bytes at the top
/// level a byte in a loop stands for. Trip counts are not known; any factor
/// above a record's size keeps deep values off the tape first.
constexpr uint64_t LoopWeight = 64;

class Planner {
public:
  Planner(const Subject &S, const Activity &A, const Shadows &Sh,
          const Flow &Fl, FunctionAnalysisManager &FAM)
      : S(S), A(A), Sh(Sh), Fl(Fl), DL(S.P.F->getDataLayout()),
        FAM(FAM), LI(FAM.getResult<LoopAnalysis>(*S.P.F)), Memory(S, Sh, FAM) {
    for (auto &[Header, Shape] : S.P.Loops)
      Counters.insert(Shape.Counter);
  }

  Plan run();

private:
  bool isAtHand(Value *V, Source &From);
  bool hasExactAddress(LoadInst &Load);
  bool canRepeat(Instruction &I, bool Exact, std::string &Why);
  uint64_t tapeWeight(Value *V);
  void cut(ArrayRef<Need> Needs, bool Exact);
  void commit(Value *V, bool Exact, const Instruction *NeededBy);
  void layOut();
  void keepSeeds();
  void dropUnwanted();

  const Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  const DataLayout &DL;
  FunctionAnalysisManager &FAM;
  LoopInfo &LI;
  Reloads Memory;
  SmallPtrSet<const Value *, 8> Counters;
  /// What the cuts put on the tape, and why it is not repeated.
  DenseMap<Value *, std::string> Taped;
  Plan Result;
};

} // namespace

static uint64_t bytesOf(const Value *V, const DataLayout &DL) {
  return divideCeil(DL.getTypeSizeInBits(V->getType()).getFixedValue(), 8u);
}

static bool canTape(const Value *V) {
  Type *T = V->getType();
  return T->isSingleValueType() && !isa<ScalableVectorType>(T);
}

/// Pure instructions that always give the same result for the same operands.
static bool isRepeatableKind(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    // clang calls everything in device code convergent, rsqrtf too; a function
    // with a rule reads its operands alone.
    CallClass Class = classify(*CB);
    return Class == CallClass::Rule ||
           (Class == CallClass::Pure && !CB->isConvergent());
  }
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst, ExtractValueInst, InsertValueInst,
             ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             FreezeInst>(I);
}

/// No floating-point arithmetic would be repeated to find the address again.
bool Planner::hasExactAddress(LoadInst &Load) {
  SmallVector<Value *, 8> Work{Load.getPointerOperand()};
  SmallPtrSet<Value *, 8> Seen;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    Source From;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || isAtHand(V, From) || isa<LoadInst, PHINode>(I) ||
        Taped.contains(V) || !Seen.insert(V).second)
      continue;
    if (findRule(*I))
      return false;
    append_range(Work, I->operands());
  }
  return true;
}

bool Planner::canRepeat(Instruction &I, bool Exact, std::string &Why) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (Exact || hasExactAddress(*Load))
      return Memory.isReloadable(*Load, Why);
    Why = "its address depends on floating-point arithmetic";
    return false;
  }
  if (isa<PHINode>(I)) {
    Why = "it depends on the path taken";
    return false;
  }
  if (!isRepeatableKind(I)) {
    Why = "it cannot be computed twice";
    return false;
  }
  if (Exact && findRule(I)) {
    Why = "control flow or an address depends on it exactly";
    return false;
  }
  return true;
}

/// True if \p V needs neither the tape nor repetition.
bool Planner::isAtHand(Value *V, Source &From) {
  From = Source::Free;
  if (isa<Constant, BasicBlock, AllocaInst, MetadataAsValue>(V) ||
      Counters.contains(V))
    return true;
  if (S.S == Shape::Callee)
    return false;
  auto *I = dyn_cast<Instruction>(V);
  if (I && (S.isCut() || LI.getLoopFor(I->getParent())))
    return false;
  From = I ? Source::InScope : Source::Free;
  return true;
}

uint64_t Planner::tapeWeight(Value *V) {
  if (!canTape(V))
    return MinCut::Infinite;
  auto *I = dyn_cast<Instruction>(V);
  uint64_t Weight = bytesOf(V, DL);
  for (unsigned Depth = I ? LI.getLoopDepth(I->getParent()) : 0; Depth; --Depth)
    Weight = std::min(Weight * LoopWeight, MinCut::Infinite / 1024);
  return Weight;
}

/// Finds the fewest bytes from which all \p Needs of the given exactness can be
/// computed again.
void Planner::cut(ArrayRef<Need> Needs, bool Exact) {
  MinCut Graph;
  DenseMap<Value *, unsigned> Nodes;
  SmallVector<Value *, 32> Values, Work;
  auto NodeOf = [&](Value *V) {
    auto [It, New] = Nodes.try_emplace(V, 0);
    if (New) {
      It->second = Graph.addNode(tapeWeight(V));
      Values.push_back(V);
      Work.push_back(V);
    }
    return It->second;
  };
  Source From;
  auto IsGiven = [&](Value *V) {
    return isAtHand(V, From) || Taped.contains(V);
  };
  for (const Need &N : Needs)
    if ((N.Exact == Exact) && !IsGiven(N.V))
      Graph.addSink(NodeOf(N.V));
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    unsigned Node = Nodes.lookup(V);
    auto *I = dyn_cast<Instruction>(V);
    std::string Why;
    if (!I || !canRepeat(*I, Exact, Why)) {
      Graph.addSource(Node);
      continue;
    }
    for (Value *Operand : I->operands())
      if (!IsGiven(Operand))
        Graph.addFlow(NodeOf(Operand), Node);
  }
  for (unsigned Node : Graph.run()) {
    Value *V = Values[Node];
    std::string Why = "it is an argument";
    if (auto *I = dyn_cast<Instruction>(V))
      if (canRepeat(*I, Exact, Why))
        Why = "it is smaller than what it is computed from";
    Taped[V] = Why;
  }
}

void Planner::commit(Value *V, bool Exact, const Instruction *NeededBy) {
  Source From;
  if (isAtHand(V, From) && From == Source::Free)
    return;
  auto [It, New] = Result.Values.try_emplace(V);
  Decision &D = It->second;
  if (!New && (D.Exact || !Exact))
    return;
  if (New)
    D.NeededBy = NeededBy;
  D.Exact = Exact;
  if (isAtHand(V, From)) {
    D.From = From;
    return;
  }
  if (auto Kept = Taped.find(V); Kept != Taped.end()) {
    D.From = Source::Tape;
    D.Why = Kept->second;
    return;
  }
  auto *I = cast<Instruction>(V);
  D.From = isa<LoadInst>(I) ? Source::Reload : Source::Recompute;
  for (Value *Operand : I->operands())
    commit(Operand, Exact, NeededBy);
}

/// The scalars that make up \p V on the tape.
static void appendFields(Value *V, const DataLayout &DL,
                         SmallVectorImpl<Field> &Fields) {
  Type *T = V->getType();
  auto SizeOf = [&](Type *Scalar) {
    uint64_t Bits = DL.getTypeSizeInBits(Scalar).getFixedValue();
    return unsigned(PowerOf2Ceil(divideCeil(Bits, 8u)));
  };
  if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    for (unsigned K = 0; K != Vector->getNumElements(); ++K)
      Fields.push_back({V, int(K), 0, SizeOf(Vector->getElementType())});
    return;
  }
  Fields.push_back({V, -1, 0, SizeOf(T)});
}

static void layOutRecord(Record &R) {
  llvm::stable_sort(
      R.Fields, [](const Field &L, const Field &X) { return L.Size > X.Size; });
  for (Field &F : R.Fields) {
    F.Offset = R.Bytes;
    R.Bytes += F.Size;
  }
  R.Bytes = alignTo(R.Bytes, 8);
}

/// Collects the taped values by loop, in program order.
void Planner::layOut() {
  auto Append = [&](Value *V, BasicBlock *Header) {
    auto It = Result.Values.find(V);
    if (It != Result.Values.end() && It->second.From == Source::Tape)
      appendFields(V, DL, Result.Records[Header].Fields);
  };
  for (Argument &Arg : S.P.F->args())
    Append(&Arg, nullptr);
  for (Instruction &I : instructions(*S.P.F)) {
    Loop *L = LI.getLoopFor(I.getParent());
    Append(&I, L ? L->getHeader() : nullptr);
  }
  for (auto &[Header, R] : Result.Records)
    layOutRecord(R);
}

void Planner::keepSeeds() {
  for (Instruction &I : instructions(*S.P.F)) {
    auto *Memory = dyn_cast<MemIntrinsic>(&I);
    const Value *To = Memory ? Memory->getRawDest() : accessedPointer(I);
    const Formal *Arg = To ? S.formalOf(To) : nullptr;
    if (Arg && isSeed(Arg->Activity))
      Result.Seeded.insert(&I);
  }
}

void Planner::dropUnwanted() {
  Result.Unwanted = findUnwanted(S, &Result, FAM);
  for (const Instruction *I : Result.Unwanted)
    remark("Dropped", *I, "left out: its result is not wanted");
}

/// Calls that stay calls leave records on their caller's tape.
static bool callsDerivative(const Subject &S, const Activity &A) {
  return any_of(instructions(*S.P.F), [&](Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    return CB && classify(*CB) == CallClass::Defined && Flow::hasWork(I, A);
  });
}

/// Tells the user what is taped and why, at the source line.
static void remarkTaped(const Plan &P) {
  for (auto &[Header, R] : P.Records) {
    StringRef Each = Header ? "and iteration" : "and call";
    if (Header)
      remark("TapeRecord", Header->front(),
             "the tape's record of this loop: " + Twine(R.Bytes) +
                 " bytes a thread " + Each,
             {{"RecordBytes", R.Bytes}});
    for (const Field &F : R.Fields) {
      auto *I = dyn_cast<Instruction>(F.V);
      if (!I)
        continue;
      const Decision &D = P.Values.find(F.V)->second;
      std::string By = D.NeededBy ? D.NeededBy->getOpcodeName() : "control";
      remark("Taped", *I,
             "taped: " + Twine(F.Size) + " bytes a thread " + Each +
                 ", needed by " + By + "; " + D.Why,
             {{"Bytes", F.Size}, {"EachIteration", Header != nullptr}});
    }
  }
}

Plan Planner::run() {
  // First what control flow and addresses need; what that puts on the tape is
  // given to the rest.
  SmallVector<Need, 32> Needs = collectNeeds(S, A, Sh, Fl);
  Result.Adds = chooseAdditions(S, A, Sh, Fl, FAM);
  for (Value *Leaf : Result.Adds.EndLeaves)
    Needs.push_back({Leaf, true, nullptr});
  cut(Needs, true);
  cut(Needs, false);
  for (const Need &N : Needs)
    commit(N.V, N.Exact, N.NeededBy);
  layOut();
  keepSeeds();
  dropUnwanted();
  Result.NeedsTape = !Result.Records.empty() || callsDerivative(S, A);
  remarkTaped(Result);
  return std::move(Result);
}

uint32_t Plan::layout(const Subject &S) const {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << S.PrimalName;
  for (const Formal &Arg : S.Formals)
    OS << ' ' << toString(Arg.Activity);
  for (auto &[Header, R] : Records) {
    OS << " |" << R.Bytes;
    for (const Field &F : R.Fields)
      OS << ' ' << F.Offset << ':' << F.Size;
  }
  return std::max(uint32_t(xxh3_64bits(Text)), 1u);
}

Source Plan::sourceOf(Value *V) const {
  auto It = Values.find(V);
  return It == Values.end() ? Source::Free : It->second.From;
}

void Plan::print(raw_ostream &OS) const {
  static constexpr StringLiteral Names[] = {"free", "in scope", "recompute",
                                            "reload", "tape"};
  for (auto &[V, D] : Values) {
    OS << "  " << Names[unsigned(D.From)] << ":" << *V;
    if (D.From == Source::Tape)
      OS << "  ; " << D.Why;
    OS << "\n";
  }
  Adds.print(OS);
  for (const Instruction *I : Seeded)
    OS << "  seed kept:" << *I << "\n";
  for (const Instruction *I : Unwanted)
    OS << "  left out:" << *I << "\n";
  for (auto &[Header, R] : Records) {
    OS << "  record of ";
    if (Header)
      Header->printAsOperand(OS, false);
    else
      OS << "the function";
    OS << ": " << R.Bytes << " bytes\n";
    for (const Field &F : R.Fields) {
      OS << "    +" << F.Offset << " " << F.Size << " ";
      F.V->printAsOperand(OS, false);
      if (F.Element >= 0)
        OS << "[" << F.Element << "]";
      OS << "\n";
    }
  }
}

Plan makePlan(const Subject &S, const Activity &A, const Shadows &Sh,
              const Flow &Fl, FunctionAnalysisManager &FAM) {
  return Planner(S, A, Sh, Fl, FAM).run();
}

} // namespace kdiff
