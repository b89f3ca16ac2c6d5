#include "src/bound/bound.inl"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "src/finish/finish.inl"
#include "src/pair/pair.inl"
#include "tests/support/stage_rig.h"

namespace cairn::bound_test {
namespace {

using kernels::ShapeKind;
using testing_support::StageRig;

void run_bound(StageRig& rig) {
  StageRig::poison_all(rig.s.constants.shape_count, rig.s.shapes.box, rig.s.shapes.cell);
  begin(rig.exec, rig.s);
  bound(rig.exec, rig.s);
}

struct Uniform {
  std::mt19937 bits;
  double operator()(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits()) / 4294967296.0);
  }
};

void fill(StageRig& rig, double away, unsigned seed) {
  Uniform uniform{std::mt19937(seed)};
  const auto number = [&](double low, double high) { return static_cast<float>(uniform(low, high)); };
  for (std::uint32_t i = 0; i < rig.s.constants.shape_count; ++i) {
    rig.make_body(i, static_cast<BodyType>(i % 3));
    rig.s.bodies.x[i] = {number(-5, 5) + static_cast<float>(away), number(-5, 5), number(-5, 5)};
    rig.s.bodies.q[i] = kernels::normalized(Quat{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)});
    rig.s.bodies.v[i] = {number(-9, 9), number(-9, 9), number(-9, 9)};
    rig.s.bodies.w[i] = {number(-9, 9), number(-9, 9), number(-9, 9)};
    rig.make_shape(i, i, static_cast<ShapeKind>(i / 3 % 3), {number(0.1, 1), number(0.1, 1), number(0.1, 1)});
    rig.s.shapes.geometry[i].position = {number(-1, 1), number(-1, 1), number(-1, 1)};
    rig.s.shapes.geometry[i].orientation =
        kernels::normalized(Quat{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)});
  }
}

struct Point {
  double x, y, z;
};
Point rotated(Quat q, Point p) {
  const double tx = 2 * (q.y * p.z - q.z * p.y), ty = 2 * (q.z * p.x - q.x * p.z), tz = 2 * (q.x * p.y - q.y * p.x);
  return {p.x + q.w * tx + q.y * tz - q.z * ty, p.y + q.w * ty + q.z * tx - q.x * tz,
          p.z + q.w * tz + q.x * ty - q.y * tx};
}

/// A point of the shape, the farthest of it in direction d, in the world; in double.
Point support(const StepContext& s, std::uint32_t i, Point d) {
  const kernels::ShapeGeometry& g = s.shapes.geometry[i];
  const Quat q = s.bodies.q[i];
  const auto back = [](Quat r, Point p) { return rotated(Quat{-r.x, -r.y, -r.z, r.w}, p); };
  const Point local = back(g.orientation, back(q, d));
  const double size = std::sqrt(local.x * local.x + local.y * local.y + local.z * local.z);
  const auto sign = [](double a) { return a < 0 ? -1.0 : 1.0; };
  Point at{};
  if (g.kind == ShapeKind::kBox) at = {sign(local.x) * g.size.x, sign(local.y) * g.size.y, sign(local.z) * g.size.z};
  if (g.kind != ShapeKind::kBox) at = {local.x / size * g.size.x, local.y / size * g.size.x, local.z / size * g.size.x};
  if (g.kind == ShapeKind::kCapsule) at.z += sign(local.z) * g.size.z;
  const Point in_body = rotated(g.orientation, at);
  const Point out = rotated(q, {in_body.x + g.position.x, in_body.y + g.position.y, in_body.z + g.position.z});
  const Vec3 x = s.bodies.x[i];
  return {out.x + x.x, out.y + x.y, out.z + x.z};
}

