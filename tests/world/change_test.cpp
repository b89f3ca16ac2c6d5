// Poses, velocities, masses, materials, types and gravity, changed at run time.

#include "tests/support/builders.h"
#include "tests/support/sums.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;

TEST(World, moved_body_leaves_its_contacts_and_what_lay_on_it_falls) {
  World world(tower(3), cpu());
  run(world, 60);
  const std::vector<BodyHandle> all = world.bodies();
  world.set_pose(all[2], {10, 0, 0.5}, {});
  for (const Contact& c : world.contacts()) EXPECT_TRUE(c.a != all[2] && c.b != all[2]);
  run(world, 10);
  EXPECT_LT(world.state(all[3]).position.z, 2.4);
  EXPECT_NEAR(world.state(all[2]).position.x, 10, 1e-3);
}

TEST(World, moving_a_sleeping_body_wakes_it_and_what_touched_it) {
  World world(tower(3, with_sleeping()), cpu());
  world.add_body(box("apart", {20, 0, 0.5}));
  run(world, 120);
  const std::vector<BodyHandle> all = world.bodies();
  ASSERT_EQ(world.report().asleep, 4u);
  world.set_pose(all[1], {5, 0, 0.5}, {});
  for (int i = 1; i <= 3; ++i) EXPECT_FALSE(world.asleep(all[static_cast<std::size_t>(i)])) << i;
  EXPECT_TRUE(world.asleep(all[4])) << "what it didn't touch sleeps on";
  run(world, 10);
  EXPECT_LT(world.state(all[3]).position.z, 2.4);
}

TEST(World, pose_reads_back_as_it_was_set) {
  World world(tower(1), cpu());
  const BodyHandle b = world.bodies()[1];
  const double r = std::sqrt(1.0 / 3);
  const Quat q{0.5f, -0.5f, 0.5f, 0.5f};
  for (const Vec3d x : {Vec3d{0.1, 0.2, 0.3}, Vec3d{1e6 + r, -r, 12345.678901}, Vec3d{-9e6, 1e-9, 0}}) {
    world.set_pose(b, x, q);
    const BodyState s = world.state(b);
    // a float pair carries 48 bits
    EXPECT_LT(length(s.position - x), length(x) * 0x1p-48 + 1e-20);
    EXPECT_EQ(s.orientation, q);
  }
  // not a unit quaternion: made unit
  world.set_pose(b, {}, {0, 0, 3, 4});
  EXPECT_NEAR(world.state(b).orientation.z, 0.6, 1e-7);
}

TEST(World, set_velocity_moves_a_body_and_wakes_it) {
  World world = slept(tower(1, with_sleeping()), 1);
  const BodyHandle b = world.bodies()[1];
  world.set_velocity(b, {0, 0, 5}, {0, 0, 1});
  EXPECT_FALSE(world.asleep(b));
  run(world, 30);
  // up for half a second: 5 t - g t^2 / 2
  EXPECT_NEAR(world.state(b).position.z, 0.5 + 2.5 - 9.81 / 8, 0.03);
}

TEST(World, an_impulse_and_a_new_description_wake_a_body) {
  for (const bool by_impulse : {false, true}) {
    World world = slept(tower(1, with_sleeping()), 1);
    const BodyHandle at = world.bodies()[1];
    world.start_recording();
    if (by_impulse) {
      world.add_impulse(at, {0, 0, 5000});
    } else {
      Body body = world.description(at);
      body.gravity_scale = -1;
      world.set_body(at, body);
    }
    EXPECT_FALSE(world.asleep(at));
    run(world, by_impulse ? 15 : 60);
    EXPECT_GT(world.state(at).position.z, 1);
    EXPECT_FALSE(replay(world.stop_recording(), cpu(2)).difference.has_value()) << by_impulse;
  }
}

