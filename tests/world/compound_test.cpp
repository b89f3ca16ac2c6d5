// Bodies of several shapes: the centre of mass away from the origin, the principal axes turned.

#include <random>

#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

Vec3d turned(Quat q, Vec3d v) { return math::rotate(QuatT<double>{q.x, q.y, q.z, q.w}, v); }

Quat unit(std::mt19937& random) {
  double q[4], sum = 0;
  for (double& a : q) {
    a = static_cast<double>(random()) / 2147483648.0 - 1;
    sum += a * a;
  }
  const double r = 1 / std::sqrt(sum);
  return {static_cast<float>(q[0] * r), static_cast<float>(q[1] * r), static_cast<float>(q[2] * r),
          static_cast<float>(q[3] * r)};
}

/// A lopsided heap of shapes without any symmetry.
Body lump(const std::string& name, Vec3d at) {
  Body b = box(name, at);
  b.shapes = {shape(Box{{0.5f, 0.3f, 0.2f}}, {1, 0.5f, -0.25f}, {0.5f, 0.5f, 0.1f, 0.7f}),
              shape(Sphere{0.3f}, {-0.5f, 0.7f, 0.1f}),
              shape(Capsule{0.2f, 0.4f}, {0.2f, -0.3f, 0.8f}, {0, 0.6f, 0, 0.8f})};
  return b;
}

/// A unit cube made of eight.
Body eight_cubes(Vec3d at) {
  Body eight = box("eight", at);
  eight.shapes.clear();
  for (int i = 0; i < 8; ++i) {
    const auto side = [&](int bit) { return (i >> bit & 1) != 0 ? 0.25f : -0.25f; };
    eight.shapes.push_back(shape(Box{{0.25f, 0.25f, 0.25f}}, {side(0), side(1), side(2)}));
  }
  return eight;
}
/// A unit cube with its origin in a corner.
Body cornered_cube(Vec3d at) {
  Body corner = box("corner", at);
  corner.shapes = {shape(Box{}, {0.5f, 0.5f, 0.5f})};
  return corner;
}

TEST(Compound, pose_reads_back_as_it_was_set) {
  World world(scene_of({lump("lump", {})}), cpu());
  const BodyHandle b = world.bodies()[0];
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3d x{static_cast<double>(random()) * 1e-6, -static_cast<double>(random()) * 1e-7, static_cast<double>(i)};
    BodyState wanted{x, unit(random), {1, 2, 3}, {4, 5, 6}};
    world.set_state(b, wanted);
    const BodyState got = world.state(b);
    // the orientation goes through a float product with the principal axes and back: a few half ulps of a unit
    // quaternion, and the position turns the centre of mass (0.6 m away at most) by as much
    EXPECT_LT(length(got.position - x), 1e-6);
    for (const auto part : {&Quat::x, &Quat::y, &Quat::z, &Quat::w})
      EXPECT_NEAR(got.orientation.*part, wanted.orientation.*part, 1e-6);
    EXPECT_EQ(got.linear_velocity, wanted.linear_velocity);
    EXPECT_EQ(got.angular_velocity, wanted.angular_velocity);
  }
}

TEST(Compound, centre_of_mass_flies_a_parabola_while_the_body_tumbles) {
  World world(scene_of({lump("lump", {0, 0, 10})}), cpu());
  const BodyHandle b = world.bodies()[0];
  const Vec3d c = mass_properties(world.description(b), world.materials()).centre_of_mass;
  world.set_velocity(b, {2, 0, 5}, {3, 4, 5});
  const auto centre = [&] {
    const BodyState s = world.state(b);
    const Vec3d r = turned(s.orientation, c);
    return Vec3d{s.position.x + r.x, s.position.y + r.y, s.position.z + r.z};
  };
  const Vec3d start = centre();
  run(world, 60);
  const Vec3d end = centre();
  // semi-implicit Euler falls g t h / 2 farther than the parabola
  const double h = 1.0 / 360;
  EXPECT_NEAR(end.x - start.x, 2, 1e-5);
  EXPECT_NEAR(end.y - start.y, 0, 1e-5);
  EXPECT_NEAR(end.z - start.z, 5 - 0.5 * 9.81 - 0.5 * 9.81 * h, 1e-4);
}

