// A body's description, changed while its World lives; gravity_scale.

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "cairn/math.h"
#include "tests/interop/arrays.h"
#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;

/// All that set_body may change, changed.
Body changed(Body body) {
  body.name += " changed";
  body.mass = 7.0f;
  body.linear_damping = 0.5f;
  body.angular_damping = 0.25f;
  body.gravity_scale = 0.75f;
  body.bullet = true;
  body.user_data = std::numeric_limits<std::uint64_t>::max();
  for (Shape& shape : body.shapes) shape.material = 1, shape.filter = {.category = 2, .mask = ~0u, .group = 0};
  return body;
}

Scene pile(const std::function<Body(Body)>& of) {
  Scene scene = scene_of({});
  scene.add_material({.name = "rough", .density = 1000, .friction = 0.8f});
  scene.add_material({.name = "smooth", .density = 500, .friction = 0.1f, .restitution = 0.3f});
  scene.add_body(plane());
  for (int i = 0; i < 3; ++i) scene.add_body(of(box("box " + std::to_string(i), {0.1 * i, 0, 0.6 + 1.2 * i})));
  return scene;
}

TEST(SetBody, makes_it_what_it_would_be_had_it_been_added_so) {
  for (const int steps : {0, 1}) {
    World wanted(pile(changed), cpu());
    World world(pile([](Body body) { return body; }), cpu());
    const Snapshot start = world.snapshot();
    run(world, steps);
    for (const BodyHandle body : world.bodies()) {
      if (world.description(body).type == BodyType::kDynamic) world.set_body(body, changed(world.description(body)));
    }
    world.reset();
    run(wanted, 90);
    run(world, 90);
    EXPECT_EQ(world.state_hash(), wanted.state_hash()) << steps;
    for (std::size_t i = 0; i < world.bodies().size(); ++i)
      EXPECT_EQ(world.description(world.bodies()[i]), wanted.description(wanted.bodies()[i])) << i;
    EXPECT_EQ(World(world.snapshot(), cpu()).description(world.bodies()[3]), wanted.description(wanted.bodies()[3]));
    EXPECT_TRUE(world.find_body("box 1 changed").has_value());
    // and back
    world.restore(start);
    EXPECT_EQ(world.description(world.bodies()[1]).gravity_scale, 1);
  }
}

TEST(SetBody, does_what_set_mass_and_set_type_do) {
  World one(pile([](Body body) { return body; }), cpu()), other(one.snapshot(), cpu());
  const auto both = [&](int i, auto set, auto change) {
    run(one, 20);
    run(other, 20);
    const BodyHandle body = one.bodies()[static_cast<std::size_t>(i)];
    set(one, body);
    Body description = other.description(body);
    change(description);
    other.set_body(body, description);
    EXPECT_EQ(one.description(body), other.description(body));
    run(one, 20);
    run(other, 20);
    EXPECT_EQ(one.state_hash(), other.state_hash()) << i;
  };
  both(
      1, [](World& w, BodyHandle b) { w.set_mass(b, 3); }, [](Body& b) { b.mass = 3; });
  for (const BodyType type : {BodyType::kStatic, BodyType::kKinematic, BodyType::kDynamic})
    both(
        2, [&](World& w, BodyHandle b) { w.set_type(b, type); }, [&](Body& b) { b.type = type; });
}

TEST(SetBody, keeps_pose_and_velocity_but_for_what_is_no_longer_allowed) {
  Scene scene = scene_of({});
  scene.set_gravity({0, 0, 0});
  Body body = box("box", {1, 2, 3});
  body.linear_velocity = {1, 0, 0};
  body.angular_velocity = {0, 2, 0};
  scene.add_body(body);
  World world(scene, cpu());
  const BodyHandle at = world.bodies()[0];
  run(world, 3);
  const BodyState before = world.state(at);
  body.position = {9, 9, 9};
  body.linear_velocity = {9, 9, 9};
  body.angular_damping = 1;
  world.set_body(at, body);
  EXPECT_EQ(world.state(at), before);
  EXPECT_EQ(world.description(at).position, (Vec3d{1, 2, 3}));
  EXPECT_EQ(world.description(at).linear_velocity, (Vec3{1, 0, 0}));
  body.fixed_rotation = true;
  world.set_body(at, body);
  EXPECT_EQ(world.state(at).linear_velocity, before.linear_velocity);
  EXPECT_EQ(world.state(at).angular_velocity, Vec3{});
  body.type = BodyType::kStatic;
  world.set_body(at, body);
  EXPECT_EQ(world.state(at).linear_velocity, Vec3{});
}

