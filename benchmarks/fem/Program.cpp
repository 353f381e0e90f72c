//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which mesh is deformed?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {
namespace {

/// A block of cubes, each cut into the six tetrahedra around its diagonal.
struct Mesh {
  size_t Side; ///< Cubes along an edge.

  size_t nodes() const { return (Side + 1) * (Side + 1) * (Side + 1); }
  size_t elements() const { return 6 * Side * Side * Side; }

  /// Corner \p C of tetrahedron \p E: its place along each axis.
  void corner(size_t E, size_t C, size_t At[3]) const {
    // From (0,0,0) to (1,1,1) along the axes in one of the six orders; the
    // orders that are odd are walked so that volumes stay positive.
    static constexpr unsigned char Orders[6][3] = {
        {0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    size_t Cube = E / 6, Kind = E % 6;
    if (Kind >= 3 && (C == 1 || C == 2))
      C = 3 - C;
    At[0] = Cube % Side;
    At[1] = Cube / Side % Side;
    At[2] = Cube / Side / Side;
    for (size_t K = 0; K < C; ++K)
      ++At[Orders[Kind][K]];
  }
  double node(size_t E, size_t C) const {
    size_t At[3];
    corner(E, C, At);
    return double((At[2] * (Side + 1) + At[1]) * (Side + 1) + At[0]);
  }
  double place(size_t Node, size_t Axis) const {
    for (size_t K = 0; K < Axis; ++K)
      Node /= Side + 1;
    return double(Node % (Side + 1));
  }
  /// Element (\p I, \p J) of the inverse of the undeformed edge matrix. Its
  /// entries and determinant are whole numbers, the latter one.
  double inverseEdge(size_t E, size_t I, size_t J) const {
    double D[3][3];
    size_t Origin[3];
    corner(E, 0, Origin);
    for (size_t C = 0; C < 3; ++C) {
      size_t At[3];
      corner(E, C + 1, At);
      for (size_t Axis = 0; Axis < 3; ++Axis)
        D[Axis][C] = double(At[Axis]) - double(Origin[Axis]);
    }
    size_t R1 = (J + 1) % 3, R2 = (J + 2) % 3;
    size_t C1 = (I + 1) % 3, C2 = (I + 2) % 3;
    return D[R1][C1] * D[R2][C2] - D[R1][C2] * D[R2][C1];
  }
};

} // namespace

Program fem(Size S) {
  const Mesh M = {S == Size::Case ? size_t(1) : S == Size::Check ? 5 : 80};
  const size_t Elements = M.elements(), Nodes = M.nodes();
  Program P;
  P.Name = "fem";
  P.Title = "Neo-Hookean forces of a tetrahedral mesh";
  P.Real = ElementType::F64;
  P.Args = {input("positions", ElementType::F64, 3 * Nodes,
                  [=](size_t I) {
                    return double(float(M.place(I / 3, I % 3) +
                                        uniform(1, I, -0.1, 0.1)));
                  }),
            constant("elements", ElementType::I32, 4 * Elements,
                     [=](size_t I) { return M.node(I / 4, I % 4); }),
            constant("rest", ElementType::F64, 9 * Elements,
                     [=](size_t I) {
                       return M.inverseEdge(I / 9, I % 9 / 3, I % 3);
                     }),
            constant("volumes", ElementType::F64, Elements,
                     [](size_t) { return double(1.0f / 6); }),
            sum("forces", ElementType::F64, 3 * Nodes, between(2, -1, 1)),
            scalar("mu", ElementType::F64, 1.5),
            scalar("lambda", ElementType::F64, 2.25),
            scalar("count", ElementType::I32, double(Elements))};
  const unsigned Block = S == Size::Case ? 32 : 128;
  P.Primal = {"fem",
              {blocksFor(Elements, Block)},
              {Block},
              0,
              {"positions", "elements", "rest", "volumes", "forces", "mu",
               "lambda", "count"}};
  P.Hand = {{"fem_hand",
             {blocksFor(Elements, 128)},
             {128},
             0,
             {"positions", "elements", "rest", "volumes", "d_forces",
              "d_positions", "mu", "lambda", "count"}}};
  P.AdjointBytes = 8.0 * double(Elements) * (2 + 9 + 1) +
                   8.0 * double(Nodes) * 3 * (1 + 1 + 2);
  P.FullTolerance = 1e-9;
  return P;
}

} // namespace kdiff::bench
