// The factorisation of matrices of 6 x 6 blocks, against one that knows no blocks.

#include "kernels/direct/matrix.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/common/philox.h"
#include "src/exec/cpu_exec.h"

namespace cairn::direct_test {
namespace {

using kernels::DirectMotion;

/// x of a x = b by elimination, rows of n.
std::vector<double> solved(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double share = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= share * a[k * n + j];
      b[i] -= share * b[k];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
  return b;
}

TEST(DirectSystem, is_solved_as_elimination_solves_it) {
  std::uint32_t drawn = 0;
  const auto draw = [&] {
    return static_cast<double>(kernels::philox({drawn++, 0, 0, 0}, 7, 0).x) / 4294967296.0 - 0.5;
  };
  for (std::uint32_t n = 1; n <= 24; ++n) {
    // rows that reach back by up to 5, and never less far than the ones before
    std::vector<std::uint32_t> first(n), last(n), block(n);
    std::uint32_t blocks = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t back = static_cast<std::uint32_t>((draw() + 0.5) * 6);
      first[i] = std::max(i == 0 ? 0 : first[i - 1], i < back ? 0 : i - back);
      block[i] = blocks;
      blocks += i - first[i] + 1;
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      for (std::uint32_t i = k; i < n && first[i] <= k; ++i) last[k] = i;
    }
    std::vector<double> stored(std::size_t{blocks} * 36), dense(std::size_t{36} * n * n), right(6 * n);
    std::vector<DirectMotion> motion(n);
    const kernels::DirectSystem system{first.data(), last.data(), block.data(), stored.data(), motion.data(), n};
    const auto at = [&](std::uint32_t i, std::uint32_t j) -> double& { return dense[std::size_t{i} * 6 * n + j]; };
    for (std::uint32_t i = 0; i < 6 * n; ++i) {
      right[i] = motion[i / 6].z[i % 6] = draw();
      for (std::uint32_t j = 6 * first[i / 6]; j <= i; ++j) at(i, j) = at(j, i) = draw();
      // positive definite, since the diagonal outweighs all else
      at(i, i) = 40.0;
    }
    for (std::uint32_t i = 0; i < 6 * n; ++i) {
      for (std::uint32_t j = 6 * first[i / 6]; j / 6 <= i / 6; ++j) {
        system.at(i / 6, j / 6)[i % 6 * 6 + j % 6] = at(i, j);
      }
    }
    system.solve(exec::CpuTeam{});
    const std::vector<double> x = solved(dense, right);
    for (std::uint32_t i = 0; i < 6 * n; ++i) EXPECT_NEAR(motion[i / 6].z[i % 6], x[i], 1e-14) << n << " " << i;
  }
}

}  // namespace
}  // namespace cairn::direct_test
