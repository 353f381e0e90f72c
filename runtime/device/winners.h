//===- winners.h - Who put the last number into a word ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does the reverse launch know which thread
// won an atomic maximum or minimum in the augmented launch?
//
// The last part of tape.cpp. For each word that some thread raised there is a
// node, which the first of them brings: a record on its own tape. It holds the
// word's address and the largest code (of the number that was put) so far. The
// nodes are a trie of four ways by the bits of a hash of the address, which
// begins in the pool's header; nodes come in by compare-and-swap, and none
// goes before all claims are settled: until then the reverse launch only pops
// records, so that a popped node still has its content.
//
// A thread's accesses to a node that it brings happen before those of others
// by fences: node, fence, swap; peek, fence, node.
//
//===----------------------------------------------------------------------===//

namespace {

/// The words of a node; they lie in the column of the lane that brought it.
enum NodeWord : unsigned { NodeKey, NodeCode, NodeWays };

constexpr unsigned NodeWords = TapeClaimBytes / TapeRecordGranule;
static_assert(NodeWays + 4 == NodeWords, "a node has four ways");

const GLOBAL char BetweenMessage[] =
    "kdiff: a word in global memory is read or written between atomic maxima "
    "or minima of it, so that nobody can tell whose its derivative is. End the "
    "kernel before that access, or behind it.\n";
const GLOBAL char OrderMessage[] =
    "kdiff: atomic maxima and minima of one word in global memory go both "
    "ways, so that nobody can tell who put what it holds. Take one of them in "
    "a kernel of its own.\n";

INLINE GlobalWord *nodeWord(unsigned long long Node, unsigned Word) {
  return (GlobalWord *)Node + Word * TapeLanes;
}

/// Where the search for an address is.
struct Search {
  GlobalWord *Way;         ///< What leads to Node.
  unsigned long long Node; ///< 0: none yet.
  unsigned long long Hash; ///< Its highest bits tell the next way.
};

INLINE unsigned long long hashOf(unsigned long long Address) {
  return Address * 0x9E3779B97F4A7C15ull;
}

/// Goes on until the node of \p Address, or the end of the way to it, is found.
/// A node's key is its word's address and, in the lowest bits, the order of its
/// contents.
SHARED Search findNode(Search S, unsigned long long Address) {
  while (S.Node && peek(nodeWord(S.Node, NodeKey)) >> 4 != Address) {
    S.Way = nodeWord(S.Node, NodeWays + unsigned(S.Hash >> 62));
    S.Hash = S.Hash << 2 | S.Hash >> 62;
    S.Node = peek(S.Way);
    fence();
  }
  return S;
}

INLINE Search findFrom(GlobalPool *P, unsigned long long Address) {
  Search S = {(GlobalWord *)&P->Winners, peek((GlobalWord *)&P->Winners),
              hashOf(Address)};
  fence();
  return findNode(S, Address);
}

/// Brings \p Record, a node for \p Key, to where it belongs, unless the word
/// has a node. Returns the word's node.
SHARED unsigned long long bringNode(Search S, unsigned long long Record,
                                    unsigned long long Key,
                                    unsigned long long Code) {
  poke(nodeWord(Record, NodeKey), Key);
  poke(nodeWord(Record, NodeCode), Code);
  for (unsigned Way = 0; Way != 4; ++Way)
    poke(nodeWord(Record, NodeWays + Way), 0ull);
  while (!S.Node) {
    fence();
    if (swap(S.Way, S.Node, Record))
      return Record;
    fence();
    S = findNode(S, Key >> 4);
  }
  return S.Node;
}

/// Notes that \p Code was put into the word of \p Node.
SHARED void raiseNode(GlobalPool *P, unsigned long long Node,
                      unsigned long long Key, unsigned long long Code) {
  if (peek(nodeWord(Node, NodeKey)) != Key)
    failWith(OrderMessage);
  raise(nodeWord(Node, NodeCode), (TapeWord)Code);
  add(&P->Claims, 1ull);
}

} // namespace

extern "C" {

/// A claim is the address of the word's node, and whether this thread has
/// pushed a record for it: its lowest bit, which the address has not.
OPERATION unsigned long long
__kd_tape_claim(TapeState *S, unsigned long long Address, unsigned Order,
                unsigned long long Code, bool Raises) {
  if (!Raises)
    return 0;
  unsigned long long Key = Address << 4 | Order;
  Search Found = findFrom(S->Pool, Address);
  unsigned long long Pushed = 0;
  if (!Found.Node) {
    GlobalByte *Record = __kd_tape_push(S, TapeClaimBytes);
    if (S->Top == LackingTop)
      return 0;
    Pushed = 1;
    Found.Node = bringNode(
        Found, (unsigned long long)((GlobalWord *)Record + S->Lane), Key, Code);
  }
  raiseNode(S->Pool, Found.Node, Key, Code);
  return Found.Node | Pushed;
}

OPERATION bool __kd_tape_settle(TapeState *S, unsigned long long Claim,
                                unsigned long long Code) {
  if (!Claim)
    return false;
  bool Wins = peek(nodeWord(Claim & ~1ull, NodeCode)) == Code;
  if (Claim & 1)
    __kd_tape_pop(S, TapeClaimBytes);
  // The last one leaves the pool as it was.
  if (add(&S->Pool->Claims, ~0ull) == 1)
    poke(&S->Pool->Winners, 0ull);
  return Wins;
}

OPERATION void __kd_tape_watch(TapeState *S, unsigned long long Address,
                               unsigned Bytes) {
  if (!peek(&S->Pool->Winners))
    return;
  for (unsigned At = 0; At < Bytes; At += 4)
    if (findFrom(S->Pool, (Address & ~3ull) + At).Node)
      failWith(BetweenMessage);
}

} // extern "C"
