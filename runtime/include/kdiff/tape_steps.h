//===- tape_steps.h - Steps of a tape that are no kernels ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the reverse of a copy, of a fill, and of
// a call of a library?
//
// Included by kdiff/launch_tape.h. A library's call has a rule: a class with
//
//   static std::string name();              // for messages
//   std::vector<kdiff::RuleBuffer> buffers() const;
//   void forward(cudaStream_t);             // the call
//   void reverse(cudaStream_t, const std::vector<void *> &at);
//
// buffers() are the device pointers that the call is given. reverse() turns the
// shadows, which the rule knows, as the rule of __kd_autodiff says: those of
// inputs are added to, those of what was overwritten are zeroed. Where it needs
// what pointer k led to before the call, it finds that at at[k], and leaves it
// as it is. Both only enqueue work in the stream. kdiff/cublas.h is an example.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TAPE_STEPS_H
#define KDIFF_TAPE_STEPS_H

#include <kdiff/launch_tape.h>

namespace kdiff {

/// A device pointer that a library's call is given.
struct RuleBuffer {
  const void *Pointer;
  bool IsNeeded;  ///< reverse() reads what it led to before the call.
  bool IsWritten; ///< The call writes there.
};

namespace detail {

/// *from += *to, *to = 0.
template <class T>
KDIFF_NO_FRAME __global__ void moveAdjoint(T *from, T *to, std::size_t count) {
  std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  from[i] += to[i];
  to[i] = 0;
}

inline std::string copyName() { return "a copy"; }
inline std::string fillName() { return "a fill"; }

/// The reverse of what overwrites memory with what is there, or with nothing.
template <class T> class MoveStep final : public Step {
public:
  /// \p From null: the adjoints of \p To end here.
  MoveStep(std::string (*Name)(), T *To, T *From, std::size_t Count)
      : Step(Name), To(To), From(From), Count(Count) {
    use(To);
    use(From);
  }
  void reverse(Tape &T_) override {
    if (!From) {
      checkTape(cudaMemsetAsync(To, 0, Count * sizeof(T), T_.stream()),
                "cudaMemsetAsync");
    } else if (Count) {
      unsigned Blocks = unsigned((Count + 255) / 256);
      void *Values[] = {&From, &To, &Count};
      launchKernel("the reverse of ", Name,
                   reinterpret_cast<const void *>(&moveAdjoint<T>), Blocks, 256,
                   Values, 0, T_.stream());
    }
  }

private:
  T *To, *From;
  std::size_t Count;
};

template <class Rule> std::string ruleName() { return Rule::name(); }

template <class Rule> class RuleStep final : public Step {
public:
  explicit RuleStep(Rule R) : Step(ruleName<Rule>), R(std::move(R)) {}
  /// True if it is to be recorded.
  bool run(Tape &T) {
    const std::vector<RuleBuffer> Given = R.buffers();
    for (const RuleBuffer &B : Given) {
      Buffer &Known = T.buffers().find(B.Pointer, Name);
      bool IsHeld = B.IsNeeded && T.mode() == TapeMode::Record;
      Held.push_back({&Known, IsHeld ? Known.Current : nullptr, B.Pointer});
      use(B.Pointer);
    }
    for (std::size_t I = 0; I != Given.size(); ++I)
      if (T.mode() == TapeMode::Look)
        T.buffers().note(*Held[I].Known, Given[I].IsWritten);
      else if (Given[I].IsWritten)
        T.buffers().overwrite(*Held[I].Known);
    if (T.mode() != TapeMode::Look)
      R.forward(T.stream());
    return T.mode() == TapeMode::Record;
  }
  void reverse(Tape &T) override {
    std::vector<void *> At;
    for (const Place &P : Held) {
      char *Start = P.Needed ? P.Needed->at(P.Known->B) : P.Known->B.Start;
      At.push_back(Start +
                   (static_cast<const char *>(P.Pointer) - P.Known->B.Start));
    }
    R.reverse(T.stream(), At);
  }

private:
  struct Place {
    Buffer *Known;
    SharedContent Needed;
    const void *Pointer;
  };
  Rule R;
  std::vector<Place> Held;
};

} // namespace detail

namespace detail {
/// Copies \p From, or with \p From null sets bytes, and records that.
template <class T>
void moveAndRecord(Tape &Of, DupArgument<T *, T *> To, const T *From,
                   T *FromShadow, int Byte, std::size_t Count) {
  static_assert(std::is_floating_point_v<T>,
                "kdiff: shadows of what is copied or set are float or double");
  Of.poll();
  auto Name = From ? copyName : fillName;
  Buffer &Written = Of.buffers().find(To.Primal, Name);
  Of.buffers().noteShadow(To.Shadow, Name);
  Of.buffers().noteShadow(FromShadow, Name);
  if (Of.mode() == TapeMode::Look) {
    Of.buffers().note(Written, true);
    if (From)
      Of.buffers().note(Of.buffers().find(From, Name), false);
    return;
  }
  Of.buffers().overwrite(Written);
  std::size_t Bytes = Count * sizeof(T);
  checkTape(From ? cudaMemcpyAsync(To.Primal, From, Bytes,
                                   cudaMemcpyDeviceToDevice, Of.stream())
                 : cudaMemsetAsync(To.Primal, Byte, Bytes, Of.stream()),
            From ? "cudaMemcpyAsync" : "cudaMemsetAsync");
  if (Of.mode() == TapeMode::Record)
    Of.push(std::make_unique<MoveStep<T>>(Name, To.Shadow, FromShadow, Count));
}
} // namespace detail

template <class T>
void Tape::copy(DupArgument<T *, T *> to, DupArgument<T *, T *> from,
                std::size_t count) {
  detail::moveAndRecord<T>(*this, to, from.Primal, from.Shadow, 0, count);
}

template <class T>
void Tape::copy(DupArgument<T *, T *> to, const T *from, std::size_t count) {
  detail::moveAndRecord<T>(*this, to, from, nullptr, 0, count);
}

template <class T>
void Tape::fill(DupArgument<T *, T *> to, int byte, std::size_t count) {
  detail::moveAndRecord<T>(*this, to, nullptr, nullptr, byte, count);
}

template <class Rule> void Tape::call(Rule rule) {
  poll();
  auto S = std::make_unique<detail::RuleStep<Rule>>(std::move(rule));
  if (S->run(*this))
    push(std::move(S));
}

} // namespace kdiff
#endif // KDIFF_TAPE_STEPS_H
