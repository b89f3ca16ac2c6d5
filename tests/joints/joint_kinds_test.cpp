// Every kind of joint: what it locks stays, what it frees moves.

#include "src/joints/compile_joint.h"
#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

struct Kind {
  const char* name;
  JointKind kind;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

JointAxis bound(float lower, float upper) { return JointAxis::limited(lower, upper); }

std::vector<Kind> kinds() {
  const JointAxis lock = JointAxis::locked();
  const GeneralJoint general{{bound(-0.1f, 0.1f), lock, bound(-0.2f, 0.2f), lock, bound(-0.5f, 0.5f), lock}};
  return {{"fixed", FixedJoint{}},
          {"ball", BallJoint{}},
          {"cone", BallJoint{.cone = 0.5f, .twist = bound(-0.3f, 0.3f)}},
          {"rubbing_ball", BallJoint{.swing_friction = 0.01f}},
          {"hinge", HingeJoint{}},
          {"limited_hinge", HingeJoint{bound(-0.4f, 0.4f)}},
          {"slider", SliderJoint{bound(-0.2f, 0.2f)}},
          {"screw", ScrewJoint{0.05f, {.friction = 0.01f}}},
          {"cylindrical", CylindricalJoint{bound(-0.2f, 0.2f), {}}},
          {"planar", PlanarJoint{bound(-0.2f, 0.2f), bound(-0.1f, 0.1f), {}}},
          {"universal", UniversalJoint{}},
          {"wheel", WheelJoint{.suspension = {.mode = JointAxis::Mode::kLocked, .compliance = 1e-4f, .damping = 50}}},
          {"general", general},
          {"rod", DistanceJoint{0.3f, 0.3f}},
          {"rope", DistanceJoint{0, 0.5f}}};
}

class JointKinds : public testing::TestWithParam<std::tuple<SolverKind, int, Kind>> {};

/// A block on an arm of 0.3 m, its joint's frames askew.
Scene on_an_arm(const StepParams& params, const JointKind& kind) {
  Scene scene = scene_of({block("block", {0.3, 0.02, -0.01}, {0.1f, 0.06f, 0.04f}, 2)}, params);
  Joint joint{.name = "joint", .body_b = 0, .kind = kind};
  const Quat askew{0.2f, -0.3f, 0.1f, 0.9f};
  joint.frame_a = {{0, 0, 0}, askew};
  joint.frame_b = {{-0.3, -0.02, 0.01}, askew};
  if (std::holds_alternative<DistanceJoint>(kind)) joint.frame_b = {};
  scene.add_joint(joint);
  return scene;
}

TEST_P(JointKinds, hold_what_they_lock_and_keep_what_they_bound) {
  const auto& [solver, substeps, kind] = GetParam();
  const int seconds = substeps > 12 ? 10 : 60;
  const Scene scene = on_an_arm(params_of(solver, substeps), kind.kind);
  World world(scene);
  const QualityMeter meter(scene);
  const JointHandle joint = world.joints()[0];
  const JointShape shape = shape_of(kind.kind);
  // a step of first order takes speeds for those of half a substep later or earlier: by the arm's own frequency
  const double h = 1.0 / 60 / substeps, omega = std::sqrt(kG / 0.3), extra = 0.6 * omega * h;
  double moved = 0;
  const double start = world.state(world.bodies()[0]).position.z;
  for (int i = 0; i < 60 * seconds; ++i) {
    world.step();
    const JointState s = world.state(joint);
    ASSERT_FALSE(s.broken);
    // the load on any row: weight and centripetal force, their torque on the arm; inverse mass of a row at the arm's
    // end, of a turn the least moment's inverse
    const BodyState b = world.state(world.bodies()[0]);
    // nothing drives it: it has what it fell by at most, so that the loads below have bounds, too
    ASSERT_LE(meter.measure(world).kinetic_energy, 2 * kG * (start - b.position.z + extra)) << "step " << i;
    const double w2 =
        std::pow(b.angular_velocity.x, 2) + std::pow(b.angular_velocity.y, 2) + std::pow(b.angular_velocity.z, 2);
    const double load = 2 * (kG + 0.5 * w2) + length_of(s.force), inverse = 1.0 / 2 + 0.09 / 0.0034;
    const double give = 1.2 * load * h * h * inverse + 0.5 * w2 * h * h + 2e-5;
    const double turn = 1.2 * (0.5 * load + length_of(s.torque)) * h * h / 0.0034 + w2 * h * h + 2e-5;
    for (std::size_t k = 0; k < kJointDofs; ++k) {
      const JointAxis& axis = shape.axes[k];
      const double c = s.coordinates[k], allowed = (k < 3 ? give : turn);
      if (axis.mode == JointAxis::Mode::kFree || axis.compliance > 0) {
        moved = larger(moved, std::abs(c));
        continue;
      }
      if (shape.coordinates == kernels::JointCoordinates::kDistance && k > 0) continue;
      EXPECT_GE(c, axis.lower - allowed) << k << ", step " << i;
      EXPECT_LE(c, (axis.mode == JointAxis::Mode::kLocked ? axis.lower : axis.upper) + allowed) << k << ", step " << i;
    }
    if (HasFailure()) break;
  }
  EXPECT_EQ(world.report().status, 0u);
  if (std::string(kind.name) == "hinge" || std::string(kind.name) == "ball") {
    EXPECT_GT(moved, 0.02);
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointKinds,
                         testing::Combine(testing::Values(SolverKind::kSoftStep, SolverKind::kXpbd),
                                          testing::Values(1, 4, 12, 40), testing::ValuesIn(kinds())),
                         [](const auto& param) {
                           return std::string(word_of(std::get<0>(param.param))) + "_" +
                                  std::to_string(std::get<1>(param.param)) + "_" + std::get<2>(param.param).name;
                         });

/// A block that floats, its x axis parallel to the world's.
Scene upright(const StepParams& params, const ParallelJoint& joint) {
  Scene scene = afloat({block("block", {1, 2, 3}, {0.3f, 0.1f, 0.1f}, 2)}, params);
  scene.add_joint({.name = "joint", .body_b = 0, .kind = joint});
  return scene;
}

TEST(ParallelJoints, leave_all_but_tilts_to_the_body) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse}) {
    World world(upright(params_of(solver, 6), {}));
    const BodyHandle body = world.bodies()[0];
    world.set_velocity(body, {1, -2, 0.5f}, {3, 1, -1});
    for (int i = 0; i < 120; ++i) world.step();
    const BodyState s = world.state(body);
    const JointState j = world.state(world.joints()[0]);
    // the turn about x is that of a body whose principal axis it is
    EXPECT_NEAR(s.angular_velocity.x, 3, 1e-3);
    // measured where the last substep began, at most a step before
    EXPECT_NEAR(j.coordinates[3], 3 * 2.0, 3.0 / 60 + 1e-3);
    EXPECT_NEAR(s.linear_velocity.y, -2, 1e-5);
    EXPECT_NEAR(s.position.x, 1 + 2.0, 1e-3);
    EXPECT_LT(std::abs(j.coordinates[4]), 1e-3);
    EXPECT_LT(std::abs(j.coordinates[5]), 1e-3);
  }
}