TEST(Bound, boxes_hold_their_shapes_tightly_and_grow_by_the_margin) {
  for (const double away : {0.0, 1e4, 1e6, -9e6}) {
    for (const std::uint32_t n : {0u, 1u, 255u, 256u, 257u}) {
      StageRig rig(1, n, n, 1);
      fill(rig, away, n);
      run_bound(rig);
      const StepContext& s = rig.s;
      for (std::uint32_t i = 0; i < n; ++i) {
        const kernels::Aabb box = s.shapes.box[i];
        const double low[3] = {support(s, i, {-1, 0, 0}).x, support(s, i, {0, -1, 0}).y, support(s, i, {0, 0, -1}).z};
        const double high[3] = {support(s, i, {1, 0, 0}).x, support(s, i, {0, 1, 0}).y, support(s, i, {0, 0, 1}).z};
        const double got_low[3] = {box.min.x, box.min.y, box.min.z}, got_high[3] = {box.max.x, box.max.y, box.max.z};
        // margin: 2 tolerances and what the body can travel, at most its smallest half extent; none for statics
        const double r = s.bodies.radius[i], least = s.bodies.min_extent[i];
        const auto norm = [](Vec3 a) { return std::sqrt(double{a.x} * a.x + double{a.y} * a.y + double{a.z} * a.z); };
        const double reach =
            (norm(s.bodies.v[i]) + norm(s.bodies.w[i]) * r + 9.81 / 60) / 60 + 2 * std::min(0.01 * r, 0.25 * least);
        const double margin = i % 3 == 0 ? 0 : std::min(reach, least);
        // 4 ulp of the distance from the origin, which the box is grown by; and as much for rounding both ways
        const double far_out = std::abs(away) + 8, slack = far_out * 4 * 0x1p-23;
        for (int axis = 0; axis < 3; ++axis) {
          ASSERT_LE(got_low[axis], low[axis] - margin + 1e-6) << "shape " << i << " axis " << axis << " at " << away;
          ASSERT_GE(got_high[axis], high[axis] + margin - 1e-6) << "shape " << i << " axis " << axis << " at " << away;
          ASSERT_GE(got_low[axis], low[axis] - margin - 1e-6 - slack)
              << "shape " << i << " axis " << axis << " at " << away;
          ASSERT_LE(got_high[axis], high[axis] + margin + 1e-6 + slack)
              << "shape " << i << " axis " << axis << " at " << away;
        }
      }
    }
  }
}

TEST(Bound, cells_are_no_smaller_than_boxes_and_less_than_twice_as_large) {
  StageRig rig(1, 257, 257, 1);
  fill(rig, 0, 1);
  run_bound(rig);
  std::vector<std::uint32_t> level_count(kernels::kLevels, 0);
  for (std::uint32_t i = 0; i < 257; ++i) {
    const kernels::GridCell cell = kernels::cell_of(rig.s.shapes.cell[i]);
    const kernels::Aabb box = rig.s.shapes.box[i];
    const double size = kernels::kUnitCell * std::ldexp(1.0, static_cast<int>(cell.level) - kernels::kLevelBias);
    const double extent =
        std::max({double{box.max.x} - box.min.x, double{box.max.y} - box.min.y, double{box.max.z} - box.min.z});
    EXPECT_GE(size, extent);
    // the box is taken a millionth of its distance from the origin larger
    EXPECT_LT(size, 2 * (extent + 20e-6));
    level_count[cell.level] += 1;
  }
  for (std::uint32_t level = 0; level < kernels::kLevels; ++level) {
    const std::uint32_t got = rig.s.state->level_count[level];
    // past the limit the count stops mattering
    EXPECT_EQ(std::min(got, kernels::kListedLevel + 1), std::min(level_count[level], kernels::kListedLevel + 1))
        << "level " << level;
  }
}

TEST(Bound, planes_and_dead_shapes_are_in_no_cell) {
  StageRig rig(1, 3, 3, 1);
  fill(rig, 0, 1);
  rig.s.shapes.body[0] = kernels::kNone;
  rig.make_shape(1, 1, ShapeKind::kPlane, {0, 0, 0});
  run_bound(rig);
  EXPECT_EQ(rig.s.shapes.cell[0], kernels::kNoCell);
  EXPECT_EQ(rig.s.shapes.cell[1], kernels::kNoCell);
  EXPECT_NE(rig.s.shapes.cell[2], kernels::kNoCell);
}

TEST(Bound, huge_velocities_grow_a_box_by_no_more_than_the_way_of_the_fastest_body) {
  StageRig rig(1, 1, 1, 1);
  rig.make_shape(0, 0, ShapeKind::kSphere, {0.5f, 0, 0});
  for (const float v : {1e5f, 1e20f, 3e38f}) {
    rig.s.bodies.v[0] = {v, v, v};
    rig.s.bodies.w[0] = {v, v, v};
    run_bound(rig);
    // the ball, its turning, and the tolerances of its contacts
    EXPECT_LE(rig.s.shapes.box[0].max.x, 0.5f + kernels::kMaxSpeed * rig.s.constants.dt + 1.0f) << v;
    EXPECT_EQ(rig.s.state->status, 0u) << v;
  }
}

}  // namespace
}  // namespace cairn::bound_test
