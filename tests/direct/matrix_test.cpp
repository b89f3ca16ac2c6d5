// The factorisation of matrices of 6 x 6 blocks, against one that knows no blocks.

#include "kernels/direct/matrix.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/common/philox.h"
#include "src/exec/cpu_exec.h"
#include "tests/reference/dense_articulation.h"

namespace cairn::direct_test {
namespace {

using kernels::DirectMotion;

TEST(DirectSystem, is_solved_as_without_blocks) {
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
    std::vector<double> stored(std::size_t{blocks} * 36), right(6 * n);
    reference::Dense dense(6 * n, std::vector<double>(6 * n));
    std::vector<DirectMotion> motion(n);
    const kernels::DirectSystem system{first.data(), last.data(), block.data(), stored.data(), motion.data(), n};
    for (std::uint32_t i = 0; i < 6 * n; ++i) {
      right[i] = motion[i / 6].z[i % 6] = draw();
      for (std::uint32_t j = 6 * first[i / 6]; j <= i; ++j) dense[i][j] = dense[j][i] = draw();
      // positive definite, since the diagonal outweighs all else
      dense[i][i] = 40.0;
    }
    for (std::uint32_t i = 0; i < 6 * n; ++i) {
      for (std::uint32_t j = 6 * first[i / 6]; j / 6 <= i / 6; ++j) {
        system.at(i / 6, j / 6)[i % 6 * 6 + j % 6] = dense[i][j];
      }
    }
    system.solve(exec::CpuTeam{});
    const std::vector<double> x = reference::solve(dense, right);
    for (std::uint32_t i = 0; i < 6 * n; ++i) EXPECT_NEAR(motion[i / 6].z[i % 6], x[i], 1e-14) << n << " " << i;
  }
}

}  // namespace
}  // namespace cairn::direct_test
