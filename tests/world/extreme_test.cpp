// Scenes at the edges: far away, of very unlike sizes, crowded, overlapping, too fast.

#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;

TEST(Extreme, a_tower_stands_a_million_metres_away) {
  for (const Vec3d at : {Vec3d{1e6, 0, 0}, Vec3d{-1e6, 1e6, 0}, Vec3d{12'345'67.8, -3e5, 4e5}}) {
    Scene scene = scene_of({body("slab", Box{{5, 5, 0.5f}}, {at.x, at.y, at.z - 0.5}, BodyType::kStatic)});
    for (int i = 0; i < 5; ++i) scene.add_body(box("box" + std::to_string(i), {at.x, at.y, at.z + 0.5 + i}));
    World world(scene, cpu());
    run(world, 180);
    const auto all = states(world);
    for (std::size_t i = 1; i < all.size(); ++i) {
      EXPECT_NEAR(all[i].position.z, at.z + static_cast<double>(i) - 0.5, 0.01 * static_cast<double>(i));
      EXPECT_NEAR(all[i].position.x, at.x, 0.02);
      EXPECT_LT(length(all[i].linear_velocity), 0.02);
    }
    EXPECT_EQ(world.report().status, 0u);
  }
}

TEST(Extreme, a_box_rests_on_a_plane_a_million_metres_from_the_planes_origin) {
  for (const Vec3 normal : {Vec3{0, 0, 1}, Vec3{0, -0.1f, 1}}) {
    World world(scene_of({plane("floor", normal)}), cpu());
    // on the plane, 1e6 m along x, which lies in it
    const double l = length(normal), a = -std::asin(normal.y / l) / 2;
    Body b = box("box", {1e6, 0.5 * normal.y / l, 0.5 * normal.z / l});
    b.orientation = {static_cast<float>(std::sin(a)), 0, 0, static_cast<float>(std::cos(a))};
    const BodyHandle at = world.add_body(b);
    run(world, 180);
    EXPECT_LT(length(world.state(at).position - b.position), 0.02) << "normal.y " << normal.y;
    EXPECT_LT(speed(world, at), 0.02);
    EXPECT_TRUE(sound(world));
  }
}

TEST(Extreme, a_thousand_to_one_in_size) {
  World world(scene_of({plane(), ball("boulder", {0, 0, 10}, 10), ball("pebble", {12, 0, 0.01}, 0.01f),
                        ball("under", {0, 5, 0.01}, 0.01f)}),
              cpu());
  const BodyHandle dust = world.add_body(ball("on top", {0, 0, 20.012}, 0.01f));
  run(world, 120);
  EXPECT_TRUE(sound(world));
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_NEAR(world.state(world.bodies()[1]).position.z, 10, 0.02);
  EXPECT_NEAR(world.state(world.bodies()[2]).position.z, 0.01, 0.001);
  // the pebble has its place on the boulder, or has rolled off: it isn't inside
  EXPECT_GT(length(world.state(dust).position - world.state(world.bodies()[1]).position), 10.0);
}

/// Balls all over the top of one large body.
void expect_crowd_to_rest(const Body& large, double top, int threads) {
  Scene scene = scene_of({plane(), large});
  for (int i = 0; i < 300; ++i) {
    const Vec3d at{0.5 * (i % 20) - 4.75, 0.5 * (i / 20) - 3.5, top + 0.2};
    scene.add_body(ball("ball" + std::to_string(i), at, 0.2f));
  }
  World world(scene, cpu(threads));
  run(world, 60);
  EXPECT_GT(world.report().colors, 64u) << "the overflow colour is in use";
  EXPECT_TRUE(sound(world));
  EXPECT_EQ(world.report().status, 0u);
  const auto all = states(world);
  for (std::size_t i = 2; i < all.size(); ++i) {
    EXPECT_NEAR(all[i].position.z, top + 0.2, 0.01) << "ball " << i - 2;
    EXPECT_LT(length(all[i].linear_velocity), 0.05);
  }
}

TEST(Extreme, three_hundred_balls_rest_on_one_box) {
  expect_crowd_to_rest(body("table", Box{{6, 5, 0.5f}}, {0, 0, 0.5}), 1, 1);
  expect_crowd_to_rest(body("table", Box{{6, 5, 0.5f}}, {0, 0, 0.5}), 1, 3);
}