TEST(SetBody, refuses_other_shapes_taken_names_and_what_add_body_refuses) {
  World world(pile([](Body body) { return body; }), cpu());
  const BodyHandle at = world.bodies()[1];
  const std::uint64_t before = world.state_hash();
  const auto refuses = [&](auto change, const std::string& why) {
    Body body = world.description(at);
    change(body);
    EXPECT_TRUE(refused(world, [&] { world.set_body(at, body); }, {why.c_str()})) << why;
    EXPECT_EQ(world.description(at).name, "box 0");
  };
  refuses([](Body& b) { b.shapes[0].geometry = Sphere{1}; }, "its shapes must stay");
  refuses([](Body& b) { b.shapes[0].position.x = 1; }, "its shapes must stay");
  refuses([](Body& b) { b.shapes[0].sensor = true; }, "its shapes must stay");
  refuses([](Body& b) { b.shapes.push_back(b.shapes[0]); }, "its shapes must stay");
  refuses([](Body& b) { b.name = "box 1"; }, "the name is taken");
  refuses([](Body& b) { b.mass = -1; }, "mass");
  refuses([](Body& b) { b.gravity_scale = 1001; }, "gravity_scale must be between -1000 and 1000");
  refuses([](Body& b) { b.linear_damping = -1; }, "linear_damping");
  refuses([](Body& b) { b.shapes[0].material = 9; }, "material");
  EXPECT_EQ(world.state_hash(), before);
}

TEST(SetBody, damping_takes_velocity_by_its_law) {
  Scene scene = scene_of({});
  scene.set_gravity({0, 0, 0});
  Body body = ball("ball", {0, 0, 0});
  body.linear_velocity = {1, 0, 0};
  scene.add_body(body);
  World world(scene, cpu());
  const BodyHandle at = world.bodies()[0];
  world.step();
  EXPECT_EQ(world.state(at).linear_velocity.x, 1);
  body.linear_damping = 2;
  world.set_body(at, body);
  const int steps = 60;
  run(world, steps);
  // v' = -c v, implicit: v (1 + h c)^-n
  const double h = static_cast<double>(world.params().dt) / world.params().substeps;
  EXPECT_NEAR(world.state(at).linear_velocity.x, std::pow(1 + 2 * h, -steps * world.params().substeps),
              steps * world.params().substeps * 0x1p-23);
}

// v = s g t, and what rests presses with s m g, whatever the solver.
TEST(GravityScale, is_what_a_body_falls_and_presses_with) {
  for (const auto& [word, solver] : EnumWords<SolverKind>::all) {
    if (solver == SolverKind::kHertzMindlin) continue;
    StepParams params;
    params.solver = solver;
    Scene scene = scene_of({plane()}, params);
    const std::array<float, 5> scales{0, 0.25f, 1, 2, -1};
    for (std::size_t i = 0; i < scales.size(); ++i) {
      Body falls = ball("falls " + std::to_string(i), {10.0 * static_cast<double>(i), 0, 100});
      falls.gravity_scale = scales[i];
      scene.add_body(falls);
      Body rests = box("rests " + std::to_string(i), {10.0 * static_cast<double>(i), 9, 0.5});
      rests.gravity_scale = scales[i];
      scene.add_body(rests);
    }
    World world(scene, cpu());
    const int steps = 120;
    run(world, steps);
    const double g = 9.81, t = steps * static_cast<double>(world.params().dt);
    std::vector<double> pushed(scales.size());
    for (const Contact& contact : world.contacts()) {
      const std::uint32_t body = std::max(world.index_of(contact.a), world.index_of(contact.b));
      for (std::uint32_t p = 0; p < static_cast<std::uint32_t>(contact.count); ++p)
        pushed[(body - 2) / 2] += static_cast<double>(contact.points[p].impulse);
    }
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const BodyHandle falls = world.body_at(static_cast<std::uint32_t>(1 + 2 * i));
      const BodyHandle rests = world.body_at(static_cast<std::uint32_t>(2 + 2 * i));
      const double s = double{scales[i]};
      EXPECT_NEAR(world.state(falls).linear_velocity.z, -s * g * t, std::abs(s) * g * t * steps * 6 * 0x1p-23) << word;
      const double weight = world.mass_properties(rests).mass * g * static_cast<double>(world.params().dt);
      if (s > 0) {
        EXPECT_NEAR(pushed[i], s * weight, 0.02 * s * weight) << word << ", scale " << s;
      } else if (s == 0) {
        EXPECT_EQ(world.state(rests).position.z, 0.5) << word;
      } else {
        EXPECT_GT(world.state(rests).position.z, 10) << word;
      }
    }
  }
}

