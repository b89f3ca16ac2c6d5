// Muscles: the curves that they are made of, by what they pull with.

#include "tests/joints/joint_scenes.h"
#include "tests/support/refusal.h"

namespace cairn::actuate_test {
namespace {

using joints_test::block;
using joints_test::kG;
using testing_support::refusal_of;

constexpr float kStep = 0.001f;  // [s]

/// A kinematic block that a muscle holds to the origin of the world.
struct Rig {
  explicit Rig(double length, const MuscleParams& params = {})
      : world(scene(length)), muscle(world, {{{}, {}}, {world.bodies()[0], {}}}, params) {}
  static Scene scene(double length) {
    const Box small{{0.01f, 0.01f, 0.01f}};
    return testing_support::scene_of({testing_support::body("end", small, {length, 0, 0}, BodyType::kKinematic)},
                                     {.dt = kStep});
  }
  void run(double excitation, double seconds, float speed = 0) {
    for (double t = 0; t < seconds; t += static_cast<double>(kStep)) {
      world.set_velocity(world.bodies()[0], {speed, 0, 0}, {});
      muscle.act(excitation, kStep);
      world.step();
    }
  }
  World world;
  Muscle muscle;
};

TEST(Muscle, pulls_with_its_most_isometric_force_at_its_optimal_length) {
  // the tendon gives 4.9 % at that force
  const MuscleParams p;
  Rig rig(p.optimal_fibre_length + p.tendon_slack_length * (1 + p.tendon_strain));
  // without activity the fibre takes the stretch, and its passive spring bears (e^(4 s / 0.6) - 1) / (e^4 - 1) at s
  const double passive = p.max_isometric_force * std::expm1(4 * p.tendon_strain / p.fibre_strain) / std::expm1(4.0);
  EXPECT_NEAR(rig.muscle.force(), passive, 0.05 * passive);
  rig.run(1, 1);
  EXPECT_NEAR(rig.muscle.activation(), 1, 1e-6);
  // the bells of the active curve sum to 1 within a per cent or two at the optimal length
  EXPECT_NEAR(rig.muscle.force(), p.max_isometric_force, 0.02 * p.max_isometric_force);
  EXPECT_NEAR(rig.muscle.fibre_length(), p.optimal_fibre_length, 0.01 * p.optimal_fibre_length);
  rig.run(0, 2);
  EXPECT_NEAR(rig.muscle.force(), passive, 0.05 * passive);
}

TEST(Muscle, that_is_stretched_without_activity_bears_by_its_passive_spring) {
  const MuscleParams p;
  // at the strain of its most force, both springs bear it
  Rig rig(p.optimal_fibre_length * (1 + p.fibre_strain) + p.tendon_slack_length * (1 + p.tendon_strain));
  rig.run(0, 1);
  EXPECT_NEAR(rig.muscle.force(), p.max_isometric_force, 0.01 * p.max_isometric_force);
}

TEST(Muscle, that_is_shortened_at_its_most_speed_pulls_no_more) {
  MuscleParams p;
  p.fibre_damping = 0;
  Rig rig(p.optimal_fibre_length * 1.2 + p.tendon_slack_length * (1 + p.tendon_strain), p);
  rig.run(1, 0.3);
  const double held = rig.muscle.force();
  ASSERT_GT(held, 0.8 * p.max_isometric_force);
  // from 1.2 to 0.8 optimal lengths
  const auto most = static_cast<float>(p.max_fibre_speed * p.optimal_fibre_length);
  rig.run(1, 0.04, -most);
  EXPECT_LT(rig.muscle.force(), 0.02 * p.max_isometric_force);
  // and lengthened it bears more than at rest
  Rig longer(p.optimal_fibre_length * 0.8 + p.tendon_slack_length * (1 + p.tendon_strain), p);
  longer.run(1, 0.3);
  longer.run(1, 0.1, 0.2f * most);
  EXPECT_GT(longer.muscle.force(), 1.2 * p.max_isometric_force);
}

TEST(Muscle, takes_its_time_to_wake_and_longer_to_rest) {
  const MuscleParams p;
  Rig rig(0.2);
  // da/dt = (u - a) / tau(a) in steps a hundred times as short
  double a = 0;
  for (int step = 0; step < 200; ++step) {
    const double u = step < 100 ? 1 : 0.1;
    rig.run(u, 0.0005);
    for (int k = 0; k < 100; ++k) {
      const double pace = 0.5 + 1.5 * a, tau = u > a ? p.activation_time * pace : p.deactivation_time / pace;
      a += 1e-5 * (u - a) / tau;
    }
    // tau is that of the step's start: off by its change over a step, a tenth of the fastest at first
    ASSERT_NEAR(rig.muscle.activation(), a, 0.04) << step;
  }
}

TEST(Muscle, lifts_a_weight_over_a_pulley_and_pushes_nothing_in_all) {
  // from the world over a point of a fixed block to a weight below it
  Scene scene = joints_test::scene_of(
      {block("beam", {0, 0, 0}, {0.05f, 0.05f, 0.05f}, 1), block("weight", {0.2, 0, -0.12}, {0.02f, 0.02f, 0.02f}, 5)},
      {.dt = kStep});
  scene.add_joint({.name = "weld", .body_b = 0, .kind = FixedJoint{}});
  World world(scene);
  const MuscleParams p{.max_isometric_force = 200, .tendon_slack_length = 0.3};
  Muscle muscle(world, {{{}, {0, 0, 0.1}}, {world.bodies()[0], {0.2, 0, 0.1}}, {world.bodies()[1], {}}}, p);
  EXPECT_NEAR(muscle.length(), 0.2 + 0.22, 1e-6);
  for (int i = 0; i < 3000; ++i) {
    muscle.act(0.5, kStep);
    world.step();
  }
  // at rest it bears the weight
  EXPECT_NEAR(muscle.force(), 5 * kG, 0.02 * 5 * kG);
  EXPECT_NEAR(world.state(world.bodies()[1]).linear_velocity.z, 0, 0.01);
  // the beam's weld bears its own weight and what the path's turn presses: the pull to the left and that down
  const Vec3 weld_force = world.state(world.joints()[0]).force;
  EXPECT_NEAR(weld_force.x, muscle.force(), 0.02 * 5 * kG);
  EXPECT_NEAR(weld_force.z, kG + muscle.force(), 0.02 * 5 * kG);
}

TEST(Muscle, that_cant_be_is_refused_by_what_it_lacks) {
  World world(Rig::scene(0.2));
  const BodyHandle end = world.bodies()[0];
  const auto refusal = [&](std::vector<MusclePoint> path, const MuscleParams& params) {
    return refusal_of([&] { Muscle(world, std::move(path), params); });
  };
  EXPECT_NE(refusal({{end, {}}}, {}).find("two points"), std::string::npos);
  EXPECT_NE(refusal({{end, {}}, {{}, {NAN, 0, 0}}}, {}).find("point 1"), std::string::npos);
  EXPECT_NE(refusal({{end, {}}, {}}, {.tendon_strain = 0}).find("tendon_strain"), std::string::npos);
  EXPECT_NE(refusal({{{9, 9}, {}}, {}}, {}).find("stale"), std::string::npos);
  Muscle muscle(world, {{end, {}}, {}}, {});
  EXPECT_THROW(muscle.act(1.5, kStep), InvalidArgument);
}

}  // namespace
}  // namespace cairn::actuate_test