TEST(Extreme, three_hundred_balls_around_a_boulder_do_not_sink_in) {
  Scene scene = scene_of({plane(), ball("boulder", {0, 0, 3}, 3)});
  for (int i = 0; i < 300; ++i) {
    // a spiral all over it
    const double z = 1 - 2 * (i + 0.5) / 300, r = std::sqrt(1 - z * z), a = 2.39996 * i;
    if (z < -0.7) continue;
    scene.add_body(
        ball("ball" + std::to_string(i), {3.21 * r * std::cos(a), 3.21 * r * std::sin(a), 3 + 3.21 * z}, 0.2f));
  }
  World world(scene, cpu());
  for (int i = 0; i < 120; ++i) {
    world.step();
    const auto all = states(world);
    for (std::size_t j = 2; j < all.size(); ++j)
      ASSERT_GT(length(all[j].position - all[1].position), 3.2 - 0.05) << "ball " << j << " step " << i;
  }
  EXPECT_TRUE(sound(world));
}

TEST(Extreme, planes_hold_in_every_direction) {
  for (const Vec3 n : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, -1}, Vec3{1, 2, 3}, Vec3{-3, 1, -2},
                       Vec3{1e-4f, 0, -1}, Vec3{0, 1e-20f, 0}}) {
    const double l = length(n);
    const Vec3 u{static_cast<float>(n.x / l), static_cast<float>(n.y / l), static_cast<float>(n.z / l)};
    Scene scene = scene_of({plane("wall", n, 2), ball("ball", {3 * double{u.x}, 3 * double{u.y}, 3 * double{u.z}})});
    scene.set_gravity({-9.81f * u.x, -9.81f * u.y, -9.81f * u.z});
    World world(scene, cpu());
    run(world, 120);
    const Vec3d x = world.state(world.bodies()[1]).position;
    EXPECT_NEAR(x.x * u.x + x.y * u.y + x.z * u.z, 2.5, 0.005) << n.x << " " << n.y << " " << n.z;
    EXPECT_LT(speed(world, world.bodies()[1]), 0.01);
  }
}

TEST(Extreme, a_kinematic_piston_pushes_a_stack_along) {
  Scene scene = tower(3);
  scene.add_body(moving(box("piston", {-1.1, 0, 0.5}, BodyType::kKinematic), {0.5f, 0, 0}));
  World world(scene, cpu());
  run(world, 180);
  const auto all = world.bodies();
  EXPECT_NEAR(world.state(all[4]).position.x, 0.4, 1e-5) << "nothing holds it up";
  EXPECT_GT(world.state(all[1]).position.x, 1.4 - 0.03);
  EXPECT_TRUE(sound(world));
}

TEST(Extreme, a_kinematic_lift_carries_a_stack_up) {
  const Body lift = body("lift", Box{{2, 2, 0.1f}}, {0, 0, -0.1}, BodyType::kKinematic);
  Scene scene = scene_of({moving(lift, {0, 0, 0.5f})});
  for (int i = 0; i < 4; ++i) scene.add_body(box("box" + std::to_string(i), {0, 0, 0.5 + i}));
  World world(scene, cpu());
  run(world, 120);
  for (std::size_t i = 1; i < 5; ++i)
    EXPECT_NEAR(world.state(world.bodies()[i]).position.z, 1.0 + static_cast<double>(i) - 0.5, 0.02);
}

TEST(Extreme, deep_overlap_is_pushed_out_at_a_bounded_speed) {
  for (const double depth : {0.1, 0.5, 0.9}) {
    World world(scene_of({plane(), box("low", {0, 0, 0.5}), box("high", {0, 0, 1.5 - depth})}), cpu());
    // the push is taken back by relax, so what is left of it is small; never above max_depenetration_speed and a step
    // of gravity
    EXPECT_LT(largest_over(world, 240, [&] { return fastest(world); }), 3.0 + 9.81 / 60 + 1e-3) << depth;
    EXPECT_TRUE(sound(world));
    const auto all = states(world);
    EXPECT_LT(length(all[1].linear_velocity), 0.05);
    EXPECT_LT(length(all[2].linear_velocity), 0.05);
    EXPECT_GE(std::abs(all[2].position.z - all[1].position.z) + std::abs(all[2].position.x - all[1].position.x) +
                  std::abs(all[2].position.y - all[1].position.y),
              0.97)
        << depth;
  }
}