TEST(Compound, equals_the_same_body_described_otherwise) {
  const char* const names[] = {"one", "eight", "corner"};
  World world(scene_of({box("one", {0, 0, 1.2}), eight_cubes({10, 0, 1.2}), cornered_cube({20 - 0.5, -0.5, 0.7})}),
              cpu());
  for (const BodyHandle b : world.bodies()) world.set_velocity(b, {1, 0, 0}, {0.3f, 0.7f, -1});
  run(world, 60);
  const auto all = states(world);
  for (int i = 1; i < 3; ++i) {
    const BodyState& s = all[static_cast<std::size_t>(i)];
    const Vec3d r = i == 2 ? turned(s.orientation, {0.5, 0.5, 0.5}) : Vec3d{};
    const Vec3d centre{s.position.x + r.x - 10 * i, s.position.y + r.y, s.position.z + r.z};
    // free flight: float rounding of 360 substeps is all that differs
    EXPECT_LT(length(centre - all[0].position), 360 * 20 * 0x1p-24) << names[i];
    EXPECT_LT(
        length(Vec3{s.angular_velocity.x - all[0].angular_velocity.x, s.angular_velocity.y - all[0].angular_velocity.y,
                    s.angular_velocity.z - all[0].angular_velocity.z}),
        360 * 4 * 0x1p-24);
  }
}

TEST(Compound, rests_like_the_single_shape_that_it_fills) {
  World world(scene_of({plane(), eight_cubes({0, 0, 0.5}), cornered_cube({4.5, -0.5, 0}), box("top", {5, 0, 1.5})}),
              cpu());
  run(world, 240);
  const auto all = world.bodies();
  EXPECT_NEAR(world.state(all[1]).position.z, 0.5, 0.005);
  EXPECT_NEAR(world.state(all[2]).position.z, 0, 0.005);
  EXPECT_NEAR(world.state(all[3]).position.z, 1.5, 0.01);
  for (const BodyHandle b : all) EXPECT_LT(speed(world, b), 0.01);
}

// a hammer, heavy at one end, balances over its centre of mass and tips off anywhere else
TEST(Compound, balances_at_its_centre_of_mass) {
  Body hammer = box("hammer", {0, 0, 0});
  // flush undersides, so that the head doesn't catch on the ledge
  hammer.shapes = {shape(Box{{1, 0.1f, 0.1f}}), shape(Box{{0.2f, 0.3f, 0.3f}}, {1.2f, 0, 0.2f})};
  const double c = mass_properties(hammer, {Material{.name = "m"}}).centre_of_mass.x;
  for (const double off : {-0.15, 0.0, 0.15}) {
    // a ledge 0.2 m wide stands under the handle
    hammer.position = {-c + off, 0, 1.1};
    const Body ledge = body("ledge", Box{{0.1f, 0.5f, 0.5f}}, {0, 0, 0.5}, BodyType::kStatic);
    World world(scene_of({plane("floor", {0, 0, 1}, -5), ledge, hammer}), cpu());
    run(world, 90);
    const BodyState s = world.state(world.bodies()[2]);
    // its torque 5 cm past the edge turns it by more than 0.5 rad in the time, towards that side
    if (off == 0.0) {
      EXPECT_NEAR(s.position.z, 1.1, 0.01);
    } else {
      EXPECT_GT(s.orientation.y * (off > 0 ? 1 : -1), 0.25) << off;
    }
  }
}

TEST(Compound, shapes_of_one_body_never_touch_each_other) {
  Body b = box("b", {0, 0, 5});
  b.shapes = {shape(Box{}), shape(Box{}, {0.2f, 0, 0}), shape(Sphere{1})};
  World world(scene_of({b}), cpu());
  world.step();
  EXPECT_EQ(world.report().pairs, 0u);
  EXPECT_TRUE(world.contacts().empty());
}

TEST(Compound, kinematic_and_static_bodies_turn_about_their_origin) {
  Body door = box("door", {1, 2, 3}, BodyType::kKinematic);
  door.shapes = {shape(Box{{0.5f, 0.05f, 1}}, {0.5f, 0, 0})};
  World world(scene_of({moving(door, {}, {0, 0, 1})}), cpu());
  run(world, 90);
  const BodyState s = world.state(world.bodies()[0]);
  EXPECT_LT(length(s.position - Vec3d{1, 2, 3}), 1e-12);
  EXPECT_NEAR(s.orientation.z, std::sin(0.75), 1e-5);
  // as a dynamic body its hinge point is no longer at rest, but the pose is what it was
  world.set_type(world.bodies()[0], BodyType::kDynamic);
  const BodyState t = world.state(world.bodies()[0]);
  EXPECT_LT(length(t.position - s.position), 1e-6);
  EXPECT_NEAR(t.orientation.z, s.orientation.z, 1e-6);
}

}  // namespace
}  // namespace cairn::world_test
