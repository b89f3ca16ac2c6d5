// Shape matching: the rotation that is nearest, springs of whole shapes, momentum, rest, and what is degenerate.

#include <algorithm>
#include <numbers>

#include "kernels/common/frame.h"
#include "kernels/particles/shape_matching.h"
#include "tests/particles/sets.h"

namespace cairn::particles_test {
namespace {

using kernels::cross;
using kernels::dot;
using kernels::operator+;
using kernels::operator-;
using kernels::operator*;

/// Of unequal masses, about its centre.
std::vector<kernels::ClusterMember> cluster_of(const std::vector<Vec3d>& points) {
  std::vector<kernels::ClusterMember> members;
  double all = 0;
  for (std::size_t i = 0; i < points.size(); ++i) all += 1 + 0.3 * static_cast<double>(i);
  Vec3d centre{0, 0, 0};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double share = (1 + 0.3 * static_cast<double>(i)) / all;
    members.push_back({points[i], share, static_cast<std::uint32_t>(i)});
    centre = centre + share * points[i];
  }
  for (kernels::ClusterMember& m : members) m.rest = m.rest - centre;
  return members;
}

kernels::Matched match(const std::vector<kernels::ClusterMember>& members, const std::vector<Vec3d>& at) {
  return kernels::match_shape(members.data(), static_cast<std::uint32_t>(members.size()),
                              [&](std::uint32_t i) { return at[i]; });
}

TEST(ShapeMatch, finds_the_turn_and_the_place_of_a_shape_that_is_as_it_was) {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec3d> points(4 + i % 5);
    for (Vec3d& p : points) {
      p = draw.point();
      if (i % 3 == 1) p.z = 0;        // on a plane
      if (i % 3 == 2) p.y = p.z = 0;  // on a line
    }
    // turns by 180 degrees have no w
    kernels::Quatd turn = draw.turn();
    if (i % 7 == 0) turn = {0, 0.6, 0.8, 0};
    const Vec3d to = draw.point();
    const auto members = cluster_of(points);
    std::vector<Vec3d> at;
    for (const Vec3d& p : points) at.push_back(to + kernels::rotate(turn, p));
    const kernels::Matched matched = match(members, at);
    for (std::size_t k = 0; k < at.size(); ++k) {
      const Vec3d off = matched.off(members[k], at[k]);
      EXPECT_LT(std::sqrt(dot(off, off)), 1e-14) << i;
    }
  }
}

// Of deformed, flattened and mirrored shapes: no turn is nearer, so that what is off has no moment.
TEST(ShapeMatch, is_nearest_to_any_points) {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec3d> points(6), at;
    for (Vec3d& p : points) p = draw.point();
    for (const Vec3d& p : points) at.push_back(i % 2 == 0 ? draw.point() : Vec3d{p.x, p.y, -p.z} + 0.1 * draw.point());
    if (i % 5 == 0) {
      for (Vec3d& p : at) p.z = 0;
    }
    const auto members = cluster_of(points);
    const kernels::Matched matched = match(members, at);
    const auto square_of = [&](const kernels::Matched& m) {
      double sum = 0;
      for (std::size_t k = 0; k < at.size(); ++k) {
        const Vec3d off = m.off(members[k], at[k]);
        sum += members[k].share * dot(off, off);
      }
      return sum;
    };
    Vec3d force{0, 0, 0}, moment{0, 0, 0};
    for (std::size_t k = 0; k < at.size(); ++k) {
      const Vec3d off = members[k].share * matched.off(members[k], at[k]);
      force = force + off;
      moment = moment + cross(at[k], off);
    }
    EXPECT_LT(std::sqrt(dot(force, force)), 1e-15) << i;
    EXPECT_LT(std::sqrt(dot(moment, moment)), 1e-14) << i;
    const double least = square_of(matched);
    for (int other = 0; other < 100; ++other) EXPECT_GE(square_of({matched.centre, draw.turn()}), least - 1e-14) << i;
  }
}

TEST(ShapeMatch, of_points_at_one_place_is_no_turn) {
  const auto members = cluster_of(std::vector<Vec3d>(4, {1, 2, 3}));
  const kernels::Matched matched = match(members, std::vector<Vec3d>(4, {4, 5, 6}));
  EXPECT_EQ(matched.turn.w, 1);
  EXPECT_NEAR(dot(matched.off(members[0], {4, 5, 6}), matched.off(members[0], {4, 5, 6})), 0, 1e-28);
}

Scene floating(const Method& method, const ParticleSet& set, int substeps, int sweeps) {
  return alone(set, params_of(method, substeps, sweeps), {0, 0, 0});
}

/// [m] Most that distances of two particles differ from where they start.
double deformed(const World& world) {
  const std::vector<Vec3d>& from = world.description(world.particles().list()[0]).positions;
  const std::vector<BodyState> at = states_of(world);
  double most = 0;
  for (std::size_t b = 0; b < at.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const Vec3d now = at[b].position - at[a].position, then = from[b] - from[a];
      most = std::max(most, std::abs(std::sqrt(dot(now, now)) - std::sqrt(dot(then, then))));
    }
  }
  return most;
}

