// Random articulations with random joints of the World on their links: redundant, contradicting, at the ends of their
// reach. And the same bits everywhere.

#include <algorithm>

#include "tests/articulations/closed.h"
#include "tests/articulations/closing_draw.h"
#include "tests/support/builtin.h"
#include "tests/support/long_run.h"

namespace cairn::articulations_test {
namespace {

class ClosingFuzz : public testing::TestWithParam<SolverKind> {};

// 2.5 s of falling make 24.5 m/s, and a whip's end goes some times faster.
TEST_P(ClosingFuzz, random_loops_stay_finite_and_throw_nothing) {
  const std::uint64_t seeds = testing_support::is_long() ? 200 : 20;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    World world(Closed(seed, GetParam()).scene);
    double fastest = 0;
    const auto steps = static_cast<int>(std::lround(2.5 / static_cast<double>(world.params().dt)));
    for (int i = 0; i < steps; ++i) {
      world.step();
      ASSERT_EQ(world.report().status & kStatusNonFinite, 0u) << "seed " << seed << ", step " << i;
      for (const BodyHandle body : world.bodies()) {
        const BodyState s = world.state(body);
        ASSERT_TRUE(test::finite(s)) << "seed " << seed;
        fastest = std::max(fastest, test::length(s.linear_velocity));
      }
      for (const JointHandle joint : world.joints()) {
        ASSERT_TRUE(std::isfinite(world.state(joint).force.x)) << "seed " << seed;
      }
    }
    EXPECT_LT(fastest, 100) << "seed " << seed;
    EXPECT_EQ(world.report().status, 0u) << "seed " << seed;
  }
}

// a joint that comes and goes, in a World that had none
TEST_P(ClosingFuzz, joints_on_links_come_and_go) {
  const FourBar bars;
  const Scene scene = scene_with(bars.open(), bars.start(), solved_by(GetParam()));
  World world(scene);
  const JointHandle pin = world.add_joint(bars.closing(2));
  test::run(world, 30);
  EXPECT_LT(gap_of(world, pin), 0.03);
  world.remove_joint(pin);
  World twin(scene);
  twin.set_state(robot_of(twin), state_of(world));
  test::run(world, 10);
  test::run(twin, 10);
  EXPECT_EQ(state_of(world).q, state_of(twin).q);
}

// bodies and joints of a world without such joints don't depend on a neighbouring world that has some
TEST_P(ClosingFuzz, joints_on_links_of_another_world_change_no_bit) {
  for (const char* const spec : {"ragdolls:count=2", "quadrupeds", "four_bar"}) {
    const Scene plain = test::scene_by(GetParam(), spec);
    const FourBar bars;
    Scene closed = scene_with(bars.open(), bars.start(), plain.params());
    closed.add_joint(bars.closing(2));
    World alone(plain);
    World beside(std::vector<Scene>{plain, closed});
    for (int i = 0; i < 60; ++i) {
      alone.step();
      beside.step();
      ASSERT_EQ(alone.state_hash(), beside.state_hashes()[0]) << spec << ", step " << i;
      const std::vector<JointHandle> a = alone.joints(), b = beside.joints(0);
      for (std::size_t j = 0; j < a.size(); ++j) {
        const JointState s = alone.state(a[j]), t = beside.state(b[j]);
        ASSERT_EQ(s.coordinates, t.coordinates) << spec << ", step " << i << ", joint " << j;
        ASSERT_EQ(s.force, t.force) << spec << ", step " << i << ", joint " << j;
        ASSERT_EQ(s.torque, t.torque) << spec << ", step " << i << ", joint " << j;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, ClosingFuzz, testing::ValuesIn(test::kJointSolvers), test::name_of_solver);

}  // namespace
}  // namespace cairn::articulations_test
