//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what must a device do so that a benchmark
// can run on it?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_BACKEND_H
#define KDIFF_BENCHMARKS_HARNESS_BACKEND_H

#include "harness/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace kdiff::bench {

/// What the driver knows about a kernel.
struct Resources {
  int Registers = 0;
  int LocalBytes = 0; ///< A thread's local memory, spills included.
};

/// A device with code loaded. Memory belongs to the device until it is freed;
/// pointers are device addresses. Work is done in order; download() waits for
/// it.
class Backend {
public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  virtual llvm::Expected<void *> allocate(size_t Bytes) = 0;
  virtual void free(void *Pointer) = 0;
  virtual llvm::Error upload(void *To, const void *From, size_t Bytes) = 0;
  virtual llvm::Error download(void *To, const void *From, size_t Bytes) = 0;
  virtual llvm::Error copy(void *To, const void *From, size_t Bytes) = 0;
  virtual llvm::Error zero(void *To, size_t Bytes) = 0;
  virtual llvm::Error launch(const std::string &Kernel, Extent Grid,
                             Extent Block, size_t DynamicShared,
                             llvm::ArrayRef<void *> Args) = 0;
  /// The address of a device variable; null where there is none.
  virtual void *symbol(const std::string &Name) = 0;
};

/// A card, which also tells times.
class CudaBackend : public Backend {
public:
  virtual llvm::Expected<Resources> resources(const std::string &Kernel) = 0;
  /// Threads of \p Kernel that the whole card can hold at a time.
  virtual llvm::Expected<uint64_t> residentThreads(const std::string &Kernel,
                                                   unsigned Block,
                                                   size_t DynamicShared) = 0;
  /// Milliseconds of device time that \p Work takes, by events.
  virtual llvm::Expected<double>
  time(llvm::function_ref<llvm::Error()> Work) = 0;
};

/// The first card, with \p Cubins loaded; a kernel is looked for in this
/// order. Fails where there is no driver or no card.
llvm::Expected<std::unique_ptr<CudaBackend>>
createCudaBackend(llvm::ArrayRef<std::string> Cubins);

/// The executor, with \p IR linked into one module; of two kernels of a name
/// the first one's stays. \p Libdevice serves what IR only declares. One at a
/// time in a process.
llvm::Expected<std::unique_ptr<Backend>>
createSimtBackend(llvm::ArrayRef<std::string> IR, llvm::StringRef Libdevice);

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_BACKEND_H
