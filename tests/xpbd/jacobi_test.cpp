// Jacobi sweeps: the ends of rows by body, momentum, and memory.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "src/solve/xpbd.inl"
#include "tests/support/builders.h"
#include "tests/support/stage_rig.h"
#include "tests/support/sums.h"

namespace cairn::xpbd_test {
namespace {

using namespace testing_support;
using kernels::kRowLanes;

/// A rig with room for ends, and rows between bodies drawn by chance. Every seventh body can't be pushed; slots past
/// `rows` are padding.
class Ends {
 public:
  Ends(int threads, std::uint32_t bodies, std::uint32_t rows)
      : rig(threads, bodies, 1, std::max(rows, 1u)), row_ends_(memory_), body_ends_(memory_) {
    StepContext& s = rig.s;
    s.sweep = SweepKind::kJacobi;
    row_ends_.reserve(2 * std::size_t{s.row_capacity});
    body_ends_.reserve(std::size_t{bodies} + 1);
    s.row_ends = row_ends_.view();
    s.body_ends = body_ends_.view();
    StageRig::poison(s.row_ends.sorted, 2 * std::size_t{s.row_capacity});
    StageRig::poison(s.body_ends.begin, std::size_t{bodies} + 1);
    StageRig::poison(s.body_ends.end, std::size_t{bodies} + 1);
    for (std::uint32_t i = 0; i <= bodies; ++i) {
      s.bodies.solve[i] = {};
      s.bodies.solve[i].movable = i == bodies || i % 7 == 3 ? 0.0f : 1.0f;
    }
    s.state->row_count = (rows + kernels::kRowAlign - 1) / kernels::kRowAlign * kernels::kRowAlign;
    std::mt19937 chance(bodies + rows);
    for (std::uint32_t slot = 0; slot < s.state->row_count; ++slot) {
      kernels::RowBlock& row = s.rows[slot / kRowLanes];
      row.body_a[slot % kRowLanes] = slot < rows ? chance() % bodies : bodies;
      row.body_b[slot % kRowLanes] = slot < rows ? chance() % bodies : bodies;
    }
  }

  std::uint32_t body_of(std::uint32_t end) const {
    const kernels::RowBlock& row = rig.s.rows[end / 2 / kRowLanes];
    const std::uint32_t lane = end / 2 % kRowLanes;
    return end % 2 == 0 ? row.body_a[lane] : row.body_b[lane];
  }

  StageRig rig;