class Shapes : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Shapes, testing::ValuesIn(kMethods), name_of_method);

TEST_P(Shapes, that_are_turned_and_moved_feel_nothing) {
  for (const bool whole : {true, false}) {
    World world(floating(GetParam(), lattice(3, 0.2, {0, 0, 0}, {}, whole), 6, 2), test::cpu());
    const kernels::Quatd turn{0.48, -0.6, 0.64, 0};
    const auto map = [&](Vec3d p) { return Vec3d{3, -2, 5} + kernels::rotate(turn, p); };
    put(world, map);
    for (int i = 0; i < 60; ++i) world.step();
    expect_put(world, map, 1e-9);
  }
}

// Stretched evenly, it stays so: each particle is on the spring k (m / M), and all go at omega^2 = 1 / (compliance M)
// by the implicit Euler rule x' = x + h v', v' = v - h omega^2 x'.
TEST_P(Shapes, swing_as_the_springs_that_their_compliance_makes) {
  const ConstraintLaw law{1e-3f, 0, 0};
  const Scene scene = floating(GetParam(), lattice(3, 0.2, {0, 0, 0}, law, true), 10, 1);
  World world(scene, test::cpu());
  put(world, [](Vec3d p) { return 1.2 * p; });
  const bool plain = GetParam().solver == SolverKind::kSequentialImpulse;
  const double h = double{world.params().dt} / (plain ? 1 : 10);
  const double square = 1 / (double{law.compliance} * 27 * double{0.1f});
  double x = 0.2, v = 0;
  for (int i = 0; i < 120; ++i) {
    world.step();
    for (int k = 0; k < (plain ? 1 : 10); ++k) {
      v = (v - h * square * x) / (1 + h * h * square);
      x += h * v;
    }
    const std::vector<BodyState> at = states_of(world);
    const Vec3d across = at[26].position - at[0].position;
    EXPECT_NEAR(across.x / 0.4 - 1, x, 2e-5) << i;
    EXPECT_NEAR(across.z / 0.4 - 1, x, 2e-5) << i;
  }
}

TEST_P(Shapes, come_back_from_any_deformation) {
  World world(floating(GetParam(), lattice(3, 0.2, {0, 0, 0}, {0, 0, 0}, true), 6, 1), test::cpu());
  // by less than a radius: what goes farther in a step than its box reached is stopped there
  put(world, [](Vec3d p) { return Vec3d{1.1 * p.x + 0.1 * p.y, 0.95 * p.y, 0.85 * p.z + 0.1 * p.x}; });
  EXPECT_GT(deformed(world), 0.05);
  world.step();
  EXPECT_LT(deformed(world), 1e-5);
  // and flat, where any side may be up: at omega = 19 / s, damped by 0.19 of what is critical, it is within 0.2 m
  // exp(-0.19 omega t) of its shape
  World flat(floating(GetParam(), lattice(3, 0.2, {0, 0, 0}, {1e-3f, 20, 0}, true), 6, 1), test::cpu());
  put(flat, [](Vec3d p) { return Vec3d{p.x, p.y, 0}; });
  for (int i = steps_in(flat, 4); i > 0; --i) flat.step();
  EXPECT_LT(deformed(flat), 1e-5);
  EXPECT_EQ(flat.report().status, 0u);
}

// What shapes give has no momentum, and no moment about where they leave the particles: sum of m x' x (v' - v) = 0.
TEST_P(Shapes, keep_momentum) {
  ParticleSet set = lattice(2, 0.3, {0, 0, 0}, {}, true);
  set.masses = {0.1f, 0.2f, 0.3f, 0.15f, 0.25f, 0.4f, 0.1f, 0.5f};
  Draw draw;
  for (int i = 0; i < 8; ++i) set.velocities.push_back(kernels::narrow(2.0 * draw.point()));
  World world(floating(GetParam(), set, 1, 1), test::cpu());
  std::vector<BodyState> before = states_of(world);
  const auto sum = [&](const auto& of) {
    Vec3d all{0, 0, 0};
    for (std::size_t i = 0; i < 8; ++i) all = all + double{set.masses[i]} * of(i);
    return all;
  };
  const auto v = [](const BodyState& s) { return kernels::widen(s.linear_velocity); };
  const Vec3d start = sum([&](std::size_t i) { return v(before[i]); });
  for (int step = 0; step < 300; ++step) {
    world.step();
    const std::vector<BodyState> at = states_of(world);
    // velocities of up to 4 m/s are rounded by 2^-23 m/s at most, twice; there are 2 kg, within 10 m
    const Vec3d moment =
        sum([&](std::size_t i) { return cross(at[i].position - at[0].position, v(at[i]) - v(before[i])); });
    EXPECT_LT(std::sqrt(dot(moment, moment)), 2 * 2 * 0x1p-22) << step;
    const Vec3d change = sum([&](std::size_t i) { return v(at[i]); }) - start;
    EXPECT_LT(std::sqrt(dot(change, change)), 2 * 2 * 0x1p-22 * std::sqrt(step + 1.0)) << step;
    before = at;
  }
}

