// Impulses, and what a World has by name.

#include "cairn/math.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "tests/interop/arrays.h"
#include "tests/support/builders.h"
#include "tests/support/refusal.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;

/// A bracket, turned and moving, and boxes of other types, without gravity.
World weightless(float size = 1) {
  Scene scene = scene_of({});
  scene.set_gravity({0, 0, 0});
  Body body = bracket("bracket", {1, 2, 3});
  body.orientation = math::axis_angle(Vec3{1, 2, 3}, 0.7f);
  body.linear_velocity = {0.5f, -1, 0.25f};
  body.angular_velocity = {1, 2, -3};
  scene.add_body(body);
  Body held = box("held", {9, 0, 0});
  held.type = BodyType::kKinematic;
  scene.add_body(held);
  World world(scene, cpu());
  if (size != 1) world.scales().set({.size = size}, 0);
  return world;
}

/// [kg m^2/s] About the centre of mass, in world axes: R I R^T w.
Vec3d spin_of(const World& world, BodyHandle body) {
  using namespace math;
  const MassProperties m = world.mass_properties(body);
  const BodyState s = world.state(body);
  const auto wide = [](const auto& a) { return QuatT<double>{a.x, a.y, a.z, a.w}; };
  const QuatT<double> axes = wide(s.orientation) * m.axes;
  const Vec3d w = rotate(conjugate(axes), Vec3d{s.angular_velocity.x, s.angular_velocity.y, s.angular_velocity.z});
  return rotate(axes, Vec3d{m.moments.x * w.x, m.moments.y * w.y, m.moments.z * w.z});
}

Vec3d momentum_of(const World& world, BodyHandle body) {
  const Vec3 v = world.state(body).linear_velocity;
  return math::operator*(world.mass_properties(body).mass, Vec3d{v.x, v.y, v.z});
}

TEST(Impulse, changes_momentum_and_angular_momentum_by_itself_and_its_moment) {
  using namespace math;
  for (const float size : {1.0f, 1.7f}) {
    World world = weightless(size);
    const BodyHandle body = world.bodies()[0];
    const MassProperties m = world.mass_properties(body);
    const BodyState s = world.state(body);
    const Vec3 impulse{30, -20, 10}, turn{4, 5, -6};
    const Vec3d j{impulse.x, impulse.y, impulse.z}, point{2, 2.5, 2};
    const QuatT<double> q{s.orientation.x, s.orientation.y, s.orientation.z, s.orientation.w};
    const Vec3d arm = point - s.position - rotate(q, m.centre_of_mass);
    const Vec3d before = momentum_of(world, body), spin_before = spin_of(world, body);
    world.add_impulse(body, impulse);
    world.add_impulse(body, impulse, point);
    world.add_angular_impulse(body, turn);
    // velocities are rounded to float three times
    const double ulp = 3 * 0x1p-24, fastest = length(Vec3d{30, 20, 10}) * 2 / m.mass + 2;
    EXPECT_LT(length(momentum_of(world, body) - before - 2 * j), ulp * m.mass * fastest) << size;
    const Vec3d wanted = cross(arm, j) + Vec3d{turn.x, turn.y, turn.z};
    const double most = std::max({m.moments.x, m.moments.y, m.moments.z});
    const double least = std::min({m.moments.x, m.moments.y, m.moments.z});
    EXPECT_LT(length(spin_of(world, body) - spin_before - wanted), 4 * ulp * most / least * (length(wanted) + 4 * most))
        << size;
    // and nothing is left for the step
    const BodyState now = world.state(body);
    world.step();
    EXPECT_EQ(world.state(body).linear_velocity, now.linear_velocity);
  }
}

TEST(Impulse, turns_nothing_that_has_a_fixed_rotation) {
  Scene scene = scene_of({});
  scene.set_gravity({0, 0, 0});
  Body body = box("box", {0, 0, 0});
  body.fixed_rotation = true;
  scene.add_body(body);
  World world(scene, cpu());
  const BodyHandle at = world.bodies()[0];
  world.add_impulse(at, {1000, 0, 0}, {0, 0, 5});
  world.add_angular_impulse(at, {0, 1000, 0});
  EXPECT_EQ(world.state(at).angular_velocity, Vec3{});
  EXPECT_FLOAT_EQ(world.state(at).linear_velocity.x, static_cast<float>(1000 / world.mass_properties(at).mass));
}

TEST(Impulse, is_refused_for_what_does_not_take_it) {
  World world = weightless();
  const BodyHandle body = world.bodies()[0], held = world.bodies()[1];
  const std::uint64_t hash = world.state_hash();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refusal_of([&] { world.add_impulse(held, {1, 0, 0}); }), "add_impulse: body \"held\" must be dynamic");
  EXPECT_EQ(refusal_of([&] {
              world.add_impulse(body, {nan, 0, 0});
            }),
            "body \"bracket\": impulse must be finite, is (nan, 0, 0)");
  EXPECT_NE(refusal_of([&] { world.add_impulse(body, {1, 0, 0}, {1e300, 0, 0}); }), "");
  EXPECT_NE(refusal_of([&] { world.add_angular_impulse(body, {3e38f, 0, 0}); }), "");
  EXPECT_NE(refusal_of([&] { world.add_impulse({}, {1, 0, 0}); }), "");
  EXPECT_EQ(world.state_hash(), hash);
}

TEST(World, finds_by_name) {
  World world(std::vector<Scene>{tower(2), tower(4)}, cpu());
  EXPECT_EQ(world.find_body("box1"), world.bodies(0)[2]);
  EXPECT_EQ(world.find_body("box3", 1), world.bodies(1)[4]);
  EXPECT_EQ(world.find_body("box3", 0), std::nullopt);
  EXPECT_EQ(world.find_joint("box1"), std::nullopt);
  EXPECT_EQ(world.articulations().find("box1"), std::nullopt);
  EXPECT_EQ(world.particles().find("box1"), std::nullopt);
  EXPECT_THROW((void)world.find_body("box1", 2), InvalidArgument);
  world.remove_body(world.bodies(0)[2]);
  EXPECT_EQ(world.find_body("box1"), std::nullopt);
}

TEST(World, finds_sets_of_particles_by_name) {
  Scene scene = scene_of({plane()});
  scene.add_particles({.name = "one", .positions = {{0, 0, 1}}});
  scene.add_particles({.name = "two", .positions = {{1, 0, 1}, {2, 0, 1}}});
  World world = World::copies(scene, 2, cpu());
  EXPECT_EQ(world.particles().find("two", 1), world.particles().list(1)[1]);
  EXPECT_EQ(world.particles().find("three", 1), std::nullopt);
}

TEST(Errors, tell_their_code) {
  const auto code_of = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  EXPECT_EQ(code_of([] { (void)parse_scene("{", "f"); }), ErrorCode::kSceneFile);
  EXPECT_EQ(code_of([] { (void)Snapshot::from_bytes("x", "bytes"); }), ErrorCode::kSnapshot);
  EXPECT_EQ(code_of([] { (void)World(Scene{}, cpu()).state(BodyHandle{}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { World world(Scene{}, {.device = Device::cuda(4711)}); }), ErrorCode::kDevice);
  EXPECT_EQ(code_of([] { World(tower(2), {.capacity = {.pairs = 1, .on_overflow = OnOverflow::kError}}).step(); }),
            ErrorCode::kCapacity);
}

}  // namespace
}  // namespace cairn::world_test
