#include "src/predict/predict.inl"

#include <cmath>

#include <gtest/gtest.h>

#include "src/prepare/prepare.inl"
#include "tests/support/stage_rig.h"

namespace cairn {
namespace {

using testing_support::StageRig;

void start(StageRig& rig) {
  const std::uint32_t n = rig.s.constants.body_count;
  StageRig::poison(rig.s.bodies.solve, std::size_t{n} + 1);
  StageRig::poison(rig.s.bodies.q1, n);
  StageRig::poison(rig.s.bodies.v1, n);
  StageRig::poison(rig.s.bodies.w1, n);
  StageRig::poison(rig.s.bodies.sqrt_inertia, n);
  StageRig::poison(rig.s.bodies.inv_sqrt_inertia, n);
  prepare(rig.exec, rig.s);
}

void expect_near(Vec3 got, double x, double y, double z, double allowed) {
  EXPECT_NEAR(got.x, x, allowed);
  EXPECT_NEAR(got.y, y, allowed);
  EXPECT_NEAR(got.z, z, allowed);
}

// v1 = (v + h (g + f/m)) / (1 + h c)
TEST(Predict, adds_gravity_force_and_damping_for_every_body) {
  for (const std::uint32_t n : {0u, 1u, 255u, 256u, 257u}) {
    StageRig rig(3, n, 0, 1);
    for (std::uint32_t i = 0; i < n; ++i) {
      const float a = static_cast<float>(i);
      rig.s.bodies.v[i] = {a, -a, 1};
      rig.s.bodies.force[i] = {10 * a, 3, 0};
      rig.s.bodies.inv_mass[i] = 0.5f;
      rig.s.bodies.linear_damping[i] = 0.1f * a;
    }
    start(rig);
    predict(rig.exec, rig.s, 0);
    const double h = rig.s.constants.h;
    for (std::uint32_t i = 0; i < n; ++i) {
      const double a = i, damped = 1 / (1 + h * double{rig.s.bodies.linear_damping[i]});
      // five roundings of numbers no larger than 257
      const double allowed = 5 * 257 * 0x1p-24;
      expect_near(rig.s.bodies.solve[i].v, (a + h * 5 * a) * damped, (-a + h * 1.5) * damped, (1 - h * 9.81) * damped,
                  allowed);
      EXPECT_EQ(rig.s.bodies.solve[i].v, rig.s.bodies.v1[i]);
      EXPECT_EQ(rig.s.bodies.solve[i].dx, Vec3{});
    }
  }
}

// what the contacts gave in the substep before is given again: v = v1' + (v_end - v1)
TEST(Predict, carries_the_contact_impulses_of_the_substep_before) {
  StageRig rig(1, 1, 0, 1);
  start(rig);
  predict(rig.exec, rig.s, 0);
  const Vec3 first = rig.s.bodies.v1[0];
  rig.s.bodies.solve[0].v = kernels::operator+(rig.s.bodies.solve[0].v, Vec3{1, 2, 3});
  rig.s.bodies.solve[0].w = {-1, 0, 1};
  predict(rig.exec, rig.s, 1);
  const double h = rig.s.constants.h;
  expect_near(rig.s.bodies.solve[0].v, 2, 4, double{first.z} + 6 - h * 9.81, 8 * 0x1p-23);
  expect_near(rig.s.bodies.solve[0].w, -2, 0, 2, 4 * 0x1p-23);
}

// w += h I^-1 torque, in world axes, whatever the orientation; w~ = I^1/2 w
TEST(Predict, torque_turns_about_principal_axes) {
  StageRig rig(1, 1, 0, 1);
  rig.s.bodies.inertia[0] = {1, 4, 9};
  const float root = std::sqrt(0.5f);
  rig.s.bodies.q[0] = {0, 0, root, root};  // principal x is world y, principal y is world -x
  rig.s.bodies.torque[0] = {8, 3, 18};
  rig.s.worlds.gravity[0] = {0, 0, 0};
  start(rig);
  predict(rig.exec, rig.s, 0);
  const double h = rig.s.constants.h;
  const Vec3 w = rig.s.bodies.inv_sqrt_inertia[0] * rig.s.bodies.solve[0].w;
  expect_near(w, h * 2, h * 3, h * 2, 16 * 0x1p-23 * h);
}

// three substeps about axes of their own keep energy and |L| to rounding
TEST(Predict, gyroscopic_torque_keeps_energy_and_angular_momentum) {
  StageRig rig(1, 1, 0, 1);
  rig.s.bodies.inertia[0] = {1, 2, 3};
  rig.s.bodies.flags[0] |= kernels::kBodyGyroscopic;
  rig.s.bodies.w[0] = {3, -2, 5};
  rig.s.worlds.gravity[0] = {0, 0, 0};
  start(rig);
  predict(rig.exec, rig.s, 0);
  const Vec3 w = rig.s.bodies.inv_sqrt_inertia[0] * rig.s.bodies.solve[0].w;
  EXPECT_NE(w, rig.s.bodies.w[0]);
  const double energy = double{w.x} * w.x + 2 * double{w.y} * w.y + 3 * double{w.z} * w.z;
  const double momentum = double{w.x} * w.x + 4 * double{w.y} * w.y + 9 * double{w.z} * w.z;
  // the sum of squares, each rounded a dozen times on the way
  EXPECT_NEAR(energy, 9 + 8 + 75, 24 * 0x1p-24 * 92);
  EXPECT_NEAR(momentum, 9 + 16 + 225, 24 * 0x1p-24 * 250);
}

// turns by many radians a substep can't be followed, but no speed comes of nothing
TEST(Predict, gyroscopic_torque_gives_no_energy_to_what_spins_wildly) {
  for (const float speed : {500.0f, 5e3f, 1e5f, 1e9f}) {
    StageRig rig(1, 1, 0, 1);
    rig.s.bodies.inertia[0] = {1, 2, 3};
    rig.s.bodies.flags[0] |= kernels::kBodyGyroscopic;
    rig.s.bodies.w[0] = {3 * speed, -2 * speed, 5 * speed};
    rig.s.worlds.gravity[0] = {0, 0, 0};
    start(rig);
    predict(rig.exec, rig.s, 0);
    const Vec3 w = rig.s.bodies.inv_sqrt_inertia[0] * rig.s.bodies.solve[0].w;
    const double energy = double{w.x} * w.x + 2 * double{w.y} * w.y + 3 * double{w.z} * w.z;
    EXPECT_LE(energy, 92.0 * speed * speed * (1 + 24 * 0x1p-24)) << speed;
    EXPECT_GT(energy, 0) << speed;
  }
}

TEST(Predict, leaves_alone_what_can_not_be_pushed) {
  StageRig rig(1, 4, 0, 1);
  rig.make_body(0, BodyType::kStatic);
  rig.make_body(1, BodyType::kKinematic);
  rig.s.bodies.flags[2] |= kernels::kBodyAsleep;
  rig.s.bodies.flags[3] = 0;  // dead
  rig.s.bodies.v[1] = {1, 0, 0};
  for (std::uint32_t i = 0; i < 4; ++i) rig.s.bodies.force[i] = {1, 1, 1};
  start(rig);
  predict(rig.exec, rig.s, 0);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(rig.s.bodies.solve[i].v, (Vec3{i == 1 ? 1.0f : 0.0f, 0, 0})) << i;
    EXPECT_EQ(rig.s.bodies.solve[i].inv_mass, 0.0f) << i;
    EXPECT_EQ(rig.s.bodies.solve[i].movable, 0.0f) << i;
  }
}

}  // namespace
}  // namespace cairn
