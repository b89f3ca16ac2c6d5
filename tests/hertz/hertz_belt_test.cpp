// Elastic spheres on surfaces that move.

#include "tests/hertz/grains.h"

namespace cairn::hertz_test {
namespace {

/// A grain on a belt; its springs are soft enough to be at rest soon.
struct OnBelt {
  World world;
  BodyHandle ball;

  OnBelt(double mu, Vec3 velocity, bool turns, Vec3 normal = {0, 0, 1}) : world(scene(mu, velocity, turns, normal)) {
    ball = world.bodies()[1];
  }
  static Scene scene(double mu, Vec3 velocity, bool turns, Vec3 normal) {
    Grain grain{.young = 1e7, .friction = mu, .restitution = 0.3};
    Scene made;
    Material belt = grain.material("belt");
    belt.surface_velocity = velocity;
    made.add_material(belt);
    const std::uint32_t stuff = made.add_material(grain.material());
    made.set_params(elastic(2e-5, 20));
    made.add_body(fixed("floor", Plane{normal}));
    const double r = grain.radius;
    Body body = sphere("ball", {r * double{normal.x}, r * double{normal.y}, r * double{normal.z}}, r);
    body.shapes[0].material = stuff;
    body.fixed_rotation = !turns;
    made.add_body(body);
    return made;
  }
  void run(double seconds) { test::run(world, static_cast<int>(std::lround(seconds / double{world.params().dt}))); }
  Vec3 v() const { return world.state(ball).linear_velocity; }
};

TEST(HertzBelt, a_grain_that_does_not_turn_gains_mu_g_and_then_goes_along) {
  const double mu = 0.4f;
  OnBelt on(mu, {0.3f, -0.4f, 0}, false);
  on.run(0.06);
  // it sinks in first, over a period of its normal spring (1 ms), in which it bears less or more than its weight
  EXPECT_NEAR(test::length(on.v()), mu * kG * 0.06, mu * kG * 2e-3);
  EXPECT_NEAR(on.v().y / on.v().x, -4.0 / 3, 1e-3);
  on.run(0.3);
  const Vec3d x0 = on.world.state(on.ball).position;
  on.run(1);
  const Vec3d x = on.world.state(on.ball).position;
  // the tangential spring holds it: it doesn't creep
  EXPECT_NEAR(x.x - x0.x, 0.3, 1e-5);
  EXPECT_NEAR(x.y - x0.y, -0.4, 1e-5);
}

TEST(HertzBelt, a_grain_that_turns_goes_2_7_of_its_speed) {
  OnBelt on(0.4, {0, 0.5f, 0}, true);
  on.run(0.4);
  EXPECT_NEAR(double{on.v().y}, 2.0 / 7 * 0.5, 1e-3 * 0.5);
  const Vec3 w = on.world.state(on.ball).angular_velocity;
  EXPECT_NEAR(double{w.x} * 0.01, 5.0 / 7 * 0.5, 1e-3 * 0.5);
}

TEST(HertzBelt, carries_a_grain_uphill) {
  const Vec3 normal{0.28f, 0, 0.96f};
  OnBelt on(0.5, {-0.096f, 0, 0.028f}, false, normal);
  on.run(0.5);
  const Vec3d x0 = on.world.state(on.ball).position;
  on.run(1);
  const Vec3d x = on.world.state(on.ball).position;
  EXPECT_NEAR(x.x - x0.x, -0.096, 1e-5);
  EXPECT_NEAR(x.z - x0.z, 0.028, 1e-5);
}

}  // namespace
}  // namespace cairn::hertz_test
