// The built-in robot `delta` against its kinematics and the principle of virtual work.

#include <array>
#include <cmath>
#include <numbers>

#include "kernels/common/vec.h"
#include "tests/articulations/closed.h"
#include "tests/support/builtin.h"

namespace cairn::articulations_test {
namespace {

using namespace kernels;

constexpr double kBase = 0.2, kPlatform = 0.08, kArm = 0.3, kRod = 0.6, kHeight = 1.2;  // [m]
constexpr double kStiffness = 20000, kFriction = 0.1, kArmMass = 1.5, kPlatformMass = 1;

/// Of arm i: outwards, and to its elbow from the axis.
Vec3d along(int i) { return {std::cos(2 * std::numbers::pi * i / 3), std::sin(2 * std::numbers::pi * i / 3), 0}; }
Vec3d elbow(int i, double q) {
  const Vec3d e = along(i);
  return (kBase + kArm * std::cos(q)) * e + Vec3d{0, 0, kHeight - kArm * std::sin(q)};
}
/// How it moves with the arm's angle.
Vec3d elbow_rate(int i, double q) { return -kArm * std::sin(q) * along(i) + Vec3d{0, 0, -kArm * std::cos(q)}; }

/// x with rows[i] . x = right[i].
Vec3d solve(const std::array<Vec3d, 3>& rows, const std::array<double, 3>& right) {
  const double det = dot(rows[0], cross(rows[1], rows[2]));
  return (1 / det) *
         (right[0] * cross(rows[1], rows[2]) + right[1] * cross(rows[2], rows[0]) + right[2] * cross(rows[0], rows[1]));
}

/// The platform by the arms' angles: each rod is as long as it is. By Newton, from `at`.
Vec3d platform_of(const std::vector<double>& q, Vec3d at) {
  for (int round = 0; round < 20; ++round) {
    std::array<Vec3d, 3> rods;
    std::array<double, 3> short_by;
    for (int i = 0; i < 3; ++i) {
      rods[i] = at + kPlatform * along(i) - elbow(i, q[i]);
      short_by[i] = 0.5 * (kRod * kRod - dot(rods[i], rods[i]));
    }
    at = at + solve(rods, short_by);
  }
  return at;
}

/// [N m] That the arms' drives give where all stands, by virtual work, q growing downwards.
std::array<double, 3> torques_of(const std::vector<double>& q, const Vec3d& at, double load) {
  std::array<Vec3d, 3> rods;
  for (int i = 0; i < 3; ++i) rods[i] = at + kPlatform * along(i) - elbow(i, q[i]);
  std::array<double, 3> torques;
  for (int i = 0; i < 3; ++i) {
    std::array<double, 3> right{};
    right[i] = dot(rods[i], elbow_rate(i, q[i]));
    torques[i] = (kPlatformMass + load) * kG * solve(rods, right).z - kArmMass * kG * kArm / 2 * std::cos(q[i]);
  }
  return torques;
}

class Delta : public testing::TestWithParam<SolverKind> {};

double longest_error(const World& world) {
  double most = 0;
  for (const JointHandle rod : world.joints()) most = std::max(most, std::abs(gap_of(world, rod) - kRod));
  return most;
}

/// [m] That a rod gives way by at most under `load`: a third of 1.2 F h^2 w at 12 substeps, w being of the platform,
/// and of an arm at its end. With `sequential_impulse`, which has one, no more.
double give_of(double load) {
  constexpr double kSubstep = 1.0 / 60 / 12;  // [s]
  return 0.4 * load * kSubstep * kSubstep * (1 / kPlatformMass + 3 / kArmMass) + 2e-5;
}

TEST_P(Delta, stands_where_kinematics_put_it_and_its_drives_bear_what_virtual_work_says) {
  for (const double load : {0.0, 5.0, 30.0}) {
    // one substep a step, and contacts of 30 kg on 1 kg: it slides off
    if (load > 5 && GetParam() == SolverKind::kSequentialImpulse) continue;
    World world(test::scene_by(GetParam(), "delta:load=" + std::to_string(load)));
    const ArticulationHandle arms = robot_of(world);
    const std::vector<double> target = world.state(arms).q;
    test::run(world, 240);
    const std::vector<double> q = world.state(arms).q;
    const BodyState platform = world.state(world.find_body("platform").value());
    const Vec3d want = platform_of(q, {0.1, 0.05, 0.65});
    EXPECT_LT(test::length(platform.position - want), 1.5 * give_of((kPlatformMass + load) * kG)) << load;
    // two rods a pair keep it level
    EXPECT_LT(std::hypot(platform.orientation.x, platform.orientation.y), 2e-4) << load;
    EXPECT_LT(longest_error(world), give_of((kPlatformMass + load) * kG)) << load;
    const std::array<double, 3> torques = torques_of(q, platform.position, load);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(kStiffness * (target[i] - q[i]), torques[i], kFriction + 1e-3 * std::abs(torques[i])) << load;
    }
    double borne = 0;
    for (const JointHandle rod : world.joints()) borne += world.state(rod).force.z;
    EXPECT_NEAR(borne, (kPlatformMass + load) * kG, 2e-3 * (kPlatformMass + load) * kG) << load;
  }
}

// once round in 2 s, at 0.1 m from the middle: what lies on the platform goes along
TEST_P(Delta, carries_a_box_round_a_circle_with_its_loops_shut) {
  World world(test::scene_by(GetParam(), "delta:load=2,x=0.1,y=0"));
  const ArticulationHandle arms = robot_of(world);
  const BodyHandle platform = world.find_body("platform").value(), box = world.find_body("load").value();
  const double start = world.state(box).position.z - world.state(platform).position.z;
  double off = 0, apart = 0, missed = 0;
  for (int i = 0; i < 240; ++i) {
    const double t = (i + 1) / 60.0, turn = std::numbers::pi * t;
    const Scene aim = scenes::make(
        "delta:load=0,x=" + std::to_string(0.1 * std::cos(turn)) + ",y=" + std::to_string(0.1 * std::sin(turn)), 1);
    world.articulations().set_targets(arms, {aim.articulations()[0].start.q, {0, 0, 0}});
    world.step();
    ASSERT_EQ(world.report().status, 0u);
    off = std::max(off, longest_error(world));
    const Vec3d at = world.state(platform).position;
    const Vec3d shut = platform_of(world.state(arms).q, at);
    apart = std::max(apart, test::length(at - shut));
    if (i > 30) missed = std::max(missed, std::abs(std::hypot(at.x, at.y) - 0.1));
  }
  // weight, and v^2 / r of the turn; the rods' slope
  const double load = (kPlatformMass + 2) * (kG + 1.0) * 2;
  EXPECT_LT(off, give_of(load));
  EXPECT_LT(apart, 1.5 * give_of(load));
  // the drives sag by their load, and lag along the circle, not across it
  EXPECT_LT(missed, 5e-4);
  EXPECT_NEAR(world.state(box).position.z - world.state(platform).position.z, start, 5e-4);
  EXPECT_LT(std::hypot(world.state(box).position.x - world.state(platform).position.x,
                       world.state(box).position.y - world.state(platform).position.y),
            0.02);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Delta, testing::ValuesIn(test::kJointSolvers), test::name_of_solver);

}  // namespace
}  // namespace cairn::articulations_test
