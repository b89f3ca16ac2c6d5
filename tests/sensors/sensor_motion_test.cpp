// Frames and inertial measurement units against closed forms.

#include "cairn/math.h"
#include "tests/interop/arrays.h"
#include "tests/sensors/sensed.h"

namespace cairn::sensors_test {
namespace {

using namespace cairn::math;

QuatT<double> wide(Quat q) { return {q.x, q.y, q.z, q.w}; }
Vec3d wide(Vec3 v) { return {v.x, v.y, v.z}; }

/// A site by the state of its body.
struct Expected {
  Vec3d x, v, w;
  QuatT<double> q;

  Expected(const World& world, BodyHandle body, const Site& site) {
    const BodyState s = world.state(body);
    const QuatT<double> turn = normalized(wide(s.orientation));
    const Vec3d centre = s.position + rotate(turn, world.mass_properties(body).centre_of_mass);
    x = s.position + rotate(turn, site.position);
    q = turn * normalized(wide(site.orientation));
    w = wide(s.angular_velocity);
    v = wide(s.linear_velocity) + cross(w, x - centre);
  }
};

TEST(FrameSensor, reads_a_site_in_the_world_and_in_a_frame_that_moves) {
  World world(scene_of({plane(), bracket("a", {0, 0, 3}), bracket("b", {2, 1, 4})}), cpu());
  const std::vector<BodyHandle> bodies = world.bodies();
  world.set_velocity(bodies[1], {1, -0.5f, 2}, {0.7f, -1.1f, 0.4f});
  world.set_velocity(bodies[2], {-0.3f, 0.2f, 1}, {-0.5f, 0.9f, 1.3f});
  const Site on_a{1, {0.3, -0.2, 0.4}, {0.3f, 0.1f, -0.2f, 0.9f}}, on_b{2, {-0.1, 0.5, 0.2}, {0, 0.6f, 0, 0.8f}};
  const Site fixed{kWorldBody, {1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}};
  Sensors sensors(world, {.frames = {{on_a}, {on_a, on_b}, {on_a, on_b, VelocityAxes::kSite}, {on_a, fixed}, {fixed}}});
  for (int step = 0; step < 5; ++step) {
    world.step();
    sensors.update();
    const std::vector<float> pose = reading(sensors, "frame_pose"), velocity = reading(sensors, "frame_velocity");
    ASSERT_EQ(pose.size(), 5u * 7);
    ASSERT_EQ(velocity.size(), 5u * 6);
    const Expected a(world, bodies[1], on_a), b(world, bodies[2], on_b);
    const QuatT<double> turned = normalized(wide(fixed.orientation));
    struct Case {
      Vec3d x, v, w;
      QuatT<double> q;
    };
    const auto seen_from = [&](Vec3d x, QuatT<double> q, Vec3d v, Vec3d w, bool own_axes) {
      const QuatT<double> back = conjugate(q), axes = own_axes ? conjugate(a.q) : back;
      return Case{rotate(back, a.x - x), rotate(axes, a.v - v - cross(w, a.x - x)), rotate(axes, a.w - w), back * a.q};
    };
    const Case want[] = {{a.x, a.v, a.w, a.q},
                         seen_from(b.x, b.q, b.v, b.w, false),
                         seen_from(b.x, b.q, b.v, b.w, true),
                         seen_from(fixed.position, turned, {}, {}, false),
                         {fixed.position, {}, {}, turned}};
    for (std::size_t i = 0; i < 5; ++i) {
      // a state's quaternion is unit to a float's rounding, which turns an arm of a metre
      const double tolerance = 16 * kEpsilon * (1 + length(want[i].x) + length(want[i].v));
      expect_near(vector_at(pose, 7 * i), want[i].x, tolerance, "place");
      expect_near(vector_at(velocity, 6 * i), want[i].v, tolerance, "velocity");
      expect_near(vector_at(velocity, 6 * i + 3), want[i].w, tolerance, "angular velocity");
      const double side = pose[7 * i + 6] * want[i].q.w < 0 ? -1 : 1;
      expect_near(side * vector_at(pose, 7 * i + 3), {want[i].q.x, want[i].q.y, want[i].q.z}, tolerance, "orientation");
    }
  }
}

TEST(FrameSensor, reads_as_velocity_how_the_pose_changes) {
  Scene scene;
  scene.set_gravity({});
  for (const char* name : {"a", "b"})
    scene.add_body(box(name, {name[0] == 'a' ? 0.0 : 3.0, 0, 0}, BodyType::kKinematic));
  World world(scene, cpu());
  world.set_velocity(world.bodies()[0], {0.5f, 0, 0.25f}, {0.5f, 0.25f, -0.5f});
  world.set_velocity(world.bodies()[1], {0, -0.5f, 0}, {0, 0.5f, 0.5f});
  Sensors sensors(world, {.frames = {{{0, {0.5, 0.25, 0}}, {1, {0, 0, 0.5}}}}});
  const float dt = 1.0f / 256;
  std::vector<Vec3d> x, v;
  for (int step = 0; step < 3; ++step) {
    world.step(dt);
    sensors.update();
    x.push_back(vector_at(reading(sensors, "frame_pose"), 0));
    v.push_back(vector_at(reading(sensors, "frame_velocity"), 0));
  }
  // a central difference is off by x''' dt^2 / 6, with x''' about w^3 |x|, and by the rounding of x
  const double w = 1.5, h = double{dt};
  expect_near((x[2] - x[0]) / (2 * h), v[1], w * w * w * 4 * h * h / 6 + 8 * kEpsilon / h);
}

TEST(ImuSensor, reads_nothing_in_free_fall) {
  Scene scene = scene_of({bracket("a", {0, 0, 3}), ball("slow", {5, 0, 3})});
  World world(scene, cpu());
  Body slow = world.description(world.bodies()[1]);
  slow.gravity_scale = 0.25f;
  world.set_body(world.bodies()[1], slow);
  world.set_velocity(world.bodies()[0], {}, {1, 2, 3});
  const Vec3d centre = world.mass_properties(world.bodies()[0]).centre_of_mass;
  Sensors sensors(world, {.imus = {{{0, centre, {0.5f, 0.5f, 0.5f, 0.5f}}}, {{1}}}});
  sensors.update();
  const double g = 9.81, dt = 1.0 / 60;
  // before there was time it reads as at rest
  EXPECT_NEAR(length(vector_at(reading(sensors, "imu"), 0)), g, 4 * kEpsilon * g);
  for (int step = 1; step <= 20; ++step) {
    world.step();
    sensors.update();
    const std::vector<float> imu = reading(sensors, "imu");
    // each substep rounds the velocity, of g t and what the site's arm makes of rounding
    const double tolerance = (6 * kEpsilon * g * dt * step + 4 * kEpsilon) / dt;
    expect_near(vector_at(imu, 0), {}, tolerance, "turning");
    expect_near(vector_at(imu, 6), {}, tolerance, "of another gravity scale");
    const Vec3 w = world.state(world.bodies()[0]).angular_velocity;
    EXPECT_NEAR(length(vector_at(imu, 3)), length(wide(w)), 8 * kEpsilon * length(wide(w)));
  }
}

TEST(ImuSensor, reads_g_up_at_rest_in_its_own_axes) {
  World world(tower(1), cpu());
  // a half turn about x, then a quarter about z
  Sensors sensors(world, {.imus = {{{1}}, {{1, {0.3, 0.2, 0.5}, {1, 0, 0, 0}}}, {{kWorldBody}}, {{0}}}});
  step(world, sensors, 120);
  const Vec3 before = world.state(world.bodies()[1]).linear_velocity;
  world.step();
  sensors.update();
  const Vec3 after = world.state(world.bodies()[1]).linear_velocity;
  const std::vector<float> imu = reading(sensors, "imu");
  const double g = 9.81, dt = 1.0 / 60;
  expect_near(vector_at(imu, 0), wide(after - before) / dt + Vec3d{0, 0, g}, 16 * kEpsilon * g, "what the step did");
  // the box settles: what is left of its motion changes by less than a thousandth of g
  expect_near(vector_at(imu, 0), {0, 0, g}, 1e-3 * g, "upright");
  expect_near(vector_at(imu, 6), {0, 0, -g}, 1e-3 * g, "upside down");
  expect_near(vector_at(imu, 12), {0, 0, g}, kEpsilon * g, "in the world");
  expect_near(vector_at(imu, 18), {0, 0, g}, kEpsilon * g, "on what stands still");
}

TEST(ImuSensor, reads_w_squared_r_on_a_circle) {
  Scene scene = scene_of({box("turntable", {0, 0, 0}, BodyType::kKinematic)});
  scene.set_gravity({});
  World world(scene, cpu());
  const double w = 3, r = 0.4;
  world.set_velocity(world.bodies()[0], {}, {0, 0, static_cast<float>(w)});
  Sensors sensors(world, {.imus = {{{0, {r, 0, 0}}}, {{0}}}});
  sensors.update();
  for (const float dt : {1.0f / 60, 1.0f / 240}) {
    for (int step = 0; step < 3; ++step) {
      world.step(dt);
      sensors.update();
    }
    const std::vector<float> imu = reading(sensors, "imu");
    // dv over a chord of the angle w dt: 2 w r sin(w dt / 2), towards the middle from halfway
    const double angle = w * double{dt}, chord = 2 * w * r * std::sin(angle / 2) / double{dt};
    const double tolerance = 16 * kEpsilon * w * r / double{dt};
    expect_near(vector_at(imu, 0), {-chord, 0, 0}, tolerance);
    EXPECT_NEAR(imu[0], -w * w * r, w * w * r * angle * angle / 24 + tolerance) << "of second order in the step";
    expect_near(vector_at(imu, 3), {0, 0, w}, 4 * kEpsilon * w);
    expect_near(vector_at(imu, 6), {}, tolerance, "in the middle");
  }
}

TEST(ImuSensor, reads_a_link_that_turns_about_its_joint) {
  using namespace articulations_test;
  const Articulation arm{"arm",
                         {on(block("rod", {0.5f, 0.05f, 0.05f}, 2), kWorldLink, {0, 0, 1}, {-0.5, 0, 0}, kAlongZ,
                             ArticulationJointKind::kRevolute)}};
  const double w = 2;
  World world(afloat(arm, {{0.3}, {w}}), cpu());
  Sensors sensors(world, {.imus = {{{0}}, {{0, {-0.5, 0, 0}}}, {{0, {0.5, 0, 0}}}}});
  sensors.update();
  world.step();
  sensors.update();
  const std::vector<float> imu = reading(sensors, "imu");
  const double dt = 1.0 / 60, chord = 2 * w * std::sin(w * dt / 2) / dt, tolerance = 16 * kEpsilon * w / dt;
  expect_near(vector_at(imu, 0), {-0.5 * chord, 0, 0}, tolerance, "middle");
  expect_near(vector_at(imu, 6), {}, tolerance, "joint");
  expect_near(vector_at(imu, 12), {-chord, 0, 0}, tolerance, "end");
}

TEST(ImuSensor, takes_neither_a_reset_nor_a_velocity_that_was_set_before_an_update_for_motion) {
  World world(tower(1), cpu());
  Sensors sensors(world, {.imus = {{{1}}}});
  const auto read = [&] { return vector_at(reading(sensors, "imu"), 0); };
  for (int step = 0; step < 5; ++step) {
    world.step();
    sensors.update();
  }
  const Vec3d stood = read();
  sensors.update();
  EXPECT_EQ(read(), stood) << "no time has gone by";
  world.set_state(world.bodies()[1], {.position = {0, 0, 9}, .linear_velocity = {5, 0, 0}});
  sensors.update();
  EXPECT_EQ(read(), stood);
  world.step();
  sensors.update();
  expect_near(read(), {}, 16 * kEpsilon * 5 * 60, "falls");
  world.set_velocity(world.bodies()[1], {}, {});
  world.reset();
  sensors.update();
  expect_near(read(), {0, 0, 9.81}, kEpsilon * 9.81, "as at rest");
}

}  // namespace
}  // namespace cairn::sensors_test
