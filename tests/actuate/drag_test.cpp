// Dragging: bodies of any mass follow alike, and let go.

#include "tests/joints/joint_scenes.h"

namespace cairn::actuate_test {
namespace {

using joints_test::block;
using joints_test::kG;
using joints_test::run;

Scene two_blocks(float gravity) {
  const Vec3 half{0.1f, 0.1f, 0.1f};
  Scene scene = joints_test::scene_of({block("light", {0, 0, 0}, half, 1), block("heavy", {0, 5, 0}, half, 1000)});
  scene.set_gravity({0, 0, -gravity});
  return scene;
}

TEST(Drag, takes_bodies_of_any_mass_alike) {
  World world(two_blocks(0));
  Drag light(world, world.bodies()[0], {0, 0, 0}), heavy(world, world.bodies()[1], {0, 5, 0});
  light.move({1, 0, 0.5});
  heavy.move({1, 5, 0.5});
  const double most = joints_test::largest_over(world, 120, [&] {
    const BodyState a = world.state(world.bodies()[0]), b = world.state(world.bodies()[1]);
    return joints_test::larger(std::abs(a.position.x - b.position.x), std::abs(a.position.z - b.position.z));
  });
  EXPECT_LT(most, 1e-4);
  EXPECT_NEAR(world.state(world.bodies()[1]).position.x, 1, 1e-4);
  EXPECT_NEAR(world.state(world.bodies()[1]).position.z, 0.5, 1e-4);
}

TEST(Drag, sags_under_weight_as_its_spring_does) {
  World world(two_blocks(static_cast<float>(kG)));
  Drag drag(world, world.bodies()[0], {0, 0, 0}, {.frequency = 4});
  run(world, 3);
  const double omega = 2 * std::numbers::pi * 4;
  EXPECT_NEAR(world.state(world.bodies()[0]).position.z, -kG / (omega * omega), 1e-3 * kG / (omega * omega));
}

TEST(Drag, pulls_no_harder_than_its_limit) {
  World world(two_blocks(0));
  Drag drag(world, world.bodies()[1], {0, 5, 0}, {.max_acceleration = 2});
  drag.move({100, 5, 0});
  run(world, 0.5);
  EXPECT_NEAR(world.state(world.bodies()[1]).linear_velocity.x, 1, 1e-3);
  EXPECT_NEAR(world.state(drag.joint()).force.x, 2000, 2);
}

TEST(Drag, picks_what_a_ray_meets_first_and_wakes_it) {
  Scene scene = two_blocks(static_cast<float>(kG));
  scene.set_params(testing_support::with_sleeping());
  scene.add_body(joints_test::made_static(block("floor", {0, 0, -0.6}, {10, 10, 0.5f}, 1)));
  World world(scene);
  run(world, 3);
  ASSERT_EQ(world.report().asleep, 2u);
  EXPECT_FALSE(Drag::pick(world, {.origin = {3, 3, 5}}).has_value());  // the floor
  EXPECT_FALSE(Drag::pick(world, {.origin = {30, 3, 5}}).has_value());
  {
    std::optional<Drag> drag = Drag::pick(world, {.origin = {0.05, 0.05, 5}});
    ASSERT_TRUE(drag.has_value());
    EXPECT_EQ(world.anchors(drag->joint())[1].body, world.bodies()[0]);
    EXPECT_NEAR(world.anchors(drag->joint())[1].position.x, 0.05, 1e-6);
    drag->move({0.05, 0.05, 1.5});
    run(world, 2);
    // it hangs below the point that was picked
    EXPECT_NEAR(world.anchors(drag->joint())[1].position.z, 1.5, 0.02);
    EXPECT_EQ(world.report().asleep, 1u);
  }
  EXPECT_TRUE(world.joints().empty());
  run(world, 3);
  EXPECT_EQ(world.report().asleep, 2u);
}

TEST(Drag, ends_with_its_body_and_refuses_what_cant_be) {
  World world(two_blocks(0));
  Drag drag(world, world.bodies()[0], {0, 0, 0});
  Drag other(world, world.bodies()[0], {0.1, 0, 0});
  world.remove_body(world.bodies()[0]);
  EXPECT_TRUE(drag.over());
  EXPECT_THROW(drag.move({1, 0, 0}), InvalidArgument);
  EXPECT_THROW(Drag(world, world.bodies()[0], {0, 5, 0}, {.frequency = 0}), InvalidArgument);
  EXPECT_THROW(Drag(world, {}, {0, 5, 0}), InvalidArgument);
  world.set_type(world.bodies()[0], BodyType::kStatic);
  EXPECT_THROW(Drag(world, world.bodies()[0], {0, 5, 0}), InvalidArgument);
}

}  // namespace
}  // namespace cairn::actuate_test
