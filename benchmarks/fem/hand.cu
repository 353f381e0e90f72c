// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: forces are minus the gradient of an energy, so their adjoint is the
// element's symmetric stiffness applied to the seeds: with G = F^-T and H the
// seeds' edge matrix as a change of F,
//   mu H + (mu - lambda ln det F) G H^T G + lambda (G : H) G.
// The forces themselves are not computed; three numbers a node are added.
// Seeds are left as they are, as the contract asks of places that are only
// added to.

struct Matrix {
  double a[3][3];
};

/// a b, a b^T.
__device__ static Matrix times(const Matrix &a, const Matrix &b) {
  Matrix c;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      c.a[i][j] =
          a.a[i][0] * b.a[0][j] + a.a[i][1] * b.a[1][j] + a.a[i][2] * b.a[2][j];
  return c;
}
__device__ static Matrix timesTransposed(const Matrix &a, const Matrix &b) {
  Matrix c;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      c.a[i][j] =
          a.a[i][0] * b.a[j][0] + a.a[i][1] * b.a[j][1] + a.a[i][2] * b.a[j][2];
  return c;
}

extern "C" __global__ void __launch_bounds__(128)
    fem_hand(const double *__restrict__ positions,
             const int *__restrict__ elements, const double *__restrict__ rest,
             const double *__restrict__ volumes,
             const double *__restrict__ d_forces,
             double *__restrict__ d_positions, double mu, double lambda,
             int count) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count)
    return;
  int4 nodes = reinterpret_cast<const int4 *>(elements)[e];
  int corner[4] = {nodes.x, nodes.y, nodes.z, nodes.w};
  Matrix edges, seeds, inverse;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    double x = positions[3 * corner[0] + i], s = d_forces[3 * corner[0] + i];
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      edges.a[i][j] = positions[3 * corner[j + 1] + i] - x;
      seeds.a[i][j] = d_forces[3 * corner[j + 1] + i] - s;
      inverse.a[i][j] = rest[9 * e + 3 * i + j];
    }
  }
  Matrix f = times(edges, inverse), h = times(seeds, inverse), g;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      g.a[i][j] =
          f.a[(i + 1) % 3][(j + 1) % 3] * f.a[(i + 2) % 3][(j + 2) % 3] -
          f.a[(i + 1) % 3][(j + 2) % 3] * f.a[(i + 2) % 3][(j + 1) % 3];
  double det =
      f.a[0][0] * g.a[0][0] + f.a[0][1] * g.a[0][1] + f.a[0][2] * g.a[0][2];
  double perDet = 1 / det, dot = 0;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      g.a[i][j] *= perDet;
      dot += g.a[i][j] * h.a[i][j];
    }
  Matrix turned = times(timesTransposed(g, h), g), stiff;
  double factor = mu - lambda * log(det);
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j)
      stiff.a[i][j] = -volumes[e] * (mu * h.a[i][j] + factor * turned.a[i][j] +
                                     lambda * dot * g.a[i][j]);
  Matrix result = timesTransposed(stiff, inverse);
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      sum += result.a[i][j];
      atomicAdd(&d_positions[3 * corner[j + 1] + i], result.a[i][j]);
    }
    atomicAdd(&d_positions[3 * corner[0] + i], -sum);
  }
}
