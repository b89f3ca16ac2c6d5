// Many joints on one body, springs, drives against bounds, and arms much longer than what they hold is wide.

#include <limits>

#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

class Stars : public testing::TestWithParam<SolverKind> {};

Scene star(int spokes, const JointKind& kind, const StepParams& params, float turn) {
  Scene scene = afloat({block("hub", {0, 0, 0}, {0.5f, 0.5f, 0.1f}, 1)}, params);
  for (int i = 0; i < spokes; ++i) {
    const double t = 2 * std::numbers::pi * i / spokes, c = std::cos(t), s = std::sin(t);
    const Body ball = sphere("ball " + std::to_string(i), {1.5 * c, 1.5 * s, 0}, 0.05f);
    const Vec3 v{static_cast<float>(-1.5 * s) * turn, static_cast<float>(1.5 * c) * turn, 0};
    scene.add_body(moving(ball, v, {0, 0, turn}));
    Joint joint{
        .name = "spoke " + std::to_string(i), .body_a = 0, .body_b = static_cast<std::uint32_t>(i) + 1, .kind = kind};
    joint.frame_a.position = {c, s, 0};
    if (!std::holds_alternative<DistanceJoint>(kind)) joint.frame_b.position = {-0.5 * c, -0.5 * s, 0};
    scene.add_joint(joint);
  }
  return scene;
}

TEST_P(Stars, keep_their_energy) {
  const float turn = 0.4f;
  const JointKind kinds[] = {BallJoint{}, DistanceJoint{0.5f, 0.5f}, FixedJoint{}, HingeJoint{}};
  for (const JointKind& kind : kinds) {
    for (const int spokes : {4, 8, 16, 24}) {
      const Scene scene = star(spokes, kind, params_of(GetParam(), 6), turn);
      World world(scene);
      const QualityMeter meter(scene);
      world.set_velocity(world.bodies()[0], {0, 0, 0}, {0, 0, turn});
      const double before = meter.measure(world).kinetic_energy;
      // a velocity that fits the directions of a substep's start loses (w h)^2 of itself, its energy twice that
      const double h = substep(world.params()), turned = static_cast<double>(turn) * h;
      run(world, 10);
      const double kept = meter.measure(world).kinetic_energy / before;
      EXPECT_LE(kept, 1 + 1e-4) << spokes << " spokes of kind " << kind.index();
      EXPECT_GE(kept, 1 - 2 * turned * turned * 10 / h - 1e-4) << spokes << " spokes of kind " << kind.index();
    }
  }
}

TEST_P(Stars, with_driven_limbs_come_to_rest) {
  for (const int limbs : {4, 6, 8}) {
    Scene scene = afloat({block("torso", {0, 0, 0}, {0.2f, 0.2f, 0.1f}, 1)}, params_of(GetParam(), 4));
    for (int i = 0; i < limbs; ++i) {
      const double t = 2 * std::numbers::pi * i / limbs, c = std::cos(t), s = std::sin(t);
      const Quat turned{0, 0, static_cast<float>(std::sin(t / 2)), static_cast<float>(std::cos(t / 2))};
      Body limb = block("limb " + std::to_string(i), {0.5 * c, 0.5 * s, 0}, {0.2f, 0.05f, 0.05f}, 1);
      limb.orientation = turned;
      scene.add_body(limb);
      // about the tangent, so that a limb that turns shakes the torso
      const float r = std::sqrt(0.5f);
      HingeJoint hinge;
      hinge.turn.drive = {.stiffness = 20, .damping = 1, .target = 0.5f, .max_force = kInfinite};
      Joint joint{
          .name = "hip " + std::to_string(i), .body_a = 0, .body_b = static_cast<std::uint32_t>(i) + 1, .kind = hinge};
      const Quat across{turned.x * r + turned.y * r, turned.y * r - turned.x * r, turned.z * r + turned.w * r,
                        turned.w * r - turned.z * r};
      joint.frame_a = {{0.25 * c, 0.25 * s, 0}, across};
      joint.frame_b = {{-0.25, 0, 0}, {0, 0, r, r}};
      scene.add_joint(joint);
    }
    World world(scene);
    // all of the springs' energy, in one limb
    EXPECT_LT(largest_over(world, 600, [&] { return fastest(world); }), std::sqrt(limbs * 20 * 0.5 * 0.5)) << limbs;
    for (const JointHandle joint : world.joints()) {
      EXPECT_NEAR(world.state(joint).coordinates[3], 0.5, 1e-4) << limbs;
    }
    EXPECT_LT(fastest(world), 1e-3);
  }
}

TEST_P(Stars, of_springs_stay_still_and_stretch_by_their_load) {
  for (const float compliance : {1e-8f, 1e-7f, 1e-6f, 1e-5f}) {
    GeneralJoint springs;
    for (JointAxis& axis : springs.axes) axis = JointAxis::locked(compliance, 1 / (60 * compliance));
    World world(chain(3, 0.2f, 1, params_of(GetParam(), 6), springs));
    run(world, 10);
    const std::vector<JointHandle> joints = world.joints();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const double load = kG * static_cast<double>(joints.size() - i);
      // b lags behind a along z; floats tell 0.6 m to within 6e-8 of it
      EXPECT_NEAR(world.state(joints[i]).coordinates[2], -load * static_cast<double>(compliance),
                  0.01 * load * static_cast<double>(compliance) + 4e-8)
          << compliance;
    }
    EXPECT_LT(length_of(world.state(world.bodies().back()).linear_velocity), 1e-4) << compliance;
  }
}