TEST(Extreme, a_heap_all_in_one_place_comes_apart_without_exploding) {
  for (const bool boxes : {false, true}) {
    Scene scene = scene_of({plane()});
    for (int i = 0; i < 30; ++i) {
      const std::string name = "body" + std::to_string(i);
      scene.add_body(boxes ? box(name, {0, 0, 0.5}) : ball(name, {0, 0, 0.5}));
    }
    World world(scene, cpu());
    for (int i = 0; i < 240; ++i) {
      world.step();
      ASSERT_TRUE(sound(world));
      // 30 bodies on top of each other push out at 3 m/s a pair; nothing may shoot off
      ASSERT_LT(fastest(world), 3.0 * 30) << "step " << i << (boxes ? " boxes" : " balls");
    }
    for (const BodyState& s : states(world)) EXPECT_GT(s.position.z, -1) << "none is pushed through the floor";
    EXPECT_EQ(world.report().status, 0u);
  }
}

TEST(Extreme, two_bodies_at_exactly_the_same_place_part) {
  for (const Geometry& g : {Geometry{Sphere{}}, Geometry{Box{}}, Geometry{Capsule{}}}) {
    World world(afloat({body("a", g, {1, 2, 3}), body("b", g, {1, 2, 3})}), cpu());
    run(world, 120);
    EXPECT_TRUE(sound(world));
    const auto all = states(world);
    EXPECT_GT(length(all[0].position - all[1].position), 0.9) << g.index();
    EXPECT_LT(fastest(world), 3.01);
  }
}

TEST(Extreme, a_body_that_is_too_fast_freezes_the_world_before_it_spreads) {
  for (const float v : {1.01e5f, 1e10f, 1e30f, 3e38f}) {
    World world(tower(5), cpu());
    const BodyHandle bullet = world.add_body(ball("bullet", {0, 0, 5.6}));
    run(world, 30);
    const auto before = states(world);
    for (const Vec3 direction : {Vec3{0, 0, -v}, Vec3{v, v, v}}) {
      world.set_velocity(bullet, direction, {});
      world.step();
      EXPECT_NE(world.report().status, 0u) << v;
      ASSERT_TRUE(sound(world)) << v;
    }
    world.clear_status();
    world.set_velocity(bullet, {}, {});
    run(world, 60);
    EXPECT_TRUE(sound(world)) << v;
    EXPECT_EQ(world.report().status, 0u) << v << ": the contact cache must not keep what was not finite";
    const auto after = states(world);
    for (std::size_t i = 1; i < 6; ++i)
      EXPECT_LT(length(after[i].position - before[i].position), 0.2) << "box " << i - 1 << " at " << v;
  }
}

TEST(Extreme, a_body_that_spins_as_fast_as_it_may_is_finite) {
  for (const float w : {1e3f, 1e4f, 1e5f}) {
    World world(tower(3), cpu());
    const BodyHandle at = world.add_body(body("top", Box{{0.3f, 0.5f, 0.2f}}, {0, 0, 3.3}));
    world.set_velocity(at, {}, {w, w / 2, -w});
    run(world, 120);
    EXPECT_TRUE(sound(world)) << w;
    for (const BodyState& s : states(world)) EXPECT_LE(length(s.linear_velocity), 1e5 * std::sqrt(3.0)) << w;
  }
}

TEST(Extreme, a_torque_that_spins_a_body_too_fast_freezes_the_world_before_it_spreads) {
  // a torque [N m] for one step of 1/60 s on a ball of 0.5 m, I = 52 kg m^2: 3e5 rad/s and more, where 2e5 is the most
  for (const float torque : {1e9f, 1e15f, 1e30f, 3e38f}) {
    World world(tower(3), cpu());
    const BodyHandle top = world.add_body(ball("top", {0, 0, 3.5}));
    run(world, 30);
    const auto before = states(world);
    world.add_torque(top, {0, torque, 0});
    world.step();
    EXPECT_NE(world.report().status & kStatusTooFast, 0u) << torque;
    EXPECT_EQ(world.report().status & kStatusNonFinite, 0u) << torque;
    EXPECT_EQ(states(world), before) << torque;
    world.clear_status();
    run(world, 60);
    EXPECT_TRUE(sound(world)) << torque;
    EXPECT_EQ(world.report().status, 0u) << torque;
    const auto after = states(world);
    for (std::size_t i = 1; i < after.size(); ++i)
      EXPECT_LT(length(after[i].position - before[i].position), 0.01) << "body " << i << " at " << torque;
  }
}

TEST(Extreme, one_body_alone_keeps_its_velocity_for_ever) {
  World world(afloat({ball("ball", {})}), cpu());
  world.set_velocity(world.bodies()[0], {0.1f, 0.2f, 0.3f}, {1, 2, 3});
  run(world, 300);
  EXPECT_EQ(world.state(world.bodies()[0]).linear_velocity, (Vec3{0.1f, 0.2f, 0.3f}));
}

}  // namespace
}  // namespace cairn::world_test
