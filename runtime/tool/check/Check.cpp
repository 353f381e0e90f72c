//===- Check.cpp - Derivatives against difference quotients ---------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do a gradient's numbers agree with those that
// differences of the primal give?
//
//===----------------------------------------------------------------------===//

#include "check/Check.h"
#include "cases/Tape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>
#include <random>
#include <set>

using namespace llvm;

namespace kdiff::tool {

double defaultTolerance(const Case &C) {
  double Coarsest = 0;
  for (const std::string &Name : differentiableNames(C))
    for (auto [Arg, S] : slotsOf(C, Name))
      Coarsest = std::fmax(Coarsest, epsilon(S.Type));
  // 1e-3 in single, 1e-6 in double precision, 8e-3 in bfloat16.
  return Coarsest < 1e-10 ? 1e-6 : std::fmax(1e-3, Coarsest);
}

/// How large each number of the arguments is: the number itself, or what is
/// usual in its argument where it is zero, or 1.
static Vectors sizes(const Case &C, ArrayRef<std::string> Names) {
  Vectors Sizes;
  for (const std::string &Name : Names) {
    std::vector<double> &V = Sizes[Name];
    double Squares = 0;
    for (auto [Arg, S] : slotsOf(C, Name)) {
      V.push_back(std::fabs(decode(S.Type, &C.Args[Arg].Image[S.Offset]).Real));
      Squares += V.back() * V.back();
    }
    double Usual = std::sqrt(Squares / std::max<size_t>(V.size(), 1));
    for (double &Size : V)
      if (Size < 1e-3 * Usual || Size == 0)
        Size = Usual > 0 ? Usual : 1;
  }
  return Sizes;
}

/// Numbers between 0.5 and 1 of either sign, times the sizes, as they are in
/// the arguments' types.
static Vectors randomDirection(const Case &C, const Vectors &Sizes,
                               bool Inverse, std::mt19937_64 &Random) {
  Vectors Direction;
  for (const auto &[Name, SizesOfName] : Sizes)
    for (auto [Place, Size] : zip_equal(slotsOf(C, Name), SizesOfName)) {
      double U = 0.5 + 0.5 * double(Random() >> 11) * 0x1p-53;
      if (Random() & 1)
        U = -U;
      char Bytes[8];
      encode(Place.second.Type, {Inverse ? U / Size : U * Size, 0, false},
             Bytes);
      Direction[Name].push_back(decode(Place.second.Type, Bytes).Real);
    }
  return Direction;
}

/// A table for Memory: with a zero for each integer.
static NumberTable asTable(const Case &C, const Vectors &V) {
  NumberTable Table;
  for (const auto &[Name, Values] : V) {
    auto [ArgName, FieldName] = StringRef(Name).split('.');
    const Argument &A = *C.find(ArgName);
    std::vector<Number> &Numbers = Table[Name];
    size_t Next = 0;
    if (!FieldName.empty())
      Numbers.push_back({Values[0], 0, false});
    for (size_t I = 0; FieldName.empty() && I != A.slots(); ++I)
      Numbers.push_back(isFloat(A.slot(I).Type)
                            ? Number{Values[Next++], 0, false}
                            : Number());
  }
  return Table;
}

/// Both halves of split mode, with a tape of their own.
static Error launchHalves(const Case &C, const Program &P, Device &D,
                          Memory &M) {
  const Launch &L = C.Launches.front();
  Expected<Address> Tape = makeSplitTape(D, L.Grid, L.Block);
  if (!Tape)
    return Tape.takeError();
  std::string Printed;
  for (const Signature &S : P.Gradients) {
    if (Error E = D.launch(S.Kernel, L.Grid, L.Block,
                           S.dynamicShared(L.DynamicShared),
                           M.gradientArguments(L, S, *Tape), Printed))
      return E;
    if (Error E = checkTape(D, *Tape))
      return E;
  }
  return Error::success();
}

static Error launchWhole(const Case &C, const Program &P, Device &D,
                         Memory &M) {
  const Signature &S = P.Gradients.front();
  const Launch &L = C.Launches.front();
  std::optional<Tape> T;
  if (S.NeedsTape) {
    Expected<Tape> New = Tape::create(D);
    if (!New)
      return New.takeError();
    T = *New;
    if (Error E = T->reset(L.Grid, L.Block))
      return E;
  }
  std::string Printed;
  if (Error E =
          D.launch(S.Kernel, L.Grid, L.Block, S.dynamicShared(L.DynamicShared),
                   M.gradientArguments(L, S), Printed))
    return E;
  return T ? T->check() : Error::success();
}

/// Starts from Initial of each lane, and sets the final derivatives of \p
/// Names.
static Error launchGradient(const Case &C, const Program &P, Device &D,
                            ArrayRef<std::string> Names,
                            MutableArrayRef<GradientResult> Lanes) {
  std::vector<NumberTable> Initial;
  for (const GradientResult &G : Lanes)
    Initial.push_back(asTable(C, G.Initial));
  bool IsSplit = P.Mode == RunMode::Split;
  Expected<Memory> M =
      Memory::create(C, D, IsSplit ? RunMode::Reverse : P.Mode, Initial);
  if (!M)
    return M.takeError();
  if (Error E = IsSplit ? launchHalves(C, P, D, *M) : launchWhole(C, P, D, *M))
    return E;
  for (GradientResult &G : Lanes)
    for (const std::string &Name : Names) {
      auto Numbers = M->derivative(Name, G.Lane);
      if (!Numbers)
        return Numbers.takeError();
      for (const Number &N : *Numbers)
        if (!N.IsInteger)
          G.Final[Name].push_back(N.Real);
    }
  return Error::success();
}

static Mark markOf(const Case &C, StringRef Name) {
  return C.find(Name.split('.').first)->M;
}

/// What a fresh shadow held does not count; where it is left, nobody read the
/// place.
static void forgetFresh(const Case &C, GradientResult &G) {
  for (auto &[Name, Values] : G.Initial) {
    if (markOf(C, Name) != Mark::Fresh)
      continue;
    for (auto [Was, Is] : zip_equal(Values, G.Final[Name])) {
      if (Is == Was)
        Is = 0;
      Was = 0;
    }
  }
}

Expected<std::vector<GradientResult>>
runGradient(const Case &C, const Program &P, Device &D, const CheckOptions &O) {
  std::mt19937_64 Random(O.Seed);
  std::vector<std::string> All = differentiableNames(C);
  std::vector<std::string> Outputs = outputNames(C);
  bool IsForward = P.Mode == RunMode::Forward;
  // Seeds weigh each output by its size, tangents move each input by its own.
  Vectors Sizes = sizes(C, IsForward ? All : Outputs);
  std::vector<GradientResult> Lanes;
  for (unsigned Lane = 0; Lane != P.Width; ++Lane)
    Lanes.push_back({P.Mode,
                     Lane,
                     randomDirection(C, Sizes, /*Inverse=*/!IsForward, Random),
                     {}});
  if (Error E = launchGradient(C, P, D, IsForward ? Outputs : All, Lanes))
    return std::move(E);
  for (GradientResult &G : Lanes)
    forgetFresh(C, G);
  return Lanes;
}

//===--- Comparison -------------------------------------------------------===//

namespace {
class Checker {
public:
  Checker(const Case &C, const GradientResult &G, PrimalFunction &F,
          const CheckOptions &O)
      : C(C), G(G), F(F), O(O), Random(O.Seed + 1),
        Tolerance(O.Tolerance > 0 ? O.Tolerance : defaultTolerance(C)) {}

