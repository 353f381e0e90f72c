//===- Checker.h - Every access, judged ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is what a thread does with memory allowed, and
// how is it told if not?
//
// An access that cannot be carried out (out of bounds, misaligned, of another
// thread's memory) ends the launch. A data race, the use of an undefined value
// and a divergent barrier are noted, each pair of places once, and the launch
// goes on; it ends with an error that lists them.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CHECK_CHECKER_H
#define KDIFF_SIMT_CHECK_CHECKER_H

#include "Context.h"
#include "Fiber.h"
#include "Memory.h"
#include "check/Access.h"
#include "check/Clock.h"
#include "check/Objects.h"
#include "check/Races.h"
#include "check/Shadow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <array>
#include <set>
#include <unordered_map>

namespace kdiff::simt {

struct Launch;

/// What instrumented code keeps for each thread on the calls' arguments; as
/// LLVM's MemorySanitizer has it for kernels (MsanContextStateTy).
struct UndefinedState {
  uint64_t Argument[100];
  uint64_t Result[100];
  uint64_t Variadic[100];
  uint64_t VariadicOrigin[100];
  uint64_t VariadicOverflow;
  uint32_t ArgumentOrigin[200];
  uint32_t ResultOrigin, Origin;
};

class Checker {
public:
  Checker(Scheduler &Owner, Arena &Global, SharedRegion &Shared,
          FiberStacks &Stacks)
      : Owner(Owner), Global(Global), Shared(Shared), Stacks(Stacks) {}

  /// A variable of the module, in the process's memory.
  llvm::Error addVariable(llvm::StringRef Name, const char *Begin,
                          size_t Bytes);
  /// Tells whether the host has written \p Bytes of global memory.
  llvm::Error setDefined(const void *Begin, size_t Bytes, bool Defined);
  /// Undefined values may be stored there.
  void addScratch(const void *Begin, size_t Bytes) {
    Scratch.push_back({static_cast<const char *>(Begin), Bytes});
  }
  void dropScratch(const void *Begin) {
    llvm::erase_if(Scratch,
                   [&](const Arena::Place &P) { return P.Begin == Begin; });
  }
  /// The device heap hands out memory, or takes it back.
  void onAllocate(const void *Begin, size_t Bytes);
  void onFree() { Cache.fill({}); }

  // The scheduler tells what happens.
  llvm::Error startLaunch(const Launch &L);
  void startBlock(uint32_t Number);
  void startThread(const Thread &T);
  void meet(llvm::ArrayRef<Thread *> Threads, llvm::ArrayRef<Stamp> Extra) {
    Meeting.clear();
    for (Thread *T : Threads)
      Meeting.push_back(&Orders[T->Linear]);
    simt::meet(Meeting, Extra);
  }
  /// \p T tells at a barrier what it did, and does not wait.
  Stamp arrive(const Thread &T) { return Orders[T.Linear].leaveStamp(); }
  void divergentBarrier(const Thread &T, uint32_t Site, const Thread &Other);

  // Instrumented code asks.
  void access(Thread &T, const char *Address, size_t Bytes, AccessKind Kind,
              uint32_t Site);
  void fence(Thread &T, SyncReach Reach) { Orders[T.Linear].fence(Reach); }
  /// Behind a store: nobody else may get to see a value that is undefined.
  void stored(Thread &T, const char *Address, size_t Bytes, uint32_t Site);
  void undefinedUse(Thread &T, uint32_t Site);
  void enterLocal(Thread &T, const char *Begin, size_t Bytes, const char *Name);
  /// The bits of memory that are undefined, for loads or stores of \p Bytes.
  uint8_t *undefinedForLoad(const char *Address, size_t Bytes);
  uint8_t *undefinedForStore(const char *Address, size_t Bytes);
  UndefinedState &undefinedState(const Thread &T) {
    return Undefined[T.Linear];
  }

  /// What was found, a line for each; empty: nothing.
  const std::string &findings() const { return Findings; }

private:
  Scheduler &Owner;
  Arena &Global;
  SharedRegion &Shared;
  FiberStacks &Stacks;
  const Launch *L = nullptr;
  ShadowRegion GlobalShadow, SharedShadow, LocalShadow;
  ObjectTable Variables, SharedObjects;
  std::vector<Arena::Place> Scratch;
  std::vector<ThreadOrder> Orders; ///< By number in the block, as below.
  std::vector<UndefinedState> Undefined;
  std::vector<LocalObjects> Locals;
  struct UndefinedRead {
    const char *Address = nullptr;
    uint32_t Site = 0;
  };
  std::vector<UndefinedRead> LastUndefined;
  std::vector<ThreadOrder *> Meeting;
  std::unordered_map<const char *, Mailbox> GlobalMail, SharedMail;
  uint32_t LaunchGeneration = 0, BlockGeneration = 0;
  uint32_t Block = 0; ///< The running one's number.
  uint32_t PreemptionMask = 0;
  uint64_t Random = 1;
  std::vector<uint8_t> Nothing, Waste; ///< Stand in where there is no shadow.

  /// Where a place in the code found its object last time.
  struct Found {
    const char *Begin = nullptr, *End = nullptr;
    ShadowRegion *Shadow = nullptr;
    bool IsShared = false;
  };
  std::array<Found, 1024> Cache;
  const char *LastAddress = nullptr; ///< Of access().
  uint32_t LastSite = 0;

  std::string Findings;
  unsigned Count = 0;
  std::set<std::array<uint32_t, 3>> Told;

  void preempt(Thread &T);
  uint32_t draw();
  Found locate(Thread &T, const char *Address, size_t Bytes, AccessKind Kind,
               uint32_t Site);
  void checkLocal(Thread &T, const char *Address, size_t Bytes, AccessKind Kind,
                  uint32_t Site);
  [[noreturn]] void outOfBounds(Thread &T, const char *Address, size_t Bytes,
                                AccessKind Kind, uint32_t Site);
  void synchronise(Thread &T, const char *Address, bool IsShared,
                   AccessKind Kind);
  void reportRace(const Thread &T, const AccessRecord &Old,
                  const AccessRecord &New, const char *Address, size_t Bytes);
  ShadowRegion *shadowOf(const char *Address);
  /// "12 bytes into 'x' (400 bytes)".
  std::string describe(const Thread &T, const char *Address) const;
  bool isNew(unsigned Kind, uint32_t A, uint32_t B);
  void note(const Thread &T, const llvm::Twine &Message);
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CHECK_CHECKER_H
