//===- PrepareTest.cpp - The canonical form, executed -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a prepared function compute what the
// primal does, and do selectors and trip counts tell what really happened?
//
// The prepared function gets a second, naive bookkeeping: a slot for the block
// that ran before each join, a counter in memory for each loop. Both are
// compared with what Prepared says whenever the place is reached.
//
//===----------------------------------------------------------------------===//

#include "prepare/Canonical.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <array>
#include <random>

using namespace llvm;
using namespace kdiff;

namespace {

unsigned Comparisons, Mismatches;
void compare(uint64_t Told, uint64_t Seen) {
  ++Comparisons;
  Mismatches += Told != Seen;
}

/// Compares what \p P says with what happens.
class Bookkeeping {
public:
  explicit Bookkeeping(Prepared &P)
      : P(P), B(P.F->getContext()),
        Compare(P.F->getParent()->getOrInsertFunction(
            "compare", B.getVoidTy(), B.getInt64Ty(), B.getInt64Ty())) {}

  void add() {
    for (auto &[Block, J] : P.Joins)
      watchJoin(*Block, J);
    for (auto &[Header, L] : P.Loops)
      watchLoop(L);
  }

private:
  AllocaInst *slot() {
    BasicBlock &Entry = P.F->getEntryBlock();
    B.SetInsertPoint(&Entry, Entry.getFirstInsertionPt());
    return B.CreateAlloca(B.getInt64Ty());
  }

  void watchJoin(BasicBlock &Block, const Join &J) {
    AllocaInst *Ran = slot();
    for (auto [K, Pred] : enumerate(J.Preds)) {
      B.SetInsertPoint(Pred->getTerminator());
      B.CreateStore(B.getInt64(K), Ran);
    }
    compareAt(Block, J.Selector, Ran);
  }

  void watchLoop(const LoopShape &L) {
    AllocaInst *Count = slot();
    B.SetInsertPoint(L.Preheader->getTerminator());
    B.CreateStore(B.getInt64(0), Count);
    B.SetInsertPoint(L.Latch->getTerminator());
    B.CreateStore(
        B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Count), B.getInt64(1)), Count);
    compareAt(*L.Header, L.Counter, Count);
    for (auto &[Exit, Backedges] : L.BackedgesAtExit)
      compareAt(*Exit, Backedges, Count);
  }

  void compareAt(BasicBlock &Block, Value *Told, Value *Slot) {
    B.SetInsertPoint(&Block, Block.getFirstInsertionPt());
    B.CreateCall(Compare, {B.CreateZExt(Told, B.getInt64Ty()),
                           B.CreateLoad(B.getInt64Ty(), Slot)});
  }

  Prepared &P;
  IRBuilder<> B;
  FunctionCallee Compare;
};

/// The memory that both functions work on.
using Memory = std::array<int32_t, 64>;
using Entry = void (*)(int32_t *, int32_t, int32_t);

/// `void @f(ptr, i32, i32)` of \p IR, as it is and prepared.
class Pair {
public:
  explicit Pair(const std::string &IR) {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    auto Context = std::make_unique<LLVMContext>();
    SMDiagnostic Error;
    auto M = parseAssemblyString(IR, Error, *Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << " in\n" << IR;
      return;
    }
    prepareIn(*M);
    JIT = cantFail(orc::LLJITBuilder().create());
    cantFail(JIT->getMainJITDylib().define(orc::absoluteSymbols(
        {{JIT->mangleAndIntern("compare"),
          {orc::ExecutorAddr::fromPtr(&compare), JITSymbolFlags::Exported}}})));
    cantFail(JIT->addIRModule(
        orc::ThreadSafeModule(std::move(M), std::move(Context))));
    Primal = cantFail(JIT->lookup("f")).toPtr<Entry>();
    Canonical = cantFail(JIT->lookup("f.kdiff")).toPtr<Entry>();
  }

  void check(int32_t A, int32_t B, int32_t Fuel) {
    Memory M1 = {}, M2 = {};
    M1[1] = M2[1] = Fuel;
    Comparisons = Mismatches = 0;
    Primal(M1.data(), A, B);
    Canonical(M2.data(), A, B);
    EXPECT_EQ(M1, M2) << "with " << A << ", " << B << "\n" << Text;
    EXPECT_EQ(Mismatches, 0u) << "with " << A << ", " << B << "\n" << Text;
    Compared += Comparisons;
  }

