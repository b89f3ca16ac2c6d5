// Joints that contradict each other: none can be kept, and all of them push.

#include <random>

#include "tests/joints/joint_scenes.h"

namespace cairn::joints_test {
namespace {

struct Contradiction {
  int welds;
  double apart;  ///< [m, 1] of each frame's place, and of its turn where they are turned
  std::uint32_t seed;
  bool turned;
};

/// Two boxes that are welded to each other and to the world, several times, each weld at another place.
Scene welded(const Contradiction& c, const StepParams& params) {
  const Vec3 half{0.1f, 0.1f, 0.1f};
  Scene scene = afloat({block("a", {0, 0, 0}, half, 1), block("b", {0.3, 0, 0}, half, 1)}, params);
  std::mt19937 random(c.seed);
  const auto off = [&] { return c.apart * ((random() >> 8) * 0x1p-23 - 1); };
  for (int i = 0; i < c.welds; ++i) {
    Joint joint{.name = "weld " + std::to_string(i), .kind = FixedJoint{}};
    if (i % 3 != 2) joint.body_b = 0;
    if (i % 3 == 0) joint.body_a = 0;
    if (i % 3 != 1) joint.body_b = 1;
    const double x = i % 3 == 0 ? 0.15 : i % 3 == 1 ? 0.0 : 0.3;
    const double dx = off(), dy = off(), dz = off();
    joint.frame_a.position = {x + dx, dy, dz};
    if (i % 3 == 0) joint.frame_b.position = {-0.15, 0, 0};
    if (c.turned) {
      const auto qx = static_cast<float>(off()), qy = static_cast<float>(off()), qz = static_cast<float>(off());
      joint.frame_a.orientation = {qx, qy, qz, 1};
    }
    scene.add_joint(joint);
  }
  return scene;
}

TEST(Contradictions, of_welds_stay_finite) {
  const Contradiction all[] = {{5, 0.15, 1, true}, {7, 0.2, 2, false}, {9, 0.3, 1, false},
                               {9, 0.3, 1, true},  {12, 0.2, 1, true}, {30, 0.3, 2, true}};
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd}) {
    for (const Contradiction& c : all) {
      World world(welded(c, params_of(solver, 6)));
      run(world, 4);
      EXPECT_EQ(world.report().status, 0u)
          << c.welds << " welds, " << c.apart << " apart, solver " << static_cast<int>(solver);
      for (const JointHandle joint : world.joints()) EXPECT_TRUE(std::isfinite(world.state(joint).force.x));
    }
  }
}

}  // namespace
}  // namespace cairn::joints_test
