//===- launch_tape.h - The reverse of many launches ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does host code that launches many kernels,
// which overwrite each other's data, get its gradient?
//
//   kdiff::Tape tape(stream);
//   for (int i = 0; i != steps; ++i)
//     tape.launch<step>(grid, block)(kdiff::dup(x, dx), kdiff::dup(y, dy), n);
//   tape.copy(kdiff::dup(z, dz), kdiff::dup(y, dy), n);
//   ...                   // seed dz, dy; the launches have run
//   tape.backward();      // dx holds the gradient
//
// Each step runs when it is given, and what its reverse needs is kept: either
// the kernel leaves a tape of its own (split mode), or it is run again from
// what its arguments held, copied where a later step overwrites it and the
// gradient reads it. kdiff/KernelFacts.h tells which; a kernel whose second run
// might do something else, or that reaches memory not by arguments alone, is
// split.
//
// Until backward(), what the steps' pointers lead to may be changed by steps of
// the tape alone. Shadows are the caller's, and for loop() in allocations of
// their own. backward() leaves the primal's memory as the last step did, and
// the shadows as the rule of __kd_autodiff says for all steps together.
//
// All is done in the tape's stream and on the current device, and nothing
// waits: a captured stream records steps and reverse, if the tape outlives the
// graph. What a launch lacked is thrown by a later call, or by check().
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LAUNCH_TAPE_H
#define KDIFF_LAUNCH_TAPE_H

#include <array>
#include <kdiff/DynamicShared.h>
#include <kdiff/KernelFacts.h>
#include <kdiff/buffers.h>
#include <kdiff/gradient.h>
#include <kdiff/tape_arguments.h>
#include <kdiff/tape_kernels.h>
#include <tuple>
#include <vector>

namespace kdiff {

/// What a tape does with the steps that it is given.
enum class TapeMode {
  Record, ///< Runs them, and records them for backward().
  Run,    ///< Runs them alone.
  Look    ///< Neither: notes which memory they read and write.
};

/// How the reverse of a launch gets at what the launch computed.
enum class Reversal {
  Cheaper, ///< As the facts say; see above.
  /// From a tape that the launch leaves, always: for kernels whose gradient in
  /// one launch KDiff refuses, as those with maxima in global memory.
  Split
};

struct TapeOptions {
  /// Where the length of loops is known when they run: bytes a thread keeps.
  std::size_t BytesPerThread = 4096;
};

namespace detail {

/// A pointer that a step was given, and the block that it led to.
struct Use {
  const void *Pointer;
  unsigned long long Id;
};

class Step {
public:
  explicit Step(std::string (*Name)()) : Name(Name) {}
  virtual ~Step() = default;
  virtual void reverse(Tape &T) = 0;

  /// Throws StaleBuffer if the memory of the step is not what it was.
  void checkUses() const {
    for (const Use &U : Uses)
      if (blockOf(U.Pointer).Id != U.Id)
        throw StaleBuffer("kdiff::Tape: memory that " + Name() +
                          " was given is not there any more when the tape goes "
                          "backward: free it behind backward()");
  }
  /// \p Pointer, of memory that the reverse accesses, null or not.
  void use(const void *Pointer) {
    if (Pointer)
      Uses.push_back({Pointer, blockOf(Pointer).Id});
  }
  std::string (*const Name)();

private:
  std::vector<Use> Uses;
};

template <auto K, Reversal R, class Signature> class TapeLaunch;

} // namespace detail

class Tape {
public:
  explicit Tape(cudaStream_t Stream = nullptr, TapeOptions Options = {})
      : Stream(Stream), Options(Options), Memory(Stream), Status() {}
  Tape(const Tape &) = delete;