TEST(ParallelJoints, tilt_by_their_compliance_times_the_torque) {
  constexpr float kCompliance = 0.05f, kTorque = 2;  // [rad/(N m)], [N m]
  const JointAxis spring = JointAxis::locked(kCompliance, 0.5f);
  World world(upright(params_of(SolverKind::kSoftStep, 6), {.tilt_y = spring, .tilt_z = spring}));
  for (int i = 0; i < 600; ++i) {
    world.add_torque(world.bodies()[0], {0, kTorque, 0});
    world.step();
  }
  const JointState j = world.state(world.joints()[0]);
  EXPECT_NEAR(j.coordinates[4], kCompliance * kTorque, 0.01 * kCompliance * kTorque);
  EXPECT_NEAR(j.torque.y, -kTorque, 0.01 * kTorque);
}

/// Swings of 2 kg on a spring of 1000 N/m: omega = 22.4 rad/s.
struct Swing {
  double last;                      ///< [m] from its place of rest, after 20 s
  std::vector<double> tops, times;  ///< [m], [s]
};

constexpr double kStiffness = 1000, kSwinging = 2;  // [N/m], [kg]

/// A substep is a step here, so that tops are found among substeps.
Swing swing(SolverKind solver, int substeps, double damping) {
  const double h = 1.0 / 60 / substeps, sag = kSwinging * kG / kStiffness;
  const StepParams params{.solver = solver, .substeps = 1, .dt = static_cast<float>(h)};
  Scene scene = scene_of({block("mass", {0, 0, -0.5}, {0.05f, 0.05f, 0.05f}, static_cast<float>(kSwinging))}, params);
  scene.add_joint({.name = "spring",
                   .body_b = 0,
                   .kind = DistanceJoint{0.5f, 0.5f, static_cast<float>(1 / kStiffness), static_cast<float>(damping)}});
  World world(scene);
  Swing found{};
  double before = 0;
  for (int i = 1; i <= 1200 * substeps; ++i) {
    world.step();
    const double x = -world.state(world.bodies()[0]).position.z - 0.5 - sag;
    // a parabola through three steps has its top where the swing turns
    if (i > 2 && found.last > before && found.last >= x && found.last > 0 && found.tops.size() < 5) {
      const double bend = before - 2 * found.last + x, at = 0.5 * (before - x) / bend;
      found.tops.push_back(found.last - 0.25 * (before - x) * at);
      found.times.push_back((i - 1 + at) * h);
    }
    before = found.last;
    found.last = x;
  }
  return found;
}