 private:
  exec::CpuMemory memory_;
  exec::Table<kernels::RowEnds> row_ends_;
  exec::Table<kernels::BodyEnds> body_ends_;
};

TEST(XpbdEnds, each_body_finds_its_ends_in_the_order_of_the_rows) {
  for (const int threads : {1, 3}) {
    for (const std::uint32_t rows : {0u, 1u, 7u, 8u, 9u, 255u, 256u, 257u, 5000u}) {
      Ends ends(threads, 300, rows);
      StepContext& s = ends.rig.s;
      list_ends(ends.rig.exec, s);
      ASSERT_EQ(s.state->end_count, 2 * s.state->row_count);
      std::vector<std::vector<std::uint32_t>> wanted(301);
      for (std::uint32_t end = 0; end < s.state->end_count; ++end) {
        const std::uint32_t body = ends.body_of(end);
        if (s.bodies.solve[body].movable > 0) wanted[body].push_back(end);
      }
      for (std::uint32_t b = 0; b <= 300; ++b) {
        const std::vector<std::uint32_t> got(s.row_ends.sorted + s.body_ends.begin[b],
                                             s.row_ends.sorted + s.body_ends.end[b]);
        ASSERT_EQ(got, wanted[b]) << "body " << b << " of " << rows << " rows";
      }
    }
  }
}

TEST(XpbdEnds, a_body_shares_among_its_rows_and_adds_up_what_they_do) {
  Ends ends(2, 50, 100);
  StepContext& s = ends.rig.s;
  list_ends(ends.rig.exec, s);
  std::vector<float> rows(51, 0.0f), sum(51, 0.0f);
  for (std::uint32_t end = 0; end < s.state->end_count; ++end) {
    const auto push = static_cast<float>(end);
    s.row_ends.push[end] = {{push, 0, 0}, 0, {0, -push, 0}, 0};
    // whole numbers: their sums are exact in any order
    rows[ends.body_of(end)] += 1;
    sum[ends.body_of(end)] += push;
  }
  ends.rig.exec.for_each(50, kernels::EndGather{s.bodies.solve, s.row_ends, s.body_ends});
  for (std::uint32_t b = 0; b < 50; ++b) {
    const bool pushed = s.bodies.solve[b].movable > 0;
    EXPECT_EQ(s.bodies.solve[b].v, (Vec3{pushed ? sum[b] : 0.0f, 0, 0})) << b;
    EXPECT_EQ(s.bodies.solve[b].w, (Vec3{0, pushed ? -sum[b] : 0.0f, 0})) << b;
    const float share = pushed && rows[b] > 1 ? std::min(kernels::kXpbdRelaxation / rows[b], 1.0f) : 1.0f;
    EXPECT_EQ(s.body_ends.share[b], share) << b;
  }
  EXPECT_EQ(s.body_ends.share[50], 1.0f);
}

constexpr StepParams kJacobiSweeps{.solver = SolverKind::kXpbd, .sweep = SweepKind::kJacobi};

constexpr int kSteps = 60;

TEST(XpbdJacobi, bodies_that_meet_keep_their_momentum) {
  // 27 boxes and balls of different masses, without gravity, fly at the middle one and pile up on it
  Scene scene = afloat({}, kJacobiSweeps);
  for (int i = 0; i < 27; ++i) {
    const Vec3d at{1.5 * (i % 3 - 1) + 0.05 * (i % 2), 1.5 * (i / 3 % 3 - 1) + 0.02 * (i % 5), 1.5 * (i / 9 - 1)};
    Body b = i % 2 == 0 ? box("b" + std::to_string(i), at) : ball("b" + std::to_string(i), at);
    b.density = 500.0f * static_cast<float>(1 + i % 4);
    scene.add_body(moving(b, kernels::narrow(Vec3d{-2 * at.x, -2 * at.y, 1 - 2 * at.z})));
  }
  World world(scene, cpu());
  // what momenta add up to whatever their directions
  const auto size = [&] {
    double sum = 0;
    for (const BodyHandle b : world.bodies()) sum += world.mass_properties(b).mass * speed(world, b);
    return sum;
  };
  const double size_before = size();
  const Vec3d before = sums_of(world).momentum;
  // they have met, each with more than one
  EXPECT_GT(largest_over(world, kSteps, [&] { return world.report().manifolds; }), 27);
  EXPECT_LT(size(), 0.9 * size_before);
  // per substep a body's velocity is rounded for its forces, and in each of two sweeps for each of at most 26 rows
  // where their pushes are added; the row's own copy for its points, in a symmetric sweep, and its friction: 1 + 2 * 26
  // * (1 + 10). Half an ulp of the speed each, and as such errors are of either sign, their number counts by its root,
  // five times over
  const double rounded = 5 * std::sqrt(kSteps * 6 * (1 + 2 * 26 * 11.0)) * 0x1p-24 * size_before;
  EXPECT_LT(length(sums_of(world).momentum - before), rounded);
}

TEST(XpbdJacobi, its_arrays_are_there_only_where_the_solver_needs_them) {
  World world(tower(5), cpu());
  world.step();
  const std::uint64_t without = world.memory_bytes();
  world.set_params(kJacobiSweeps);
  world.step();
  EXPECT_GT(world.memory_bytes(), without);
}

}  // namespace
}  // namespace cairn::xpbd_test
