//===- Polynomials.h - Integers as sums of products ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which sum of products of unknowns is an integer
// or an address, and what would it be in another thread?
//
// Additions, subtractions and multiplications wrap around, so that what is
// equal as a polynomial modulo 2^n is equal, whatever the unknowns are. (LLVM's
// ScalarEvolution keeps (y + 1) * width as a product.)
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_POLYNOMIALS_H
#define KDIFF_ANALYSIS_POLYNOMIALS_H

#include "analysis/LaunchIndex.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace llvm {
class DataLayout;
class Instruction;
class Value;
} // namespace llvm

namespace kdiff {

/// A product of unknowns, by their numbers in ascending order; empty: 1.
using Factors = std::vector<unsigned>;

/// Factors by products, modulo 2^Bits; sign-extended from there, none of them
/// zero.
struct Polynomial {
  unsigned Bits = 64;
  std::map<Factors, int64_t> Terms = {};

  void add(const Factors &Of, int64_t Factor);
  bool operator<(const Polynomial &Other) const {
    return std::pair(Bits, Terms) < std::pair(Other.Bits, Other.Terms);
  }
  bool operator==(const Polynomial &Other) const = default;
};
Polynomial sum(Polynomial X, const Polynomial &Y, int64_t Times = 1);
Polynomial product(const Polynomial &X, const Polynomial &Y);

/// True if \p V is the same in all threads whose indices differ in those
/// dimensions alone for which \p Differs is set: if it is arithmetic of
/// arguments, sizes and indices in the others.
bool isSameForThreads(const llvm::Value *V,
                      const std::array<bool, Dimensions> &Differs);

/// What the unknowns of a function are.
class Unknowns {
public:
  enum class Trust {
    Exact,   ///< Polynomials are what the values are.
    Defined, ///< Where these are not undefined.
    Likely   ///< Extensions of sums are taken for sums of extensions, as well.
  };
  explicit Unknowns(Trust T) : T(T) {}

  /// An integer of at most 64 bits.
  Polynomial of(const llvm::Value *V);
  /// \p Address as a distance in bytes from \p Root.
  Polynomial ofAddress(const llvm::Value *Address, const llvm::DataLayout &DL,
                       const llvm::Value *&Root);

  /// \p P in the thread that is \p By further in the launch, which exists and
  /// whose index, as that of all threads, is below 2^31. \p Splits: extensions
  /// of an index are written as that of this thread and the distance (which is
  /// the same, but not as a polynomial). Nothing where an unknown may be
  /// another one there.
  using Shift = std::array<Polynomial, Dimensions>;
  std::optional<Polynomial> shifted(const Polynomial &P, const Shift &By,
                                    bool Splits);

  /// The number of the launch's index in a dimension.
  unsigned index(unsigned Dimension) const { return Dimension; }
  /// The value that is the unknown \p Number; null where it is none.
  const llvm::Value *value(unsigned Number) const;

private:
  /// A launch's index, a value, or the extension of a polynomial.
  struct Unknown {
    const llvm::Value *V = nullptr;
    unsigned Extension = 0; ///< Its opcode.
    Polynomial Of = {};
    bool operator<(const Unknown &Other) const {
      return std::tie(V, Extension, Of) <
             std::tie(Other.V, Other.Extension, Other.Of);
    }
  };

  Polynomial unknown(Unknown U, unsigned Bits);
  Polynomial extension(const Polynomial &P, unsigned Opcode, unsigned Bits);
  std::optional<Polynomial> ofInstruction(const llvm::Instruction &I,
                                          unsigned Bits);

  const llvm::Value *lookThrough(const llvm::Value *V) const;

  Trust T;
  unsigned Depth = 0;
  std::map<Unknown, unsigned> Numbers;
  std::vector<Unknown> All; ///< By number, from Dimensions on.
};

} // namespace kdiff
#endif // KDIFF_ANALYSIS_POLYNOMIALS_H
