#pragma once

#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Symmetric positive definite 6x6 system of one body: the lower triangle, row by row, and the right-hand side.
struct Block6 {
  float a[21];  ///< [kg, 1]  matrix
  float r[6];   ///< [N s, kg^1/2 m/s] right-hand side

  CAIRN_HD static int at(int row, int column) { return row * (row + 1) / 2 + column; }

  /// The diagonal (m, m, m, i, i, i) and the right-hand side (linear, angular).
  CAIRN_HD Block6(float m, float i, Vec3 linear, Vec3 angular)
      : r{linear.x, linear.y, linear.z, angular.x, angular.y, angular.z} {
    for (float& x : a) x = 0.0f;
    for (int d = 0; d < 6; ++d) a[at(d, d)] = d < 3 ? m : i;
  }

  /// Adds l J to the right-hand side and stiffness J J^T to the matrix, J = (linear, angular).
  CAIRN_HD void add(Vec3 linear, Vec3 angular, float l, float stiffness) {
    const float j[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    CAIRN_UNROLL
    for (int row = 0; row < 6; ++row) {
      r[row] = fma(l, j[row], r[row]);
      const float scaled = stiffness * j[row];
      CAIRN_UNROLL
      for (int column = 0; column <= row; ++column) {
        a[at(row, column)] = fma(scaled, j[column], a[at(row, column)]);
      }
    }
  }

  /// Solves by L D L^T, in place of the right-hand side.
  CAIRN_HD void solve(Vec3& linear, Vec3& angular) {
    CAIRN_UNROLL
    for (int column = 0; column < 6; ++column) {
      float d = a[at(column, column)];
      CAIRN_UNROLL
      for (int k = 0; k < column; ++k) d = fma(-a[at(column, k)] * a[at(column, k)], a[at(k, k)], d);
      a[at(column, column)] = d;
      const float inverse = 1.0f / d;
      CAIRN_UNROLL
      for (int row = column + 1; row < 6; ++row) {
        float x = a[at(row, column)];
        CAIRN_UNROLL
        for (int k = 0; k < column; ++k) x = fma(-a[at(row, k)] * a[at(column, k)], a[at(k, k)], x);
        a[at(row, column)] = x * inverse;
      }
    }
    CAIRN_UNROLL
    for (int row = 1; row < 6; ++row) {
      CAIRN_UNROLL
      for (int k = 0; k < row; ++k) r[row] = fma(-a[at(row, k)], r[k], r[row]);
    }
    CAIRN_UNROLL
    for (int row = 0; row < 6; ++row) r[row] = r[row] / a[at(row, row)];
    CAIRN_UNROLL
    for (int row = 4; row >= 0; --row) {
      CAIRN_UNROLL
      for (int k = row + 1; k < 6; ++k) r[row] = fma(-a[at(k, row)], r[k], r[row]);
    }
    linear = {r[0], r[1], r[2]};
    angular = {r[3], r[4], r[5]};
  }
};

}  // namespace cairn::kernels
