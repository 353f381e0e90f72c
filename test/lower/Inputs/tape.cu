// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do threads do that test the tape?
//
// Each kernel uses the abstract operations, under the names that they have in
// IR; the test lowers the module.

#define GLOBAL __attribute__((address_space(1)))
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device))
#define SREG(Name) __nvvm_read_ptx_sreg_##Name()

struct State {
  GLOBAL char *Page;
  unsigned Top, Lane;
  GLOBAL void *Pool;
};
typedef GLOBAL char *Record;

DEVICE void open(State *, void *) __asm__("kd.tape.open");
DEVICE void close(State *) __asm__("kd.tape.close");
DEVICE void begin(State *, void *) __asm__("kd.tape.begin");
DEVICE void suspend(State *, unsigned) __asm__("kd.tape.suspend");
DEVICE void resume(State *, void *, unsigned) __asm__("kd.tape.resume");
DEVICE bool exhausted(State *) __asm__("kd.tape.exhausted");
DEVICE Record push(State *, unsigned) __asm__("kd.tape.push");
DEVICE Record pop(State *, unsigned) __asm__("kd.tape.pop");
DEVICE Record field(State *, Record, unsigned,
                    unsigned) __asm__("kd.tape.field");

DEVICE static unsigned mix(unsigned A) {
  A = (A ^ (A >> 16)) * 0x7feb352du;
  A = (A ^ (A >> 15)) * 0x846ca68bu;
  return A ^ (A >> 16);
}

DEVICE static unsigned threadInGrid() {
  unsigned Block = SREG(ctaid_x) + SREG(nctaid_x) * SREG(ctaid_y);
  unsigned Threads = SREG(ntid_x) * SREG(ntid_y) * SREG(ntid_z);
  return Block * Threads + SREG(tid_x) +
         SREG(ntid_x) * (SREG(tid_y) + SREG(ntid_y) * SREG(tid_z));
}

/// Pushes a record with fields at both ends: a value, and the same value with
/// a key that only this thread's record at this depth has.
template <unsigned Bytes, class T = unsigned>
DEVICE static void put(State *S, unsigned Value, unsigned Key) {
  Record R = push(S, Bytes);
  *(GLOBAL T *)field(S, R, 0, sizeof(T)) = Value;
  *(GLOBAL T *)field(S, R, Bytes - sizeof(T), sizeof(T)) = Value ^ Key;
}

/// Takes the record off again; 1 if it is not what was pushed.
template <unsigned Bytes, class T = unsigned>
DEVICE static unsigned take(State *S, unsigned Key) {
  Record R = pop(S, Bytes);
  T First = *(GLOBAL T *)field(S, R, 0, sizeof(T));
  T Last = *(GLOBAL T *)field(S, R, Bytes - sizeof(T), sizeof(T));
  return (First ^ Last) != Key;
}

/// A record whose size, and that of its fields, depends on thread and depth:
/// lanes of a warp have different fields at the same place of their columns.
DEVICE static void putOne(State *S, unsigned Thread, unsigned Depth,
                          unsigned Value) {
  unsigned Key = mix(Thread * 65537 + Depth);
  switch (Key & 3) {
  case 0:
    return put<16, unsigned long long>(S, Value, Key);
  case 1:
    return put<52>(S, Value, Key);
  case 2:
    return put<400, unsigned short>(S, Value, Key & 0xffff);
  default:
    return put<1024>(S, Value, Key);
  }
}

DEVICE static unsigned takeOne(State *S, unsigned Thread, unsigned Depth) {
  unsigned Key = mix(Thread * 65537 + Depth);
  switch (Key & 3) {
  case 0:
    return take<16, unsigned long long>(S, Key);
  case 1:
    return take<52>(S, Key);
  case 2:
    return take<400, unsigned short>(S, Key & 0xffff);
  default:
    return take<1024>(S, Key);
  }
}

/// Goes up and down by random amounts, to at most \p MaxDepth records, Rounds
/// times, then down to the end. Out: records that were wrong; ~0: no room.
KERNEL walk(unsigned MaxDepth, unsigned Rounds, unsigned *Out) {
  State Tape, *S = &Tape;
  unsigned Thread = threadInGrid(), Random = mix(Thread), Depth = 0, Wrong = 0;
  open(S, nullptr);
  for (unsigned Round = 0; Round <= Rounds; ++Round) {
    Random = mix(Random + Round);
    unsigned Up = MaxDepth == Depth ? 0 : Random % (MaxDepth - Depth + 1);
    for (unsigned I = 0; I != Up; ++I)
      putOne(S, Thread, Depth++, Random + I);
    if (exhausted(S))
      break;
    Random = mix(Random);
    unsigned Down = Round == Rounds ? Depth : Random % (Depth + 1);
    for (unsigned I = 0; I != Down; ++I)
      Wrong += takeOne(S, Thread, --Depth);
  }
  Out[Thread] = exhausted(S) ? ~0u : Wrong;
  close(S);
}

/// Pushes \p Count (for odd threads \p OddCount) records of 1000 bytes, and
/// takes them off again if there was room.
KERNEL fill(unsigned Count, unsigned OddCount, unsigned *Out) {
  State Tape, *S = &Tape;
  unsigned Thread = threadInGrid(), N = Thread % 2 ? OddCount : Count;
  open(S, nullptr);
  for (unsigned I = 0; I != N; ++I)
    put<1000>(S, I, Thread);
  unsigned Wrong = 0;
  if (exhausted(S))
    Wrong = ~0u;
  else
    for (unsigned I = 0; I != N; ++I)
      Wrong += take<1000>(S, Thread);
  Out[Thread] = Wrong;
  close(S);
}

/// Pushes and pops on after the tape is exhausted; closes it.
KERNEL goOn(unsigned Count, unsigned *Out) {
  State Tape, *S = &Tape;
  open(S, nullptr);
  for (unsigned I = 0; I != Count; ++I)
    put<1000>(S, I, I);
  for (unsigned I = 0; I != Count; ++I)
    take<1000>(S, I);
  put<8>(S, 1, 1);
  Out[threadInGrid()] = exhausted(S);
  close(S);
}

/// Split mode: pushes up to \p Most records, as many as the thread likes, and
/// keeps them for takeBack. Out: 1 if there was no room.
KERNEL keep(void *Pool, unsigned Most, unsigned *Out) {
  State Tape, *S = &Tape;
  unsigned Thread = threadInGrid(), Count = mix(Thread) % (Most + 1);
  begin(S, Pool);
  for (unsigned I = 0; I != Count; ++I)
    putOne(S, Thread, I, Thread + I);
  Out[Thread] = exhausted(S);
  suspend(S, 7);
}

/// Out: records that were wrong; ~0: no room.
KERNEL takeBack(void *Pool, unsigned Most, unsigned *Out) {
  State Tape, *S = &Tape;
  unsigned Thread = threadInGrid(), Count = mix(Thread) % (Most + 1);
  unsigned Wrong = 0;
  resume(S, Pool, 7);
  bool Lacks = exhausted(S);
  while (!Lacks && Count)
    Wrong += takeOne(S, Thread, --Count);
  Out[Thread] = Lacks ? ~0u : Wrong;
  close(S);
}