  /// Launches \p K when it is called with the arguments of \p K, those to be
  /// differentiated marked (kdiff/gradient.h), and records it. What is marked
  /// noneed is written all the same. \p shared: what \p K itself takes.
  template <auto K, Reversal R = Reversal::Cheaper>
  detail::TapeLaunch<K, R, decltype(K)> launch(dim3 grid, dim3 block,
                                               std::size_t shared = 0) {
    return {*this, {grid, block, shared}};
  }
  template <auto K, Reversal R = Reversal::Cheaper>
  detail::TapeLaunch<K, R, decltype(K)>
  launch(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
    if (stream != Stream)
      throw std::invalid_argument(
          "kdiff::Tape: a launch was given another stream than its tape's: two "
          "streams take two tapes");
    return launch<K, R>(grid, block, shared);
  }

  /// Copies \p count elements within device memory. They do not overlap.
  template <class T>
  void copy(DupArgument<T *, T *> to, DupArgument<T *, T *> from,
            std::size_t count);
  template <class T>
  void copy(DupArgument<T *, T *> to, const T *from, std::size_t count);

  /// Sets every byte of \p count elements.
  template <class T>
  void fill(DupArgument<T *, T *> to, int byte, std::size_t count);

  /// Runs and records a step that is no kernel, by its rule
  /// (kdiff/step_rule.h).
  template <class Rule> void call(Rule rule);

  /// Gives the steps `body(tape, i)` for i = 0 ... count - 1, and keeps no more
  /// than \p bytes of device memory for all of them: what the iterations write
  /// is kept at some of them (the binomial schedule of A. Griewank and
  /// A. Walther, "Algorithm 799: revolve", ACM TOMS 26, 2000), and the
  /// iterations between are run again when the tape goes backward, each a few
  /// times. \p body is called with the same i more than once, then and now, and
  /// must give the same steps each time; what it uses must live until then.
  /// Kernels whose second run might do something else are refused.
  template <class Body> void loop(int count, std::size_t bytes, Body body);

  /// Plays the reverse of all steps, last to first, and forgets them.
  void backward() {
    poll();
    backwardTo(0);
    Memory.forgetShadows();
  }

  /// Waits for the stream, and throws what its launches lacked.
  void check() {
    detail::checkTape(cudaStreamSynchronize(Stream), "cudaStreamSynchronize");
    poll();
  }

  cudaStream_t stream() const { return Stream; }
  /// The number of steps that backward() will play.
  std::size_t size() const { return Steps.size(); }
  /// Device memory in copies of what steps have overwritten.
  std::size_t keptBytes() const { return Memory.keptBytes(); }

  //===--- For steps ------------------------------------------------------===//

