// Elastic forces of a mesh of tetrahedra, Neo-Hookean, an element a thread.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sifakis, Barbic, "FEM simulation of 3D deformable solids", SIGGRAPH 2012
// courses, sections 3.4 and 4.2.

struct Matrix {
  double a[3][3];
};

__device__ static Matrix cofactors(const Matrix &m) {
  Matrix c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      c.a[i][j] = m.a[i1][j1] * m.a[i2][j2] - m.a[i1][j2] * m.a[i2][j1];
    }
  return c;
}

/// \p positions and \p forces: three numbers a node. \p elements: four nodes
/// each. \p rest: the inverse of each element's undeformed edge matrix, nine
/// numbers; \p volumes: its undeformed volume.
extern "C" __global__ void
fem(const double *__restrict__ positions, const int *__restrict__ elements,
    const double *__restrict__ rest, const double *__restrict__ volumes,
    double *__restrict__ forces, double mu, double lambda, int count) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count)
    return;
  Matrix edges, inverse, f;
  int origin = elements[4 * e];
  for (int j = 0; j < 3; ++j) {
    int node = elements[4 * e + 1 + j];
    for (int i = 0; i < 3; ++i) {
      edges.a[i][j] = positions[3 * node + i] - positions[3 * origin + i];
      inverse.a[i][j] = rest[9 * e + 3 * i + j];
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      f.a[i][j] = 0;
      for (int k = 0; k < 3; ++k)
        f.a[i][j] += edges.a[i][k] * inverse.a[k][j];
    }
  Matrix c = cofactors(f);
  double det =
      f.a[0][0] * c.a[0][0] + f.a[0][1] * c.a[0][1] + f.a[0][2] * c.a[0][2];
  double pressure = (lambda * log(det) - mu) / det;
  // The first Piola-Kirchhoff stress is mu F + pressure cof F.
  for (int j = 0; j < 3; ++j) {
    int node = elements[4 * e + 1 + j];
    for (int i = 0; i < 3; ++i) {
      double force = 0;
      for (int k = 0; k < 3; ++k)
        force -= volumes[e] * (mu * f.a[i][k] + pressure * c.a[i][k]) *
                 inverse.a[j][k];
      atomicAdd(&forces[3 * node + i], force);
      atomicAdd(&forces[3 * origin + i], -force);
    }
  }
}