TEST(World, mass_changes_momentum_but_not_free_fall) {
  World world(afloat({ball("light", {0, 0, 0}), ball("heavy", {2, 0, 0})}), cpu());
  const BodyHandle light = world.bodies()[0], heavy = world.bodies()[1];
  world.set_mass(light, 1);
  world.set_mass(heavy, 3);
  EXPECT_EQ(*world.description(heavy).mass, 3.0f);
  world.set_velocity(light, {6, 0, 0}, {});
  run(world, 30);
  const BodyState a = world.state(light), b = world.state(heavy);
  EXPECT_NEAR(a.linear_velocity.x + 3 * b.linear_velocity.x, 6, 1e-5);
  // e = 0: both at 6/4
  EXPECT_NEAR(a.linear_velocity.x, 1.5, 1e-3);
  EXPECT_NEAR(b.linear_velocity.x, 1.5, 1e-3);
}

TEST(World, inertia_scales_with_the_mass) {
  World world(afloat({box("given", {}), box("shaped", {9, 0, 0})}), cpu());
  Body given = of_mass(2, box("inertia", {18, 0, 0}));
  given.inertia = Inertia{{1, 1, 1}};
  const BodyHandle a = world.add_body(given), b = world.bodies()[1];
  world.set_mass(a, 4);
  world.set_mass(b, 12);
  world.add_torque(a, {0, 0, 6});
  world.add_torque(b, {0, 0, 6});
  world.step();
  // w = dt T / I, with I = 2 and 12 (1 + 1) / 12 = 2
  EXPECT_NEAR(world.state(a).angular_velocity.z, 6.0 / 2 / 60, 1e-7);
  EXPECT_NEAR(world.state(b).angular_velocity.z, 6.0 / 2 / 60, 1e-7);
}

