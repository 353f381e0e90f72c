//===- Objects.cpp - Whose bytes are these? -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which variable does an address belong to?
//
//===----------------------------------------------------------------------===//

#include "check/Objects.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace kdiff::simt;

std::string kdiff::simt::describePlace(const char *Address, const char *Begin,
                                       size_t Bytes, const std::string &Name) {
  size_t Offset = Address - Begin;
  bool Inside = Offset < Bytes;
  return std::to_string(Inside ? Offset : Offset - Bytes) +
         (Inside ? " bytes into '" : " bytes behind '") + Name + "' (" +
         std::to_string(Bytes) + " bytes)";
}

Object &ObjectTable::add(const char *Begin, size_t Bytes, std::string Name) {
  auto At = upper_bound(Objects, Begin, [](const char *A, const Object &O) {
    return A < O.Begin;
  });
  return *Objects.insert(At, Object{Begin, Bytes, std::move(Name), nullptr});
}

Object *ObjectTable::before(const char *Address) {
  auto At = upper_bound(Objects, Address, [](const char *A, const Object &O) {
    return A < O.Begin;
  });
  return At == Objects.begin() ? nullptr : &*std::prev(At);
}

void LocalObjects::enter(Local New, const char *StackPointer) {
  while (!Live.empty() && Live.back().Begin < StackPointer)
    Live.pop_back();
  const char *End = New.Begin + New.Bytes;
  erase_if(Live, [&](const Local &L) {
    return L.Begin < End && New.Begin < L.Begin + L.Bytes;
  });
  auto At = lower_bound(Live, New.Begin, [](const Local &L, const char *A) {
    return L.Begin > A;
  });
  Live.insert(At, New);
}

const LocalObjects::Local *LocalObjects::before(const char *Address) const {
  auto At = lower_bound(
      Live, Address, [](const Local &L, const char *A) { return L.Begin > A; });
  return At == Live.end() ? nullptr : &*At;
}

const LocalObjects::Local *LocalObjects::find(const char *Address) const {
  const Local *L = before(Address);
  return L && Address < L->Begin + L->Bytes ? L : nullptr;
}
