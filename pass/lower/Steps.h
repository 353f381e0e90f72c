//===- Steps.h - The steps of the lower stage ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: into which steps does lowering fall? For the
// lower stage alone; other stages include lower/Lower.h.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_STEPS_H
#define KDIFF_LOWER_STEPS_H

#include "lower/Lower.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace llvm {
class CallBase;
class CallInst;
class Function;
class IRBuilderBase;
class LLVMContext;
class Module;
class Type;
class Value;
} // namespace llvm

namespace kdiff {

//===--- Abstract operations ----------------------------------------------===//

/// Replaces every kd.tape.* operation of \p M. Links the tape's runtime, and
/// inlines its short paths, if there was one.
void lowerTape(llvm::Module &M);

/// Replaces every operation of warps and blocks (kd.shfl.*, kd.shared.zero)
/// of \p M. Links their runtime if it is needed.
void lowerSync(llvm::Module &M);

/// Arguments of functions of \p M that are the same for all lanes of a warp:
/// those of kernels, and those of \p Gradients whose requests pass these on.
llvm::DenseSet<const llvm::Value *>
uniformArguments(llvm::Module &M, llvm::ArrayRef<Emitted> Gradients);

/// Unrolls the loops of \p F with TogetherAttribute that are of the expected
/// shape, and lets their iterations make their sums over the warp together.
/// \p Uniform: uniformArguments(). Before lowerSync().
void lowerWarpSums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   const llvm::DenseSet<const llvm::Value *> &Uniform);

/// Unrolls the loops of \p F with ChunkAttribute that are of the expected
/// shape, and puts what their iterations add together. Replaces every
/// kd.accumulate.chunk of \p F by kd.accumulate.all.
void lowerChunks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces every kd.accumulate.gathered of \p M, and links its runtime if
/// there was one. Leaves kd.accumulate.all for where it cannot be done.
void lowerGathers(llvm::Module &M);

/// Replaces every kd.stencil.add and kd.stencil.end of \p F: threads compute
/// what others would add to their own words.
void lowerStencils(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces the additions of \p M that warps or blocks make together, and links
/// their runtime if there was one. Leaves kd.accumulate of other kinds.
void lowerSums(llvm::Module &M);

/// Replaces every kd.accumulate of \p M. Contended ones become atomics on
/// whatever pointer they have, marked for finishAccumulations(), or, of
/// vectors, are left to it.
void lowerAccumulations(llvm::Module &M);

/// Gives the marked atomics of \p F, and additions to vectors, what follows
/// from their address space, once that is inferred: one instruction for a
/// vector or one for each element, block scope in shared memory, plain
/// additions in the thread's own, a test at run time where it may be either;
/// reductions where fences keep ptxas from making them.
void finishAccumulations(llvm::Function &F);

/// Lets the lanes of a warp share out the loops of \p F with ShareAttribute,
/// which are innermost, as far as they are of the expected shape: calls the
/// runtime that linkShareRuntime() links.
void shareLoopsOut(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
void linkShareRuntime(llvm::Module &M);

/// Has the ways through a join go on by themselves where each tells which
/// branch is taken behind it.
void partJoins(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces every kd.doubt of \p F, by two versions of the loop behind it where
/// that can be.
void versionLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Replaces every kd.quotient of \p F.
void lowerQuotients(llvm::Function &F);

/// Unrolls the loops of \p F that are marked with UnrollAttribute.
void unrollSegments(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Lets the lanes at hand add \p Addend to the words at \p Address together,
/// where these are four or eight doubles in global memory; else false. Calls
/// the runtime that linkLinesRuntime() links.
bool addAsLine(llvm::IRBuilderBase &B, llvm::Value *Address,
               llvm::Value *Addend);
void linkLinesRuntime(llvm::Module &M);

/// True if no thread can have memory of its own at \p Pointer.
bool isNeverOwn(const llvm::Value *Pointer);

//===--- Requests ---------------------------------------------------------===//

/// Replaces the call of each request by its gradient, inlined; erases the
/// gradients, request declarations and markers that nobody uses any more, and
/// takes erased functions out of \p Touched. False if a result does not fit
/// its call; that was reported.
bool replaceRequests(llvm::ArrayRef<Emitted> Gradients,
                     llvm::SetVector<llvm::Function *> &Touched,
                     llvm::FunctionAnalysisManager &FAM);

/// Gives functions without debug information that \p Gradients will be inlined
/// into the place of the primal in the source, if it has one. Before
/// replaceRequests().
void placeFrames(llvm::ArrayRef<Emitted> Gradients);

//===--- What the module lacks --------------------------------------------===//

/// Turns mathematical intrinsics of \p F that NVPTX cannot select
/// (llvm.cos.f64, llvm.pow.*, ...) into calls of libdevice.
void mapIntrinsics(llvm::Function &F);

/// Links the functions of libdevice that \p M declares and calls. False, with
/// a report, if there is no libdevice or it lacks one of them.
bool linkLibdevice(llvm::Module &M, llvm::StringRef Path);

/// A part of the device runtime: the bitcode \p Bytes, which outlive the
/// module. Its functions are read when they are linked.
std::unique_ptr<llvm::Module> readRuntime(llvm::ArrayRef<unsigned char> Bytes,
                                          llvm::StringRef Name,
                                          llvm::LLVMContext &C);

/// Links what \p M declares and \p Library defines, and what that needs, as
/// internal functions that any function of \p M can inline; their atomics have
/// device scope. Symbols in \p Public stay visible.
void linkNeeded(llvm::Module &M, std::unique_ptr<llvm::Module> Library,
                llvm::ArrayRef<llvm::StringRef> Public);

/// A call at \p B of a function of the runtime, which is declared if it is not.
llvm::CallInst *createRuntimeCall(llvm::IRBuilderBase &B, llvm::StringRef Name,
                                  llvm::Type *Result,
                                  llvm::ArrayRef<llvm::Value *> Args);

/// linkNeeded() of a runtime, and inlines \p Calls of its functions.
void linkInlined(llvm::Module &M, std::unique_ptr<llvm::Module> Runtime,
                 llvm::ArrayRef<llvm::CallInst *> Calls);

} // namespace kdiff
#endif // KDIFF_LOWER_STEPS_H
