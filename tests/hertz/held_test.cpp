// Elastic spheres with joints, as particles of a rope, and in a bin.

#include <algorithm>

#include "tests/hertz/hertz_scenes.h"

namespace cairn::hertz_test {
namespace {

Joint rod(std::uint32_t a, std::uint32_t b, float length) {
  return {.name = "rod" + std::to_string(b), .body_a = a, .body_b = b, .kind = DistanceJoint{length, length, 0, 0}};
}

// Two pendulums with elastic bobs that touch, one lifted: the other takes all of it (Newton's cradle), and the first
// one rests until it comes back.
TEST(Held, bobs_hand_their_swing_on) {
  constexpr double kLength = 0.2, kAngle = 0.2;
  const Grain grain{.young = 1e8};
  const double r = grain.radius;
  Scene scene = scene_of(grain, elastic(2e-6, 50));
  const double x = kLength * std::sin(kAngle), z = kLength * std::cos(kAngle);
  Body lifted = sphere("lifted", {-r - x, 0, -z}, r), other = sphere("other", {r, 0, -kLength}, r);
  lifted.fixed_rotation = other.fixed_rotation = true;
  scene.add_body(lifted);
  scene.add_body(other);
  for (std::uint32_t i = 0; i < 2; ++i) {
    Joint joint = rod(kWorldBody, i, static_cast<float>(kLength));
    joint.frame_a.position = {static_cast<float>(i == 0 ? -r : r), 0, 0};
    scene.add_joint(joint);
  }
  World world(scene, test::cpu());
  // half a swing: a quarter down, and a quarter up on the other side
  const double period = 2 * std::numbers::pi * std::sqrt(kLength / kG);
  test::run(world, static_cast<int>(0.5 * period / 1e-4));
  EXPECT_EQ(world.report().status, 0u);
  const BodyState first = world.state(world.bodies()[0]), second = world.state(world.bodies()[1]);
  EXPECT_NEAR(first.position.x, -r, 0.01 * x);
  EXPECT_NEAR(second.position.x - r, x, 0.02 * x);
  EXPECT_NEAR(second.position.z, -z, 0.02 * (kLength - z));
  const double length = test::length(Vec3d{second.position.x - r, 0, second.position.z});
  EXPECT_NEAR(length, kLength, 1e-5 * kLength);
}

TEST(Held, dumbbells_keep_their_length_and_momentum) {
  Scene scene = scene_of(lively(), elastic(5e-6, 20), {});
  scene.add_body(sphere("left", {0, -0.03, 0}, 0.01));
  scene.add_body(sphere("right", {0, 0.03, 0}, 0.01));
  scene.add_joint(rod(0, 1, 0.06f));
  scene.add_body(test::moving(sphere("ball", {-0.03, 0.025, 0}, 0.01), {1, 0, 0}));
  World world(scene, test::cpu());
  test::run(world, 400);
  double momentum = 0;
  for (const BodyHandle body : world.bodies()) momentum += double{world.state(body).linear_velocity.x};
  // a rounding of 6e-8 of half of it in each of 8,000 substeps, if all went one way
  EXPECT_NEAR(momentum, 1, 2e-4);
  EXPECT_GT(test::speed(world, world.bodies()[1]), 0.1);
  const Vec3d apart = world.state(world.bodies()[1]).position - world.state(world.bodies()[0]).position;
  EXPECT_NEAR(test::length(apart), 0.06, 1e-5);
}

// The lowest of a rope's particles lies on the floor, the others hang: floor and peg bear the weight.
TEST(Held, particles_of_a_rope_touch_as_grains_do) {
  const Grain grain{.young = 1e7, .friction = 0.5, .restitution = 0.1};
  constexpr int kParticles = 6;
  StepParams params = elastic(1e-4, 10);
  params.particle_iterations = 8;
  Scene scene = scene_of(grain, params);
  scene.add_body(fixed("floor", Plane{}));
  ParticleSet rope{.name = "rope", .radius = 0.01f};
  for (int i = 0; i < kParticles; ++i) rope.positions.push_back({0.03 * i, 0, 0.0101});
  rope.masses.assign(kParticles, 0.01f);
  ConstraintGroup stretch{.kind = ConstraintKind::kStretch};
  for (std::uint32_t i = 1; i < kParticles; ++i) stretch.particles.insert(stretch.particles.end(), {i - 1, i});
  rope.constraints.push_back(stretch);
  scene.add_particles(rope);
  World world(scene, test::cpu());
  test::run(world, 500);
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_NEAR(test::support(world, world.bodies()[0]), kParticles * 0.01 * kG, 1e-3 * kParticles * 0.01 * kG);
}

// What the bin bears upwards, by floor and by friction on the walls, is what its grains weigh.
TEST(Held, grains_in_a_bin_come_to_rest_on_what_bears_their_weight) {
  Grain grain = lively();
  grain.young = 1e7;
  grain.restitution = 0.4;
  Scene scene = scene_of(grain, elastic(0.15 * double{rayleigh_time(0.009f, 2650, 1e7f, 0.3f)}, 10));
  const Vec3 normals[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int i = 0; i < 5; ++i)
    scene.add_body(fixed("wall" + std::to_string(i), Plane{normals[i], i == 0 ? 0.0f : -0.032f}));
  double mass = 0;
  for (int i = 0; i < 54; ++i) {
    Grain one = grain;
    one.radius = 0.009 + 0.00025 * (i * 7 % 5);
    mass += one.mass();
    const double shift = 3e-4 * (i / 9 % 3 - 1);
    const Vec3d at{0.0205 * (i % 3 - 1) + shift, 0.0205 * (i / 3 % 3 - 1) + 0.5 * shift, 0.0105 + 0.0205 * (i / 9)};
    scene.add_body(sphere("grain" + std::to_string(i), at, one.radius));
  }
  World world(scene, test::cpu());
  test::run(world, static_cast<int>(1.6 / double{world.params().dt}));
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_LT(test::fastest(world), 1e-5);
  double borne = 0;
  const std::vector<BodyHandle> bodies = world.bodies();
  for (const Contact& c : world.contacts()) {
    // the walls come first, so that they are a: what b is given is what they bear
    if (std::find(bodies.begin(), bodies.begin() + 5, c.a) == bodies.begin() + 5) continue;
    borne += double{c.points[0].impulse} * double{c.normal.z} + double{c.friction_impulse.z};
  }
  borne /= double{world.params().dt};
  EXPECT_NEAR(borne, mass * kG, 1e-3 * mass * kG);
}

}  // namespace
}  // namespace cairn::hertz_test
