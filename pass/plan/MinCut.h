//===- MinCut.h - The cheapest set of values to keep -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which nodes, of least weight in all, separate
// what cannot be had again from what is needed?
//
// A vertex cut by maximum flow: every node is an edge of its weight between
// its two halves. (L. R. Ford and D. R. Fulkerson, "Maximal Flow Through a
// Network", 1956; shortest augmenting paths by J. Edmonds and R. M. Karp,
// 1972.)
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_MINCUT_H
#define KDIFF_PLAN_MINCUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace kdiff {

class MinCut {
public:
  static constexpr uint64_t Infinite = uint64_t(1) << 48;

  /// A node that may be cut at the cost of \p Weight; returns its number.
  unsigned addNode(uint64_t Weight);
  /// \p To can be computed only from \p From (among others).
  void addFlow(unsigned From, unsigned To);
  void addSource(unsigned Node); ///< Cannot be had again.
  void addSink(unsigned Node);   ///< Is needed.

  /// The cut nodes, ascending: of all cheapest cuts the one that lies closest
  /// to the sources.
  llvm::SmallVector<unsigned, 16> run();

private:
  struct Edge {
    unsigned To;
    uint64_t Left; ///< What may still flow.
  };
  void addEdge(unsigned From, unsigned To, uint64_t Capacity);
  bool augment();
  llvm::SmallVector<bool, 64> reachable() const;

  /// Vertices 0 and 1 are source and sink; node N is 2N+2 and 2N+3.
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 64> Out{{}, {}};
  llvm::SmallVector<Edge, 128> Edges; ///< Edge E and its reverse E ^ 1.
};

} // namespace kdiff
#endif // KDIFF_PLAN_MINCUT_H
