//===- Run.cpp - kdiff run ------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a kernel leave in its buffers?
//
//===----------------------------------------------------------------------===//

#include "CaseProgram.h"
#include "cases/Memory.h"
#include "cases/Tape.h"
#include "commands/Commands.h"
#include "commands/LaunchOptions.h"
#include "compile/GradKernel.h"
#include "compile/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff::tool {

static cl::opt<unsigned> Shown("show", cl::init(16),
                               cl::desc("Elements shown of each buffer (16; 0: "
                                        "all)"),
                               cl::value_desc("N"), cl::sub(RunCommand));

static Error printBuffer(const Argument &A, Memory &Mem) {
  auto Numbers = Mem.primal(A.Name);
  if (!Numbers)
    return Numbers.takeError();
  size_t Count =
      Shown ? std::min<size_t>(Shown, Numbers->size()) : Numbers->size();
  outs() << A.Name << " =";
  for (const Number &N : ArrayRef(*Numbers).take_front(Count)) {
    if (N.IsInteger)
      outs() << ' ' << N.Integer;
    else
      outs() << ' ' << toText(N.Real);
  }
  if (Count < Numbers->size())
    outs() << " ... (" << Numbers->size() << " elements)";
  outs() << '\n';
  return Error::success();
}

static Error launchOnce(Device &D, const Launch &L, bool NeedsTape, Memory &Mem,
                        std::string &Printed) {
  std::optional<Tape> Pool;
  if (NeedsTape) {
    Expected<Tape> New = Tape::create(D);
    if (!New)
      return New.takeError();
    Pool = std::move(*New);
    if (Error E = Pool->reset(L.Grid, L.Block))
      return E;
  }
  if (Error E = D.launch(L.Kernel, L.Grid, L.Block, L.DynamicShared,
                         Mem.primalArguments(L), Printed))
    return E;
  return Pool ? Pool->check() : Error::success();
}

Expected<int> runRun() {
  Expected<Toolchain> T = toolchainFromOptions();
  if (!T)
    return T.takeError();
  Expected<LaunchOptions> L = launchFromOptions();
  if (!L)
    return L.takeError();
  Expected<ExecutorOptions> Executor = executorFromOptions();
  if (!Executor)
    return Executor.takeError();
  LLVMContext Context;
  std::string Messages;
  auto M = loadDeviceModule(L->File, *T, Context, Messages);
  if (!M)
    return M.takeError();
  showMessages(Messages);
  // Requests in the source become gradients, as the plugin makes them.
  auto Target = createTarget(**M, T->Arch);
  if (!Target)
    return Target.takeError();
  if (Error E = differentiate(**M, **Target, T->libdevice(), std::nullopt))
    return std::move(E);
  Expected<Function *> K = findKernel(**M, L->Kernel);
  if (!K)
    return K.takeError();
  ElementType Real = is_contained(T->Flags, "-DREAL=double") ? ElementType::F64
                                                             : ElementType::F32;
  std::vector<Activity> Acts((*K)->arg_size(), Activity::Const);
  Expected<Case> C = makeCase(**K, L->Args, L->Shape, Acts, Real);
  if (!C)
    return C.takeError();
  auto D = ExecutorDevice::create(**M, T->libdevice(), *Executor);
  if (!D)
    return D.takeError();
  std::optional<Memory> Mem;
  std::string Printed;
  Error Failed = (*D)->forEachSeed(mutableVariables(**M), [&]() -> Error {
    auto New = Memory::create(*C, **D, RunMode::Primal, {});
    if (!New)
      return New.takeError();
    Mem.emplace(std::move(*New));
    Printed.clear();
    return launchOnce(**D, C->Launches.front(), needsTape(**M), *Mem, Printed);
  });
  outs() << Printed;
  if (Failed)
    return std::move(Failed);
  for (const Argument &A : C->Args)
    if (A.inMemory())
      if (Error E = printBuffer(A, *Mem))
        return std::move(E);
  return 0;
}

} // namespace kdiff::tool
