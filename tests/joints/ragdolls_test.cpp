// A pile of ragdolls. CAIRN_LONG=1 drops 200 of them, which takes minutes.

#include "scenes/builtin.h"
#include "scenes/quality_rules.h"
#include "tests/joints/joint_scenes.h"
#include "tests/support/long_run.h"

namespace cairn::joints_test {
namespace {

TEST(Ragdolls, of_15_bodies_settle_in_a_pile_and_their_joints_hold) {
  const bool is_long = testing_support::is_long();
  const int count = is_long ? 200 : 8;
  const scenes::Built built = scenes::build("ragdolls:count=" + std::to_string(count), 1);
  World world(built.scene, {.device = Device::cpu(is_long ? 2 : 1)});
  ASSERT_EQ(world.joints().size(), 14u * static_cast<std::size_t>(count));
  constexpr double seconds = 10;
  QualityMeter meter(built.scene, scenes::quality_rules(built));
  EXPECT_EQ(meter.measure(world).overlaps, 0u) << "at the start";
  double worst = 0, ever = 0;
  const int steps = static_cast<int>(60 * seconds);
  for (int i = 0; i < steps; ++i) {
    world.step();
    for (const JointHandle joint : world.joints()) {
      const auto& c = world.state(joint).coordinates;
      const double apart = std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
      ever = larger(ever, apart);
      if (i >= steps - 60) worst = larger(worst, apart);
    }
  }
  const Quality q = meter.measure(world);
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_TRUE(q.finite);
  EXPECT_EQ(q.fallen, 0u) << "lost or ejected";
  EXPECT_LE(worst, 5e-3);
  EXPECT_LE(q.rms_speed, 0.05);
  // beside the bars, for who runs the large pile
  std::printf("%d ragdolls: anchors %.3f mm apart in the last second, %.3f mm ever; %.3f J kinetic, %.4f m/s rms\n",
              count, 1e3 * worst, 1e3 * ever, q.kinetic_energy, q.rms_speed);
}

}  // namespace
}  // namespace cairn::joints_test
