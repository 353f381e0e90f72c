//===- Checker.cpp - Every access, judged ---------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is what a thread does with memory allowed, and
// how is it told if not?
//
//===----------------------------------------------------------------------===//

#include "check/Checker.h"
#include "Scheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace kdiff::simt;

/// Findings that are told; more would bury the first.
static constexpr unsigned MostFindings = 20;
/// What stands in for the shadow of memory that has none.
static constexpr size_t StandInBytes = 1 << 16;

//===--- Memory that exists -----------------------------------------------===//

Error Checker::addVariable(StringRef Name, const char *Begin, size_t Bytes) {
  Object &O = Variables.add(Begin, Bytes, demangle(Name));
  O.Shadow = std::make_unique<ShadowRegion>();
  return O.Shadow->bind(Begin, std::max<size_t>(Bytes, 1), /*WithCells=*/true);
}

Error Checker::setDefined(const void *Begin, size_t Bytes, bool Defined) {
  if (Error E = GlobalShadow.bind(Global.base(), Global.capacity(), true))
    return E;
  if (GlobalShadow.contains(Begin))
    memset(GlobalShadow.undefined(Begin), Defined ? 0 : 0xFF, Bytes);
  return Error::success();
}

void Checker::onAllocate(const void *Begin, size_t Bytes) {
  memset(GlobalShadow.undefined(Begin), 0xFF, Bytes);
  // Whoever had these bytes before does not race with their new owner.
  auto *First = static_cast<const char *>(Begin);
  for (const char *A = First; A < First + Bytes; A += AccessCell::WordBytes)
    GlobalShadow.cell(A)->Generation = 0;
}

//===--- Launches, blocks, threads ----------------------------------------===//

Error Checker::startLaunch(const Launch &Launched) {
  L = &Launched;
  size_t Threads = size_t(L->Block.X) * L->Block.Y * L->Block.Z;
  if (Error E = GlobalShadow.bind(Global.base(), Global.capacity(), true))
    return E;
  if (Error E = SharedShadow.bind(Shared.data(), Shared.capacity(), true))
    return E;
  if (Error E = LocalShadow.bind(Stacks.base(), Stacks.bytes(), false))
    return E;
  Nothing.assign(StandInBytes, 0);
  Waste.assign(StandInBytes, 0);
  SharedObjects.clear();
  const char *Base = Shared.data() + ReservedShared;
  SharedObjects.add(Shared.data(), ReservedShared, "reserved shared memory");
  for (const SharedVariable &V : L->SharedVariables)
    SharedObjects.add(Base + V.Offset, V.Bytes, demangle(V.Name));
  if (L->DynamicShared)
    SharedObjects.add(Base + L->StaticShared, L->DynamicShared,
                      "dynamic shared memory");
  Orders.resize(Threads);
  Undefined.assign(Threads, UndefinedState{});
  Locals.assign(Threads, {});
  LastUndefined.assign(Threads, {});
  GlobalMail.clear();
  ++LaunchGeneration;
  Cache.fill({});
  Findings.clear();
  Count = 0;
  Told.clear();
  // Some seeds stop threads at nearly every access, others hardly ever.
  Random = L->Options.Seed * 0x9E3779B97F4A7C15 + 1;
  draw();
  PreemptionMask = 0;
  if (L->Options.Order == Schedule::Random)
    PreemptionMask = maskTrailingOnes<uint32_t>(2 + draw() % 7);
  return Error::success();
}

void Checker::startBlock(uint32_t Number) {
  Block = Number;
  ++BlockGeneration;
  SharedMail.clear();
  memset(SharedShadow.undefined(Shared.data()), 0, ReservedShared);
  memset(SharedShadow.undefined(Shared.data() + ReservedShared), 0xFF,
         L->StaticShared + L->DynamicShared);
  auto Start = std::make_shared<Clock>();
  Start->Block = Number;
  Start->Own.assign(Orders.size(), 0);
  for (auto [I, O] : enumerate(Orders))
    O.start(Start, I);
}

void Checker::startThread(const Thread &T) {
  Locals[T.Linear].clear();
  Undefined[T.Linear] = {};
  LastUndefined[T.Linear] = {};
}

uint32_t Checker::draw() { // xorshift64* (S. Vigna, 2016).
  Random ^= Random >> 12;
  Random ^= Random << 25;
  Random ^= Random >> 27;
  return Random * 0x2545F4914F6CDD1D >> 32;
}

void Checker::preempt(Thread &T) {
  if (PreemptionMask && !(draw() & PreemptionMask))
    Owner.yield(T);
}

//===--- Accesses ---------------------------------------------------------===//

