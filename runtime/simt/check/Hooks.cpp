//===- Hooks.cpp - What instrumented code calls ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which functions does instrumented code call?
//
// Undefined values are followed by LLVM's MemorySanitizer in the form it has
// for kernels, where all that it needs to know of its surroundings goes
// through calls.
//
//===----------------------------------------------------------------------===//

#include "check/Hooks.h"
#include "Scheduler.h"
#include "Signals.h"
#include <bit>
#include <cstring>

using namespace llvm;
using namespace kdiff::simt;

static Checker &checker(const Thread *T) { return *T->Owner->checker(); }

static void onAccess(Thread *T, const char *Address, uint64_t Bytes,
                     uint32_t Kind, uint32_t Site) {
  RuntimeScope Scope;
  checker(T).access(*T, Address, Bytes, std::bit_cast<AccessKind>(Kind), Site);
}

static void stored(Thread *T, const char *Address, uint64_t Bytes,
                   uint32_t Site) {
  RuntimeScope Scope;
  checker(T).stored(*T, Address, Bytes, Site);
}

static void fence(Thread *T, uint32_t Reach) {
  RuntimeScope Scope;
  checker(T).fence(*T, static_cast<SyncReach>(Reach));
}

static void enterLocal(Thread *T, const char *Begin, uint64_t Bytes,
                       const char *Name) {
  RuntimeScope Scope;
  checker(T).enterLocal(*T, Begin, Bytes, Name);
}

//===--- LLVM's MemorySanitizer -------------------------------------------===//

static UndefinedState *context() {
  return &checker(Current).undefinedState(*Current);
}

static void undefinedUse(uint32_t Site) {
  RuntimeScope Scope;
  checker(Current).undefinedUse(*Current, Site);
}

namespace {
struct Places {
  void *Shadow, *Origin;
};
} // namespace

static Places loadN(const char *Address, uint64_t Bytes) {
  return {checker(Current).undefinedForLoad(Address, Bytes), nullptr};
}
static Places storeN(const char *Address, uint64_t Bytes) {
  return {checker(Current).undefinedForStore(Address, Bytes), nullptr};
}
template <unsigned Bytes> static Places load(const char *Address) {
  return loadN(Address, Bytes);
}
template <unsigned Bytes> static Places store(const char *Address) {
  return storeN(Address, Bytes);
}

static void poisonLocal(char *Begin, uint64_t Bytes, const char *) {
  memset(storeN(Begin, Bytes).Shadow, 0xFF, Bytes);
}
static void unpoisonLocal(char *Begin, uint64_t Bytes) {
  memset(storeN(Begin, Bytes).Shadow, 0, Bytes);
}

static void *copyBytes(char *To, const char *From, uint64_t Bytes) {
  memmove(storeN(To, Bytes).Shadow, loadN(From, Bytes).Shadow, Bytes);
  return memmove(To, From, Bytes);
}
static void *fillBytes(char *To, int Value, uint64_t Bytes) {
  memset(storeN(To, Bytes).Shadow, 0, Bytes);
  return memset(To, Value, Bytes);
}

template <class F> static void *address(F *Function) {
  return reinterpret_cast<void *>(Function);
}

void kdiff::simt::addCheckSymbols(SymbolList &Symbols) {
  Symbols.insert(Symbols.end(),
                 {{"kdiff_simt_access", address(onAccess)},
                  {"kdiff_simt_stored", address(stored)},
                  {"kdiff_simt_fence", address(fence)},
                  {"kdiff_simt_enter_local", address(enterLocal)},
                  {"__msan_get_context_state", address(context)},
                  {"__msan_warning", address(undefinedUse)},
                  {"__msan_poison_alloca", address(poisonLocal)},
                  {"__msan_unpoison_alloca", address(unpoisonLocal)},
                  {"__msan_memcpy", address(copyBytes)},
                  {"__msan_memmove", address(copyBytes)},
                  {"__msan_memset", address(fillBytes)},
                  {"__msan_metadata_ptr_for_load_n", address(loadN)},
                  {"__msan_metadata_ptr_for_load_1", address(load<1>)},
                  {"__msan_metadata_ptr_for_load_2", address(load<2>)},
                  {"__msan_metadata_ptr_for_load_4", address(load<4>)},
                  {"__msan_metadata_ptr_for_load_8", address(load<8>)},
                  {"__msan_metadata_ptr_for_store_n", address(storeN)},
                  {"__msan_metadata_ptr_for_store_1", address(store<1>)},
                  {"__msan_metadata_ptr_for_store_2", address(store<2>)},
                  {"__msan_metadata_ptr_for_store_4", address(store<4>)},
                  {"__msan_metadata_ptr_for_store_8", address(store<8>)}});
}
