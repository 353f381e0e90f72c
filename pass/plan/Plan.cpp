//===- Plan.cpp - Where the reverse sweep gets primal values from ---------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Plan.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Plan.h"
#include "plan/Needs.h"
#include "plan/Reload.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff {

namespace {

/// Costs are in units of one arithmetic instruction of one thread. A taped
/// word is written and read once, through the L2 cache at least.
constexpr unsigned Never = 1u << 20;
constexpr unsigned TapeWordCost = 10;
constexpr unsigned ReloadCost = 4;
constexpr unsigned CallCost = 16;
constexpr unsigned DivideCost = 8;

class Planner {
public:
  Planner(const Subject &S, const Activity &A, const Shadows &Sh,
          const Flow &Fl, FunctionAnalysisManager &FAM)
      : S(S), A(A), Sh(Sh), Fl(Fl), DL(S.P.F->getDataLayout()),
        LI(FAM.getResult<LoopAnalysis>(*S.P.F)),
        Memory(S, Sh, FAM) {
    for (auto &[Header, Shape] : S.P.Loops)
      Counters.insert(Shape.Counter);
  }

  Plan run();

private:
  struct Choice {
    Source From = Source::Free;
    unsigned Cost = 0;
    std::string Why;
  };
  const Choice &choose(Value *V, bool Exact);
  Choice decide(Value *V, bool Exact);
  Choice repeat(Instruction &I, bool Exact);
  bool canRepeat(Instruction &I, bool Exact, std::string &Why);
  void commit(Value *V, bool Exact, const Instruction *NeededBy);
  void layOut();

  const Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  const DataLayout &DL;
  LoopInfo &LI;
  Reloads Memory;
  SmallPtrSet<const Value *, 8> Counters;
  DenseMap<std::pair<Value *, unsigned>, Choice> Choices;
  Plan Result;
};

} // namespace

static unsigned tapeCost(const Value *V, const DataLayout &DL) {
  Type *T = V->getType();
  if (!T->isSingleValueType() || isa<ScalableVectorType>(T))
    return Never;
  unsigned Bytes = divideCeil(
      DL.getTypeSizeInBits(T).getFixedValue(), 8u);
  return TapeWordCost * divideCeil(Bytes, 4u);
}

static unsigned operationCost(const Instruction &I) {
  if (isa<LoadInst>(I))
    return ReloadCost;
  if (isa<CallInst>(I) && !I.getType()->isVoidTy())
    return cast<CallInst>(I).getIntrinsicID() ? 2 : CallCost;
  switch (I.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return DivideCost;
  default:
    return 1;
  }
}

/// Pure instructions that always give the same result for the same operands.
static bool isRepeatableKind(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*CB);
    return (Class == CallClass::Rule || Class == CallClass::Pure) &&
           !CB->isConvergent();
  }
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst, ExtractValueInst, InsertValueInst,
             ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             FreezeInst>(I);
}

bool Planner::canRepeat(Instruction &I, bool Exact, std::string &Why) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Memory.isReloadable(*Load, Why);
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

Planner::Choice Planner::repeat(Instruction &I, bool Exact) {
  Choice C{isa<LoadInst>(I) ? Source::Reload : Source::Recompute,
           operationCost(I),
           {}};
  if (!canRepeat(I, Exact, C.Why))
    C.Cost = Never;
  else
    for (Value *Operand : I.operands()) {
      if (isa<Constant, BasicBlock>(Operand))
        continue;
      const Choice &Of = choose(Operand, Exact || isa<LoadInst>(I));
      C.Cost = std::min(Never, C.Cost + Of.Cost);
      if (Of.Cost == Never)
        C.Why = Of.Why;
    }
  if (C.Cost != Never && C.Why.empty())
    C.Why = "recomputing it costs more";
  return C;
}

Planner::Choice Planner::decide(Value *V, bool Exact) {
  if (isa<Constant>(V) || Counters.contains(V))
    return {};
  bool Combined = S.S == Shape::Request;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return Combined ? Choice{}
                    : Choice{Source::Tape, tapeCost(V, DL), "it is an argument"};
  if (isa<AllocaInst>(I))
    return {};
  if (Combined && !LI.getLoopFor(I->getParent()))
    return {Source::InScope, 0, {}};
  Choice C = repeat(*I, Exact);
  if (C.Cost <= tapeCost(V, DL) && C.Cost != Never)
    return C;
  return {Source::Tape, tapeCost(V, DL), std::move(C.Why)};
}

const Planner::Choice &Planner::choose(Value *V, bool Exact) {
  auto Key = std::make_pair(V, unsigned(Exact));
  auto It = Choices.find(Key);
  if (It == Choices.end()) {
    Choice C = decide(V, Exact);
    It = Choices.insert({Key, std::move(C)}).first;
  }
  return It->second;
}

void Planner::commit(Value *V, bool Exact, const Instruction *NeededBy) {
  if (isa<Constant>(V))
    return;
  // Copied: committing operands may grow the map.
  Choice C = choose(V, Exact);
  if (C.From == Source::Free)
    return;
  Decision &D = Result.Values[V];
  bool First = !D.NeededBy;
  if (!First && (D.Exact || !Exact || D.From == Source::Tape))
    return;
  if (First)
    D.NeededBy = NeededBy;
  D.Exact = Exact;
  D.From = C.From;
  D.Why = C.Why;
  if (C.From != Source::Recompute && C.From != Source::Reload)
    return;
  auto *I = cast<Instruction>(V);
  for (Value *Operand : I->operands())
    if (!isa<BasicBlock>(Operand))
      commit(Operand, Exact || isa<LoadInst>(I), NeededBy);
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
  llvm::stable_sort(R.Fields, [](const Field &L, const Field &X) {
    return L.Size > X.Size;
  });
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
    for (const Field &F : R.Fields) {
      auto *I = dyn_cast<Instruction>(F.V);
      if (!I)
        continue;
      const Decision &D = P.Values.find(F.V)->second;
      std::string By = D.NeededBy ? D.NeededBy->getOpcodeName() : "control";
      remark("Taped", *I,
             "taped: " + Twine(F.Size) + " bytes a thread " +
                 (Header ? "and iteration" : "and call") + ", needed by " + By +
                 "; " + D.Why);
    }
  }
}

Plan Planner::run() {
  for (const Need &N : collectNeeds(S, A, Sh, Fl))
    commit(N.V, N.Exact, N.NeededBy);
  layOut();
  Result.NeedsTape = !Result.Records.empty() || callsDerivative(S, A);
  remarkTaped(Result);
  return std::move(Result);
}

Source Plan::sourceOf(Value *V) const {
  auto It = Values.find(V);
  return It == Values.end() ? Source::Free : It->second.From;
}

Accumulation accumulationAt(const Value *Pointer, const Shadows &Sh) {
  return Sh.isPrivate(Pointer) ? Accumulation::Private
                               : Accumulation::Contended;
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
