// The dense systems of rows that hold links.

#include <vector>

#include <gtest/gtest.h>

#include "kernels/solve/ldl.h"
#include "tests/support/random.h"

namespace cairn::joints_test {
namespace {

using kernels::LeastSquares;
using kernels::packed;

constexpr double kMin = 1e-4;

/// x for `a` as full rows, each weighing `alone` by itself.
std::vector<double> solved(const std::vector<std::vector<double>>& a, std::vector<double> y, double alone = 0) {
  const auto n = static_cast<std::uint32_t>(a.size());
  std::vector<double> both(n * (n + 1)), weights(n, alone);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j <= i; ++j) both[packed(i, j)] = a[i][j];
  }
  const LeastSquares system{both.data(), n};
  system.factor(kMin, weights.data());
  system.solve(y.data());
  return y;
}

TEST(LeastSquares, of_rows_that_say_the_same_gives_each_its_share) {
  const std::vector<double> x = solved({{2, 2}, {2, 2}}, {6, 6});
  EXPECT_NEAR(x[0], 1.5, 1e-6);
  EXPECT_NEAR(x[1], 1.5, 1e-6);
}

TEST(LeastSquares, of_rows_that_contradict_each_other_gives_their_mean) {
  const std::vector<double> x = solved({{2, 2}, {2, 2}}, {100, 0});
  EXPECT_NEAR(2 * (x[0] + x[1]), 50, 1e-5);
  EXPECT_NEAR(x[0], x[1], 1e-5);
}

TEST(LeastSquares, of_what_is_said_weakly_does_the_share_that_it_is_documented_to) {
  for (const double e : {1e-2, 1e-4, 1e-6}) {
    // (1, -1) has the eigenvalue e, beside (1, 1) with 2 - e
    const std::vector<double> x = solved({{1, 1 - e}, {1 - e, 1}}, {1, -1});
    EXPECT_NEAR(0.5 * e * (x[0] - x[1]), e * e / (e * e + kMin * kMin), 1e-6) << e;
  }
}

TEST(LeastSquares, by_a_row_that_moves_little_pushes_little) {
  // along x and z of a rod that tilts by 0.01: what both want is the same, by their parts of it
  const double c = 1, s = 0.01;
  const std::vector<double> x = solved({{s * s, s * c}, {s * c, c * c}}, {s, c}, 1);
  EXPECT_NEAR(x[0], s, 1e-3);
  EXPECT_NEAR(x[1], c, 1e-3);
}

TEST(LeastSquares, leaves_rows_of_zeros_at_0) {
  const std::vector<double> x = solved({{0, 0, 0}, {0, 4, 1}, {0, 1, 4}}, {7, 5, 5});
  EXPECT_EQ(x[0], 0);
  EXPECT_NEAR(x[1], 1, 1e-6);
  EXPECT_NEAR(x[2], 1, 1e-6);
}

TEST(LeastSquares, of_as_many_rows_as_there_may_be_is_the_solution) {
  testing_support::Random random(7);
  const auto draw = [&] { return random.within(-0.5, 0.5); };
  constexpr std::uint32_t n = LeastSquares::kMaxRows;
  std::vector<std::vector<double>> j(n, std::vector<double>(2 * n)), a(n, std::vector<double>(n, 0.0));
  std::vector<double> wanted(n), y(n, 0.0);
  for (auto& row : j) {
    for (double& x : row) x = draw();
  }
  for (double& x : wanted) x = draw();
  for (std::uint32_t r = 0; r < n; ++r) {
    for (std::uint32_t q = 0; q < n; ++q) {
      for (std::uint32_t k = 0; k < 2 * n; ++k) a[r][q] += j[r][k] * j[q][k];
      y[r] += a[r][q] * wanted[q];
    }
  }
  const std::vector<double> x = solved(a, y);
  for (std::uint32_t r = 0; r < n; ++r) EXPECT_NEAR(x[r], wanted[r], 1e-3) << r;
}

}  // namespace
}  // namespace cairn::joints_test