  std::string Text;      ///< The prepared function, for messages.
  unsigned Compared = 0; ///< So that a test can see that it tested.
  unsigned Computed = 0; ///< Exits whose count is not just counted.

private:
  void prepareIn(Module &M) {
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
    std::optional<Prepared> P = prepare(*M.getFunction("f"), Mode::Reverse, FAM);
    ASSERT_TRUE(P);
    raw_string_ostream OS(Text);
    P->print(OS);
    P->F->print(OS);
    ASSERT_TRUE(verifyCanonical(*P, nullptr)) << Text;
    for (auto &[Header, L] : P->Loops)
      for (auto &[Exit, Backedges] : L.BackedgesAtExit)
        Computed += !isa<PHINode>(Backedges);
    Bookkeeping(*P).add();
    P->F->setLinkage(GlobalValue::ExternalLinkage);
    ASSERT_FALSE(verifyModule(M, &OS)) << Text;
  }

  std::unique_ptr<orc::LLJIT> JIT;
  Entry Primal = nullptr, Canonical = nullptr;
};

/// A function of \p Blocks blocks with random jumps between them, irreducible
/// as a rule. m[0] is a hash of the blocks that ran, m[1] the fuel left.
std::string randomJumps(unsigned Seed, unsigned Blocks) {
  std::mt19937 Random(Seed);
  auto Pick = [&](unsigned N) { return Random() % N; };
  auto Target = [&] {
    unsigned T = Pick(Blocks + 1);
    return T == Blocks ? std::string("leave") : formatv("b{0}", T).str();
  };
  std::string IR = "define void @f(ptr %m, i32 %a, i32 %b) {\n"
                   "  %fuel = getelementptr i32, ptr %m, i32 1\n"
                   "  br label %b0\n";
  for (unsigned K = 0; K != Blocks; ++K) {
    IR += formatv(R"(b{0}:
  %left{0} = load i32, ptr %fuel
  %less{0} = sub i32 %left{0}, 1
  store i32 %less{0}, ptr %fuel
  %go{0} = icmp sgt i32 %less{0}, 0
  br i1 %go{0}, label %w{0}, label %leave
w{0}:
  %h{0} = load i32, ptr %m
  %s{0} = mul i32 %h{0}, 31
  %n{0} = add i32 %s{0}, {1}
  store i32 %n{0}, ptr %m
)",
                  K, K + 1);
    // Half of the conditions can be computed ahead, half cannot.
    IR += formatv("  %v{0} = lshr i32 {1}, {2}\n", K,
                  std::array<std::string, 3>{"%a", "%b",
                                             "%n" + std::to_string(K)}[Pick(3)],
                  Pick(9));
    switch (Pick(4)) {
    case 0:
      IR += formatv("  br label %{0}\n", Target());
      break;
    case 1:
      IR += formatv("  %t{0} = and i32 %v{0}, 3\n  switch i32 %t{0}, label "
                    "%{1} [ i32 0, label %{2}\n i32 2, label %{3} ]\n",
                    K, Target(), Target(), Target());
      break;
    default:
      IR += formatv("  %c{0} = trunc i32 %v{0} to i1\n"
                    "  br i1 %c{0}, label %{1}, label %{2}\n",
                    K, Target(), Target());
    }
  }
  return IR + "leave:\n  ret void\n}\n";
}

