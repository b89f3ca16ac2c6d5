// The way back over constraints of particles leaves out the last colour: of each world, whatever colours its neighbours
// in a batch have. It was that of all worlds which are solved together.

#include <gtest/gtest.h>

#include "tests/batch/alone.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

/// Particles with stretches between them, of which the first stays where it is.
Scene stretched(std::vector<Vec3d> positions, std::vector<std::uint32_t> ends, SweepKind sweep) {
  Scene scene;
  scene.set_params({.solver = SolverKind::kXpbd, .sweep = sweep});
  ParticleSet set{.name = "set", .positions = std::move(positions), .fixed = {0}};
  set.constraints = {{.particles = std::move(ends)}};
  scene.add_particles(set);
  return scene;
}

/// Two colours.
Scene rope(SweepKind sweep) {
  std::vector<Vec3d> positions;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 0; i < 8; ++i) {
    positions.push_back({0.1 * i, 0, 1});
    if (i != 0) ends.insert(ends.end(), {i - 1, i});
  }
  return stretched(positions, ends, sweep);
}

/// A fan: a colour for each of `count` stretches, and none for those past 64.
Scene fan(std::uint32_t count, SweepKind sweep) {
  std::vector<Vec3d> positions{{0, 0, 2}, {0, 0, 1}};
  std::vector<std::uint32_t> ends{0, 1};
  for (std::uint32_t i = 2; i < count + 1; ++i) {
    positions.push_back({0.1 * (i % 9), 0.1 * (i / 9), 1.1});
    ends.insert(ends.end(), {1, i});
  }
  return stretched(positions, ends, sweep);
}

class ConstraintOrder : public testing::TestWithParam<SweepKind> {};
INSTANTIATE_TEST_SUITE_P(Sweeps, ConstraintOrder, testing::Values(SweepKind::kGaussSeidel, SweepKind::kJacobi));

TEST_P(ConstraintOrder, of_a_world_is_the_same_beside_worlds_of_more_colours) {
  const std::vector<Scene> scenes{fan(5, GetParam()), rope(GetParam()), fan(70, GetParam()), fan(67, GetParam())};
  for (const std::uint32_t small : {0u, 128u}) {
    WorldOptions options = cpu(1);
    options.tuning.small_world = small;
    SCOPED_TRACE(small);
    expect_as_alone(scenes, 20, options);
  }
}

TEST_P(ConstraintOrder, follows_a_world_that_loses_a_particle_and_no_other) {
  const Scene scene = fan(5, GetParam());
  World both = World::copies(scene, 2, cpu(1)), changed(scene, cpu(1)), left(scene, cpu(1));
  for (int step = 0; step < 20; ++step) {
    if (step == 5) {
      both.remove_body(both.bodies(0)[3]);
      changed.remove_body(changed.bodies(0)[3]);
    }
    for (World* world : {&both, &changed, &left}) world->step();
  }
  EXPECT_EQ(both.state_hashes()[0], changed.state_hashes()[0]);
  EXPECT_EQ(both.state_hashes()[1], left.state_hashes()[0]);
}

}  // namespace
}  // namespace cairn::batch_test
