//===- Classify.cpp - What a call is --------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a call mean for differentiation?
//
// Tables of names and intrinsics. What no table has is Unknown (refused):
// a new intrinsic must never become inactive by default.
//
//===----------------------------------------------------------------------===//
#include "rules/Attach.h"
#include "rules/Custom.h"
#include "rules/Rules.h"
#include "rules/Spelling.h"
#include "rules/Table.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/InstrTypes.h"
#include <vector>

using namespace llvm;

namespace kdiff {
namespace {

struct NamedClass {
  CallClass Class;
  StringLiteral Names; ///< Space-separated.
};

/// Stems of libdevice without a row. What is Pure or Unknown here stays a
/// call; Bits are inlined where there is a body.
constexpr NamedClass DeviceClasses[] = {
    {CallClass::Pure, "finite isfinited isinf isinfd isnan isnand signbit "
                      "signbitd ilogb llrint llround nan "
                      "double2int double2uint double2ll double2ull "
                      "float2int float2uint float2ll float2ull"},
    // Norms of a vector in memory: their loads are within the call. prepare
    // takes them apart.
    {CallClass::Unknown, "norm rnorm"},
    {CallClass::Bits, "float_as_int float_as_uint int_as_float uint_as_float "
                      "double_as_longlong longlong_as_double half2float "
                      "float2half hiloint2double double2hiint double2loint"},
};

/// The same for functions of integers alone, inlined where there is a body.
constexpr StringLiteral DeviceIntegers =
    "abs llabs brev brevll byte_perm clz clzll ffs ffsll popc popcll "
    "min max umin umax llmin llmax ullmin ullmax mul24 umul24 mulhi umulhi "
    "mul64hi umul64hi hadd rhadd uhadd urhadd sad usad "
    "int2double uint2double ll2double ull2double "
    "int2float uint2float ll2float ull2float";

/// Names behind "llvm.nvvm.". A trailing "*" matches any rest; the first
/// match in the table counts.
constexpr NamedClass NvvmClasses[] = {
    {CallClass::Barrier, "barrier* bar.*"},
    {CallClass::Fence, "membar.* fence.*"},
    {CallClass::Warp, "shfl.* vote.* match.* redux.sync.* activemask "
                      "elect.sync"},
    {CallClass::Atomic, "atomic.*"},
    {CallClass::LoadLike, "ldg.* ldu.*"},
    {CallClass::Texture, "tex.* tld4.* suld.* sust.* txq.* suq.* istypep.* "
                         "texsurf.handle*"},
    {CallClass::Bits, "d2i.hi d2i.lo lohi.i2d bitcast.* f2h.* h2f*"},
    {CallClass::Exit, "exit"},
    // Constant for a thread.
    {CallClass::Pure,
     "read.ptx.sreg.tid.* read.ptx.sreg.ntid.* read.ptx.sreg.ctaid.* "
     "read.ptx.sreg.nctaid.* read.ptx.sreg.laneid read.ptx.sreg.lanemask.* "
     "read.ptx.sreg.warpsize read.ptx.sreg.cluster.* "
     "read.ptx.sreg.clusterid.* read.ptx.sreg.nclusterid.* "
     "read.ptx.sreg.gridid read.ptx.sreg.envreg* "
     "read.ptx.sreg.dynamic_smem_size read.ptx.sreg.total_smem_size "
     "read.ptx.sreg.aggr_smem_size is_explicit_cluster"},
    {CallClass::Inactive, "read.ptx.sreg.*"},
    // Questions about pointers.
    {CallClass::Pure, "isspacep.* getctarank* reflect"},
    // Number to integer and back.
    {CallClass::Pure, "d2i.r* d2ui.* d2ll.* d2ull.* f2i.* f2ui.* f2ll.* "
                      "f2ull.* i2d.* ui2d.* ll2d.* ull2d.* i2f.* ui2f.* "
                      "ll2f.* ull2f.*"},
    // Integers.
    {CallClass::Pure, "mulhi.* mul24.* sad.* prmt* bmsk.* fns flo.* sext.* "
                      "zext.* fshl.* fshr.* idp2a.* idp4a.* move.i* brev* "
                      "clz.* popc.* rotate.* abs.i abs.ll max.i max.ui "
                      "max.ll max.ull min.i min.ui min.ll min.ull"},
    {CallClass::Inactive, "nanosleep prefetch.* prefetchu.* applypriority.* "
                          "pm.event* compiler.* setmaxnreg.* griddepcontrol.*"},
};

/// Declared functions of the CUDA device run time.
constexpr NamedClass FunctionClasses[] = {
    {CallClass::Inactive, "vprintf printf puts putchar __assertfail "
                          "__assert_fail"},
    {CallClass::Allocation, "malloc free _Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm "
                            "_ZdaPvm"},
    {CallClass::Pure, "__nvvm_reflect kd.tree.holds"},
    {CallClass::Warp, "kd.shfl.i64 kd.block.sum.f32 kd.block.sum.f64"},
    // The store of the winner has the derivative (prepare/Extremes.cpp).
    {CallClass::Claim, "kd.claim.f32.i32.p0 kd.claim.f32.i32.p1 "
                       "kd.claim.f32.f32.p0 kd.claim.f32.f32.p1 "
                       "kd.claim.f64.i64.p0 kd.claim.f64.i64.p1 "
                       "kd.claim.f64.f64.p0 kd.claim.f64.f64.p1"},
    {CallClass::Inactive, "kd.raise.i32 kd.raise.i64 kd.raise.f32 "
                          "kd.raise.f64 kd.shared.within kd.shared.apart"},
};

SmallVector<StringRef, 64> words(StringRef Names) {
  SmallVector<StringRef, 64> Words;
  Names.split(Words, ' ', -1, false);
  return Words;
}

StringMap<CallClass> mapOf(ArrayRef<NamedClass> Table) {
  StringMap<CallClass> Map;
  for (const NamedClass &Entry : Table)
    for (StringRef Word : words(Entry.Names))
      Map.try_emplace(Word, Entry.Class);
  return Map;
}

/// The class of a libdevice function without a row; Defined if it is none or
/// is better inlined. A weak function's body may give way to that of another
/// file when device code is linked.
CallClass classifyDevice(const Function &F) {
  static const StringMap<CallClass> Classes = mapOf(DeviceClasses);
  static const StringMap<CallClass> Integers =
      mapOf(NamedClass{CallClass::Pure, DeviceIntegers});
  std::optional<Spelling> S = spellDevice(F);
  if (!S)
    return F.isDeclaration() || F.isInterposable() ? CallClass::Unknown
                                                   : CallClass::Defined;
  if (auto It = Classes.find(S->Stem); It != Classes.end())
    if (It->second != CallClass::Bits || F.isDeclaration())
      return It->second;
  if (!F.isDeclaration())
    return CallClass::Defined;
  return Integers.contains(S->Stem) ? CallClass::Pure : CallClass::Unknown;
}

CallClass classifyFunction(const Function &F) {
  if (F.isDeclaration()) {
    static const StringMap<CallClass> Classes = mapOf(FunctionClasses);
    if (auto It = Classes.find(F.getName()); It != Classes.end())
      return It->second;
  }
  return classifyDevice(F);
}

/// NvvmClasses, taken apart.
struct NvvmPattern {
  StringRef Text;
  bool IsPrefix;
  CallClass Class;
};

std::vector<NvvmPattern> nvvmPatterns() {
  std::vector<NvvmPattern> Patterns;
  for (const NamedClass &Entry : NvvmClasses)
    for (StringRef Word : words(Entry.Names)) {
      bool IsPrefix = Word.consume_back("*");
      Patterns.push_back({Word, IsPrefix, Entry.Class});
    }
  return Patterns;
}

CallClass classifyNvvm(StringRef Name) {
  static const std::vector<NvvmPattern> Patterns = nvvmPatterns();
  Name.consume_front("llvm.nvvm.");
  for (const NvvmPattern &P : Patterns)
    if (P.IsPrefix ? Name.starts_with(P.Text) : Name == P.Text)
      return P.Class;
  return CallClass::Unknown;
}

CallClass classifyIntrinsic(const Function &F) {
  switch (F.getIntrinsicID()) {
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_label:
  case Intrinsic::pseudoprobe:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::experimental_convergence_anchor:
  case Intrinsic::experimental_convergence_entry:
  case Intrinsic::experimental_convergence_loop:
  case Intrinsic::var_annotation:
  case Intrinsic::fake_use:
    return CallClass::Ignorable;
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
    return CallClass::Memory;
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
  case Intrinsic::prefetch:
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
    return CallClass::Inactive;
  case Intrinsic::convert_to_fp16:
  case Intrinsic::convert_from_fp16:
    return CallClass::Bits;
  case Intrinsic::abs:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::ctpop:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sshl_sat:
  case Intrinsic::ushl_sat:
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::is_constant:
  case Intrinsic::objectsize:
  case Intrinsic::is_fpclass:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::lrint:
  case Intrinsic::llrint:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::get_rounding:
  case Intrinsic::vscale:
    return CallClass::Pure;
  default:
    return F.getName().starts_with("llvm.nvvm.") ? classifyNvvm(F.getName())
                                                 : CallClass::Unknown;
  }
}

} // namespace

bool isClassifiedByName(const Function &F) {
  if (F.isIntrinsic() || !spellDevice(F))
    return false;
  CallClass Class = classifyDevice(F);
  return Class == CallClass::Pure || Class == CallClass::Unknown;
}

bool isCheckpointMark(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  return F && F->getName().contains("__kd_checkpoint");
}

CallClass classify(const CallBase &CB) {
  if (isPrimalOnly(CB))
    return CallClass::Inactive;
  if (CB.isInlineAsm())
    return findRule(CB) ? CallClass::Rule : CallClass::Asm;
  const Function *F = CB.getCalledFunction();
  if (!F)
    return CallClass::Indirect;
  if (isCheckpointMark(CB))
    return CallClass::Ignorable;
  if (custom::isInactive(*F))
    return CallClass::Inactive;
  if (custom::hasRule(*F))
    return CallClass::Defined;
  if (findRule(CB))
    return CallClass::Rule;
  if (findOutRule(CB))
    return CallClass::OutPointer;
  return F->isIntrinsic() ? classifyIntrinsic(*F) : classifyFunction(*F);
}

bool isBitCopy(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  if (!F)
    return false;
  if (F->getName().starts_with("llvm.nvvm.bitcast."))
    return true;
  std::optional<Spelling> S = spellDevice(*F);
  return S && F->isDeclaration() && StringRef(S->Stem).contains("_as_");
}

} // namespace kdiff