void Checker::access(Thread &T, const char *Address, size_t Bytes,
                     AccessKind Kind, uint32_t Site) {
  preempt(T);
  LastAddress = Address;
  LastSite = Site;
  if (!Bytes)
    return;
  if (reinterpret_cast<uintptr_t>(Address) &
      maskTrailingOnes<uintptr_t>(Kind.LogAlign))
    Owner.failAt(T,
                 Twine("misaligned ") + (Kind.Write ? "write" : "read") +
                     " of " + Twine(Bytes) + " bytes, " + describe(T, Address) +
                     ", that must be aligned to " + Twine(1u << Kind.LogAlign) +
                     " bytes,",
                 Site);
  if (LocalShadow.contains(Address))
    return checkLocal(T, Address, Bytes, Kind, Site);
  Found F = locate(T, Address, Bytes, Kind, Site);
  AccessRecord New = {Block * uint32_t(Orders.size()) + T.Linear,
                      Orders[T.Linear].time(),
                      Site & 0xFFFFFF,
                      0,
                      Kind.Write,
                      Kind.Atomic,
                      Kind.BlockScope};
  uint32_t Generation = F.IsShared ? BlockGeneration : LaunchGeneration;
  const char *End = Address + Bytes;
  for (const char *A = Address; A < End;) {
    size_t First = reinterpret_cast<uintptr_t>(A) % AccessCell::WordBytes;
    size_t Some = std::min<size_t>(AccessCell::WordBytes - First, End - A);
    New.Bytes = maskTrailingOnes<uint32_t>(Some) << First;
    if (auto Old = recordAccess(*F.Shadow->cell(A), Generation, New,
                                Orders[T.Linear], Orders.size(), Random >> 40))
      reportRace(T, *Old, New, Address, Bytes);
    A += Some;
  }
  if (Kind.Atomic)
    synchronise(T, Address, F.IsShared, Kind);
}

Checker::Found Checker::locate(Thread &T, const char *Address, size_t Bytes,
                               AccessKind Kind, uint32_t Site) {
  Found &F = Cache[Site % Cache.size()];
  if (Address >= F.Begin && Address + Bytes <= F.End)
    return F;
  F = {};
  if (GlobalShadow.contains(Address)) {
    Arena::Place P = Global.find(Address);
    F = {P.Begin, P.Begin + P.Bytes, &GlobalShadow, false};
  } else if (SharedShadow.contains(Address)) {
    if (Object *O = SharedObjects.before(Address))
      F = {O->Begin, O->Begin + O->Bytes, &SharedShadow, true};
  } else if (Object *O = Variables.before(Address)) {
    F = {O->Begin, O->Begin + O->Bytes, O->Shadow.get(), false};
  }
  if (Address >= F.Begin && Address + Bytes <= F.End)
    return F;
  F = {};
  outOfBounds(T, Address, Bytes, Kind, Site);
}

void Checker::checkLocal(Thread &T, const char *Address, size_t Bytes,
                         AccessKind Kind, uint32_t Site) {
  if (Stacks.indexOf(Address) != T.Stack) {
    const Thread *Other = Owner.threadOnStack(Stacks.indexOf(Address));
    std::string Whose = Other ? "thread " + Owner.name(*Other) + "'s"
                              : std::string("an ended thread's");
    Owner.failAt(T,
                 Twine(Kind.Write ? "write" : "read") + " of " + Twine(Bytes) +
                     " bytes of " + Whose + " local memory",
                 Site);
  }
  auto *Local = Locals[T.Linear].find(Address);
  if (!Local || Bytes > size_t(Local->Begin + Local->Bytes - Address))
    outOfBounds(T, Address, Bytes, Kind, Site);
}

void Checker::outOfBounds(Thread &T, const char *Address, size_t Bytes,
                          AccessKind Kind, uint32_t Site) {
  Owner.failAt(T,
               Twine("out-of-bounds ") + (Kind.Write ? "write" : "read") +
                   " of " + Twine(Bytes) + " bytes, " + describe(T, Address) +
                   ",",
               Site);
}

void Checker::synchronise(Thread &T, const char *Address, bool IsShared,
                          AccessKind Kind) {
  auto Reach = Kind.BlockScope ? SyncReach::Block : SyncReach::Device;
  ThreadOrder &Order = Orders[T.Linear];
  auto &Mail = IsShared ? SharedMail : GlobalMail;
  if (Kind.Read)
    if (auto It = Mail.find(Address); It != Mail.end())
      It->second.read(Order, Reach, Kind.Acquires);
  if (Kind.Write)
    Mail[Address].write(Order, Reach, /*Keeps=*/Kind.Read, Kind.Releases);
}

//===--- Undefined values -------------------------------------------------===//

ShadowRegion *Checker::shadowOf(const char *Address) {
  for (ShadowRegion *R : {&GlobalShadow, &SharedShadow, &LocalShadow})
    if (R->contains(Address))
      return R;
  Object *O = Variables.before(Address);
  return O && O->Shadow->contains(Address) ? O->Shadow.get() : nullptr;
}

