// Bodies that something kicks within a step past the box that was searched for contacts: they stop at what is in their
// way and may be hit, and at nothing else.

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "cairn/cairn.h"

namespace cairn::ccd_test {
namespace {

constexpr float kRate = 10, kHalf = 0.02f;  // [m/s, m]
constexpr double kNearSide = 0.1;           // [m] where its near side is

/// A box at rest, and the motor that drives it along the joint's x.
std::uint32_t add_slug(Scene& scene, const std::string& name, double x, Quat turn, float rate) {
  Body slug{.name = name, .position = {x, 0, 0}, .shapes = {{.geometry = Box{{kHalf, kHalf, kHalf}}}}, .mass = 1.0f};
  const std::uint32_t body = scene.add_body(slug);
  constexpr float kForever = std::numeric_limits<float>::infinity();
  SliderJoint slider;
  slider.shift.drive = {.damping = kForever, .rate = rate, .max_force = kForever};
  Joint motor{.name = name + "'s motor", .body_b = body, .kind = slider};
  motor.frame_a = {{x, 0, 0}, turn};
  motor.frame_b.orientation = turn;
  scene.add_joint(motor);
  return body;
}

/// Boxes far away, of the sizes of slug and wall: too many for a world to be one cell, or a level to be listed.
void add_crowd(Scene& scene) {
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    scene.add_body({.name = "small " + n,
                    .type = BodyType::kStatic,
                    .position = {0, 100.0 + i, 0},
                    .shapes = {{.geometry = Box{{kHalf, kHalf, kHalf}}}}});
    scene.add_body({.name = "large " + n,
                    .type = BodyType::kStatic,
                    .position = {0, -100.0 - i, 0},
                    .shapes = {{.geometry = Box{{0.0005f, 0.4f, 0.4f}}}}});
  }
}

class Kick : public testing::TestWithParam<bool> {
 protected:
  /// With what `build` adds; bodies[0] is the slug.
  static Scene scene_of(const std::function<void(Scene&)>& build, float rate = kRate) {
    Scene scene;
    scene.set_gravity({0, 0, 0});
    add_slug(scene, "slug", 0, {}, rate);
    build(scene);
    if (GetParam()) add_crowd(scene);
    return scene;
  }
  static double way_of(const Scene& scene) {
    World world(scene);
    world.step();
    return world.state(world.bodies()[0]).position.x;
  }
  static double way_of(const std::function<void(Scene&)>& build) { return way_of(scene_of(build)); }

  static Body wall(const Geometry& geometry = Box{{0.0005f, 0.4f, 0.4f}}) {
    return {.name = "wall",
            .type = BodyType::kStatic,
            .position = {kNearSide + 0.0005, 0, 0},
            .shapes = {{.geometry = geometry}}};
  }
  /// Past the wall, changed so.
  static double way_past(const std::function<void(Body&)>& change) {
    return way_of([&](Scene& s) {
      Body changed = wall();
      change(changed);
      s.add_body(changed);
    });
  }
  // of a step's way; float rounding of a pose, and what a motor's row is solved to
  const double whole = static_cast<double>(kRate) / 60, rounding = 1e-6;
};

TEST_P(Kick, goes_all_its_way_where_nothing_is) {
  EXPECT_NEAR(way_of([](Scene&) {}), whole, rounding);
}

TEST_P(Kick, stops_before_what_it_would_pass_through) {
  const std::vector<Vec3> corners{{0, -1, -1}, {0, -1, 1}, {0, 1, 0}};
  const std::vector<TriangleMesh::Triangle> faces{{0, 1, 2}};
  for (const Geometry& geometry : {Geometry(Box{{0.0005f, 0.4f, 0.4f}}), Geometry(Sphere{0.005f}),
                                   Geometry(Capsule{0.003f, 0.2f}), Geometry(TriangleMesh(corners, faces))}) {
    const double way = way_of([&](Scene& s) { s.add_body(wall(geometry)); });
    EXPECT_LT(way + static_cast<double>(kHalf), kNearSide + 0.0005) << geometry.index();
    EXPECT_GT(way, 0.5 * kNearSide) << geometry.index();
  }
}

TEST_P(Kick, passes_what_it_may_not_touch) {
  EXPECT_NEAR(way_past([](Body& b) { b.shapes[0].filter.mask = 0; }), whole, rounding);
  EXPECT_NEAR(way_past([](Body& b) { b.shapes[0].filter.category = 0; }), whole, rounding);
  EXPECT_NEAR(way_past([](Body& b) { b.shapes[0].sensor = true; }), whole, rounding);
  EXPECT_NEAR(way_of([](Scene& s) { s.ignore(0, s.add_body(wall())); }), whole, rounding);
  EXPECT_NEAR(way_of([](Scene& s) {
                Joint rope{.name = "rope", .body_a = 0, .body_b = s.add_body(wall())};
                rope.kind = DistanceJoint{.min_length = 0, .max_length = 10};
                s.add_joint(rope);
              }),
              whole, rounding);
  // beside its way, and behind its end
  EXPECT_NEAR(way_past([](Body& b) { b.position.y = 0.43; }), whole, rounding);
  EXPECT_NEAR(way_past([](Body& b) { b.position.x += 0.1; }), whole, rounding);
}

TEST_P(Kick, another_worlds_wall_is_no_obstacle) {
  const std::vector<Scene> scenes{scene_of([](Scene& s) { s.add_body(wall()); }), scene_of([](Scene&) {})};
  World world(scenes);
  world.step();
  EXPECT_LT(world.state(world.bodies(0)[0]).position.x, kNearSide);
  EXPECT_NEAR(world.state(world.bodies(1)[0]).position.x, whole, rounding);
}

TEST_P(Kick, two_that_are_kicked_at_each_other_do_not_change_places) {
  for (const float other : {kRate, 0.3f * kRate}) {
    // turned by half a turn about z
    World world(scene_of([&](Scene& s) { add_slug(s, "other", 0.15, {0, 0, 1, 0}, other); }));
    world.step();
    const double a = world.state(world.bodies()[0]).position.x, b = world.state(world.bodies()[1]).position.x;
    EXPECT_LE(a + 2 * static_cast<double>(kHalf), b) << other;
  }
}

TEST_P(Kick, far_past_its_box_ends_there_in_a_large_world_alone) {
  const double way = way_of(scene_of([](Scene&) {}, 1000));
  if (GetParam()) {
    EXPECT_LT(way, 0.02);
  } else {
    EXPECT_NEAR(way, 1000.0 / 60, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Worlds, Kick, testing::Bool(),
                         [](const auto& row) { return std::string(row.param ? "large" : "small"); });

}  // namespace
}  // namespace cairn::ccd_test
