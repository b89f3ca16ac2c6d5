// Bodies that don't turn.

#include "tests/interop/arrays.h"
#include "tests/particles/sets.h"

namespace cairn::particles_test {
namespace {

Body crate(Vec3d at) {
  Body body = test::body("crate", Box{{0.5f, 0.3f, 0.2f}}, at);
  body.fixed_rotation = true;
  return body;
}

// Off its middle, onto a rotated one, under a torque: nothing turns it.
TEST(FixedRotation, is_kept_whatever_pushes) {
  for (const Method& method : kMethods) {
    Body body = crate({0, 0, 2});
    body.orientation = {0.2f, 0.3f, 0, 0.9f};
    const std::uint32_t held = 1;
    const Body stone = test::moving(test::ball("stone", {0.4, 0.1, 3.2}, 0.2f), {0, 0, -4});
    World world(test::scene_of({test::plane(), body, stone}, params_of(method, 4, 1)), test::cpu());
    const Quat before = world.state(world.bodies()[held]).orientation;
    for (int i = 0; i < 120; ++i) {
      world.add_torque(world.bodies()[held], {50, 20, 10});
      world.step();
    }
    const BodyState after = world.state(world.bodies()[held]);
    EXPECT_EQ(world.report().status, 0u) << method.name;
    EXPECT_EQ(after.orientation, before) << method.name;
    EXPECT_EQ(after.angular_velocity, Vec3{}) << method.name;
    EXPECT_GT(after.position.z, 0.2) << method.name;
  }
}

// A box that can't tip slides down as a point would: a = g (sin - mu cos).
TEST(FixedRotation, slides_as_a_point) {
  const double angle = 0.5, mu = 0.2;
  Scene scene;
  scene.set_gravity({static_cast<float>(kG * std::sin(angle)), 0, static_cast<float>(-kG * std::cos(angle))});
  scene.add_material({.name = "ice", .density = 1000, .friction = static_cast<float>(mu)});
  scene.add_body(test::plane());
  Body tall = test::body("tall", Box{{0.05f, 0.05f, 1.0f}}, {0, 0, 1});
  tall.fixed_rotation = true;
  const std::uint32_t held = scene.add_body(tall);
  World world(scene, test::cpu());
  for (int i = 0; i < 60; ++i) world.step();
  const double a = kG * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(world.state(world.bodies()[held]).linear_velocity.x, a, 0.01 * a);
}

TEST(FixedRotation, refuses_an_angular_velocity) {
  Scene scene;
  Body body = crate({0, 0, 1});
  body.angular_velocity = {0, 0, 1};
  EXPECT_EQ(test::refusal_of([&] { scene.add_body(body); }),
            "body \"crate\": angular_velocity must be 0 on a dynamic body with fixed_rotation");
  body.angular_velocity = {};
  scene.add_body(body);
  World world(scene, test::cpu());
  EXPECT_THROW(world.set_velocity(world.bodies()[0], {0, 0, 0}, {1, 0, 0}), InvalidArgument);
}

TEST(FixedRotation, refuses_it_in_arrays_and_draws_none) {
  World world(test::scene_of({crate({0, 0, 1})}), test::cpu());
  const std::vector<std::uint8_t> all{1};
  world.scales().randomise(all, {.linear_velocity = {1, 1, 1}, .angular_velocity = {1, 1, 1}});
  EXPECT_EQ(world.state(world.bodies()[0]).angular_velocity, (Vec3{}));
  EXPECT_NE(world.state(world.bodies()[0]).linear_velocity, (Vec3{}));
  test::HostArray<float> turning(1, 3);
  turning.at(0, 1) = 1;
  world.arrays().set_states({.angular_velocity = turning.view()});
  EXPECT_EQ(world.report(0).status, kStatusTooFast);
}

// A hinge between two that can't turn holds their anchors together, and leaves no NaN.
TEST(FixedRotation, bears_joints) {
  Scene scene;
  Body a = crate({0, 0, 1}), b = crate({1, 0, 1});
  b.name = "other";
  const std::uint32_t one = scene.add_body(a), two = scene.add_body(b);
  scene.add_joint({.name = "hold", .body_b = one, .frame_a = {{0, 0, 1}}, .frame_b = {}, .kind = BallJoint{}});
  scene.add_joint({.name = "hinge",
                   .body_a = one,
                   .body_b = two,
                   .frame_a = {{0.5, 0, 0}},
                   .frame_b = {{-0.5, 0, 0}},
                   .kind = HingeJoint{}});
  World world(scene, test::cpu());
  for (int i = 0; i < 120; ++i) world.step();
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_NEAR(world.state(world.bodies()[two]).position.z, 1, 1e-3);
  EXPECT_NEAR(world.state(world.bodies()[two]).position.x, 1, 1e-3);
}

}  // namespace
}  // namespace cairn::particles_test