uint8_t *Checker::undefinedForLoad(const char *Address, size_t Bytes) {
  ShadowRegion *R = shadowOf(Address);
  if (!R) {
    if (Nothing.size() < Bytes)
      Nothing.resize(Bytes);
    return Nothing.data();
  }
  uint8_t *Bits = R->undefined(Address);
  if (any_of(ArrayRef(Bits, Bytes), [](uint8_t B) { return B != 0; }))
    LastUndefined[Current->Linear] = {Address,
                                      LastAddress == Address ? LastSite : 0};
  return Bits;
}

uint8_t *Checker::undefinedForStore(const char *Address, size_t Bytes) {
  if (ShadowRegion *R = shadowOf(Address))
    return R->undefined(Address);
  if (Waste.size() < Bytes)
    Waste.resize(Bytes);
  return Waste.data();
}

void Checker::stored(Thread &T, const char *Address, size_t Bytes,
                     uint32_t Site) {
  if (SharedShadow.contains(Address) || LocalShadow.contains(Address))
    return;
  ShadowRegion *R = shadowOf(Address);
  if (!R)
    return;
  // A copied structure may have padding, so some bits may be undefined.
  MutableArrayRef Bits(R->undefined(Address), Bytes);
  if (!all_of(Bits, [](uint8_t B) { return B == 0xFF; }))
    return;
  if (any_of(Scratch, [&](const Arena::Place &P) {
        return size_t(Address - P.Begin) < P.Bytes;
      }))
    return;
  fill(Bits, 0); // Told once.
  undefinedUse(T, Site);
}

void Checker::enterLocal(Thread &T, const char *Begin, size_t Bytes,
                         const char *Name) {
  auto *StackPointer = static_cast<const char *>(__builtin_frame_address(0));
  Locals[T.Linear].enter({Begin, Bytes, Name}, StackPointer);
}

//===--- Findings ---------------------------------------------------------===//

std::string Checker::describe(const Thread &T, const char *Address) const {
  if (LocalShadow.contains(Address)) {
    auto *Local = Locals[T.Linear].before(Address);
    return Local
               ? describePlace(Address, Local->Begin, Local->Bytes, Local->Name)
               : "in local memory";
  }
  auto &Table = SharedShadow.contains(Address) ? SharedObjects : Variables;
  Object *O = const_cast<ObjectTable &>(Table).before(Address);
  bool Near = O && (&Table == &SharedObjects ||
                    Address - O->Begin < ptrdiff_t(O->Bytes + 4096));
  if (!GlobalShadow.contains(Address) && Near)
    return describePlace(Address, O->Begin, O->Bytes, O->Name);
  std::string Block = Global.describe(Address);
  return Block.empty() ? Owner.describe(Address) : Block;
}

bool Checker::isNew(unsigned Kind, uint32_t A, uint32_t B) {
  return Told.insert({Kind, std::min(A, B), std::max(A, B)}).second;
}

void Checker::note(const Thread &T, const Twine &Message) {
  if (++Count > MostFindings)
    return;
  if (!Findings.empty())
    Findings += '\n';
  Findings += Count == MostFindings ? "further findings are not listed"
                                    : Owner.where(T) + ": " + Message.str();
}

void Checker::reportRace(const Thread &T, const AccessRecord &Old,
                         const AccessRecord &New, const char *Address,
                         size_t Bytes) {
  if (!isNew(0, Old.Site, New.Site))
    return;
  auto kind = [](const AccessRecord &R) {
    return std::string(R.Atomic ? "atomic " : "") +
           (R.Write ? "write" : "read");
  };
  note(T, "data race: " + kind(New) + " of " + Twine(Bytes) + " bytes, " +
              describe(T, Address) + ", at " + L->Sites[New.Site] + ", and " +
              kind(Old) + " by " +
              Owner.nameInGrid(Old.Thread / Orders.size(),
                               Old.Thread % Orders.size()) +
              " at " + L->Sites[Old.Site]);
}

void Checker::undefinedUse(Thread &T, uint32_t Site) {
  UndefinedRead &Read = LastUndefined[T.Linear];
  if (!isNew(1, Site, Site))
    return;
  std::string Where;
  if (Read.Address) {
    Where = ", last read from memory that was never written, " +
            describe(T, Read.Address);
    if (Read.Site)
      Where += ", at " + L->Sites[Read.Site];
  }
  note(T, "use of an undefined value at " + L->Sites[Site] + Where);
}

void Checker::divergentBarrier(const Thread &T, uint32_t Site,
                               const Thread &Other) {
  if (isNew(2, Site, Other.Site))
    note(T, "divergent barrier: it waits at " + L->Sites[Site] +
                ", and thread " + Owner.name(Other) + " of the same warp at " +
                L->Sites[Other.Site]);
}