// A ball that falls with 4 g bounces back to e^2 of its height, as one that falls with 1 g does.
TEST(GravityScale, counts_in_bounces) {
  for (const float scale : {0.5f, 1.0f, 4.0f}) {
    Scene scene = scene_of({});
    scene.add_material({.name = "stone"});
    scene.add_material({.name = "rubber", .density = 1000, .friction = 0.5f, .restitution = 0.5f});
    Body floor = plane();
    floor.shapes[0].material = 1;
    scene.add_body(floor);
    Body body = ball("ball", {0, 0, 4.5});
    body.shapes[0].material = 1;
    body.gravity_scale = scale;
    scene.add_body(body);
    World world(scene, cpu());
    double highest = 0;
    bool bounced = false;
    for (int i = 0; i < 240; ++i) {
      world.step();
      const BodyState state = world.state(world.bodies()[1]);
      if (bounced && state.linear_velocity.z < 0) break;
      bounced = bounced || state.linear_velocity.z > 0;
      if (bounced) highest = std::max(highest, state.position.z - 0.5);
    }
    // explicit to the step: the top may lie half a step of fall away from where it is seen, and the velocity is out by
    // half a substep of fall
    const double dt = static_cast<double>(world.params().dt), g = 9.81 * double{scale};
    const double v = 0.5 * std::sqrt(2 * g * 4), off = g * dt / world.params().substeps;
    EXPECT_NEAR(highest, v * v / (2 * g), v * off / g + 0.5 * g * dt * dt) << scale;
  }
}

/// The height, from the plane, and the speed away from it, of something thrown against a floor, or against a ceiling
/// with gravity_scale -1, after a second.
std::array<double, 2> thrown(const Geometry& geometry, double above, float speed, bool up, float scale_of_plane = 1) {
  StepParams params;
  params.restitution_threshold = 0;
  Scene scene = scene_of({}, params);
  scene.add_material({.name = "stone", .restitution = 1});
  Body wall = plane("wall", {0, 0, up ? -1.0f : 1.0f});
  wall.gravity_scale = scale_of_plane;
  scene.add_body(wall);
  const double side = up ? -1 : 1;
  Body body = testing_support::body("thrown", geometry, {0, 0, side * above});
  body.gravity_scale = static_cast<float>(side);
  body.linear_velocity.z = static_cast<float>(-side) * speed;
  scene.add_body(body);
  World world(scene, cpu());
  run(world, 60);
  const BodyState state = world.state(world.bodies()[1]);
  return {side * state.position.z, side * static_cast<double>(state.linear_velocity.z)};
}

// Bounces, rest, and rims that stand are those of the mirror image; what stands still may have any scale.
TEST(GravityScale, of_minus_one_is_the_mirror_image) {
  const std::vector<std::pair<Geometry, double>> shapes{{Sphere{0.5f}, 0.5}, {Cylinder{0.5f, 0.5f}, 0.5}, {Box{}, 0.5}};
  for (const auto& [geometry, rest] : shapes) {
    for (const float speed : {0.0f, 0.08f, 5.0f}) {
      const std::array<double, 2> below = thrown(geometry, rest, speed, false),
                                  above = thrown(geometry, rest, speed, true);
      EXPECT_NEAR(below[0], above[0], 1e-5) << geometry.index() << " at " << speed;
      EXPECT_NEAR(below[1], above[1], 1e-4) << geometry.index() << " at " << speed;
    }
  }
  EXPECT_EQ(thrown(Sphere{0.5f}, 0.7, 5, false), thrown(Sphere{0.5f}, 0.7, 5, false, 1000));
  EXPECT_GT(thrown(Sphere{0.5f}, 0.7, 5, false)[1], -5);
}

TEST(GravityScale, of_zero_floats_in_any_gravity) {
  Scene scene = scene_of({});
  scene.set_gravity({0, 0, -1e20f});
  Body body = ball("ball", {0, 0, 1});
  body.gravity_scale = 0;
  scene.add_body(body);
  World world(scene, cpu());
  run(world, 3);
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_EQ(world.state(world.bodies()[0]).position, (Vec3d{0, 0, 1}));
}

}  // namespace
}  // namespace cairn::world_test
