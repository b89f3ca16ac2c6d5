#include "src/predict/predict.inl"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "src/advance/advance.inl"
#include "src/prepare/prepare.inl"
#include "tests/support/stage_rig.h"

namespace cairn::predict_test {
namespace {

using testing_support::StageRig;

void start(StageRig& rig) {
  const std::uint32_t n = rig.s.constants.body_count;
  StageRig::poison(rig.s.bodies.solve, std::size_t{n} + 1);
  const kernels::Bodies& b = rig.s.bodies;
  StageRig::poison_all(n, b.q1, b.v1, b.w1, b.sqrt_inertia, b.inv_sqrt_inertia);
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

/// Of a body that tumbles with inertia (1, 2, 3), after a substep; it began with (3, -2, 5) times `speed`.
Vec3 tumbled(float speed) {
  StageRig rig(1, 1, 0, 1);
  rig.s.bodies.inertia[0] = {1, 2, 3};
  rig.s.bodies.flags[0] |= kernels::kBodyGyroscopic;
  rig.s.bodies.w[0] = {3 * speed, -2 * speed, 5 * speed};
  rig.s.worlds.gravity[0] = {0, 0, 0};
  start(rig);
  predict(rig.exec, rig.s, 0);
  return rig.s.bodies.inv_sqrt_inertia[0] * rig.s.bodies.solve[0].w;
}

// three substeps about axes of their own keep energy and |L| to rounding
TEST(Predict, gyroscopic_torque_keeps_energy_and_angular_momentum) {
  const Vec3 w = tumbled(1);
  EXPECT_NE(w, (Vec3{3, -2, 5}));
  const double energy = double{w.x} * w.x + 2 * double{w.y} * w.y + 3 * double{w.z} * w.z;
  const double momentum = double{w.x} * w.x + 4 * double{w.y} * w.y + 9 * double{w.z} * w.z;
  // the sum of squares, each rounded a dozen times on the way
  EXPECT_NEAR(energy, 9 + 8 + 75, 24 * 0x1p-24 * 92);
  EXPECT_NEAR(momentum, 9 + 16 + 225, 24 * 0x1p-24 * 250);
}

// turns by many radians a substep can't be followed, but no speed comes of nothing
TEST(Predict, gyroscopic_torque_gives_no_energy_to_what_spins_wildly) {
  for (const float speed : {500.0f, 5e3f, 1e5f, 1e9f}) {
    const Vec3 w = tumbled(speed);
    const double energy = double{w.x} * w.x + 2 * double{w.y} * w.y + 3 * double{w.z} * w.z;
    EXPECT_LE(energy, 92.0 * speed * speed * (1 + 24 * 0x1p-24)) << speed;
    EXPECT_GT(energy, 0) << speed;
  }
}

/// A body that may tumble, slowly or wildly; some are pushed by a torque, or have equal moments.
void make_random_body(StageRig& rig, std::uint32_t i, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto within = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(engine() >> 40) * 0x1p-24f;
  };
  const auto vec = [&](float size) { return Vec3{within(-size, size), within(-size, size), within(-size, size)}; };
  const kernels::Bodies& b = rig.s.bodies;
  if (engine() % 8 == 0) rig.make_body(i, engine() % 2 == 0 ? BodyType::kStatic : BodyType::kKinematic);
  const bool tumbles = b.inv_mass[i] != 0 && engine() % 4 != 0;
  if (tumbles) b.flags[i] |= kernels::kBodyGyroscopic;
  if (engine() % 8 == 0) b.flags[i] |= kernels::kBodyAsleep;
  b.inertia[i] = tumbles && engine() % 8 != 0 ? Vec3{within(1, 2), within(1, 2), within(2, 3)} : Vec3{2, 2, 2};
  b.q[i] = kernels::normalized(Quat{within(-1, 1), within(-1, 1), within(-1, 1), within(0.1f, 1)});
  b.v[i] = vec(10);
  constexpr float kSpins[] = {0, 1e-3f, 1, 20, 200, 2000, 1e9f};
  b.w[i] = vec(kSpins[engine() % std::size(kSpins)]);
  b.force[i] = vec(10);
  if (engine() % 4 == 0) b.torque[i] = vec(5);
  b.linear_damping[i] = within(0, 1);
  b.angular_damping[i] = within(0, 1);
}

template <class T>
void expect_same_bits(const T& got, const T& want, const char* what, std::uint64_t seed) {
  EXPECT_EQ(std::memcmp(&got, &want, sizeof(T)), 0) << what << ", seed " << seed;
}

// fewer than eight go one by one, through the text that a CUDA thread runs
TEST(Predict, eight_bodies_at_once_move_as_each_by_itself) {
  for (std::uint64_t seed = 0; seed < 800; seed += 8) {
    StageRig eight(1, 8, 0, 1);
    for (std::uint32_t i = 0; i < 8; ++i) make_random_body(eight, i, seed + i);
    start(eight);
    std::vector<std::unique_ptr<StageRig>> alone;
    for (std::uint32_t i = 0; i < 8; ++i) {
      alone.push_back(std::make_unique<StageRig>(1, 1, 0, 1));
      make_random_body(*alone[i], 0, seed + i);
      start(*alone[i]);
    }
    for (int substep = 0; substep < 4; ++substep) {
      predict(eight.exec, eight.s, substep);
      for (std::uint32_t i = 0; i < 8; ++i) predict(alone[i]->exec, alone[i]->s, substep);
      // as contacts do
      const Vec3 push{0.25f, -0.5f, 0.125f};
      for (std::uint32_t i = 0; i < 8; ++i) {
        for (kernels::BodySolve* s : {&eight.s.bodies.solve[i], &alone[i]->s.bodies.solve[0]}) {
          s->w = kernels::operator+(s->w, kernels::operator*(s->inv_mass, push));
        }
      }
      advance(eight.exec, eight.s);
      for (std::uint32_t i = 0; i < 8; ++i) {
        advance(alone[i]->exec, alone[i]->s);
        const kernels::Bodies &got = eight.s.bodies, &want = alone[i]->s.bodies;
        expect_same_bits(got.solve[i], want.solve[0], "solve", seed + i);
        expect_same_bits(got.q1[i], want.q1[0], "q1", seed + i);
        expect_same_bits(got.v1[i], want.v1[0], "v1", seed + i);
        expect_same_bits(got.w1[i], want.w1[0], "w1", seed + i);
        expect_same_bits(got.w_body[i], want.w_body[0], "w_body", seed + i);
        expect_same_bits(got.w_seen[i], want.w_seen[0], "w_seen", seed + i);
      }
    }
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
}  // namespace cairn::predict_test