  detail::Buffers &buffers() { return Memory; }
  const TapeOptions &options() const { return Options; }
  void push(std::unique_ptr<detail::Step> S) { Steps.push_back(std::move(S)); }
  /// Plays the reverse of the steps but for the first \p Count.
  void backwardTo(std::size_t Count) {
    for (std::size_t I = Count; I < Steps.size(); ++I)
      Steps[I]->checkUses();
    while (Steps.size() > Count) {
      std::unique_ptr<detail::Step> Last = std::move(Steps.back());
      Steps.pop_back();
      Last->reverse(*this);
    }
  }
  TapeMode mode() const { return Mode; }
  /// The mode before.
  TapeMode setMode(TapeMode New) { return std::exchange(Mode, New); }
  /// Throws TapeExhausted if a launch that has ended lacked tape.
  void poll() { Status.poll(); }
  detail::TapeStatus &status() { return Status; }

private:
  cudaStream_t Stream;
  TapeOptions Options;
  detail::Buffers Memory;
  detail::TapeStatus Status;
  TapeMode Mode = TapeMode::Record;
  std::vector<std::unique_ptr<detail::Step>> Steps;
};

namespace detail {

/// A launch of \p K with arguments of types \p A.
template <auto K, Reversal R, class... A> class LaunchStep final : public Step {
public:
  LaunchStep(LaunchShape Shape, A... arguments)
      : Step(kernelName<K>), Shape(Shape), Args(arguments...) {}

  /// Runs the kernel and keeps what the reverse needs. True if there is one.
  bool run(Tape &T);
  void reverse(Tape &T) override;

private:
  static constexpr std::size_t Count = sizeof...(A);
  static_assert(Count <= MaxFactArgs,
                "kdiff: the kernel has too many arguments");
  template <std::size_t... I> void find(Tape &T, std::index_sequence<I...>);
  template <std::size_t... I> void useAll(std::index_sequence<I...>);
  void look(Tape &T, const KernelFacts &Split);
  bool mustBeSplit(const KernelFacts &Again, const KernelFacts &Split) const;
  bool isSplitCheaper(const KernelFacts &Again, const KernelFacts &Split,
                      Tape &T) const;
  unsigned long long splitBytes(const KernelFacts &Split, Tape &T) const;
  void choose(Tape &T, const KernelFacts &Split);
  void overwrite(Tape &T, const KernelFacts &Split);
  void launchPrimal(Tape &T);
  void runAgain(Tape &T);
  std::ptrdiff_t relocate(Tape &T, std::size_t I, unsigned char Fact);
  template <std::size_t... I>
  void relocateAll(Tape &T, const KernelFacts &Facts, std::tuple<A...> &To,
                   std::index_sequence<I...>);
  template <class Kernel>
  void start(Tape &T, const char *What, Kernel *Function, void *Pool,
             std::tuple<A...> Arguments);

  LaunchShape Shape;
  std::tuple<A...> Args;
  std::array<const void *, Count> Pointers{}; ///< Null: leads to no memory.
  std::array<Buffer *, Count> Known{};
  std::array<SharedContent, Count> Needed; ///< To be run again.
  std::vector<DeviceMemory> Scratch;
  TapeMemory Kept; ///< Of split mode; empty where nothing is kept.
  bool IsSplit = R == Reversal::Split;
};

template <auto K, Reversal R, class... P>
class TapeLaunch<K, R, void (*)(P...)> {
public:
  TapeLaunch(Tape &T, LaunchShape Shape) : T(T), Shape(Shape) {}

