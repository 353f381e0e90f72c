//===- Replacement.cpp - What replaces a function -------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Replacement.h.
//
//===----------------------------------------------------------------------===//

#include "request/Replacement.h"
#include "rules/Custom.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace kdiff {

namespace {

/// A function that differentiated code names in another one.
struct Mention {
  CallBase *Call; ///< Null: its address is taken.
  Function *What; ///< Its replacement, if it has one.
};

class Within {
public:
  explicit Within(Function &By) : By(By) { collect(); }
  bool hasPointerThere() const;
  void separate();

private:
  static SmallVector<Mention, 4> mentionsIn(Instruction &I);
  bool leadsThere(const Mention &M) const {
    return M.What == &By || Leading.contains(M.What);
  }
  void collect();

  Function &By;
  /// What runs when By does, itself included, up to where By is in the place of
  /// the function that it replaces.
  SmallVector<std::pair<Function *, Mention>, 32> Mentions;
  SetVector<Function *> Leading; ///< Those that get there.
};

} // namespace

SmallVector<Mention, 4> Within::mentionsIn(Instruction &I) {
  SmallVector<Mention, 4> Found;
  auto *Call = dyn_cast<CallBase>(&I);
  for (Use &U : I.operands()) {
    auto *F = dyn_cast<Function>(U->stripPointerCastsAndAliases());
    if (!F)
      continue;
    bool IsCalled = Call && Call->isCallee(&U);
    Function *Other = IsCalled && custom::meansOriginal(*Call)
                          ? nullptr
                          : custom::replacement(*F);
    Found.push_back({IsCalled ? Call : nullptr, Other ? Other : F});
  }
  return Found;
}

void Within::collect() {
  SetVector<Function *> Running;
  Running.insert(&By);
  for (unsigned K = 0; K != Running.size(); ++K)
    for (Instruction &I : instructions(*Running[K]))
      for (const Mention &M : mentionsIn(I)) {
        Mentions.push_back({Running[K], M});
        if (!M.What->isDeclaration() && !custom::hasRule(*M.What) &&
            !custom::isInactive(*M.What))
          Running.insert(M.What);
      }
  for (bool Grows = true; Grows;) {
    Grows = false;
    for (const auto &[In, M] : Mentions)
      if (leadsThere(M))
        Grows |= Leading.insert(In);
  }
}

bool Within::hasPointerThere() const {
  return any_of(Mentions, [&](const auto &Pair) {
    return !Pair.second.Call && leadsThere(Pair.second);
  });
}

void Within::separate() {
  DenseMap<Function *, Function *> Copies{{&By, &By}};
  for (Function *F : Leading) {
    if (F == &By)
      continue;
    ValueToValueMapTy Map;
    Function *Copy = CloneFunction(F, Map);
    Copy->setName(F->getName() + ".within." + By.getName());
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copies[F] = Copy;
  }
  for (Function *F : Leading)
    for (Instruction &I : instructions(*Copies[F]))
      for (const Mention &M : mentionsIn(I)) {
        if (M.What == &By)
          custom::keepOriginal(*M.Call);
        else if (Function *Own = Copies.lookup(M.What))
          M.Call->setCalledFunction(Own);
      }
}

bool keepOriginalWithin(Function &By) {
  Within W(By);
  if (W.hasPointerThere())
    return false;
  W.separate();
  return true;
}

} // namespace kdiff
