#pragma once
// Symmetric systems of a few unknowns, some of whose rows may be redundant: lower triangles, row by row, in double.

#include "kernels/common/scalar.h"

namespace cairn::kernels {

/// [1] A row whose pivot is a smaller share of its diagonal is redundant: its Jacobians are floats.
inline constexpr double kMinPivot = 1e-12;

CAIRN_HD std::uint32_t packed(std::uint32_t i, std::uint32_t j) { return i * (i + 1) / 2 + j; }

/// a = L D L^T in place, L below the diagonal and 1 / D on it; 0 for a row that the rows before make redundant.
CAIRN_HD void factor(double* a, std::uint32_t n) {
  CAIRN_UNROLL_FEW
  for (std::uint32_t i = 0; i < n; ++i) {
    const double diagonal = a[packed(i, i)];
    double pivot = diagonal;
    CAIRN_UNROLL_FEW
    for (std::uint32_t j = 0; j < i; ++j) {
      double x = a[packed(i, j)];  // L_ij D_j
      CAIRN_UNROLL_FEW
      for (std::uint32_t k = 0; k < j; ++k) x = fma(-a[packed(i, k)], a[packed(j, k)], x);
      a[packed(i, j)] = x;
    }
    CAIRN_UNROLL_FEW
    for (std::uint32_t j = 0; j < i; ++j) {
      const double x = a[packed(i, j)], l = x * a[packed(j, j)];
      a[packed(i, j)] = l;
      pivot = fma(-x, l, pivot);
    }
    a[packed(i, i)] = pivot > kMinPivot * diagonal ? 1.0 / pivot : 0.0;
  }
}

/// x = L^-1 x
CAIRN_HD void forward(const double* a, std::uint32_t n, double* x) {
  CAIRN_UNROLL_FEW
  for (std::uint32_t i = 1; i < n; ++i) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t j = 0; j < i; ++j) x[i] = fma(-a[packed(i, j)], x[j], x[i]);
  }
}

/// x = D^-1 x
CAIRN_HD void scale(const double* a, std::uint32_t n, double* x) {
  CAIRN_UNROLL_FEW
  for (std::uint32_t i = 0; i < n; ++i) x[i] = x[i] * a[packed(i, i)];
}
/// x = L^-T x
CAIRN_HD void backward(const double* a, std::uint32_t n, double* x) {
  CAIRN_UNROLL_FEW
  for (std::uint32_t i = n; i-- > 0;) {
    CAIRN_UNROLL_FEW
    for (std::uint32_t j = i + 1; j < n; ++j) x[i] = fma(-a[packed(j, i)], x[j], x[i]);
  }
}

/// x = (L D L^T)^-1 x
CAIRN_HD void solve_factored(const double* a, std::uint32_t n, double* x) {
  forward(a, n, x);
  scale(a, n, x);
  backward(a, n, x);
}

/// f(n) for up to 6 unknowns, with n known at compile time, so that they are in registers.
template <class F>
CAIRN_HD void with_few(std::uint32_t n, const F& f) {
  switch (n) {
    case 1:
      return f(1u);
    case 2:
      return f(2u);
    case 3:
      return f(3u);
    case 4:
      return f(4u);
    case 5:
      return f(5u);
    case 6:
      return f(6u);
    default:
      break;
  }
}
CAIRN_HD_CALL void factor_few(double* a, std::uint32_t few) {
  with_few(few, [&](std::uint32_t n) { factor(a, n); });
}

/// The x that minimizes |D^-1/2 (a x - y)|^2 + least^2 |E^1/2 x|^2 (Tikhonov), with D the diagonal of `a`, and E the
/// same for free bodies, where that is more. Equal rows share the result, and their contradictions have no effect.
/// Along an eigenvector of D^-1/2 a D^-1/2 with eigenvalue e, the fraction e^2 / (e^2 + least^2) of the goal is reached
/// if E is D. Rows of zeros stay 0.
struct LeastSquares {
  double* a;        ///< [any] (n (n + 1)) lower triangle, and room for another
  std::uint32_t n;  ///< [1] at most kMaxRows

  CAIRN_HD double entry(std::uint32_t i, std::uint32_t j) const { return a[i < j ? packed(j, i) : packed(i, j)]; }

  /// a D^-1 a + least^2 E, factored, after `a`.
  CAIRN_HD_CALL void factor(double least, const double* alone) const {
    double* const square = a + packed(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        double sum = i == j ? least * least * max(alone[i], entry(i, i)) : 0.0;
        for (std::uint32_t k = 0; k < n; ++k) {
          if (entry(k, k) > 0.0) sum = fma(entry(i, k) / entry(k, k), entry(j, k), sum);
        }
        square[packed(i, j)] = sum;
      }
    }
    kernels::factor(square, n);
  }
  /// y -> x
  CAIRN_HD_CALL void solve(double* x) const {
    double y[kMaxRows];
    for (std::uint32_t i = 0; i < n; ++i) y[i] = entry(i, i) > 0.0 ? x[i] / entry(i, i) : 0.0;
    for (std::uint32_t i = 0; i < n; ++i) {
      x[i] = 0.0;
      for (std::uint32_t j = 0; j < n; ++j) x[i] = fma(entry(i, j), y[j], x[i]);
    }
    solve_factored(a + packed(n, 0), n, x);
  }
  static constexpr std::uint32_t kMaxRows = 64;
};

}  // namespace cairn::kernels