  Error forward();
  Error reverse();
  std::vector<CheckRow> Rows;

private:
  std::vector<size_t> sample(const std::vector<double> &Values);
  Error reverseArgument(const std::string &Name,
                        const std::vector<double> &Sizes);
  /// A seed that is left as it is, which is no derivative.
  bool isKept(StringRef Name) const {
    Mark M = markOf(C, Name);
    return M == Mark::Seed || M == Mark::SeedNoNeed;
  }
  Error keptSeed(const std::string &Name);
  Expected<Quotient> weightedDerivative(const Vectors &Direction,
                                        unsigned Narrowing);
  Error scalarProduct(const Vectors &Tangents);
  /// Of the \p K-th element of a row, by steps narrowed so often.
  using Quotients =
      function_ref<Expected<Quotient>(size_t K, unsigned Narrowing)>;
  Expected<Quotient> judge(double Value, double Scale, Quotient Q, size_t K,
                           Quotients Source);
  Error addRow(StringRef Name, ArrayRef<size_t> Indices,
               ArrayRef<double> Values, Quotients Source);
  /// A doubt of a twentieth still tells a right derivative from a zero or a
  /// forgotten term; more does not.
  static bool isDecided(const Quotient &Q, double Scale) {
    return Q.Doubt <= 0.05 * Scale;
  }
  bool agree(double Value, const Quotient &Q, double Doubt,
             double Scale) const {
    return std::fabs(Value - Q.Value) <= Tolerance * Scale + 2 * Doubt;
  }

