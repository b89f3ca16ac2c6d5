#include "src/finish/finish.inl"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "src/predict/predict.inl"
#include "src/prepare/prepare.inl"
#include "tests/support/stage_rig.h"

namespace cairn::finish_test {
namespace {

using testing_support::StageRig;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

void start(StageRig& rig) {
  begin(rig.exec, rig.s);
  prepare(rig.exec, rig.s);
  rig.s.state->status = 0;
}

TEST(Finish, takes_over_poses_and_velocities_of_every_body) {
  for (const std::uint32_t n : {0u, 1u, 255u, 256u, 257u}) {
    StageRig rig(3, n, 0, 1);
    start(rig);
    for (std::uint32_t i = 0; i < n; ++i) {
      rig.s.bodies.solve[i].v = {static_cast<float>(i), 0, 1};
      rig.s.bodies.solve[i].dx = {0, static_cast<float>(i), 0};
      rig.s.bodies.force[i] = {1, 1, 1};
      rig.s.bodies.torque[i] = {1, 1, 1};
    }
    finish(rig.exec, rig.s);
    for (std::uint32_t i = 0; i < n; ++i) {
      EXPECT_EQ(rig.s.bodies.x[i], (Vec3{0, static_cast<float>(i), 0}));
      EXPECT_EQ(rig.s.bodies.v[i], (Vec3{static_cast<float>(i), 0, 1}));
      EXPECT_EQ(rig.s.bodies.force[i], Vec3{});
      EXPECT_EQ(rig.s.bodies.torque[i], Vec3{});
    }
    EXPECT_EQ(rig.s.state->status, 0u);
  }
}

// a float pair: 8 km away an ulp is 0.5 mm, and 600 steps of 0.01 mm must still come to 6 mm
TEST(Finish, small_displacements_add_up_far_from_the_origin) {
  StageRig rig(1, 1, 0, 1);
  rig.s.bodies.x[0] = {8000, -8000, 8000};
  for (int step = 0; step < 600; ++step) {
    start(rig);
    rig.s.bodies.solve[0].dx = {1e-5f, 1e-5f, -1e-5f};
    finish(rig.exec, rig.s);
  }
  const Vec3 x = rig.s.bodies.x[0], low = rig.s.bodies.x_low[0];
  const double wanted = 600 * double{1e-5f};
  // the low part is at most half an ulp of 8000 (2^-12), and each addition to it rounds by 2^-24 of that
  const double allowed = 600 * 0x1p-12 * 0x1p-24;
  EXPECT_NEAR(double{x.x} + low.x, 8000 + wanted, allowed);
  EXPECT_NEAR(double{x.y} + low.y, -8000 + wanted, allowed);
  EXPECT_NEAR(double{x.z} + low.z, 8000 - wanted, allowed);
}

TEST(Finish, freezes_a_world_with_a_body_that_is_not_finite_or_out_of_range_and_says_so) {
  struct Case {
    Vec3 v, dx;
    std::uint32_t status;
  };
  for (const Case& c : {Case{{kNaN, 0, 0}, {}, kStatusNonFinite}, Case{{0, kInf, 0}, {}, kStatusNonFinite},
                        Case{{}, {0, 0, kNaN}, kStatusNonFinite}, Case{{}, {kInf, 0, 0}, kStatusNonFinite},
                        Case{{1.1e5f, 0, 0}, {}, kStatusTooFast}, Case{{}, {0, -1.1e7f, 0}, kStatusOutOfBounds},
                        Case{{1.1e5f, 0, 0}, {1.1e7f, 0, 0}, kStatusTooFast | kStatusOutOfBounds},
                        Case{{9e4f, 0, 0}, {9e6f, 0, 0}, 0}}) {
    StageRig rig(1, 2, 0, 1);
    rig.s.bodies.x[0] = rig.s.bodies.x[1] = {1, 2, 3};
    start(rig);
    rig.s.bodies.solve[0].v = c.v;
    rig.s.bodies.solve[0].dx = c.dx;
    rig.s.bodies.solve[1].v = {1, 1, 1};
    finish(rig.exec, rig.s);
    EXPECT_EQ(rig.s.state->status, c.status);
    EXPECT_EQ(rig.s.worlds.status[0], c.status);
    EXPECT_EQ(rig.s.worlds.first_bad[0], c.status == 0 ? 0u : ~0u);
    EXPECT_EQ(rig.s.bodies.v[1], (c.status == 0 ? Vec3{1, 1, 1} : Vec3{})) << "as it was before the step";
    for (std::uint32_t i = 0; c.status != 0 && i < 2; ++i) {
      EXPECT_EQ(rig.s.bodies.x[i], (Vec3{1, 2, 3}));
      EXPECT_EQ(rig.s.bodies.v[i], Vec3{});
      EXPECT_FALSE(kernels::is_awake_dynamic(rig.s.bodies.flags[i]));
    }
  }
}

TEST(Finish, never_writes_static_sleeping_and_dead_bodies) {
  StageRig rig(1, 3, 0, 1);
  rig.make_body(0, BodyType::kStatic);
  rig.s.bodies.flags[1] |= kernels::kBodyAsleep;
  rig.s.bodies.flags[2] &= ~std::uint32_t{kernels::kBodyAlive};
  start(rig);
  for (std::uint32_t i = 0; i < 3; ++i) rig.s.bodies.solve[i].v = rig.s.bodies.solve[i].dx = {1, 1, 1};
  finish(rig.exec, rig.s);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rig.s.bodies.x[i], Vec3{}) << i;
    EXPECT_EQ(rig.s.bodies.v[i], Vec3{}) << i;
  }
  EXPECT_EQ(rig.s.state->counts.asleep, 1u);
}

TEST(Finish, writes_no_impulse_into_the_cache_that_is_not_finite) {
  StageRig rig(1, 2, 2, 1);
  for (std::uint32_t i = 0; i < 2; ++i) rig.make_shape(i, i, kernels::ShapeKind::kSphere, {0.5f, 0, 0});
  rig.make_pair(0, 1);
  kernels::Manifold& m = rig.s.pairs[0].manifold[0];
  m.count = 1;
  m.normal = {0, 0, 1};
  start(rig);
  rig.s.state->pair_count[0] = 1;
  // one row, of the first colour
  std::fill_n(rig.s.parts.color_begin + 1, kernels::kColorCount, 1u);
  rig.s.work.sorted_row_key[0] = rig.s.work.row_order[0] = 0;
  kernels::RowBlock& row = rig.s.rows[0];
  row.point[0].impulse[0] = kNaN;
  row.point[0].total[0] = kNaN;
  row.friction_impulse[0][0] = kInf;
  row.twist_impulse[0] = kNaN;
  row.tangent[0][0] = 1;
  finish(rig.exec, rig.s);
  EXPECT_TRUE(std::isfinite(m.points[0].impulse));
  EXPECT_TRUE(std::isfinite(m.friction.x) && std::isfinite(m.friction.y));
  EXPECT_TRUE(std::isfinite(m.twist));
}

}  // namespace
}  // namespace cairn::finish_test
