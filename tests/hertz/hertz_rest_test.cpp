// What rests, rolls and slides on elastic contacts.

#include "tests/hertz/grains.h"

namespace cairn::hertz_test {
namespace {

/// What a sphere may lie on at z = 0, all of one material.
struct Ground {
  const char* name;
  Geometry geometry;
  Vec3d position{};
  double rounding{2e-10};  ///< [m] of where its face is: that of a rounded box is the sum of two floats
};

std::vector<Ground> grounds() {
  const TriangleMesh plate({{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}}, {{{0, 1, 2}, {0, 2, 3}}});
  return {{"plane", Plane{}},
          {"box", Box{{1, 1, 0.5f}}, {0, 0, -0.5}},
          {"rounded box", RoundedBox{{1, 1, 0.5f}, 0.1f}, {0, 0, -0.5}, 3e-8},
          {"mesh", plate},
          {"cylinder", Cylinder{1, 0.5f}, {0, 0, -0.5}}};
}

Scene lying(const Grain& grain, const Ground& ground, double h, int substeps) {
  Scene scene = scene_of(grain, elastic(h, substeps));
  scene.add_body(fixed("floor", ground.geometry, ground.position));
  // clear of the mesh's diagonal
  scene.add_body(sphere("ball", {0.3, 0.1, grain.radius}, grain.radius));
  return scene;
}

TEST(ElasticRest, sinks_by_the_closed_form_and_reads_the_weight) {
  for (const double young : {70e9, 1e7}) {
    for (const Ground& ground : grounds()) {
      const Grain grain{.young = young, .friction = 0.5, .restitution = 0.1};
      const double weight = grain.mass() * kG;
      const double depth = std::pow(weight / grain.stiffness(grain.radius), 2.0 / 3.0);
      // [s] about the period of small bounces
      const double period = 2 * std::numbers::pi * std::sqrt(depth / kG / 1.5);
      World world(lying(grain, ground, period / 300, 20), test::cpu());
      for (int i = 0; i < 300; ++i) world.step();
      ASSERT_EQ(world.report().status, 0u) << ground.name;
      EXPECT_NEAR(test::support(world, world.bodies()[0]), weight, 1e-3 * weight) << ground.name << " " << young;
      const double sunk = grain.radius - world.state(world.bodies()[1]).position.z;
      EXPECT_NEAR(sunk, depth, 1e-3 * depth + ground.rounding) << ground.name << " " << young;
      EXPECT_LT(test::speed(world, world.bodies()[1]), 1e-3 * std::sqrt(kG * depth)) << ground.name << " " << young;
    }
  }
}

// Between drops of 1 mm and depths of 0.1 mm the sum of 1/2 m v^2, m g z and 2/5 K d^5/2 is what it was.
TEST(ElasticRest, of_a_ball_that_loses_nothing_never_comes) {
  const Grain grain{.young = 1e7};
  World world(lying(grain, grounds()[0], 1e-5, 1), test::cpu());
  const BodyHandle ball = world.bodies()[1];
  world.set_pose(ball, {0.3, 0.1, grain.radius + 1e-3}, {});
  const double start = grain.mass() * kG * 1e-3, stiffness = grain.stiffness(grain.radius);
  double least = 1, most = 0, speed_before = 0;
  int bounces = 0;
  for (int i = 0; i < 60000; ++i) {
    world.step();
    const BodyState s = world.state(ball);
    // the velocity is that of half a substep ago
    const double depth = std::max(grain.radius - s.position.z, 0.0);
    const double g = kG - stiffness * depth * std::sqrt(depth) / grain.mass();
    const double v = double{s.linear_velocity.z} - 0.5e-5 * g;
    const double energy = grain.mass() * (0.5 * v * v + kG * (s.position.z - grain.radius)) +
                          0.4 * stiffness * depth * depth * std::sqrt(depth);
    least = std::min(least, energy / start);
    most = std::max(most, energy / start);
    if (speed_before < 0 && v >= 0) ++bounces;
    speed_before = v;
  }
  EXPECT_GT(bounces, 15);
  EXPECT_GT(least, 0.99);
  EXPECT_LT(most, 1.01);
}

/// [m/s] down the slope and [rad/s] of a sphere after so many seconds on a plane that leans by atan(tangent).
BodyState slid(const Grain& grain, double tangent, double seconds, bool turns) {
  // the depth is 1.3e-5 m, and small bounces take 3 ms
  Scene scene = scene_of(grain, elastic(1e-5, 100));
  scene.add_body(fixed("floor", Plane{{static_cast<float>(tangent), 0, 1}}));
  const double c = 1 / std::sqrt(1 + tangent * tangent), up = grain.radius - 1.3e-5;
  Body ball = sphere("ball", {up * tangent * c, 0, up * c}, grain.radius);
  ball.fixed_rotation = !turns;
  scene.add_body(ball);
  World world(scene, test::cpu());
  for (int i = 0; i < static_cast<int>(seconds * 1000 + 0.5); ++i) world.step();
  EXPECT_EQ(world.report().status, 0u);
  BodyState state = world.state(world.bodies()[1]);
  const Vec3 v = state.linear_velocity;
  state.linear_velocity = {static_cast<float>(v.x * c - v.z * tangent * c), v.y, 0};
  return state;
}

Grain soft(double friction, double rolling = 0) {
  return {.young = 3e7, .friction = friction, .restitution = 0.3, .rolling = rolling};
}

double down(double tangent) { return kG * tangent / std::sqrt(1 + tangent * tangent); }
double across(double tangent) { return kG / std::sqrt(1 + tangent * tangent); }

TEST(Slope, holds_a_particle_below_the_friction_angle_and_lets_it_slide_above) {
  const double early = double{slid(soft(0.5), 0.49, 0.1, false).linear_velocity.x};
  EXPECT_LT(std::abs(early), 1e-6) << "it sticks, and doesn't creep";
  const double at = 0.3, fast = double{slid(soft(0.5), 0.6, at, false).linear_velocity.x};
  const double expected = (down(0.6) - 0.5 * across(0.6)) * at;
  EXPECT_NEAR(fast, expected, 0.01 * expected);
}

TEST(Slope, lets_a_sphere_roll_at_five_sevenths_and_slide_where_it_is_steep) {
  const double at = 0.2;
  const BodyState rolls = slid(soft(0.5), 0.3, at, true);
  const double rolling = 5.0 / 7.0 * down(0.3) * at;
  EXPECT_NEAR(double{rolls.linear_velocity.x}, rolling, 0.01 * rolling);
  EXPECT_NEAR(double{rolls.angular_velocity.y} * 0.01, rolling, 0.01 * rolling);
  // mu < 2/7 tan: it slides, and turns by what friction gives
  const BodyState slides = slid(soft(0.1), 0.6, at, true);
  const double sliding = (down(0.6) - 0.1 * across(0.6)) * at;
  EXPECT_NEAR(double{slides.linear_velocity.x}, sliding, 0.01 * sliding);
  const double spin = 2.5 * 0.1 * across(0.6) * at / 0.01;
  EXPECT_NEAR(double{slides.angular_velocity.y}, spin, 0.02 * spin);
}

// A lever arm b takes b / R off the slope's tangent: 5/7 (g sin - b / R g cos), or nothing at all.
TEST(Slope, is_less_for_what_resists_rolling) {
  const double at = 0.2;
  const BodyState rests = slid(soft(0.5, 2e-3), 0.19, at, true);
  EXPECT_LT(std::abs(double{rests.linear_velocity.x}), 1e-6);
  EXPECT_LT(std::abs(double{rests.angular_velocity.y}), 1e-4);
  const BodyState rolls = slid(soft(0.5, 2e-3), 0.3, at, true);
  const double rolling = 5.0 / 7.0 * (down(0.3) - 0.2 * across(0.3)) * at;
  EXPECT_NEAR(double{rolls.linear_velocity.x}, rolling, 0.02 * rolling);
}

}  // namespace
}  // namespace cairn::hertz_test