  const Case &C;
  const GradientResult &G;
  PrimalFunction &F;
  const CheckOptions &O;
  std::mt19937_64 Random;
  double Tolerance;
};
} // namespace

/// The size of a row's derivatives: the largest of those that are known to be
/// about as large as their quotients say. (A jump between two steps makes a
/// quotient as large as one likes.)
static double scaleOf(ArrayRef<Quotient> Quotients) {
  double Largest = 0, Known = 0;
  for (const Quotient &Q : Quotients) {
    double Size = std::fabs(Q.Value);
    if (std::isfinite(Size))
      Largest = std::fmax(Largest, Size);
    if (Q.Doubt <= 0.5 * Size)
      Known = std::fmax(Known, Size);
  }
  return Known > 0 ? Known : Largest > 0 ? Largest : 1;
}

/// What is known of an element whose derivative is to be \p Value, from its
/// first quotient \p Q on. One that speaks against the value, or is not sharp,
/// is asked again with narrower steps: a jump or a kink that the wide ones meet
/// (elements change places in a sort, leave a cut-off radius) may make them
/// agree with each other by chance.
Expected<Quotient> Checker::judge(double Value, double Scale, Quotient Q,
                                  size_t K, Quotients Source) {
  unsigned Narrowing = 0; // Of Q.
  bool IsLone = false;    // Decided by the narrowest steps alone.
  for (unsigned N = 1; F.canNarrow(N); ++N) {
    if (agree(Value, Q, Q.Doubt, Scale) && Q.Doubt <= 5 * Tolerance * Scale)
      return Q;
    auto Next = Source(K, N);
    if (!Next)
      return Next.takeError();
    if (isDecided(*Next, Scale)) {
      bool IsConfirmed = isDecided(Q, Scale) &&
                         agree(Q.Value, *Next, Q.Doubt + Next->Doubt, Scale);
      if (IsConfirmed && Next->Doubt >= Q.Doubt)
        return Q;
      Q = *Next;
      Narrowing = N;
      IsLone = !IsConfirmed && !F.canNarrow(N + 1);
    } else if (double Rounding =
                   std::pow(PrimalFunction::NarrowingFactor, N - Narrowing);
               Next->Doubt > 4 * Rounding * Q.Doubt) {
      // Rounding makes the doubt grow as steps shrink, but not so much.
      Q.Doubt = std::numeric_limits<double>::infinity();
    }
  }
  if (IsLone && !agree(Value, Q, Q.Doubt, Scale))
    Q.Doubt = std::numeric_limits<double>::infinity();
  return Q;
}

/// Compares elements \p Indices of \p Name.
Error Checker::addRow(StringRef Name, ArrayRef<size_t> Indices,
                      ArrayRef<double> Values, Quotients Source) {
  CheckRow R;
  R.Mode = G.Mode;
  R.Name = Name.str();
  if (G.Lane)
    R.Name += " lane " + std::to_string(G.Lane);
  R.Checked = Indices.size();
  std::vector<Quotient> First;
  for (size_t K = 0; K != Indices.size(); ++K) {
    auto Q = Source(K, 0);
    if (!Q)
      return Q.takeError();
    First.push_back(*Q);
  }
  double Scale = scaleOf(First);
  for (auto [K, Index, Value] : enumerate(Indices, Values)) {
    auto Q = judge(Value, Scale, First[K], K, Source);
    if (!Q)
      return Q.takeError();
    if (!isDecided(*Q, Scale)) {
      ++R.Undecided;
      continue;
    }
    double Error = std::fabs(Value - Q->Value) / Scale;
    if (!agree(Value, *Q, Q->Doubt, Scale))
      R.Found = Verdict::Wrong;
    if (!(Error <= R.RelativeError) || K == R.Undecided) {
      R.RelativeError = Error;
      R.Worst = Index;
      R.Value = Value;
      R.Expected = Q->Value;
    }
  }
  if (R.Undecided == R.Checked && R.Checked)
    R.Found = Verdict::Undecided;
  Rows.push_back(std::move(R));
  return Error::success();
}

Error Checker::forward() {
  std::vector<std::map<std::string, std::vector<Quotient>>> ByNarrowing;
  auto At = [&](unsigned Narrowing) -> Error {
    while (ByNarrowing.size() <= Narrowing) {
      auto Some = F.derivative(G.Initial, ByNarrowing.size());
      if (!Some)
        return Some.takeError();
      ByNarrowing.push_back(std::move(*Some));
    }
    return Error::success();
  };
  for (const std::string &Name : outputNames(C)) {
    const std::vector<double> &Values = G.Final.at(Name);
    std::vector<size_t> All(Values.size());
    std::iota(All.begin(), All.end(), 0);
    auto Source = [&](size_t K, unsigned Narrowing) -> Expected<Quotient> {
      if (Error E = At(Narrowing))
        return std::move(E);
      return ByNarrowing[Narrowing][Name][K];
    };
    if (Error E = addRow(Name, All, Values, Source))
      return E;
  }
  return Error::success();
}

/// The element with the largest derivative, and others by lot.
std::vector<size_t> Checker::sample(const std::vector<double> &Values) {
  std::set<size_t> Chosen;
  auto Largest = max_element(
      Values, [](double L, double R) { return std::fabs(L) < std::fabs(R); });
  Chosen.insert(Largest - Values.begin());
  while (Chosen.size() < std::min<size_t>(O.Samples, Values.size()))
    Chosen.insert(Random() % Values.size());
  return {Chosen.begin(), Chosen.end()};
}

/// The sum over all outputs of seed times derivative.
Expected<Quotient> Checker::weightedDerivative(const Vectors &Direction,
                                               unsigned Narrowing) {
  auto Derivative = F.derivative(Direction, Narrowing);
  if (!Derivative)
    return Derivative.takeError();
  Quotient Sum;
  for (const auto &[Name, Quotients] : *Derivative)
    for (auto [S, Q] : zip_equal(G.Initial.at(Name), Quotients)) {
      Sum.Value += S * Q.Value;
      Sum.Doubt += std::fabs(S) * Q.Doubt;
    }
  return Sum;
}

Error Checker::reverseArgument(const std::string &Name,
                               const std::vector<double> &Sizes) {
  if (O.Progress)
    O.Progress(Name);
  std::vector<double> Scaled;
  for (auto [A, Size] : zip_equal(G.Final.at(Name), Sizes))
    Scaled.push_back(A * Size);
  std::vector<size_t> Indices = sample(Scaled);
  std::vector<double> Values;
  for (size_t I : Indices)
    Values.push_back(Scaled[I]);
  return addRow(Name, Indices, Values, [&](size_t K, unsigned Narrowing) {
    Vectors Direction;
    Direction[Name].assign(Sizes.size(), 0);
    Direction[Name][Indices[K]] = Sizes[Indices[K]];
    return weightedDerivative(Direction, Narrowing);
  });
}

/// Every element is as it was.
Error Checker::keptSeed(const std::string &Name) {
  const std::vector<double> &Was = G.Initial.at(Name), &Is = G.Final.at(Name);
  std::vector<size_t> All(Is.size());
  std::iota(All.begin(), All.end(), 0);
  return addRow(Name, All, Is, [&](size_t K, unsigned) -> Expected<Quotient> {
    return Quotient{Was[K], 0};
  });
}

Error Checker::scalarProduct(const Vectors &Tangents) {
  double Product = 0, Magnitude = 0;
  for (const auto &[Name, Values] : G.Final)
    for (auto [A, T] : zip_equal(Values, Tangents.at(Name))) {
      Product += A * T;
      Magnitude += std::fabs(A * T);
    }
  // Terms may cancel: errors are in proportion to them, not to their sum.
  double Scale = Magnitude > 0 ? Magnitude : 1;
  if (Error E = addRow("<Jt,s>=<t,J's>", {0}, {Product / Scale},
                       [&](size_t, unsigned Narrowing) -> Expected<Quotient> {
                         auto Q = weightedDerivative(Tangents, Narrowing);
                         if (!Q)
                           return Q.takeError();
                         return Quotient{Q->Value / Scale, Q->Doubt / Scale};
                       }))
    return E;
  // One element at a kink leaves the whole sum open. The elements have been
  // judged one by one; what cannot be told is not shown.
  if (Rows.back().Undecided)
    Rows.pop_back();
  return Error::success();
}

Error Checker::reverse() {
  Vectors Sizes = sizes(C, differentiableNames(C));
  for (const auto &[Name, SizesOfName] : Sizes)
    if (!SizesOfName.empty())
      if (Error E = isKept(Name) ? keptSeed(Name)
                                 : reverseArgument(Name, SizesOfName))
        return E;
  Vectors Tangents = randomDirection(C, Sizes, /*Inverse=*/false, Random);
  for (auto &[Name, Values] : Tangents)
    if (isKept(Name))
      std::fill(Values.begin(), Values.end(), 0.0);
  return scalarProduct(Tangents);
}

Expected<std::vector<CheckRow>> checkGradient(const Case &C,
                                              const GradientResult &G,
                                              PrimalFunction &F,
                                              const CheckOptions &O) {
  Checker Check(C, G, F, O);
  if (Error E = G.Mode == RunMode::Forward ? Check.forward() : Check.reverse())
    return std::move(E);
  return std::move(Check.Rows);
}

static const char *name(Verdict V) {
  switch (V) {
  case Verdict::Right:
    return "ok";
  case Verdict::Wrong:
    return "WRONG";
  case Verdict::Undecided:
    return "undecided";
  }
  llvm_unreachable("unknown verdict");
}

void printRows(raw_ostream &OS, ArrayRef<CheckRow> Rows) {
  constexpr const char *Format =
      "{0,-8} {1,-20} {2,8} {3,9} {4,9} {5,14} {6,14} {7,9}  {8}\n";
  OS << formatv(Format, "mode", "argument", "elements", "undecided", "worst at",
                "derivative", "differences", "error", "");
  for (const CheckRow &R : Rows)
    OS << formatv(Format, name(R.Mode), R.Name, R.Checked, R.Undecided, R.Worst,
                  toText(R.Value, 7), toText(R.Expected, 7),
                  toText(R.RelativeError, 2), name(R.Found));
}

} // namespace kdiff::tool
