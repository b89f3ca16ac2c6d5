#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "cairn/world.h"

namespace cairn {
namespace {

Scene chain(int links, float length, float last, int substeps, SolverKind solver, bool ball) {
  Scene scene;
  StepParams params;
  params.substeps = substeps;
  params.solver = solver;
  scene.set_params(params);
  for (int i = 0; i < links; ++i) {
    Body body;
    body.name = "link " + std::to_string(i);
    body.mass = i + 1 == links ? last : 1.0f;
    body.shapes = {{.geometry = Box{{0.1f * length, 0.1f * length, 0.45f * length}}}};
    body.position = {0, 0, -(i + 0.5) * length};
    scene.add_body(body);
    Joint joint{.name = "joint " + std::to_string(i), .body_a = i == 0 ? kWorldBody : static_cast<std::uint32_t>(i - 1),
                .body_b = static_cast<std::uint32_t>(i)};
    if (ball) joint.kind = BallJoint{};
    joint.frame_a.position = {0, 0, i == 0 ? 0 : -length / 2};
    joint.frame_b.position = {0, 0, length / 2};
    scene.add_joint(joint);
  }
  return scene;
}

TEST(Chain, prints) {
  for (const SolverKind solver : {SolverKind::kSoftStep}) {
    for (const bool ball : {true}) {
      for (const auto& [links, last, substeps] :
           {std::tuple{5, 1.0f, 12}, {5, 1.0f, 1}, {100, 100.0f, 24}, {20, 1000.0f, 24}}) {
        const float length = 0.2f;
        World world(chain(links, length, last, substeps, solver, ball));
        double most = 0;
        for (int i = 0; i < 600; ++i) {
          world.step();
          most = std::max(most, -world.state(world.bodies().back()).position.z);
        }
        const double at = -world.state(world.bodies().back()).position.z, want = (links - 0.5) * length;
        const JointState top = world.joint_state(world.joints()[0]);
        const double load = 9.81 * (links - 1 + last);
        std::printf("%d %s %3d links %6.0f last %2d substeps: stretch %.5f %% at most %.5f, %.4f mm, top %.6f of %.3f, speed %.2e\n", static_cast<int>(solver),
                    ball ? "ball" : "weld", links, last, substeps, 100 * (at / want - 1), 100 * (most / want - 1),
                    1e3 * (at - want), top.force.z / load, load, world.state(world.bodies().back()).linear_velocity.z);
      }
    }
  }
}

}  // namespace
}  // namespace cairn
