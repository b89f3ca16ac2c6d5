// Where a material of one world resists rolling, or a world has articulations, the rows of all worlds have rolling
// parts. Those without rolling friction are bounded by 0, and did a little all the same: of an impulse below
// 1e-23 N s m the square is 0, and was taken for no longer than the bound.

#include <gtest/gtest.h>

#include "kernels/solve/row_friction.h"
#include "tests/batch/alone.h"

namespace cairn::batch_test {
namespace {

using namespace testing_support;

TEST(RollingRows, of_a_bound_of_0_nothing_is_left_of_a_vector_whose_square_underflows) {
  for (const float length : {1.0f, 1e-20f, 1e-25f, 1e-40f}) {
    const auto v = kernels::shortened(kernels::Along<float>{length, -length}, 0.0f);
    EXPECT_EQ(v.x, 0.0f) << length;
    EXPECT_EQ(v.y, 0.0f) << length;
  }
}

/// A ball that is pushed out of the floor, and pulled off it and aside: it turns by next to nothing.
Scene lifted(SolverKind solver) {
  Scene scene;
  scene.set_params({.solver = solver, .substeps = 3, .dt = 1.0f / 30});
  scene.set_gravity({12.154182f, 1.5696172f, 15});
  scene.add_material({.name = "dull", .density = 2000, .friction = 0.9f});
  scene.add_body(plane());
  scene.add_body(ball("ball", {-0.686766505241394, 0.5, 0.0769621729850769}, 0.22753918f));
  return scene;
}

Scene rolling(SolverKind solver) {
  Scene scene;
  scene.set_params(lifted(solver).params());
  scene.add_material({.name = "felt", .density = 1000, .rolling_friction = 0.05f});
  scene.add_body(plane());
  scene.add_body(ball("ball", {0, 0, 0.5}));
  return scene;
}

Scene articulated(SolverKind solver) {
  Scene scene;
  scene.set_params(lifted(solver).params());
  Articulation robot{.name = "robot"};
  ArticulationLink& link = robot.links.emplace_back();
  link = {.name = "link", .mass = 1, .inertia = {.moments = {0.1f, 0.1f, 0.1f}}};
  link.joint.kind = ArticulationJointKind::kFree;
  link.shapes = {shape(Box{})};
  scene.add_articulation(robot);
  return scene;
}

TEST(RollingRows, of_neighbours_leave_a_world_as_it_is_alone) {
  for (const SolverKind solver :
       {SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse, SolverKind::kAvbd}) {
    std::vector<Scene> neighbours{rolling(solver)};
    if (solver != SolverKind::kAvbd) neighbours.push_back(articulated(solver));
    for (const Scene& neighbour : neighbours) {
      SCOPED_TRACE(std::string(word_of(solver)) + ", " + std::to_string(neighbour.bodies().size()) + " bodies beside");
      expect_as_alone({lifted(solver), neighbour}, 10);
    }
  }
}

}  // namespace
}  // namespace cairn::batch_test
