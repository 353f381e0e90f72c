//===- ReplaceRequestTest.cpp - Calls become gradients --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a request's call give the gradient its
// arguments, and get its result, whatever the two look like?
//
//===----------------------------------------------------------------------===//

#include "Analyses.h"
#include "lower/Lower.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// Lowers a module with one request of @f in @caller, for which emit is taken
/// to have made @gradient.
class ReplaceRequestTest : public testing::Test {
protected:
  /// \p Operands: the call's operands for @f's arguments, value and shadow
  /// (-1: none) by number.
  bool lower(StringRef Text, ArrayRef<std::pair<int, int>> Operands) {
    SMDiagnostic Error;
    M = parseAssemblyString(
        ("target triple = \"nvptx64-nvidia-cuda\"\n" + Text).str(), Error, C);
    EXPECT_TRUE(M) << Error.getMessage().str();
    C.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *Info, void *Messages) {
          raw_string_ostream OS(*static_cast<std::string *>(Messages));
          DiagnosticPrinterRawOStream Printer(OS);
          Info->print(Printer);
        },
        &Messages);
    Emitted E;
    E.Gradient = M->getFunction("gradient");
    E.R.Primal = M->getFunction("f");
    for (Instruction &I : M->getFunction("caller")->getEntryBlock())
      if (auto *Call = dyn_cast<CallBase>(&I))
        E.R.Call = Call;
    for (auto [Value, Shadow] : Operands) {
      ArgRequest A;
      A.Primal = E.R.Call->getArgOperand(Value);
      if (Shadow >= 0)
        A.Shadows.push_back(E.R.Call->getArgOperand(Shadow));
      E.R.Args.push_back(A);
    }
    Analyses All;
    bool Ok = kdiff::lower(*M, E, LowerOptions(), All.MAM);
    EXPECT_FALSE(verifyModule(*M, &errs()));
    return Ok;
  }

  /// The module's text.
  std::string text() {
    std::string Text;
    raw_string_ostream OS(Text);
    OS << *M;
    return Text;
  }
  bool has(StringRef Part) { return StringRef(text()).contains(Part); }

  LLVMContext C;
  std::unique_ptr<Module> M;
  std::string Messages;
};

TEST_F(ReplaceRequestTest, MarkersAndDeclarationsDisappear) {
  EXPECT_TRUE(lower(R"(
    @kd_dup = external addrspace(1) global i32
    define void @f(ptr %x) { ret void }
    declare void @__kd_autodiff(ptr, ...)
    define ptx_kernel void @caller(ptr %x, ptr %dx) {
      %m = load i32, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr)
      call void (ptr, ...) @__kd_autodiff(ptr @f, i32 %m, ptr %x, ptr %dx)
      ret void
    }
    define internal void @gradient(ptr %x, ptr %dx) {
      %v = load float, ptr %x
      store float %v, ptr %dx
      ret void
    })",
                    {{2, 3}}));
  EXPECT_EQ(M->getFunction("__kd_autodiff"), nullptr);
  EXPECT_EQ(M->getNamedGlobal("kd_dup"), nullptr);
  EXPECT_EQ(M->getFunction("gradient"), nullptr);
  EXPECT_NE(M->getFunction("f"), nullptr);
  EXPECT_TRUE(has("store float %v.i, ptr %dx")) << text();
}

TEST_F(ReplaceRequestTest, VariadicPromotionsAreUndone) {
  EXPECT_TRUE(lower(R"(
    define float @f(float %x, i8 %n) { ret float %x }
    declare double @__kd_autodiff(ptr, ...)
    define double @caller(double %x, i32 %n) {
      %d = call double (ptr, ...) @__kd_autodiff(ptr @f, double %x, i32 %n)
      ret double %d
    }
    define internal float @gradient(float %x, i8 %n) {
      %v = uitofp i8 %n to float
      %w = fmul float %x, %v
      ret float %w
    })",
                    {{1, -1}, {2, -1}}));
  EXPECT_TRUE(has("fptrunc double %x to float")) << text();
  EXPECT_TRUE(has("ret double")) << text();
}

TEST_F(ReplaceRequestTest, SeveralAdjointsFitEveryAggregate) {
  for (StringRef Type :
       {"{ double, double }", "{ { double }, double }", "[2 x double]"})
    EXPECT_TRUE(lower(
        ("define double @f(double %x, double %y) { ret double %x }"
         "declare " +
         Type +
         " @__kd_autodiff(ptr, double, double)"
         "define " +
         Type +
         " @caller(double %x, double %y) {"
         "  %d = call " +
         Type +
         " @__kd_autodiff(ptr @f, double %x, double %y)"
         "  ret " +
         Type +
         " %d }"
         "define internal { double, double } @gradient(double %x, double %y) {"
         "  %a = insertvalue { double, double } poison, double %x, 0"
         "  %b = insertvalue { double, double } %a, double %y, 1"
         "  ret { double, double } %b }")
            .str(),
        {{1, -1}, {2, -1}}))
        << Type.str();
}

TEST_F(ReplaceRequestTest, ResultInMemoryIsStored) {
  EXPECT_TRUE(lower(R"(
    define double @f(double %x, double %y) { ret double %x }
    declare void @__kd_autodiff(ptr sret({ double, double }), ptr, double, double)
    define ptx_kernel void @caller(ptr %r, double %x, double %y) {
      call void @__kd_autodiff(ptr sret({ double, double }) %r, ptr @f, double %x, double %y)
      ret void
    }
    define internal { double, double } @gradient(double %x, double %y) {
      %a = insertvalue { double, double } poison, double %y, 0
      %b = insertvalue { double, double } %a, double %x, 1
      ret { double, double } %b
    })",
                    {{2, -1}, {3, -1}}));
  EXPECT_TRUE(has("store double %y")) << text();
  EXPECT_TRUE(has("store double %x")) << text();
}

TEST_F(ReplaceRequestTest, StructsAreHandedOverByValue) {
  EXPECT_TRUE(lower(R"(
    define void @f(ptr byval({ ptr, i32 }) %s) { ret void }
    declare void @__kd_autodiff(ptr, ptr, ptr)
    define ptx_kernel void @caller(ptr byval({ ptr, i32 }) %s, ptr %d) {
      call void @__kd_autodiff(ptr @f, ptr %s, ptr %d)
      ret void
    }
    define internal void @gradient(ptr byval({ ptr, i32 }) align 8 %s, ptr %d) {
      %p = load ptr, ptr %s
      store ptr null, ptr %s
      store ptr %p, ptr %d
      ret void
    })",
                    {{1, 2}}));
  // The caller's own struct is not written.
  EXPECT_FALSE(has("store ptr null, ptr %s")) << text();
}

TEST_F(ReplaceRequestTest, AResultThatDoesNotFitIsAnError) {
  EXPECT_FALSE(lower(R"(
    define double @f(double %x) { ret double %x }
    declare float @__kd_autodiff(ptr, double)
    define float @caller(double %x) {
      %d = call float @__kd_autodiff(ptr @f, double %x)
      ret float %d
    }
    define internal double @gradient(double %x) {
      ret double %x
    })",
                     {{1, -1}}));
  EXPECT_NE(Messages.find("does not fit the derivative of 'f'"),
            std::string::npos)
      << Messages;
  EXPECT_EQ(M->getFunction("__kd_autodiff"), nullptr);
}

} // namespace
