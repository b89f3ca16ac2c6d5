// The effective mass of a contact between two links of one articulation is found for all contacts at once, one thread
// each. They shared the articulation's scratch memory, so that bits were those of a race.

#include <gtest/gtest.h>

#include "tests/support/builders.h"

namespace cairn::articulations_test {
namespace {

using namespace testing_support;

/// A chain rolled up so tightly that its links lie in each other, but for neighbours.
Articulation curled(const std::string& name, Vec3d at, std::uint32_t links) {
  Articulation made{.name = name};
  for (std::uint32_t i = 0; i < links; ++i) {
    ArticulationLink& link = made.links.emplace_back();
    link.name = "link" + std::to_string(i);
    link.parent = i == 0 ? kWorldLink : i - 1;
    link.joint.kind = i == 0 ? ArticulationJointKind::kFree : ArticulationJointKind::kBall;
    link.joint.damping = 1;
    link.frame_in_parent.position = i == 0 ? at : Vec3d{0.05, 0.04 * (i % 3), 0.03 * (i % 2)};
    link.mass = 1;
    link.inertia.moments = {0.02f, 0.02f, 0.03f};
    link.shapes = {shape(Sphere{0.08f})};
  }
  return made;
}

TEST(EffectiveMass, contacts_of_one_articulation_with_itself_are_the_same_on_any_number_of_threads) {
  Scene scene;
  scene.set_params({.substeps = 2, .max_depenetration_speed = 0.1f});
  scene.set_gravity({0, 0, 0});
  for (int i = 0; i < 24; ++i) {
    scene.add_articulation(curled("robot" + std::to_string(i), {1.5 * (i % 6), 1.5 * (i / 6), 0.3}, 8));
  }
  WorldOptions options = cpu(1);
  options.tuning.small_world = 0;
  World one(scene, options);
  run(one, 20);
  EXPECT_EQ(one.report().status, 0u);
  for (const int threads : {2, 3, 5}) {
    options.device = Device::cpu(threads);
    World world(scene, options);
    run(world, 20);
    EXPECT_EQ(world.state_hash(), one.state_hash()) << threads << " threads";
  }
}

}  // namespace
}  // namespace cairn::articulations_test