  template <class... A> void operator()(A... arguments) const {
    static_assert(sizeof...(A) == sizeof...(P),
                  "kdiff: give one argument for each parameter of the kernel");
    static_assert(widthOf<A...>() <= 1, "kdiff: a kdiff::Tape has one lane: "
                                        "give each argument one shadow");
    if constexpr (sizeof...(A) == sizeof...(P) && widthOf<A...>() <= 1)
      record(fit<P, DerivativeMode::Reverse>(arguments)...);
  }

private:
  template <class... A> void record(A... arguments) const {
    T.poll();
    auto S = std::make_unique<LaunchStep<K, R, A...>>(Shape, arguments...);
    if (S->run(T))
      T.push(std::move(S));
  }
  Tape &T;
  LaunchShape Shape;
};

template <auto K, Reversal R, class... A>
template <std::size_t... I>
void LaunchStep<K, R, A...>::find(Tape &T, std::index_sequence<I...>) {
  ((Pointers[I] = memoryOf(std::get<I>(Args))), ...);
  for (std::size_t J = 0; J != Count; ++J)
    if (Pointers[J])
      Known[J] = &T.buffers().find(Pointers[J], Name);
  (T.buffers().noteShadow(shadowOf(std::get<I>(Args)), Name), ...);
}

template <auto K, Reversal R, class... A>
template <std::size_t... I>
void LaunchStep<K, R, A...>::useAll(std::index_sequence<I...>) {
  for (const void *Pointer : Pointers)
    use(Pointer);
  (use(shadowOf(std::get<I>(Args))), ...);
}

/// Whose second run might do something else, or twice what may be done once.
/// Where two arguments lead to one block that is written, the facts about each
/// do not tell what the other reads.
template <auto K, Reversal R, class... A>
bool LaunchStep<K, R, A...>::mustBeSplit(const KernelFacts &Again,
                                         const KernelFacts &Split) const {
  if (Again.Flags & (ReadsElsewhere | WritesElsewhere | NotDeterministic))
    return true;
  for (std::size_t I = 0; I != Count; ++I)
    for (std::size_t J = 0; J != I; ++J)
      if (Known[I] && Known[I] == Known[J] &&
          (Split.Args[I] | Split.Args[J]) & Writes)
        return true;
  return false;
}

template <auto K, Reversal R, class... A>
unsigned long long LaunchStep<K, R, A...>::splitBytes(const KernelFacts &Split,
                                                      Tape &T) const {
  unsigned long long Bytes = Split.TapeBytes == UnknownTapeBytes
                                 ? T.options().BytesPerThread
                                 : Split.TapeBytes;
  return tapePoolBytes(Shape.warps(), Shape.warps() * tapePagesPerWarp(Bytes),
                       /*IsSplit=*/true);
}

template <auto K, Reversal R, class... A>
bool LaunchStep<K, R, A...>::isSplitCheaper(const KernelFacts &Again,
                                            const KernelFacts &Split,
                                            Tape &T) const {
  if (!(Split.Flags & UsesTape))
    return true;
  if (Split.TapeBytes == UnknownTapeBytes)
    return false;
  unsigned long long Copied = 0;
  for (std::size_t I = 0; I != Count; ++I)
    if (Known[I] && Again.Args[I] & Reads)
      Copied += Known[I]->B.Bytes;
  return splitBytes(Split, T) < Copied;
}

/// Whether the kernel is run again, and what must be kept for that.
template <auto K, Reversal R, class... A>
void LaunchStep<K, R, A...>::choose(Tape &T, const KernelFacts &Split) {
  const KernelFacts &Again = factsOf<AgainKernel<K, A...>>(Name);
  IsSplit = mustBeSplit(Again, Split) || isSplitCheaper(Again, Split, T);
  for (std::size_t I = 0; I != Count && !IsSplit; ++I)
    if (Known[I] && Again.Args[I] & Reads)
      Needed[I] = Known[I]->Current;
}

template <auto K, Reversal R, class... A>
void LaunchStep<K, R, A...>::overwrite(Tape &T, const KernelFacts &Split) {
  if (Split.Flags & WritesElsewhere)
    T.buffers().overwriteAll();
  for (std::size_t I = 0; I != Count; ++I)
    if (Known[I] && Split.Args[I] & Writes)
      T.buffers().overwrite(*Known[I]);
}

template <auto K, Reversal R, class... A>
void LaunchStep<K, R, A...>::look(Tape &T, const KernelFacts &Split) {
  if (Split.Flags & (ReadsElsewhere | WritesElsewhere | NotDeterministic))
    throw std::invalid_argument(
        "kdiff::Tape: " + Name() +
        " cannot be part of a loop: another run of it may do something else, "
        "or it reaches memory otherwise than by its pointer arguments; give "
        "its launches without loop()");
  for (std::size_t I = 0; I != Count; ++I)
    if (Known[I])
      T.buffers().note(*Known[I], Split.Args[I] & Writes);
}

template <auto K, Reversal R, class... A>
bool LaunchStep<K, R, A...>::run(Tape &T) {
  auto All = std::index_sequence_for<A...>();
  find(T, All);
  const KernelFacts &Split = factsOf<SplitKernel<K, A...>>(Name);
  if (T.mode() == TapeMode::Look)
    return look(T, Split), false;
  if (T.mode() == TapeMode::Run) {
    overwrite(T, Split);
    launchPrimal(T);
    return false;
  }
  constexpr bool IsActive = (IsMarked<A>::value || ...);
  if constexpr (IsActive) {
    if constexpr (R == Reversal::Cheaper)
      choose(T, Split);
    useAll(All);
  }
  overwrite(T, Split);
  if (IsActive && IsSplit && Split.Flags & UsesTape) {
    Kept = TapeMemory(splitBytes(Split, T), Shape.warps(), /*IsSplit=*/true,
                      T.stream());
    start(T, "the augmented ", augmented<K, A...>, Kept.at(), Args);
    T.status().report(Kept, Name, T.stream());
  } else {
    launchPrimal(T);
  }
  return IsActive;
}

template <auto K, Reversal R, class... A>
void LaunchStep<K, R, A...>::launchPrimal(Tape &T) {
  std::apply(
      [&](auto &...arguments) {
        void *Values[] = {const_cast<void *>(static_cast<const void *>(
                              &primalOf(arguments)))...,
                          nullptr};
        launchKernel("", Name, reinterpret_cast<const void *>(K), Shape.Grid,
                     Shape.Block, Values, Shape.Shared, T.stream());
      },
      Args);
}

/// Launches a derivative: its shared memory holds the shadow of the kernel's.
template <auto K, Reversal R, class... A>
template <class Kernel>
void LaunchStep<K, R, A...>::start(Tape &T, const char *What, Kernel *Function,
                                   void *Pool, std::tuple<A...> Arguments) {
  std::apply(
      [&](auto &...arguments) {
        void *Values[] = {&Pool, &arguments...};
        launchKernel(What, Name, reinterpret_cast<const void *>(Function),
                     Shape.Grid, Shape.Block, Values,
                     dynamicSharedOfGradient(Shape.Shared), T.stream());
      },
      Arguments);
}

/// How far argument \p I must be moved to lead to what it led to, in memory
/// that the gradient may have.
template <auto K, Reversal R, class... A>
std::ptrdiff_t LaunchStep<K, R, A...>::relocate(Tape &T, std::size_t I,
                                                unsigned char Fact) {
  if (!Known[I] || !(Fact & (Reads | Writes)))
    return 0;
  char *From = Needed[I] ? Needed[I]->at(Known[I]->B) : Known[I]->B.Start;
  if (Fact & Writes) {
    std::size_t Bytes = Known[I]->B.Bytes;
    Scratch.emplace_back(Bytes, T.stream());
    if (Needed[I])
      checkTape(cudaMemcpyAsync(Scratch.back().at(), From, Bytes,
                                cudaMemcpyDeviceToDevice, T.stream()),
                "cudaMemcpyAsync");
    From = Scratch.back().at();
  }
  return From - Known[I]->B.Start;
}

template <auto K, Reversal R, class... A>
template <std::size_t... I>
void LaunchStep<K, R, A...>::relocateAll(Tape &T, const KernelFacts &Facts,
                                         std::tuple<A...> &To,
                                         std::index_sequence<I...>) {
  (move(std::get<I>(To), relocate(T, I, Facts.Args[I])), ...);
}

template <auto K, Reversal R, class... A>
void LaunchStep<K, R, A...>::runAgain(Tape &T) {
  const KernelFacts &Facts = factsOf<AgainKernel<K, A...>>(Name);
  std::tuple<A...> Moved = Args;
  relocateAll(T, Facts, Moved, std::index_sequence_for<A...>());
  TapeMemory Pool;
  if (Facts.Flags & UsesTape)
    Pool = TapeMemory(residentBytes(Facts.TapeBytes == UnknownTapeBytes
                                        ? T.options().BytesPerThread
                                        : Facts.TapeBytes,
                                    Shape.warps()),
                      Shape.warps(), /*IsSplit=*/false, T.stream());
  start(T, "the gradient of ", again<K, A...>, Pool.at(), Moved);
  if (Pool.at())
    T.status().report(Pool, Name, T.stream());
}

template <auto K, Reversal R, class... A>
void LaunchStep<K, R, A...>::reverse(Tape &T) {
  if constexpr (R == Reversal::Cheaper)
    if (!IsSplit)
      return runAgain(T);
  start(T, "the reverse of ", reversed<K, A...>, Kept.at(), Args);
  if (Kept.at())
    T.status().report(Kept, Name, T.stream());
}

} // namespace detail
} // namespace kdiff

#include <kdiff/tape_loop.h>
#include <kdiff/tape_steps.h>

#endif // KDIFF_LAUNCH_TAPE_H