/// [1] From what is left of the swing after two periods.
double damping_ratio(const Swing& s) {
  const double decrement = std::log(s.tops[0] / s.tops[2]) / 2;
  return decrement / std::hypot(2 * std::numbers::pi, decrement);
}

TEST(Spring, stretches_and_swings_as_its_equation_says) {
  const double omega = std::sqrt(kStiffness / kSwinging), damping = 6;
  const double ratio = damping / (2 * std::sqrt(kStiffness * kSwinging));
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd}) {
    for (const int substeps : {1, 5, 10, 40}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(solver)) + ", " + std::to_string(substeps));
      const double turn = omega / 60 / substeps;
      const Swing damped = swing(solver, substeps, damping), free = swing(solver, substeps, 0);
      EXPECT_NEAR(damped.last, 0, 1e-3 * kSwinging * kG / kStiffness);
      // at one substep nothing is left of the swing after a period or two
      if (substeps == 1) continue;
      ASSERT_GE(damped.tops.size(), 3u);
      ASSERT_GE(free.tops.size(), 3u);
      EXPECT_NEAR(damping_ratio(damped), ratio + turn / 2, 0.1 * (ratio + turn / 2));
      EXPECT_NEAR(damping_ratio(free), turn / 2, 0.1 * turn / 2);
      const double measured = 2 * std::numbers::pi * 2 / (free.times[2] - free.times[0]);
      // what damps lowers the frequency; and a parabola misses a top by some 1e-4 of a period
      const double natural = measured / std::sqrt(1 - std::pow(damping_ratio(free), 2));
      EXPECT_NEAR(natural / omega, 1, turn * turn / 4 + 2e-4);
    }
  }
}

TEST(Drive, of_any_gain_reaches_its_target_within_its_force) {
  for (const float stiffness : {10.0f, 1e3f, 1e6f}) {
    JointDrive drive{.stiffness = stiffness, .damping = 0.2f * stiffness, .target = 0.7f, .max_force = 1e6f};
    Scene scene = on_an_arm(params_of(SolverKind::kSoftStep, 6), HingeJoint{{.drive = drive}});
    scene.set_gravity({0, 0, 0});
    World world(scene);
    run(world, 5);
    EXPECT_NEAR(world.state(world.joints()[0]).coordinates[3], 0.7, 1e-3) << stiffness;
    drive.target = -0.2f;
    world.set_drive(world.joints()[0], drive);
    run(world, 5);
    EXPECT_NEAR(world.state(world.joints()[0]).coordinates[3], -0.2, 1e-3) << stiffness;
  }
}

TEST(Drive, of_a_motor_keeps_its_rate_over_many_turns) {
  const JointDrive motor{.damping = std::numeric_limits<float>::infinity(), .rate = 5, .max_force = 100};
  World world(on_an_arm(params_of(SolverKind::kSoftStep, 6), HingeJoint{{.drive = motor}}));
  run(world, 10);
  EXPECT_NEAR(world.state(world.joints()[0]).coordinates[3], 50, 0.1);
}

}  // namespace
}  // namespace cairn::joints_test