/// An arm of 1 kg whose centre is 0.3 m beside a hinge about y.
Scene arm(const JointAxis& turn, const StepParams& params) {
  return hinged(block("arm", {0.3, 0, 0}, {0.2f, 0.05f, 0.1f}, 1), {-0.3, 0, 0}, turn, params);
}

TEST_P(Stars, drives_sag_by_the_load_over_their_stiffness) {
  for (const float damping : {0.0f, 1.0f, 10.0f, 100.0f}) {
    for (const float stiffness : {100.0f, 1000.0f}) {
      const JointAxis turn{.drive = {.stiffness = stiffness, .damping = damping, .max_force = kInfinite}};
      World world(arm(turn, params_of(GetParam(), 6)));
      run(world, 30);
      // without a damper it is the solver's own that lets it settle: the mean over half a second stands for its place
      const double c = mean_over(world, 30, [&] { return world.state(world.joints()[0]).coordinates[3]; });
      const double sag = kG * 0.3 * std::cos(c) / static_cast<double>(stiffness);
      EXPECT_NEAR(c, sag, 0.01 * sag) << "kp " << stiffness << ", kd " << damping;
    }
  }
}

TEST_P(Stars, drives_of_next_to_no_gain_do_next_to_nothing) {
  World free(arm({}, params_of(GetParam(), 6)));
  run(free, 1);
  const double fallen = free.state(free.joints()[0]).coordinates[3];
  // h^2 kp and its inverse aren't both floats; with the force they are, and their product isn't
  for (const float stiffness : {1e-42f, 1e-38f, 1e-36f, 1e-33f, 1e-30f}) {
    for (const float damping : {0.0f, 1e-38f}) {
      for (const float force : {0.0f, 1e-9f}) {
        const JointAxis turn{
            .drive = {.stiffness = stiffness, .damping = damping, .target = 0.5f, .force = force, .max_force = 1e12f}};
        World world(arm(turn, params_of(GetParam(), 6)));
        run(world, 1);
        EXPECT_EQ(world.report().status, 0u) << stiffness;
        // a row more rounds in another way: 360 substeps of floats
        EXPECT_NEAR(world.state(world.joints()[0]).coordinates[3], fallen, 360 * 6e-8 * 10) << stiffness;
      }
    }
  }
}

TEST_P(Stars, bounds_win_over_drives) {
  const JointDrive drives[] = {{.damping = kInfinite, .rate = 5, .max_force = kInfinite},
                               {.damping = kInfinite, .rate = 5, .max_force = 100},
                               {.stiffness = 1e6f, .damping = 1e4f, .target = 2, .max_force = kInfinite},
                               {.stiffness = 1e3f, .damping = 10, .target = 2, .max_force = kInfinite}};
  for (const JointDrive& drive : drives) {
    JointAxis turn = JointAxis::limited(-0.4f, 0.4f);
    turn.drive = drive;
    World world(arm(turn, params_of(GetParam(), 6)));
    const double most =
        largest_over(world, 300, [&] { return std::abs(world.state(world.joints()[0]).coordinates[3]); });
    // as a lock gives way: what gravity turns the arm by in a substep; it arrives at most
    // by the curve of its way beyond, half the square of the turn of one substep
    const double w = 1 / ((0.2 * 0.2 + 0.1 * 0.1) / 3 + 0.3 * 0.3);
    EXPECT_NEAR(world.state(world.joints()[0]).coordinates[3], 0.4, give_of(kG * 0.3, w, world));
    EXPECT_LT(most, 0.4 + 0.4 * 0.4 / 2) << drive.stiffness;
  }
}

TEST_P(Stars, of_long_arms_keep_their_lock) {
  struct Arm {
    float radius;
    double length;
  };
  for (const Arm& a : {Arm{0.005f, 3}, Arm{0.01f, 5}, Arm{0.02f, 10}}) {
    for (const JointKind& kind : {JointKind(BallJoint{}), JointKind(HingeJoint{})}) {
      const double x = a.length * std::sin(0.7), z = -a.length * std::cos(0.7);
      const Body ball = testing_support::of_mass(0.1f, sphere("ball", {x, 0, z}, a.radius));
      Scene scene = scene_of({ball}, params_of(GetParam(), 12));
      Joint joint{.name = "joint", .body_b = 0, .kind = kind};
      joint.frame_a.orientation = joint.frame_b.orientation = x_to_y();
      joint.frame_b.position = {-x, 0, -z};
      scene.add_joint(joint);
      World world(scene);
      const double worst = largest_over(world, 600, [&] {
        const Vec3d p = world.state(world.bodies()[0]).position;
        return std::abs(std::hypot(p.x, p.y, p.z) - a.length);
      });
      // the pull is under 3 m g, and a pass without memory leaves half of (turn of a substep)^2 of the length too
      const double h = substep(world.params()), most = 3 * kG * h * h;
      EXPECT_LT(worst, 2 * most + 1e-5 * a.length) << a.length;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Stars, testing::ValuesIn(kJointSolvers), name_of_solver);

}  // namespace
}  // namespace cairn::joints_test