/// A loop from %a to %b in type i\p Bits; what it counts is written to memory.
/// \p Exits: with a second way out, when the fuel is used up.
std::string countedLoop(unsigned Bits, StringRef Predicate, int Step,
                        bool BottomTest, bool Exits, StringRef Flags = "") {
  std::string Ty = "i" + std::to_string(Bits);
  std::string Cast = Bits == 32  ? "add i32 0, {0}"
                     : Bits < 32 ? "trunc i32 {0} to " + Ty
                                 : "sext i32 {0} to " + Ty;
  std::string IR = "define void @f(ptr %m, i32 %a0, i32 %b0) {\nentry:\n";
  IR += "  %a = " + formatv(Cast.c_str(), "%a0").str() + "\n";
  IR += "  %b = " + formatv(Cast.c_str(), "%b0").str() + "\n";
  IR += formatv(R"(
  %fuel = getelementptr i32, ptr %m, i32 1
  br label %head
head:
  %i = phi {0} [ %a, %entry ], [ %i.next, %latch ]
  %p = phi ptr [ %m, %entry ], [ %p.next, %latch ]
  {1}
work:
  %h = load i32, ptr %m
  %s = mul i32 %h, 31
  %w = {2}
  %n = add i32 %s, %w
  store i32 %n, ptr %m
  %left = load i32, ptr %fuel
  %less = sub i32 %left, 1
  store i32 %less, ptr %fuel
  %out = icmp sle i32 %less, 0
  %quit = and i1 %out, {3}
  %i.next = add {6} {0} %i, {4}
  %p.next = getelementptr i8, ptr %p, i64 4
  {5}
latch:
  br label %head
done:
  ret void
}
)",
                Ty,
                BottomTest ? "br label %work"
                           : formatv("%c = icmp {0} {1} %i, %b\n"
                                     "  br i1 %c, label %work, label %done",
                                     Predicate, Ty)
                                 .str(),
                Bits == 32  ? "add i32 0, %i"
                : Bits < 32 ? "zext " + Ty + " %i to i32"
                            : "trunc " + Ty + " %i to i32",
                Exits ? "true" : "false", Step,
                BottomTest
                    ? formatv("br i1 %quit, label %done, label %test\ntest:\n"
                              "  %c = icmp {0} {1} %i.next, %b\n"
                              "  br i1 %c, label %latch, label %done",
                              Predicate, Ty)
                          .str()
                    : std::string("br i1 %quit, label %done, label %latch"),
                Flags);
  return IR;
}

class Jumps : public testing::TestWithParam<unsigned> {};

TEST_P(Jumps, AreRetracedAsTheyHappened) {
  std::mt19937 Random(GetParam());
  Pair P(randomJumps(GetParam(), 3 + GetParam() % 9));
  for (unsigned K = 0; K != 40; ++K)
    P.check(int32_t(Random()), int32_t(Random()), int32_t(Random() % 60));
  EXPECT_GT(P.Compared, 0u) << P.Text;
}

INSTANTIATE_TEST_SUITE_P(Random, Jumps, testing::Range(0u, 40u));

TEST(Counting, IsExactForEveryTypeAndPredicate) {
  const int32_t Bounds[] = {0,   1,         3,         100,          127,
                            128, 250,       255,       -1,           -7,
                            -2,  INT32_MAX, INT32_MIN, INT32_MAX - 5};
  unsigned Compared = 0, Computed = 0;
  for (unsigned Bits : {8u, 32u, 64u})
    for (StringRef Predicate : {"slt", "sle", "ult", "ne", "sgt", "uge"})
      for (int Step : {1, -3})
        for (bool BottomTest : {false, true}) {
          Pair P(countedLoop(Bits, Predicate, Step, BottomTest, true));
          for (int32_t A : Bounds)
            for (int32_t B : Bounds)
              P.check(A, B, 50);
          Compared += P.Compared;
          Computed += P.Computed;
        }
  EXPECT_GT(Compared, 50000u);
  EXPECT_GT(Computed, 5u); // Otherwise only counters were compared.
}

TEST(Counting, IsExactWithOneExit) {
  unsigned Computed = 0;
  for (StringRef Predicate : {"slt", "ult", "ne", "sle"})
    for (int Step : {1, 2})
      for (bool BottomTest : {false, true}) {
        Pair P(countedLoop(32, Predicate, Step, BottomTest, false, "nsw"));
        for (int32_t A : {0, 1, 5, -8, 200, INT32_MIN})
          for (int32_t Trips : {0, 2, 4, 16, 300})
            P.check(A, A + Trips + (BottomTest ? 2 : 0), 1000);
        Computed += P.Computed;
      }
  EXPECT_GT(Computed, 10u);
}

} // namespace