// A rigid shape turns by phi in a substep, and then by atan(sin phi / (2 - cos phi)): where it would fly on to, turned
// back to the nearest. That is what implicit springs of any kind do; it takes some omega^2 h / 2 of the spin a second.
TEST_P(Shapes, that_spin_lose_what_the_implicit_rule_takes) {
  ParticleSet set = lattice(2, 0.2, {-0.1, -0.1, -0.1}, {}, true);
  for (const Vec3d& p : set.positions) set.velocities.push_back(kernels::narrow(cross(Vec3d{0, 0, 5}, p)));
  World world(floating(GetParam(), set, 1, 1), test::cpu());
  const double h = double{world.params().dt};
  double phi = std::atan(5 * h), angle = 0;
  const int steps = steps_in(world, 2);
  for (int i = 0; i < steps; ++i) {
    world.step();
    angle += phi;
    phi = std::atan(std::sin(phi) / (2 - std::cos(phi)));
  }
  const Vec3d corner = states_of(world)[7].position;
  const double turned = std::atan2(corner.y, corner.x) - std::atan2(0.1, 0.1);
  EXPECT_NEAR(std::remainder(turned - angle, 2 * std::numbers::pi), 0, 1e-4);
  EXPECT_LT(deformed(world), 1e-5);
}

TEST_P(Shapes, rest_on_the_floor_as_they_are) {
  for (const bool whole : {true, false}) {
    const bool jacobi = GetParam().sweep == SweepKind::kJacobi;
    Scene scene = test::scene_of({test::plane()}, params_of(GetParam(), 10, jacobi ? 8 : 2));
    scene.add_particles(lattice(3, 0.2, {0, 0, 0.3}, {1e-5f, 20, 0}, whole));
    World world(scene, test::cpu());
    for (int i = steps_in(world, 8); i > 0; --i) world.step();
    EXPECT_EQ(world.report().status, 0u);
    // its weight on the spring of one: 2.7 g * 1e-5 m/N, and what contacts give way
    EXPECT_LT(deformed(world), 3e-3) << whole;
    for (const BodyState& s : states_of(world)) {
      const Vec3d v = kernels::widen(s.linear_velocity);
      EXPECT_LT(std::sqrt(dot(v, v)), 0.02) << whole;
      EXPECT_GT(s.position.z, 0.08) << whole;
    }
  }
}

// On a plane, on a line, in one place, and of two particles.
TEST_P(Shapes, of_degenerate_clusters_stay_finite) {
  for (const int kind : {0, 1, 2, 3}) {
    ParticleSet set{.name = "flat", .mass = 0.1f, .radius = 0.02f};
    for (int i = 0; i < (kind == 3 ? 2 : 9); ++i) {
      const double x = 0.1 * (i % 3), y = 0.1 * (i / 3);
      set.positions.push_back(kind == 0 ? Vec3d{x, y, 0.5} : kind == 2 ? Vec3d{0, 0, 0.5} : Vec3d{0.1 * i, 0, 0.5});
    }
    ConstraintGroup all{.kind = ConstraintKind::kShape, .cluster = static_cast<std::uint32_t>(set.positions.size())};
    for (std::uint32_t i = 0; i < all.cluster; ++i) all.particles.push_back(i);
    set.constraints = {all};
    set.velocities.assign(set.positions.size(), {0, 0, 0});
    set.velocities[0] = {0.3f, 1, 2};
    Scene scene = test::scene_of({test::plane()}, params_of(GetParam(), 6, 1));
    scene.add_particles(set);
    World world(scene, test::cpu());
    for (int i = steps_in(world, 2); i > 0; --i) world.step();
    EXPECT_EQ(world.report().status, 0u) << kind;
    EXPECT_LT(deformed(world), 2e-3) << kind;
  }
}

TEST(Shape, is_refused_by_name_where_it_breaks_a_rule) {
  constexpr ConstraintKind kShape = ConstraintKind::kShape;
  EXPECT_EQ(refusal_of_group({.kind = kShape, .particles = {0, 1, 2}}),
            "particles \"cube\": cluster must be between 2 and 1024, is 0");
  EXPECT_EQ(refusal_of_group({.kind = kShape, .particles = {0, 1, 2}, .cluster = 1025}),
            "particles \"cube\": cluster must be between 2 and 1024, is 1025");
  EXPECT_EQ(refusal_of_group({.kind = kShape, .particles = {0, 1, 2}, .cluster = 2}),
            "particles \"cube\": particles must be 2 for each constraint");
  EXPECT_EQ(refusal_of_group({.kind = kShape, .particles = {0, 1, 0}, .cluster = 3}),
            "particles \"cube\": particles must be different ones");
  EXPECT_EQ(refusal_of_group({.kind = kShape, .particles = {0, 1, 2}, .rest = {0}, .cluster = 3}),
            "particles \"cube\": rest must be none for shape and elastic: it is as the particles start");
  EXPECT_EQ(refusal_of_group({.particles = {0, 1}, .cluster = 2}),
            "particles \"cube\": cluster must be 0 but for shape");
  EXPECT_EQ(refusal_of_group({.kind = kShape, .cluster = 0}), "");
}

}  // namespace
}  // namespace cairn::particles_test