TEST(World, body_material_changes_friction_and_keeps_the_mass) {
  for (const bool of_floor : {false, true}) {
    Scene scene;
    scene.set_params(with_sleeping());
    scene.add_material({.name = "rough", .density = 1000, .friction = 1});
    scene.add_material({.name = "ice", .density = 1, .friction = 0});
    // a slope of 0.3
    scene.add_body(plane("floor", {-0.3f, 0, 1}));
    const double a = std::atan(0.3);
    scene.add_body({.name = "box",
                    .position = {-0.5 * std::sin(a), 0, 0.5 * std::cos(a)},
                    .orientation = {0, static_cast<float>(-std::sin(a / 2)), 0, static_cast<float>(std::cos(a / 2))},
                    .shapes = {{Box{}}}});
    World world = slept(scene, 1);
    const std::vector<BodyHandle> all = world.bodies();
    const Vec3d before = world.state(all[1]).position;
    world.set_material(all[of_floor ? 0 : 1], 1);
    EXPECT_FALSE(world.asleep(all[1])) << (of_floor ? "what the floor touched wakes" : "the box wakes");
    run(world, 60);
    // g sin(a) t^2 / 2 = 1.4 m
    EXPECT_NEAR(length(world.state(all[1]).position - before), 0.5 * 9.81 * std::sin(a), 0.05);
    world.set_velocity(all[1], {}, {});
    world.add_force(all[1], {0, 60'000, 0});
    world.step();
    EXPECT_NEAR(world.state(all[1]).linear_velocity.y, 1, 1e-3) << "still 1000 kg";
  }
}

TEST(World, set_material_acts_on_every_body_that_has_it) {
  World world = slept(tower(2, with_sleeping()), 2);
  world.set_material(0, {.name = "bouncy", .friction = 0.1f, .restitution = 0.5f});
  EXPECT_EQ(world.materials()[0].name, "bouncy");
  world.step();
  EXPECT_EQ(world.report().asleep, 0u);
  EXPECT_TRUE(refused(world, [&] { world.set_material(1, {.name = "x"}); }, {"material", "1"}));
  EXPECT_TRUE(refused(world, [&] { world.set_material(0, {.name = "x", .friction = -1}); }, {"x", "friction", "-1"}));
  EXPECT_TRUE(refused(world, [&] { world.set_material(world.bodies()[1], 7); }, {"box0", "material", "7"}));
}

TEST(World, density_of_a_material_changes_the_mass_of_bodies_that_take_it_from_there) {
  Scene scene = afloat({});
  scene.add_material({.name = "wood", .density = 500});
  scene.add_body({.name = "box", .shapes = {{Box{}}}});
  World world(scene, cpu());
  const BodyHandle at = world.bodies()[0];
  world.set_material(0, {.name = "wood", .density = 1000});
  world.add_force(at, {60'000, 0, 0});
  world.step();
  EXPECT_NEAR(world.state(at).linear_velocity.x, 1, 1e-6);
  EXPECT_TRUE(refused(world, [&] { world.set_material(0, {.name = "wood", .density = 0}); }, {"box", "density"}));
  EXPECT_EQ(world.materials()[0].density, 1000);
}

TEST(World, types_switch_all_ways) {
  World world(tower(2), cpu());
  const std::vector<BodyHandle> all = world.bodies();
  const BodyHandle low = all[1], high = all[2];
  run(world, 30);
  world.set_type(low, BodyType::kKinematic);
  world.set_velocity(low, {0, 0, 1}, {});
  run(world, 60);
  // carries the other up at 1 m/s
  EXPECT_NEAR(world.state(low).position.z, 1.5, 0.02);
  EXPECT_NEAR(world.state(high).position.z, 2.5, 0.05);
  world.set_type(low, BodyType::kStatic);
  EXPECT_EQ(speed(world, low), 0);
  EXPECT_EQ(world.description(low).type, BodyType::kStatic);
  run(world, 60);
  EXPECT_NEAR(world.state(low).position.z, 1.5, 0.02);
  EXPECT_NEAR(world.state(high).position.z, 2.5, 0.05);
  EXPECT_TRUE(refused(world, [&] { world.set_velocity(low, {1, 0, 0}, {}); }, {"box0", "linear_velocity", "static"}));
  world.set_type(low, BodyType::kDynamic);
  run(world, 90);
  EXPECT_NEAR(world.state(low).position.z, 0.5, 0.02);
  EXPECT_NEAR(world.state(high).position.z, 1.5, 0.04);
  EXPECT_TRUE(refused(world, [&] { world.set_type(all[0], BodyType::kDynamic); }, {"floor", "plane", "static"}));
}

TEST(World, a_body_without_any_mass_can_not_become_dynamic) {
  World world(scene_of({{.name = "wall", .type = BodyType::kStatic, .shapes = {{Box{}}}}}), cpu());
  EXPECT_TRUE(
      refused(world, [&] { world.set_type(world.bodies()[0], BodyType::kDynamic); }, {"wall", "mass or density"}));
  EXPECT_EQ(world.description(world.bodies()[0]).type, BodyType::kStatic);
}

TEST(World, gravity_is_any_vector_and_wakes_all) {
  for (const Vec3 g : {Vec3{3, 0, 0}, Vec3{-1, 2, -2}, Vec3{0, 0, 9.81f}, Vec3{}}) {
    World world(scene_of({ball("ball", {})}), cpu());
    world.set_gravity(g);
    EXPECT_EQ(world.gravity(), g);
    run(world, 60);
    // 360 additions of a number below 10, each to half an ulp
    expect_near(kernels::widen(world.state(world.bodies()[0]).linear_velocity), kernels::widen(g), 360 * 10 * 0x1p-24);
  }
  World world = slept(tower(2, with_sleeping()), 2);
  world.set_gravity({0, 0, 1});
  run(world, 30);
  EXPECT_GT(world.state(world.bodies()[1]).position.z, 0.55);
}

TEST(World, whole_arrays_are_written_and_read) {
  World world(tower(4), cpu());
  run(world, 30);
  const std::vector<BodyState> at_30 = states(world);
  run(world, 30);
  world.write_states(at_30);
  EXPECT_EQ(states(world), at_30);
  EXPECT_TRUE(world.contacts().empty());
  run(world, 30);
  EXPECT_TRUE(sound(world));
  std::vector<BodyState> short_one(4), bad = at_30;
  EXPECT_TRUE(refused(world, [&] { world.read_states(short_one); }, {"read_states", "4", "5"}));
  EXPECT_TRUE(refused(world, [&] { world.write_states(short_one); }, {"write_states", "4", "5"}));
  bad[4].position.x = NAN;
  EXPECT_TRUE(refused(world, [&] { world.write_states(bad); }, {"box3", "position.x", "finite"}));
}

}  // namespace
}  // namespace cairn::world_test
