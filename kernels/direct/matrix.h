#pragma once
// Symmetric positive definite matrices of 6 x 6 blocks, whose rows have blocks from some column on. Factored in place,
// L L^T = H, column by column, by a team.

#include "kernels/common/direct.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

/// Blocks of the matrix of an island, and vectors with 6 entries a place.
struct DirectSystem {
  const std::uint32_t* first;  ///< [1] (n) first column of each row
  const std::uint32_t* last;   ///< [1] (n) last row that has each column
  const std::uint32_t* block;  ///< [1] (n) number of each row's first block
  double* blocks;              ///< [kg, kg^1/2, 1] (36 blocks)
  DirectMotion* motion;        ///<     (n) the vector z
  std::uint32_t n;             ///< [1] rows

  CAIRN_HD double* at(std::uint32_t i, std::uint32_t j) const {
    return blocks + std::size_t{block[i] + (j - first[i])} * 36;
  }

  /// z = H^-1 z.
  template <class Team>
  CAIRN_BOTH void solve(const Team& team) const {
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t below = last[k] - k;
      team.one([&] {
        factor(at(k, k));
        lower(at(k, k), motion[k].z);
      });
      team.each(6 * below, [&](std::uint32_t e) { divide(k, k + 1 + e / 6, e % 6); });
      team.each(6 * below * below, [&](std::uint32_t e) {
        const std::uint32_t row = e / 6 / below, column = e / 6 % below;
        if (column <= row) subtract(k, k + 1 + row, k + 1 + column, e % 6);
      });
    }
    for (std::uint32_t k = n; k-- > 0;) {
      team.one([&] { upper(at(k, k), motion[k].z); });
      const std::uint32_t before = k - first[k];
      team.each(6 * before, [&](std::uint32_t e) {
        const std::uint32_t j = first[k] + e / 6, column = e % 6;
        const double* const l = at(k, j);
        double& z = motion[j].z[column];
        for (std::uint32_t r = 0; r < 6; ++r) z = fma(-l[6 * r + column], motion[k].z[r], z);
      });
    }
  }

 private:
  CAIRN_HD static void factor(double* a) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        double x = a[6 * i + j];
        for (std::uint32_t c = 0; c < j; ++c) x = fma(-a[6 * i + c], a[6 * j + c], x);
        a[6 * i + j] = i == j ? sqrt(x) : x / a[6 * j + j];
      }
    }
  }
  /// z = L^-1 z
  CAIRN_HD static void lower(const double* l, double* z) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      double x = z[i];
      for (std::uint32_t j = 0; j < i; ++j) x = fma(-l[6 * i + j], z[j], x);
      z[i] = x / l[6 * i + i];
    }
  }
  /// z = L^-T z
  CAIRN_HD static void upper(const double* l, double* z) {
    for (std::uint32_t i = 6; i-- > 0;) {
      double x = z[i];
      for (std::uint32_t j = i + 1; j < 6; ++j) x = fma(-l[6 * j + i], z[j], x);
      z[i] = x / l[6 * i + i];
    }
  }
  /// Row r of block (i, k): H L_kk^-T; and its part of the forward substitution of z.
  CAIRN_HD_CALL void divide(std::uint32_t k, std::uint32_t i, std::uint32_t r) const {
    double* const row = at(i, k) + 6 * r;
    lower(at(k, k), row);
    double& z = motion[i].z[r];
    for (std::uint32_t c = 0; c < 6; ++c) z = fma(-row[c], motion[k].z[c], z);
  }
  /// Row r of block (i, j) minus that of L_ik L_jk^T.
  CAIRN_HD_CALL void subtract(std::uint32_t k, std::uint32_t i, std::uint32_t j, std::uint32_t r) const {
    const double* const left = at(i, k) + 6 * r;
    const double* const right = at(j, k);
    double* const to = at(i, j) + 6 * r;
    for (std::uint32_t c = 0; c < 6; ++c) {
      double x = to[c];
      for (std::uint32_t m = 0; m < 6; ++m) x = fma(-left[m], right[6 * c + m], x);
      to[c] = x;
    }
  }
};

}  // namespace cairn::kernels
