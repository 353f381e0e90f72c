//===- MinCut.cpp - The cheapest set of values to keep --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see MinCut.h.
//
//===----------------------------------------------------------------------===//

#include "plan/MinCut.h"
#include <algorithm>

using namespace llvm;

namespace kdiff {

static constexpr unsigned Source = 0, Sink = 1;
static unsigned entry(unsigned Node) { return 2 * Node + 2; }
static unsigned exit(unsigned Node) { return 2 * Node + 3; }

void MinCut::addEdge(unsigned From, unsigned To, uint64_t Capacity) {
  Out[From].push_back(Edges.size());
  Edges.push_back({To, Capacity});
  Out[To].push_back(Edges.size());
  Edges.push_back({From, 0});
}

unsigned MinCut::addNode(uint64_t Weight) {
  unsigned Node = Out.size() / 2 - 1;
  Out.resize(Out.size() + 2);
  addEdge(entry(Node), exit(Node), Weight);
  return Node;
}

void MinCut::addFlow(unsigned From, unsigned To) {
  addEdge(exit(From), entry(To), Infinite);
}

void MinCut::addSource(unsigned Node) {
  addEdge(Source, entry(Node), Infinite);
}

void MinCut::addSink(unsigned Node) { addEdge(exit(Node), Sink, Infinite); }

/// Sends what a shortest path can take; false if there is no path.
bool MinCut::augment() {
  constexpr unsigned None = ~0u;
  SmallVector<unsigned, 64> Reached(Out.size(), None); // By which edge.
  SmallVector<unsigned, 64> Queue{Source};
  for (unsigned Next = 0; Next != Queue.size() && Reached[Sink] == None; ++Next)
    for (unsigned E : Out[Queue[Next]])
      if (Edges[E].Left && Edges[E].To != Source &&
          Reached[Edges[E].To] == None) {
        Reached[Edges[E].To] = E;
        Queue.push_back(Edges[E].To);
      }
  if (Reached[Sink] == None)
    return false;
  uint64_t Flow = Infinite;
  for (unsigned V = Sink; V != Source; V = Edges[Reached[V] ^ 1].To)
    Flow = std::min(Flow, Edges[Reached[V]].Left);
  for (unsigned V = Sink; V != Source; V = Edges[Reached[V] ^ 1].To) {
    Edges[Reached[V]].Left -= Flow;
    Edges[Reached[V] ^ 1].Left += Flow;
  }
  return true;
}

SmallVector<bool, 64> MinCut::reachable() const {
  SmallVector<bool, 64> Reached(Out.size(), false);
  SmallVector<unsigned, 64> Work{Source};
  Reached[Source] = true;
  while (!Work.empty())
    for (unsigned E : Out[Work.pop_back_val()])
      if (Edges[E].Left && !Reached[Edges[E].To]) {
        Reached[Edges[E].To] = true;
        Work.push_back(Edges[E].To);
      }
  return Reached;
}

SmallVector<unsigned, 16> MinCut::run() {
  while (augment())
    ;
  SmallVector<bool, 64> Reached = reachable();
  SmallVector<unsigned, 16> Cut;
  for (unsigned Node = 0; entry(Node) < Out.size(); ++Node)
    if (Reached[entry(Node)] && !Reached[exit(Node)])
      Cut.push_back(Node);
  return Cut;
}

} // namespace kdiff
